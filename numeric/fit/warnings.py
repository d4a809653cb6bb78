"""Warnings in words: limits of a fit, and timings that contradict it."""

from collections.abc import Iterator, Mapping, Sequence
from math import hypot, isfinite

import numpy as np

from logca.common.readable_numbers import duration, probability
from logca.common.sizes import format_size
from logca.numeric.fit.clock_steps import coarse_sizes
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.intervals import call_cost, parameters
from logca.numeric.fit.likelihood import log_times, predicted
from logca.numeric.fit.profile_likelihood import ConfidenceInterval, cutoff
from logca.numeric.timings.timings import Samples, Timings

__all__ = [
    "coarse_clock",
    "hidden_call",
    "warnings_of",
]

_FEWEST = 8
_ALIKE = 2.0
_WIDE = 3.0
_BETA_WIDE = 0.2
_GRID = 2001
# Of runs that are outliers: their least share in a second mode, and how many of them lie how near
# its middle, in standard deviations of a run.
_MODE, _MOSTLY, _NEAR = 0.05, 0.8, 4.0


def warnings_of(
    chosen: Estimate,
    models: Mapping[str, float],
    intervals: Mapping[str, ConfidenceInterval],
    sizes: tuple[float, float],
    level: float,
    other_modes: Sequence[Estimate] = (),
) -> tuple[str, ...]:
    """Sentences about what is not known, the most important first."""
    found = ["A <= 1: the accelerated path does not compute faster than the host"]
    if parameters(chosen)["A"] > 1:
        found.clear()
    found += _on_break_even(intervals["g1"], sizes, (1 - level) / 2)
    found += _on_the_curve(chosen, sizes, level)
    found += _on_parameters(chosen, models, intervals, sizes)
    found += _on_spikes(chosen, other_modes)
    return tuple(found)


def _on_break_even(
    g1: ConfidenceInterval, sizes: tuple[float, float], doubt: float
) -> Iterator[str]:
    low, high = map(format_size, sizes)
    if doubt < g1.none < 1 - doubt:
        yield (
            "it is uncertain whether there is a break-even: "
            f"with {probability(g1.none)} confidence there is none"
        )
    elif g1.none <= doubt and g1.lower > sizes[1]:
        yield f"the break-even is extrapolated: it is above {high}, the largest size measured"
    elif g1.none <= doubt and g1.upper < sizes[0]:
        yield f"the break-even is extrapolated: it is below {low}, the smallest size measured"
    if g1.none <= doubt and not isfinite(g1.upper):
        yield "the interval of the break-even has no upper end: measure larger sizes"


def _on_the_curve(chosen: Estimate, sizes: tuple[float, float], level: float) -> Iterator[str]:
    if call_cost(chosen) > 0:
        yield (
            f"each call costs about {duration(call_cost(chosen), 3)} on the host, however few the "
            "bytes; "
            "this cost is assumed on both paths and left out of the parameters: o is what an "
            "offload costs beyond it"
        )
    if chosen.misfit:
        host, other = (100 * arm.apart for arm in chosen.data[:2])
        yield (
            "the fitted curve deviates from the times by more than the noise of repeated runs, "
            f"typically by {host:.2g} % (host) and {other:.2g} % (accelerated); the intervals "
            "treat this as random scatter between sizes; if a step or a bend causes it, no power "
            "law holds over the whole range, and the intervals may be too narrow"
            f"{_equal_anywhere(chosen, sizes, level)}"
        )


def _equal_anywhere(chosen: Estimate, sizes: tuple[float, float], level: float) -> str:
    """Where a single size, with the scatter of sizes, may take both paths the same time."""
    grid = np.geomspace(*sizes, _GRID)
    at = grid / np.exp(chosen.data.log_size)
    own, other = log_times(chosen.best.curve, at, at)
    rising = slice(int(np.argmax(own - other)) + 1)
    by = np.sqrt(cutoff(chosen, level)) * hypot(*(arm.apart for arm in chosen.data[:2]))
    equal = grid[rising][np.abs(own - other)[rising] <= by]
    if not equal.size:
        return ""
    low, high = format_size(equal[0]), format_size(equal[-1])
    return f"; at a single size both paths may take the same time anywhere from {low} to {high}"


