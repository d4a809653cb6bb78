"""Numbers of named groups as bars, one of each kind in every group."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from logca.plots.drawing import WIDTHS
from logca.plots.series import Series
from logca.plots.style import SMALL
from logca.plots.styled import empty_figure, legend_below, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Bars", "draw_bars"]

_SHAPE, _FILLED = 0.62, 0.82
"""Height of a picture over its width, and how much of a group's room its bars take [1]."""

_LETTER = 0.53
"""Mean width of a letter over its size [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """A picture.

    Parameters
    ----------
    title : str
        In a few words; stands in the file, not in the picture [text].
    groups : tuple of str
        Names of the groups, from left to right [text].
    kinds : tuple of Series
        The bars, at most eight in a group, each with a value for each group.
    across, up : str
        What the axes show, the vertical one with its unit [text].
    """

    title: str
    groups: tuple[str, ...]
    kinds: tuple[Series, ...]
    across: str
    up: str

    def abreast(self, _width: str) -> int:
        """Panels beside each other in a picture of any width [1]."""
        return 1


def draw_bars(bars: Bars, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window.

    Parameters
    ----------
    bars : Bars
        What to draw.
    width : str
        "column" or "page" [text].

    Raises
    ------
    MissingLibraryError
        If matplotlib is not installed.
    """
    from logca.plots.style import BLACK, GREY

    high = _SHAPE * WIDTHS[width] * (0.6 if width == "page" else 1.0)
    with styled(WIDTHS[width]) as letters:
        columns = _columns(bars, width, letters)
        rows = -(-len(bars.kinds) // columns)
        figure = empty_figure(WIDTHS[width], high + (1 + max(rows, 2)) * letters / 72)
        axes = figure.subplots()
        each = _FILLED / len(bars.kinds)
        for number, kind in enumerate(bars.kinds):
            shift = (number - (len(bars.kinds) - 1) / 2) * each
            axes.bar(
                [place + shift for place in range(len(bars.groups))],
                kind.values,
                width=0.94 * each,
                label=kind.name,
                edgecolor=BLACK,
                linewidth=0.5,
                zorder=3,
                **_look(number),
            )
        axes.set_xticks(range(len(bars.groups)), bars.groups)
        axes.tick_params(axis="x", length=0)
        axes.set_xlabel(bars.across)
        axes.set_ylabel(bars.up)
        axes.grid(axis="y", color=GREY, alpha=0.3, linewidth=0.4)
        axes.set_axisbelow(True)
        axes.axhline(0, color=BLACK, linewidth=0.6, zorder=4)
        legend_below(
            figure,
            columns,
            handlelength=1.6,
            handletextpad=0.4,
            columnspacing=1.0,
        )
        figure.draw_without_rendering()
    return figure


def _columns(bars: Bars, width: str, letters: float) -> int:
    """Entries of the legend that fit beside each other [1]."""
    entry = SMALL * letters * (_LETTER * max(len(kind.name) for kind in bars.kinds) + 3)
    fit = int(72 * WIDTHS[width] / entry)
    return max(1, min(len(bars.kinds), 2 if width == "column" else 4, fit))


def _look(number: int) -> dict[str, Any]:
    """Colours that differ in lightness, and hatches, so that grey print tells them apart."""
    from logca.plots.style import LINES

    blue, vermilion, green, _, purple, *_ = (line["color"] for line in LINES)
    looks = (
        ("#FFFFFF", ""),
        (blue, "///"),
        ("#BFD9EA", "..."),
        (vermilion, "xxx"),
        ("#D2D2D2", "---"),
        (green, "+++"),
        ("#F8F2BC", "ooo"),
        (purple, "|||"),
    )
    colour, hatch = looks[number]
    return {"color": colour, "hatch": hatch}
