"""Uncertain parameters over granularity: probability of a speedup, and its quantiles as a band."""

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.numeric.chance.accelerator import UncertainAccelerator
from logca.numeric.chance.decide import UncertainDecision
from logca.plots.style import (
    BLACK,
    GREY,
    LINES,
    WIDTHS,
    drawing_settings,
    empty_figure,
    legend_below,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ChancePicture", "chance_picture", "draw_chance"]

_SHAPE, _EDGES = 0.62, 4.6
"""Height of a panel over its width; what is above and below it [letters]."""

_SIZES = {True: 49, False: 25}  # sizes that are computed: of distributions, and of a fit [1]
_BEYOND = 64.0  # factor from the size, or what is between the quantiles, to the ends of the axis
_POINTS = 256  # of each randomization: its error is less than the width of a line [1]
_MARGIN, _FEW = 1.1, 100.0  # factor beyond what is drawn; span of an axis with few powers of ten
_TINTS = ("#D6E9F8", "#8FC1E3")  # between 5 % and 95 %, and between 25 % and 75 %


@dataclass(frozen=True, slots=True, kw_only=True)
class ChancePicture:
    """A picture of a decision with uncertain parameters."""

    title: str  # in a few words; stands in the file, not in the picture
    found: UncertainDecision  # what is drawn
    # low, high: range of granularities [B]
    low: float
    high: float

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return 2 if width == "page" else 1


def chance_picture(found: UncertainDecision) -> ChancePicture:
    """The picture of a decision, around its size and the sizes from which on it pays."""
    if isinstance(found.basis, UncertainAccelerator):
        basis = replace(found.basis, points=min(found.basis.points, _POINTS))
        found = replace(found, basis=basis)
    near = [found.size / 4, found.size * 4]
    near += [
        each.value
        for each in found.granularities.values()
        if found.size / _BEYOND**2 < each.value < found.size * _BEYOND**2
    ]
    return ChancePicture(
        title="Probability of a speedup", found=found, low=min(near) / 2, high=max(near) * 2
    )


def draw_chance(picture: ChancePicture, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window."""
    across = picture.abreast(width)
    down = 2 // across
    with drawing_settings(width, across) as letters:
        panel = WIDTHS[width] / across
        figure = empty_figure(width, down * _SHAPE * panel + (4 + _EDGES * down) * letters / 72)
        grid = figure.subplots(down, across, squeeze=False).ravel()
        exact = isinstance(picture.found.basis, UncertainAccelerator)
        sizes = np.geomspace(picture.low, picture.high, _SIZES[exact])
        _probabilities(grid[0], picture, sizes)
        _quantiles(grid[1], picture, sizes)
        handles, labels = zip(
            *(
                pair
                for axes in grid
                for pair in zip(*axes.get_legend_handles_labels(), strict=True)
            ),
            strict=True,
        )
        legend_below(
            figure,
            2 if width == "column" else 4,
            handles=handles,
            labels=labels,
            handlelength=2.2,
            handletextpad=0.5,
            columnspacing=1.2,
        )
    return figure


def _probabilities(axes: "Axes", picture: ChancePicture, sizes: Any) -> None:
    """Probability that the target is exceeded, and that it is so from some size on."""
    found = picture.found
    exceeded = [100 * found.basis.probability(found.target, g).value for g in sizes]
    line = {key: value for key, value in LINES[0].items() if key != "marker"}
    axes.plot(sizes, exceeded, label=f"speedup above {found.target:.4g}", zorder=3, **line)
    if found.reached is not None and 100 * found.reached.value < 99.95:
        style = {key: value for key, value in LINES[1].items() if key != "marker"}
        axes.axhline(
            100 * found.reached.value, label="so at some size", linewidth=0.9, zorder=2, **style
        )
    axes.plot(
        [found.size],
        [100 * found.probability.value],
        linestyle="none",
        marker="o",
        markerfacecolor="white",
        color=BLACK,
        label="this size",
        zorder=4,
        clip_on=False,
    )
    axes.set_ylim(0, 100)
    axes.set_ylabel(f"{'confidence' if found.fitted else 'probability'} [%]")
    _size_axis(axes, picture)


def _quantiles(axes: "Axes", picture: ChancePicture, sizes: Any) -> None:
    """The median of the speedup, with bands between quantiles."""
    found = picture.found
    exact = isinstance(found.basis, UncertainAccelerator)
    pairs = ((0.05, 0.95), (0.25, 0.75)) if exact else ((0.05, 0.95),)
    drawn = []
    for (low, high), tint in zip(pairs, _TINTS, strict=False):
        bottom, top = (
            [found.basis.speedup_quantile(p, g).value for g in sizes] for p in (low, high)
        )
        drawn += [value for value in (*bottom, *top) if 0 < value < inf]
        name = f"{100 * (high - low):.0f} % {'of speedups' if exact else 'interval'}"
        axes.fill_between(sizes, bottom, top, color=tint, linewidth=0, zorder=1, label=name)
    median = [found.basis.speedup_quantile(0.5, g).value for g in sizes]
    axes.plot(sizes, median, color=LINES[0]["color"], label="median speedup", zorder=3)
    axes.axhline(found.target, color=GREY, linewidth=0.8, linestyle=(0, (2, 2)), zorder=2)
    axes.axvline(found.size, color=GREY, linewidth=0.5, zorder=0)
    _speedup_axis(axes, min(*drawn, found.target) / _MARGIN, max(*drawn, found.target) * _MARGIN)
    axes.set_ylabel("speedup [1]")
    _size_axis(axes, picture)


def _speedup_axis(axes: "Axes", low: float, high: float) -> None:
    """Ticks at powers of ten, and between them where the axis has few of them."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    from logca.plots.axes import speedup_axis

    speedup_axis(axes, low, high)
    if high < _FEW * low:
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())


def _size_axis(axes: "Axes", picture: ChancePicture) -> None:
    from logca.plots.axes import granularity_axis

    granularity_axis(axes, picture.low, picture.high)
    axes.set_xlabel("granularity $g$ [bytes]")
    axes.grid(color=GREY, alpha=0.25, linewidth=0.4)
    axes.set_axisbelow(True)
