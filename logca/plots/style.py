"""Colours, lines and letters, legible in print, in grey and for those who see few colours.

Also the settings of matplotlib while a picture is drawn and written.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from logca.common.extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "BANDS",
    "BLACK",
    "GREY",
    "IMPROVED",
    "LINES",
    "SMALL",
    "WIDTHS",
    "drawing_settings",
    "empty_figure",
    "legend_below",
    "settings",
]

WIDTHS = {"column": 3.3, "page": 7.0}
"""Widths of a picture [in]."""

BLACK, GREY = "#000000", "#6b6b6b"
_ORANGE, _SKY, _GREEN, _YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
_BLUE, _VERMILION, _PURPLE = "#0072B2", "#D55E00", "#CC79A7"  # Okabe and Ito, 2008

LINES: tuple[dict[str, Any], ...] = (
    {"color": _BLUE, "linestyle": "-", "marker": "o"},
    {"color": _VERMILION, "linestyle": (0, (5, 1.5)), "marker": "s"},
    {"color": _GREEN, "linestyle": (0, (1, 1)), "marker": "^"},
    {"color": BLACK, "linestyle": (0, (6, 1.5, 1, 1.5)), "marker": "D"},
    {"color": _PURPLE, "linestyle": (0, (3, 1, 1, 1, 1, 1)), "marker": "v"},
    {"color": _ORANGE, "linestyle": (0, (8, 2)), "marker": "P"},
    {"color": _SKY, "linestyle": (0, (2, 1)), "marker": "X"},
)
"""Curves beside each other differ in colour, dashes and marker."""

IMPROVED: dict[str, dict[str, Any]] = {
    "o": {"color": _BLUE, "linestyle": (0, (5, 1.5))},
    "L": {"color": _GREEN, "linestyle": (0, (1, 1))},
    "C": {"color": _ORANGE, "linestyle": (0, (6, 1.5, 1, 1.5))},
    "A": {"color": _VERMILION, "linestyle": (0, (3, 1))},
}
"""Colour and dashes of an improved parameter, the same in every figure."""

BANDS = {
    "oC": "#D6E9F8",
    "oLC": "#B4DFCF",
    "LC": "#E6F3D3",
    "C": "#FFFFFF",
    "oCA": "#D3C7E8",
    "oLCA": "#D2D2D2",
    "LCA": "#F8F2BC",
    "CA": "#FDEACD",
    "A": "#F8D0BF",
    "": "#FFFFFF",
}
"""Tints of the regions, neighbours lighter and darker in turn; their labels tell them apart too."""

SMALL = 5 / 6
"""Size of small letters over that of others, as matplotlib has it [1]."""

_ROOMY = 2.2
_LARGE, _MEDIUM = 8.0, 7.2  # small text is a sixth less; below 6 pt print is hard to read


def settings(panel_width: float) -> dict[str, Any]:
    """Settings of matplotlib for panels of a width; it has defaults for all others."""
    letters = _LARGE if panel_width >= _ROOMY else _MEDIUM
    return {**_SETTINGS, "font.size": letters}


_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is the same everywhere
    "mathtext.fontset": "dejavusans",
    "axes.labelsize": "medium",
    "axes.titlesize": "medium",
    "xtick.labelsize": "small",
    "ytick.labelsize": "small",
    "figure.labelsize": "medium",
    "legend.fontsize": "small",
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "lines.markersize": 4.0,
    "pdf.fonttype": 42,  # TrueType: publishers refuse Type 3
    "svg.hashsalt": "logca",  # the same ids in every run
}


@contextmanager
def drawing_settings(width: str, abreast: int = 1) -> Iterator[float]:
    """Have matplotlib draw as here, whatever the user's settings are; gives the size of letters."""
    matplotlib = require("matplotlib", "plot")
    chosen = settings(WIDTHS[width] / abreast)
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(chosen)
        yield chosen["font.size"]


def empty_figure(width: str, height: float) -> "Figure":
    """A figure of a height in inches whose axes take all the room that their labels leave."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    beside, above = 2 / 72, 4 / 72
    return Figure(
        figsize=(WIDTHS[width], height + above),
        layout=ConstrainedLayoutEngine(w_pad=beside, h_pad=above, wspace=0.02, hspace=0.02),
    )


def legend_below(figure: "Figure", columns: int, **given: Any) -> None:
    """Put a legend below the axes, so that it hides nothing."""
    figure.legend(
        loc="outside lower center", ncols=columns, borderaxespad=0.0, borderpad=0.2, **given
    )
