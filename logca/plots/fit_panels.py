"""The panels of a fit."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from logca.numeric.arrays import Array
from logca.numeric.fitting.fit import Fit
from logca.numeric.fitting.observed import Observed, observed
from logca.numeric.fitting.threshold_words import percent
from logca.plots.axes import granularities, granularity_axis, speedup_axis, speedup_range
from logca.plots.fit import shown_sizes
from logca.plots.fit_axes import ratio_axis, time_axis
from logca.plots.fit_legend import BAND, BEYOND, MEASURED, PATHS, SPIKE
from logca.plots.fit_marks import MARKS, mark_granularities, write_below
from logca.plots.marks import level, summary
from logca.plots.style import BLACK

__all__ = ["draw_residuals", "draw_speedup", "draw_times"]

_NEVER = 0.9995


def draw_times(axes: Axes, fit: Fit) -> None:
    """Draw the times of both paths, and the curves.

    Parameters
    ----------
    axes : Axes
        Empty axes.
    fit : Fit
        What to draw.
    """
    low, high = shown_sizes(fit)
    g = granularities(low, high)
    curves = dict(zip(PATHS, fit.times(g), strict=True))
    granularity_axis(axes, low, high)
    shown = []
    for path, curve in curves.items():
        seen = _seen(fit, path)
        _curve(axes, g, curve, fit, color=PATHS[path]["color"])
        _points(axes, seen.size, seen.median, seen.low, seen.high, **PATHS[path])
        axes.plot(seen.spike_size, seen.spike, **SPIKE, color=PATHS[path]["color"], zorder=2)
        within = (g >= seen.size[0]) & (g <= seen.size[-1])
        shown += [curve[within], seen.low, seen.high, seen.spike]
    times = np.concatenate(shown)
    time_axis(axes, float(np.nanmin(times)), float(np.nanmax(times)))
    axes.set_ylabel("time of a call")


def draw_speedup(axes: Axes, fit: Fit) -> None:
    """Draw the speedup with its break-evens and the interval of the first.

    Parameters
    ----------
    axes : Axes
        Empty axes.
    fit : Fit
        What to draw.
    """
    low, high = shown_sizes(fit)
    g = granularities(low, high)
    own_curve, offloaded_curve = fit.times(g)
    curve = own_curve / offloaded_curve
    host, other = _seen(fit, "host"), _seen(fit, "accelerated")
    size, own, offloaded = np.intersect1d(host.size, other.size, return_indices=True)
    median = host.median[own] / other.median[offloaded]
    least = host.low[own] / other.high[offloaded]
    most = host.high[own] / other.low[offloaded]
    exists = fit.parameters["A"] > 1
    accelerators = (fit.accelerator,) if exists else ()
    curves = [curve, least[np.isfinite(least)], most[np.isfinite(most)]]
    granularity_axis(axes, low, high)
    speedup_axis(axes, *speedup_range(curves, accelerators))
    for name in ("g1", "g1_upper"):
        _shade(axes, *fit.intervals[name][:2])
    _curve(axes, g, curve, fit, color=BLACK)
    _points(axes, size, median, least, most, **MEASURED)
    axes.set_ylabel("speedup [1]")
    line, lines = 0, _doubts(fit, exists)
    for each in accelerators:
        _acceleration(axes, each.A)
        line = mark_granularities(axes, each)
        lines += summary(each, outside=(low, high))
    for place, text in enumerate(lines):
        write_below(axes, text, high, line + place, right=False)


def draw_residuals(axes: Axes, fit: Fit) -> None:
    """Draw measured over fitted times; sizes all of whose times are spikes are left out.

    Parameters
    ----------
    axes : Axes
        Empty axes.
    fit : Fit
        What to draw.
    """
    granularity_axis(axes, *shown_sizes(fit))
    shown = []
    for path, apart in (("host", 0.97), ("accelerated", 1.03)):
        seen = _seen(fit, path)
        ratios = [each / seen.fitted for each in (seen.median, seen.low, seen.high)]
        _points(axes, seen.size * apart, *ratios, **PATHS[path])
        shown += ratios
    every = np.concatenate(shown)
    ratio_axis(axes, float(np.nanmin(every)), float(np.nanmax(every)))
    axes.set_ylabel("measured / fitted")


def _seen(fit: Fit, path: str) -> Observed:
    return observed(fit.estimates[fit.latency], path)


def _curve(axes: Axes, g: Array, curve: Array, fit: Fit, **style: Any) -> None:
    """Whole where there are data, dashed beyond."""
    sizes = np.concatenate([_seen(fit, path).size for path in PATHS])
    beyond = (g < sizes.min()) | (g > sizes.max())
    axes.plot(g, np.where(beyond, np.nan, curve), zorder=3, **style)
    axes.plot(g, np.where(beyond, curve, np.nan), zorder=3, **BEYOND, **style)


def _points(axes: Axes, size: Array, median: Array, low: Array, high: Array, **style: Any) -> None:
    axes.errorbar(
        size,
        median,
        yerr=[median - low, high - median],
        linestyle="none",
        markersize=3.0,
        markeredgewidth=0.7,
        elinewidth=0.7,
        zorder=4,
        **style,
    )


def _shade(axes: Axes, start: float, end: float) -> None:
    low, high = axes.get_xlim()
    if end > low and start < high:
        axes.axvspan(max(start, low), min(end, high), **BAND)
        for edge in (start, end):  # an interval may be narrower than a line
            axes.axvline(edge, color=BAND["color"], linewidth=0.8, zorder=0)


def _acceleration(axes: Axes, A: float) -> None:
    """A line where the speedup would be the acceleration, if that is within the axes."""
    bottom, top = axes.get_ylim()
    if bottom < A < top:
        axes.axhline(A, color=MARKS["color"], linewidth=0.6, linestyle=(0, (6, 3)), zorder=1)
        level(axes, f"$A$ = {A:.3g}", A, MARKS["color"])


def _doubts(fit: Fit, exists: bool) -> list[str]:
    """What is to be said of a break-even that may not be [text]."""
    none = fit.intervals["g1"].none
    if not exists or none > _NEVER:
        return ["no $g_1$"] * (not exists)
    return [f"probability of no $g_1$: {percent(none)}"] if none > 1 - _NEVER else []
