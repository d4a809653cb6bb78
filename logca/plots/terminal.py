"""The speedup of an accelerator over granularity, drawn in letters for a terminal."""

from collections.abc import Iterable
from math import log2

import numpy as np

from logca.common.extras import require
from logca.common.sizes import format_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.paper.figure_terms import HIGH, LOW
from logca.plots.drawing import time_ratio

__all__ = ["terminal_curve"]

_TICKS = 6


def terminal_curve(
    accelerator: Accelerator,
    fit: Fit | None = None,
    *,
    low: float = LOW,
    high: float = HIGH,
    width: int = 76,
    height: int = 14,
) -> str:
    """Log-log plot: the speedup, the line of speedup 1, and the break-even sizes.

    With the fit that the accelerator follows from, its breaks are in the curve.
    """
    plot = require("plotext", "plot")
    sizes = np.geomspace(low, high, 2 * width)
    speedups = np.asarray(time_ratio(fit, sizes) * accelerator.speedup(sizes))
    plot.clear_figure()
    plot.theme("clear")
    plot.plot_size(width, height)
    # plotext labels its logarithmic axes with powers of ten; sizes are read in powers of two
    plot.plot(np.log2(sizes), np.log2(speedups), marker="braille")
    ends: Iterable[float] = accelerator.break_even()
    if fit is not None and fit.breaks:
        ends = [end for each in thresholds(fit).likely for end in (each.above, each.below)]
    crossings = [size for size in ends if low <= size <= high]
    for size in crossings:
        plot.vline(log2(size))
    lowest, highest = float(min(speedups.min(), 1)), float(max(speedups.max(), 1))
    if lowest < 1 or crossings:
        plot.hline(0)
    across = _ticks(low, high)
    plot.xticks([log2(size) for size in across], [format_size(size) for size in across])
    up = _speedup_ticks(lowest, highest)
    plot.yticks([log2(value) for value in up], [f"{value:g}x" for value in up])
    plot.ylim(log2(lowest) - 0.3, log2(highest) + 0.3)
    lines = plot.uncolorize(plot.build()).splitlines()
    plot.clear_figure()
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _ticks(low: float, high: float) -> list[float]:
    """Powers of two, evenly far from each other, at most `_TICKS` + 1."""
    first, last = int(np.ceil(log2(low))), int(np.floor(log2(high)))
    step = max(1, -(-(last - first) // _TICKS))
    return [2.0**exponent for exponent in range(first, last + 1, step)]


def _speedup_ticks(low: float, high: float) -> list[float]:
    """Powers of ten in the range, of two where there are few of those; and 1."""
    powers: set[float] = set()
    for base in (10.0, 2.0):
        first, last = (np.log([low, high]) / np.log(base)).tolist()
        powers = {base**exponent for exponent in range(int(np.ceil(first)), int(last) + 1)}
        if len(powers) > 2:
            break
    return sorted(powers | {1.0})