def _on_parameters(
    chosen: Estimate,
    models: Mapping[str, float],
    intervals: Mapping[str, ConfidenceInterval],
    sizes: tuple[float, float],
) -> Iterator[str]:
    low, high = map(format_size, sizes)
    A, beta, peak = intervals["A"], intervals["beta"], intervals["peak"]
    if len(models) > 1 and abs(models["constant"] - models["linear"]) < _ALIKE:
        yield "constant and linear latency fit the times about equally well"
    if chosen.latency == "constant":
        yield "only o + L is identifiable under constant latency: o is their sum, L is 0"
    if not A.upper <= _WIDE * A.lower:
        range_ = f"A is poorly determined: anywhere from {A.lower:.3g} to {A.upper:.3g}"
        if peak.upper <= _WIDE * peak.lower:
            yield (
                f"{range_}, since o or L mask it; the greatest speedup is better determined: "
                f"{peak.lower:.3g} to {peak.upper:.3g}"
            )
        else:
            yield f"{range_}; the largest size, {high}, is far from saturation"
    if beta.upper - beta.lower > _BETA_WIDE:
        yield f"beta is poorly determined: the sizes from {low} to {high} are too narrow a range"


def hidden_call(general: Estimate, hidden: Estimate, level: float) -> tuple[str, ...]:
    """The sentence if the level refutes that calls cost nothing, which is not evident either."""
    if general.best.deviance - hidden.best.deviance <= cutoff(general, level):
        return ()
    cost = float(np.exp(hidden.best.curve.h + hidden.data.log_time))
    return (
        f"each call may cost something even for no data, about {duration(cost, 3)} on both paths: "
        "the times are likelier so, and too few or too long to be sure; the intervals count it, "
        "the most likely values do not: measure smaller sizes, or more runs",
    )


def coarse_clock(timings: Timings) -> tuple[str, ...]:
    """Sentences about times that are few steps of the clock."""
    found = []
    for path, rows in (("host", timings.host), ("accelerated", timings.accelerated)):
        step, sizes = coarse_sizes(rows)
        if sizes:
            found.append(
                f"{path} times of {sizes} sizes are shorter than ten ticks of the clock, "
                f"{duration(step, 3)} each: time many calls together and divide, or leave "
                "these sizes out"
            )
    return tuple(found)


def _on_spikes(chosen: Estimate, other_modes: Sequence[Estimate]) -> Iterator[str]:
    data = chosen.data
    arms = data.host, data.accelerated
    fitted = predicted(data, chosen.best.curve, *(arm.x for arm in arms))
    for arm, times, name in zip(arms, fitted, ("host", "accelerated"), strict=True):
        spikes = int(arm.spiky.sum())
        errors = (arm.y - times[arm.place])[arm.spiky]
        if _is_mode(errors, arm.spread, arm.y.size):
            share, factor = spikes / arm.y.size, np.exp(np.median(errors))
            rivals = (getattr(each.data, name).spiky for each in other_modes)
            unsure = any((spiky != arm.spiky).mean() > _MOSTLY for spiky in rivals)
            yield (
                f"{100 * share:.0f} % of the {name} times take about {factor:.3g} times as long as "
                "the rest, which is a second mode (such as another clock rate): the curve and all "
                "answers are those of the more frequent mode"
                + (
                    ", and which one that is could be chance: the intervals hold both"
                    if unsure
                    else ""
                )
            )
        elif spikes:
            yield f"{spikes} of {arm.y.size} {name} times are outliers (down-weighted)"


def _is_mode(errors: Samples, spread: float, runs: int) -> bool:
    """True if logarithms of outliers over the curve lie as close together as runs scatter."""
    if errors.size < max(_FEWEST, _MODE * runs):
        return False
    near = np.abs(errors - np.median(errors)) < _NEAR * spread
    return bool(near.mean() > _MOSTLY)
