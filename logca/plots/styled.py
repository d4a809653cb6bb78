"""matplotlib's settings while a picture is drawn and written."""

from collections.abc import Iterator
from contextlib import contextmanager

from logca.numeric.missing import require
from logca.plots.style import settings

__all__ = ["styled"]


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
