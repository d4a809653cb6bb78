"""Hooks by which results show themselves in Python: text, HTML, a picture, a data frame.

A class of any room takes those of these functions into its body that fit it, as in::

    _repr_html_ = results.html
    to_frame = results.to_frame

What they show is made by the face, which no room imports: it names its module once, by `shown_by`,
and the module is loaded when the first result is looked at (decision 23).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["answer", "html", "picture", "plot", "shown_by", "text", "to_frame"]

_FACE: list[str] = []


def shown_by(module: str) -> None:
    """Name the module that has `answer_of`, `text_of`, `html_of`, `picture_of` and `frame_of`."""
    _FACE[:] = [module]


def _face() -> Any:
    return import_module(_FACE[0])


def answer(self: object) -> str:
    """The answer alone, one sentence."""
    return str(_face().answer_of(self))


def text(self: object) -> str:
    """The answer in the first line, short tables below it."""
    return str(_face().text_of(self))


def html(self: object) -> str:
    """Answer and tables as HTML, for notebooks."""
    return str(_face().html_of(self))


def picture(result: object, width: str, **options: Any) -> "Figure":
    """The picture of a result, for classes whose own `plot` has options."""
    figure: Figure = _face().picture_of(result, width=width, **options)
    return figure


def plot(self: object, *, width: str = "page") -> "Figure":
    """Draw the result, with labelled axes and units.

    Parameters
    ----------
    width : str
        "page" or "column": as wide as a page of a paper, or as a column.

    Returns
    -------
    matplotlib.figure.Figure
        The picture, which a notebook shows and ``savefig`` writes to a file.

    Raises
    ------
    MissingLibraryError
        If matplotlib is not installed: ``pip install 'logca[plot]'``.
    """
    return picture(self, width)


def to_frame(self: object, rows: str | None = None) -> "pd.DataFrame":
    """Rows of the result as a data frame of pandas, with numbers as they are, not rounded.

    Parameters
    ----------
    rows : str, optional
        Which rows, where a result has several kinds; the first kind if left out. A wrong name is
        answered with those that there are.

    Returns
    -------
    pandas.DataFrame
        A row each, under the names that the command line's ``--json`` has; ``attrs["rows"]`` says
        which rows these are.

    Raises
    ------
    ArgumentError
        If there are no such rows.
    MissingLibraryError
        If pandas is not installed: ``pip install 'logca[frame]'``.
    """
    return _face().frame_of(self, rows)
