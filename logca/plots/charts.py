"""Charts of plain numbers: lines over something that is varied, bars of groups, dots of rows."""

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from logca.plots.style import SMALL, WIDTHS, drawing_settings, empty_figure, legend_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "Bars",
    "Dots",
    "Lines",
    "Series",
    "SeriesPanel",
    "draw_bars",
    "draw_dots",
    "draw_lines",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Values drawn alike: one line, the bars of one kind, or the dots with one marker."""

    name: str  # what it is called in the legend
    # one for each place, group or row; NaN where there is none [unit of the axis]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPanel:
    """One set of axes."""

    title: str  # heading
    series: tuple[Series, ...]  # what is drawn; all panels have the same names in the same order


_SHAPE, _EDGES, _LEGEND = 0.56, 4.2, 1.5
"""Height of a panel over its width; what is below panels, and a row of the legend [letters]."""

_ABREAST = {"column": 1, "page": 2}
"""Panels beside each other whose labels do not run into each other [1]."""

_FEW = 7
"""Labels that fit on an axis beside each other [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A picture."""

    title: str  # in a few words; stands in the file, not in the picture
    # where on the horizontal axis the values are, in any order; without a meaning if there are
    # names [unit of the axis]
    places: tuple[float, ...]
    # axes, two beside each other on a page, below each other in a column
    panels: tuple[SeriesPanel, ...]
    # across, up: what the axes show, with their units
    across: str
    up: str
    names: tuple[str, ...] = ()  # what the places are called, if they are no numbers
    logarithmic: bool = False  # whether the horizontal axis is, to the base of 2
    reverse: bool = False  # whether the horizontal axis has its largest place on the left

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return min(len(self.panels), _ABREAST[width])


def draw_lines(lines: Lines, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window."""
    across = lines.abreast(width)
    down = -(-len(lines.panels) // across)
    panel = WIDTHS[width] / across
    with drawing_settings(width, across) as letters:
        columns = 3 if width == "column" else 6
        rows = -(-len(lines.panels[0].series) // columns)
        edges = (_EDGES + 2 * down + _LEGEND * rows) * letters / 72
        names = 0.55 * max(map(len, lines.names), default=0) * letters / 72
        figure = empty_figure(width, down * _SHAPE * panel + edges + names)
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
    """A number as it is read best: 1/8 rather than 0.125."""
    return f"1/{1 / value:g}" if 0 < value < 1 else f"{value:g}"


_BAR_SHAPE, _FILLED = 0.62, 0.82
"""Height of a picture over its width, and how much of a group's room its bars take [1]."""

_LETTER = 0.53
"""Mean width of a letter over its size [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """A picture."""

    title: str  # in a few words; stands in the file, not in the picture
    groups: tuple[str, ...]  # names of the groups, from left to right
    # the bars, at most eight in a group, each with a value for each group
    kinds: tuple[Series, ...]
    # across, up: what the axes show, the vertical one with its unit
    across: str
    up: str

    def abreast(self, _width: str) -> int:
        """Panels beside each other in a picture of any width [1]."""
        return 1


def draw_bars(bars: Bars, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window."""
    from logca.plots.style import BLACK, GREY

    high = _BAR_SHAPE * WIDTHS[width] * (0.6 if width == "page" else 1.0)
    with drawing_settings(width) as letters:
        columns = _columns(bars, width, letters)
        rows = -(-len(bars.kinds) // columns)
        figure = empty_figure(width, high + (1 + max(rows, 2)) * letters / 72)
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


_LINE, _DOT_EDGES = 1.5, 7.5
"""Height of a row, and of all that is above and below the rows [sizes of letters]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """A picture."""

    title: str  # in a few words; stands in the file, not in the picture
    rows: tuple[str, ...]  # names of the rows, from top to bottom
    # axes beside each other on a page, below each other in a column; values are above 0
    panels: tuple[SeriesPanel, ...]
    axis: str  # what the horizontal, logarithmic axis shows, with its unit
    reference: float | None = None  # where a vertical line is drawn [unit of the axis]

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return len(self.panels) if width == "page" else 1


def draw_dots(dots: Dots, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window."""
    across = dots.abreast(width)
    down = -(-len(dots.panels) // across)
    with drawing_settings(width, across) as letters:
        height = down * (_LINE * len(dots.rows) + _DOT_EDGES) * letters / 72
        figure = empty_figure(width, height)
        grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
        for axes, panel in zip(grid.ravel(), dots.panels, strict=True):
            _draw_dots_panel(axes, panel, dots)
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
    return figure


def _draw_dots_panel(axes: "Axes", panel: SeriesPanel, dots: Dots) -> None:
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
