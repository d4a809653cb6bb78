"""The panels of a fit: times, ratios, break-evens, and what is measured beside the curves."""

from math import ceil, floor, log, log10
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from logca.common.readable_numbers import duration, probability
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.arrays.arrays import Array
from logca.numeric.fit.estimate import Observed, observed, observed_speedups
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.size_ranges import Ranges
from logca.plots.axes import (
    fraction,
    granularities,
    granularity_axis,
    in_points,
    letters_of,
    short_size,
    small_letters,
    speedup_axis,
    speedup_range,
    text_size,
    white_box,
    write,
)
from logca.plots.marks import acceleration_line, summary
from logca.plots.style import BLACK, GREY, LINES

__all__ = [
    "BAND",
    "BEYOND",
    "MARKS",
    "MEASURED",
    "PATHS",
    "PRESENT",
    "SPIKE",
    "draw_residuals",
    "draw_speedup",
    "draw_times",
    "fit_handles",
    "mark_granularities",
    "ratio_axis",
    "time_axis",
    "write_below",
]

_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_LEAST_RATIO, _DOUBLED, _TICKS = 1.02, 2.5, 4.5


def time_axis(axes: Axes, low: float, high: float) -> None:
    """Prepare a vertical axis of times: ticks at powers of ten, with units."""
    axes.set_yscale("log")
    axes.set_ylim(low / 1.5, high * 1.5)
    first, last = ceil(log10(low / 1.5)), floor(log10(high * 1.5))
    fitting = max(int(in_points(axes)[1] / (1.7 * letters_of(axes))), 1)
    apart = -(-(last - first + 1) // fitting)
    powers = range(first, last + 1, apart)
    ticks = [10.0**power for power in powers]
    axes.set_yticks(ticks, [duration(tick, 6) for tick in ticks])
    fine = last - first <= 4
    minor = [digit * 10.0**power for power in range(first - 1, last + 1) for digit in range(1, 10)]
    axes.yaxis.set_minor_locator(FixedLocator(minor) if fine else NullLocator())
    axes.yaxis.set_minor_formatter(NullFormatter())


def ratio_axis(axes: Axes, low: float, high: float) -> None:
    """Prepare a logarithmic vertical axis of ratios around one."""
    far = max(high, 1 / low, _LEAST_RATIO) ** 1.15
    axes.set_yscale("log")
    axes.set_ylim(1 / far, far)
    if far > _DOUBLED:
        apart = -(-int(log(far, 2)) // 3)
        powers = range(-3 * apart, 3 * apart + 1, apart)
        ticks = [2.0**power for power in powers]
        labels = [f"1/{2**-power}" if power < 0 else f"{2**power}" for power in powers]
    else:
        step = next((each for each in _STEPS if (far - 1) / each <= _TICKS), _STEPS[-1])
        ticks = [1 + step * number for number in range(-4, 5) if 1 + step * number > 0]
        labels = [f"{tick:g}" for tick in ticks]
    within = [k for k, tick in enumerate(ticks) if 1 / far <= tick <= far]
    axes.set_yticks([ticks[k] for k in within], [labels[k] for k in within])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.axhline(1.0, color=GREY, linewidth=0.5, zorder=1)


PATHS: dict[str, dict[str, Any]] = {
    "host": {"color": LINES[0]["color"], "marker": "o"},
    "accelerated": {"color": LINES[1]["color"], "marker": "s", "markerfacecolor": "white"},
}
"""Each path has its colour and marker."""

MEASURED: dict[str, Any] = {"color": BLACK, "marker": "o", "markerfacecolor": "white"}
SPIKE: dict[str, Any] = {"marker": "x", "linestyle": "none", "markersize": 3.2}
BEYOND: dict[str, Any] = {"linestyle": (0, (2.2, 1.6)), "linewidth": 0.9}
PRESENT: dict[str, Any] = {"color": LINES[4]["color"], "linewidth": 1.4, "zorder": 0.5}
BAND: dict[str, Any] = {"color": "#BFDDF2", "linewidth": 0, "zorder": 0}


def fit_handles(fit: Fit, panels: tuple[str, ...], *, present: bool = False) -> list[Artist]:
    """Handles of the legend of a picture."""
    estimate = fit.estimates[fit.latency]
    handles: list[Artist] = []
    if panels != ("speedup",):
        handles += [_line(path, markersize=3.0, **style) for path, style in PATHS.items()]
    if "times" in panels and any(observed(estimate, path).spike.size for path in PATHS):
        handles.append(_line("outliers (down-weighted)", color=BLACK, **SPIKE))
    if set(panels) & {"times", "speedup"}:
        handles.append(_line("beyond what was measured", color=BLACK, **BEYOND))
    lower, upper, _ = fit.intervals["g1"]
    if "speedup" in panels and upper > lower:
        handles.append(Patch(label=f"{probability(fit.level)} interval of break-even", **_patch()))
    if present:
        handles.append(Line2D([], [], label="present threshold", **PRESENT))
    return handles


def _line(label: str, **style: Any) -> Line2D:
    return Line2D([], [], label=label, **style)


def _patch() -> dict[str, Any]:
    return {"color": BAND["color"], "linewidth": 0}


MARKS: dict[str, Any] = {"color": LINES[2]["color"], "marker": "D"}
"""Colour and marker."""

_LINE = 1.3
"""Distance of lines [letters]."""


def mark_granularities(axes: Axes, accelerator: Accelerator) -> int:
    """Mark those that lie within the axes, with lines down to where they are named.

    Half the acceleration is marked where it is first reached. The names stand at the bottom, each
    on a line of its own: right of a break-even there is no curve, however close the points are.
    """
    even, half = accelerator.break_even(), accelerator.half_peak()
    marks = [(f"{'upper ' * (g != even.lower)}$g_1$", g, 1.0) for g in even]
    marks.append(("$g_{A/2}$", half.lower, accelerator.A / 2))
    low, high = axes.get_xlim()
    bottom, top = axes.get_ylim()
    line = 0
    for name, g, speedup in marks:
        if low <= g <= high and bottom < speedup < top:
            _mark(axes, name, g, speedup)
            text = f"{name} = {short_size(g)}"
            fits = fraction(axes, g, speedup)[0] + text_size(axes, text)[0] < 1
            write_below(axes, text, g, line, right=fits)
            line += 1
    return line


def _mark_ends(axes: Axes, ranges: Ranges) -> int:
    """Mark from which sizes on it pays, and up to which, each on a line of its own."""
    low, high = axes.get_xlim()
    ends = [
        (end, word) for each in ranges for end, word in ((each.above, "from"), (each.below, "to"))
    ]
    shown = [(end, word) for end, word in ends if low <= end <= high]
    for line, (end, word) in enumerate(shown):
        _mark(axes, f"pays {word}", end, 1.0)
        text = f"pays {word} {short_size(end)}"
        fits = fraction(axes, end, 1.0)[0] + text_size(axes, text)[0] < 1
        write_below(axes, text, end, line, right=fits)
    return len(shown)


def write_below(axes: Axes, text: str, g: float, line: int, *, right: bool) -> None:
    """Write beside a granularity, so many lines above the bottom of the axes."""
    shift = (3 if right else -3, 3 + _LINE * small_letters(axes) * line)
    style = {"ha": "left" if right else "right", "bbox": white_box(0.3, 0.8), "zorder": 6}
    write(axes, text, (g, 0), ("data", "axes fraction"), shift, **style)


def _mark(axes: Axes, name: str, g: float, speedup: float) -> None:
    axes.plot([g, g], [axes.get_ylim()[0], speedup], color=GREY, linewidth=0.5, linestyle=":")
    axes.plot(
        [g],
        [speedup],
        markerfacecolor=MARKS["color"] if speedup == 1 else "white",
        markeredgewidth=0.8,
        linestyle="none",
        zorder=5,
        label=f"_{name}",
        **MARKS,
    )


_NEVER = 0.9995


def draw_times(axes: Axes, fit: Fit, low: float, high: float) -> None:
    """Draw the times of both paths, and the curves, between two sizes."""
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


def draw_speedup(axes: Axes, fit: Fit, low: float, high: float) -> None:
    """Draw the speedup with its break-evens and the interval of the first."""
    g = granularities(low, high)
    own_curve, offloaded_curve = fit.times(g)
    curve = own_curve / offloaded_curve
    size, median, least, most = observed_speedups(fit.estimates[fit.latency])
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
    ranges = thresholds(fit)
    if fit.breaks or ranges.contradicted:
        line = _mark_ends(axes, ranges.likely)
        accelerators = ()  # whose granularities are those of the curve without breaks
    for each in accelerators:
        acceleration_line(axes, each.A, MARKS["color"], digits=3)
        line = mark_granularities(axes, each)
        lines += summary(each, outside=(low, high))
    for place, text in enumerate(lines):
        write_below(axes, text, high, line + place, right=False)


def draw_residuals(axes: Axes, fit: Fit, low: float, high: float) -> None:
    """Draw measured over fitted times; sizes all of whose times are outliers are left out."""
    granularity_axis(axes, low, high)
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


def _doubts(fit: Fit, exists: bool) -> list[str]:
    """Remarks on a break-even that may not exist."""
    none = fit.intervals["g1"].none
    if not exists or none > _NEVER:
        return ["no $g_1$"] * (not exists)
    return [f"probability of no $g_1$: {probability(none)}"] if none > 1 - _NEVER else []
