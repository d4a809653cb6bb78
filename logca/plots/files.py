"""Pictures as files: SVG, PNG or PDF, the same bytes every time."""

from io import BytesIO
from typing import TYPE_CHECKING, Any

from logca.plots.bars import Bars, draw_bars
from logca.plots.dots import Dots, draw_dots
from logca.plots.draw import draw
from logca.plots.drawing import WIDTHS, Drawing
from logca.plots.fit import FitPicture, draw_fit
from logca.plots.lines import Lines, draw_lines
from logca.plots.styled import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["SUFFIXES", "picture"]

SUFFIXES = (".svg", ".png", ".pdf")
"""Endings of files that a picture can be written to [text]."""

_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": "logca"},
    ".pdf": {"CreationDate": None, "Creator": "logca", "Producer": None},
    ".png": {"Software": "logca"},
}
"""What is written into files [text]; no times and versions, which would differ from run to run."""


def picture(
    drawn: Drawing | Lines | Bars | Dots | FitPicture,
    suffix: str,
    *,
    width: str = "column",
    dpi: int = 300,
) -> bytes:
    """The contents of a file.

    Parameters
    ----------
    drawn : Drawing, Lines, Bars, Dots or FitPicture
        What to draw.
    suffix : str
        One of `SUFFIXES` [text].
    width : str
        "column" or "page" [text].
    dpi : int
        Dots per inch of a PNG [1/in].

    Raises
    ------
    ValueError
        If the suffix is none of them.
    MissingLibraryError
        If matplotlib is not installed.
    """
    if suffix not in SUFFIXES:
        raise ValueError(f"a picture must end in {', '.join(SUFFIXES)}, not {suffix!r}")
    figure = _figure(drawn, width)
    contents = BytesIO()
    metadata = _METADATA[suffix] | {"Title": drawn.title}
    with styled(WIDTHS[width] / drawn.abreast(width)):  # what is laid out anew keeps its letters
        figure.savefig(contents, format=suffix[1:], dpi=dpi, metadata=metadata)
    return contents.getvalue()


def _figure(drawn: Drawing | Lines | Bars | Dots | FitPicture, width: str) -> "Figure":
    match drawn:
        case Lines():
            return draw_lines(drawn, width=width)
        case Bars():
            return draw_bars(drawn, width=width)
        case Dots():
            return draw_dots(drawn, width=width)
        case FitPicture():
            return draw_fit(drawn, width=width)
    return draw(drawn, width=width)
