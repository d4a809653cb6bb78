"""Numbers over something that is varied: one line for each name, panels of the same axes."""

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from logca.plots.drawing import WIDTHS
from logca.plots.series import SeriesPanel
from logca.plots.styled import empty_figure, legend_below, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Lines", "draw_lines"]

_SHAPE, _EDGES, _LEGEND = 0.56, 4.2, 1.5
"""Height of a panel over its width; what is below panels, and a row of the legend [letters]."""

_ABREAST = {"column": 1, "page": 2}
"""Panels beside each other whose labels do not run into each other [1]."""

_FEW = 7
"""Labels that fit on an axis beside each other [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A picture.

    Parameters
    ----------
    title : str
        In a few words; stands in the file, not in the picture [text].
    places : tuple of float
        Where on the horizontal axis the values are, in any order; without a meaning if there are
        names [unit of the axis].
    names : tuple of str
        What the places are called, if they are no numbers [text].
    panels : tuple of SeriesPanel
        Axes, two beside each other on a page, below each other in a column.
    across, up : str
        What the axes show, with their units [text].
    logarithmic : bool
        Whether the horizontal axis is, to the base of 2.
    reverse : bool
        Whether the horizontal axis has its largest place on the left.
    """

    title: str
    places: tuple[float, ...]
    panels: tuple[SeriesPanel, ...]
    across: str
    up: str
    names: tuple[str, ...] = ()
    logarithmic: bool = False
    reverse: bool = False

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return min(len(self.panels), _ABREAST[width])


def draw_lines(lines: Lines, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window.

    Parameters
    ----------
    lines : Lines
        What to draw.
    width : str
        "column" or "page" [text].

    Raises
    ------
    MissingLibraryError
        If matplotlib is not installed.
    """
    across = lines.abreast(width)
    down = -(-len(lines.panels) // across)
    panel = WIDTHS[width] / across
    with styled(panel) as letters:
        columns = 3 if width == "column" else 6
        rows = -(-len(lines.panels[0].series) // columns)
        edges = (_EDGES + 2 * down + _LEGEND * rows) * letters / 72
        names = 0.55 * max(map(len, lines.names), default=0) * letters / 72
        figure = empty_figure(WIDTHS[width], down * _SHAPE * panel + edges + names)
        grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
        every = grid.ravel()
        for axes, drawn in zip(every, lines.panels, strict=False):
            _draw_panel(axes, drawn, lines)
        for axes in every[len(lines.panels) :]:
            axes.set_axis_off()
        _axis(grid[0][0], lines)
        for axes in every[max(0, len(lines.panels) - across) : len(lines.panels)]:
            axes.set_xlabel(lines.across)
            axes.tick_params(labelbottom=True)
            if lines.names:
                axes.set_xticks(range(len(lines.names)), lines.names, rotation=35, ha="right")
        for axes in grid[:, 0]:
            axes.set_ylabel(lines.up)
        handles, labels = grid[0][0].get_legend_handles_labels()
        legend_below(
            figure,
            min(len(labels), columns),
            handles=handles,
            labels=labels,
            handlelength=2.6,
            handletextpad=0.4,
            columnspacing=1.0,
        )
        figure.draw_without_rendering()
    return figure


def _draw_panel(axes: "Axes", panel: SeriesPanel, lines: Lines) -> None:
    from matplotlib.ticker import StrMethodFormatter

    from logca.plots.style import GREY, LINES

    axes.grid(color=GREY, alpha=0.25, linewidth=0.4)
    axes.set_axisbelow(True)
    axes.axhline(0, color=GREY, linewidth=0.6, zorder=1)
    for number, series in enumerate(panel.series):
        style = LINES[number % len(LINES)]
        axes.plot(
            range(len(lines.names)) if lines.names else lines.places,
            series.values,
            label=series.name,
            markersize=3.2,
            markerfacecolor="white" if number % 2 else style["color"],
            markeredgewidth=0.8,
            linewidth=1.0,
            clip_on=False,
            zorder=3,
            **style,
        )
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    if panel.title:
        axes.set_title(panel.title, pad=3)


def _axis(axes: "Axes", lines: Lines) -> None:
    """The horizontal axis, which all panels share."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    values = [v for panel in lines.panels for series in panel.series for v in series.values]
    highest = max((value for value in values if isfinite(value)), default=1.0)
    axes.set_ylim(min(0.0, *(v for v in values if isfinite(v)), 0.0), 1.06 * max(highest, 1.0))
    if lines.names:
        axes.set_xlim(-0.3, len(lines.names) - 0.7)
        return
    places = sorted(lines.places)
    if lines.logarithmic:
        axes.set_xscale("log", base=2)
        apart = -(-len(places) // _FEW)
        axes.set_xticks(places[::apart])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _place: _power(x)))
    axes.set_xlim(places[0], places[-1])
    if lines.reverse:
        axes.invert_xaxis()


def _power(value: float) -> str:
    """A number as it is read best: 1/8 rather than 0.125 [text]."""
    return f"1/{1 / value:g}" if 0 < value < 1 else f"{value:g}"
