"""Fits in words: whether offloading pays, from which size on, and how surely."""

from collections.abc import Callable
from math import inf, isfinite, isnan

from logca.common.readable_numbers import probability
from logca.common.sizes import format_size
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.profile_likelihood import ConfidenceInterval
from logca.numeric.fit.size_ranges import ranges_text

__all__ = [
    "answer",
    "ends_text",
    "within",
]


def answer(fit: Fit) -> str:
    """One sentence that tells if offloading pays, and from which size on."""
    ranges = thresholds(fit)
    if ranges.contradicted:
        where = ranges_text(ranges.likely)
        return f"As measured, offloading pays {where}; no curve of the model follows these times."
    g1, doubt = fit.intervals["g1"], (1 - fit.level) / 2
    smallest, largest = float(fit.timings.granularity[0]), float(fit.timings.granularity[-1])
    if g1.none > 1 - doubt:
        return "Offloading does not pay at any size."
    if g1.none > doubt:
        return (
            "These timings leave open whether offloading pays: with "
            f"{probability(g1.none)} confidence there is no break-even."
        )
    if len(ranges.likely) > 1:
        return f"Offloading pays {ranges_text(ranges.likely)}."
    if g1.upper < smallest:
        start = f"Offloading pays at every size measured, from {format_size(smallest)} on"
    else:
        start = f"Offloading pays from {_point(fit)} on{within(g1, fit.level)}"
        if g1.lower > largest:
            start += ", beyond the largest size measured"
    return f"{start}{_until(fit, doubt)}."


def _point(fit: Fit) -> str:
    """The most likely break-even, or words for it if that is not known."""
    found = thresholds(fit).likely
    return format_size(found[0].above) if found and found[0].above else "a poorly known size"


def _until(fit: Fit, doubt: float) -> str:
    upper, found = fit.intervals["g1_upper"], thresholds(fit).likely
    if upper.none > 1 - doubt:
        return ""
    if upper.none > doubt or not found or found[-1].below == inf:
        return f"; it may stop paying at some larger size ({_sure(upper)})"
    return f", up to {format_size(found[-1].below)}{within(upper, fit.level)}"


def _sure(upper: ConfidenceInterval) -> str:
    return f"{probability(1 - upper.none)} confidence"


def within(interval: ConfidenceInterval, level: float) -> str:
    """An interval of a size, in brackets; empty if there is none.

    Examples
    --------
    >>> within(ConfidenceInterval(1024.0, 4096.0), 0.95)
    ' (95 % interval: 1 KiB to 4 KiB)'
    """
    ends = ends_text(interval, format_size)
    return f" ({probability(level)} interval: {ends})" if ends else ""


def ends_text(interval: ConfidenceInterval, written: Callable[[float], str]) -> str:
    """Both ends of an interval; empty if there is none.

    Examples
    --------
    >>> ends_text(ConfidenceInterval(1024.0, float("inf")), format_size)
    '1 KiB or more'
    """
    low, high, _ = interval
    if isnan(low):
        return ""
    if not isfinite(high):
        return f"{written(low)} or more" if low > 0 else "any"
    return f"{written(low)} to {written(high)}" if low > 0 else f"up to {written(high)}"
