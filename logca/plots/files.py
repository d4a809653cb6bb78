"""Pictures as files: SVG, PNG or PDF, the same bytes every time."""

from io import BytesIO
from typing import Any

from logca.plots.draw import draw, look
from logca.plots.drawing import Drawing

__all__ = ["METADATA", "SUFFIXES", "picture"]

SUFFIXES = (".svg", ".png", ".pdf")
"""Endings of files that a picture can be written to [text]."""


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
    if suffix not in SUFFIXES:
        raise ValueError(f"a picture must end in {', '.join(SUFFIXES)}, not {suffix!r}")
    figure = draw(drawing, width=width)
    written = BytesIO()
    with look(drawing, width):
        figure.savefig(
            written, format=suffix[1:], dpi=dpi, metadata=METADATA[suffix] | _title(drawing)
        )
    return written.getvalue()


METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": "logca"},
    ".pdf": {"CreationDate": None, "Creator": "logca", "Producer": None},
    ".png": {"Software": "logca"},
}
"""What is written into files [text]; no times and versions, which would differ from run to run."""


def _title(drawing: Drawing) -> dict[str, str]:
    return {"Title": drawing.title}
