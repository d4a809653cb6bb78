"""Numbers of named rows as dots: one line for each row, one marker for each series."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from logca.plots.drawing import WIDTHS
from logca.plots.series import SeriesPanel
from logca.plots.styled import empty_figure, legend_below, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Dots", "draw_dots"]

_LINE, _EDGES = 1.5, 7.5
"""Height of a row, and of all that is above and below the rows [sizes of letters]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """A picture.

    Parameters
    ----------
    title : str
        In a few words; stands in the file, not in the picture [text].
    rows : tuple of str
        Names of the rows, from top to bottom [text].
    panels : tuple of SeriesPanel
        Axes beside each other on a page, below each other in a column; values are above 0.
    axis : str
        What the horizontal, logarithmic axis shows, with its unit [text].
    reference : float, optional
        Where a vertical line is drawn [unit of the axis].
    """

    title: str
    rows: tuple[str, ...]
    panels: tuple[SeriesPanel, ...]
    axis: str
    reference: float | None = None

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return len(self.panels) if width == "page" else 1


def draw_dots(dots: Dots, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window.

    Parameters
    ----------
    dots : Dots
        What to draw.
    width : str
        "column" or "page" [text].

    Raises
    ------
    MissingLibraryError
        If matplotlib is not installed.
    """
    across = dots.abreast(width)
    down = -(-len(dots.panels) // across)
    with styled(WIDTHS[width] / across) as letters:
        height = down * (_LINE * len(dots.rows) + _EDGES) * letters / 72
        figure = empty_figure(WIDTHS[width], height)
        grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
        for axes, panel in zip(grid.ravel(), dots.panels, strict=True):
            _draw_panel(axes, panel, dots)
        for axes in grid[-1]:
            axes.set_xlabel(dots.axis)
        handles, labels = grid[0][0].get_legend_handles_labels()
        legend_below(
            figure,
            min(len(labels), 2 if width == "column" else 4),
            handles=handles,
            labels=labels,
            handletextpad=0.2,
            columnspacing=0.9,
        )
        figure.draw_without_rendering()
    return figure


def _draw_panel(axes: "Axes", panel: SeriesPanel, dots: Dots) -> None:
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    from logca.plots.style import GREY, LINES

    places = range(len(dots.rows))
    axes.set_xscale("log")
    axes.set_ylim(len(dots.rows) - 0.5, -0.5)
    axes.set_yticks(places, dots.rows)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=GREY, alpha=0.35, linewidth=0.4)
    axes.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.4)
    axes.set_axisbelow(True)
    if dots.reference is not None:
        axes.axvline(dots.reference, color=GREY, linewidth=0.8, zorder=1)
    for number, (series, style) in enumerate(zip(panel.series, LINES, strict=False)):
        axes.plot(
            series.values,
            places,
            linestyle="none",
            marker=style["marker"],
            markerfacecolor="none" if number else style["color"],
            markeredgecolor=style["color"],
            markeredgewidth=1.0,
            label=series.name,
            zorder=3,
            clip_on=False,
        )
    _ticks(axes, panel, dots)
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    if panel.title:
        axes.set_title(panel.title, pad=3)


def _ticks(axes: "Axes", panel: SeriesPanel, dots: Dots) -> None:
    """Ticks at powers of ten, and between them where the axis has few of them."""
    from matplotlib.ticker import LogLocator

    values = [
        value
        for each in dots.panels
        for series in each.series
        for value in series.values
        if value == value and value > 0
    ]
    if not values:
        return
    low, high = min(values) / 1.4, max(values) * 1.4
    axes.set_xlim(low, high)
    few = high / low < 100
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
