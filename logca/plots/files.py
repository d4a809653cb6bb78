"""Pictures as files: SVG, PNG or PDF, the same bytes every time."""

from io import BytesIO
from typing import TYPE_CHECKING, Any

from logca.plots.draw import draw, look
from logca.plots.drawing import Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["SUFFIXES", "check_suffix", "picture", "written"]

SUFFIXES = (".svg", ".png", ".pdf")
"""Endings of files that a picture can be written to [text]."""

_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": "logca"},
    ".pdf": {"CreationDate": None, "Creator": "logca", "Producer": None},
    ".png": {"Software": "logca"},
}
"""What is written into files [text]; no times and versions, which would differ from run to run."""


def picture(drawing: Drawing, suffix: str, *, width: str = "column", dpi: int = 300) -> bytes:
    """The contents of a file.

    Parameters
    ----------
    drawing : Drawing
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
    check_suffix(suffix)
    figure = draw(drawing, width=width)
    with look(drawing, width):
        return written(figure, suffix, title=drawing.title, dpi=dpi)


def check_suffix(suffix: str) -> None:
    """Refuse a suffix that is none of `SUFFIXES`, before anything is drawn.

    Parameters
    ----------
    suffix : str
        What a file's name ends in [text].

    Raises
    ------
    ValueError
        If it is none of them.
    """
    if suffix not in SUFFIXES:
        raise ValueError(f"a picture must end in {', '.join(SUFFIXES)}, not {suffix!r}")


def written(figure: "Figure", suffix: str, *, title: str, dpi: int) -> bytes:
    """The contents of a file with a figure that is drawn, by matplotlib's settings of the moment.

    Parameters
    ----------
    figure : Figure
        The figure.
    suffix : str
        One of `SUFFIXES` [text].
    title : str
        What it shows [text].
    dpi : int
        Dots per inch of a PNG [1/in].
    """
    contents = BytesIO()
    metadata = _METADATA[suffix] | {"Title": title}
    figure.savefig(contents, format=suffix[1:], dpi=dpi, metadata=metadata)
    return contents.getvalue()
