"""matplotlib's settings while a picture is drawn and written."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from logca.numeric.missing import require
from logca.plots.style import settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["empty_figure", "legend_below", "styled"]


@contextmanager
def styled(panel_width: float) -> Iterator[float]:
    """Have matplotlib draw as here, whatever the user's settings are; gives the size of letters.

    Parameters
    ----------
    panel_width : float
        How wide a panel is [in].

    Raises
    ------
    MissingLibraryError
        If matplotlib is not installed.
    """
    matplotlib = require("matplotlib", "plot")
    chosen = settings(panel_width)
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(chosen)
        yield chosen["font.size"]


def empty_figure(width: float, height: float) -> "Figure":
    """A figure whose axes take all the room that their labels leave.

    Parameters
    ----------
    width, height : float
        Its size [in].
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    gap = 2 / 72
    return Figure(
        figsize=(width, height),
        layout=ConstrainedLayoutEngine(w_pad=gap, h_pad=gap, wspace=0.02, hspace=0.02),
    )


def legend_below(figure: "Figure", columns: int, **given: Any) -> None:
    """Put a legend below the axes, so that it hides nothing.

    Parameters
    ----------
    figure : Figure
        The figure.
    columns : int
        Entries beside each other [1].
    **given
        What else matplotlib's `Figure.legend` is to know, such as gaps [sizes of letters].
    """
    figure.legend(
        loc="outside lower center", ncols=columns, borderaxespad=0.0, borderpad=0.2, **given
    )
