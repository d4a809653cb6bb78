"""Thresholds in words: where offloading pays, and how well that is known."""

from math import inf

from logca.numeric.fitting.thresholds import Thresholds
from logca.numeric.sizes import format_size

__all__ = ["percent", "words"]

_NEARLY = 1e-3


def words(ranges: Thresholds, level: float | None) -> dict[str, str]:
    """Where it pays, the intervals of both break-evens, and what a state changes [text].

    Parameters
    ----------
    ranges : Thresholds
        Where it pays [B].
    level : float or None
        Confidence of the intervals; None if there are none [1].

    Examples
    --------
    >>> from logca.numeric.accelerator import Accelerator
    >>> from logca.numeric.fitting.thresholds import thresholds
    >>> words(thresholds(Accelerator(o=29_000, L=1500, C=90, A=19)), None)
    {'pays': 'from 357.7 B'}
    """
    found = {"pays": str(ranges.likely)}
    if level is None:
        return found
    confidence = percent(level)
    lower = _between(ranges.staying.above, ranges.starting.above, confidence)
    if not ranges.told:
        found["break-even"] = f"cannot be told: none ({percent(ranges.none)}), or {lower}"
    elif ranges.staying.above == inf:
        found["break-even"] = f"none ({percent(ranges.none)})"
    else:
        found["break-even"] = lower
    upper = ranges.starting.below, ranges.staying.below
    if min(upper) < inf:
        found["upper break-even"] = _between(*upper, confidence)
    return found | {"begins": str(ranges.starting), "goes on": str(ranges.staying)}


def _between(lower: float, upper: float, confidence: str) -> str:
    if upper == inf:
        return f"{format_size(lower)} or larger ({confidence})"
    return f"{format_size(lower)} to {format_size(upper)} ({confidence})"


def percent(share: float) -> str:
    """A confidence for people; never a full certainty that is not one [text].

    Parameters
    ----------
    share : float
        From 0 to 1 [1].

    Examples
    --------
    >>> percent(0.95), percent(1e-9), percent(1.0)
    ('95 %', '< 0.1 %', '> 99.9 %')
    """
    if share < _NEARLY:
        return f"< {100 * _NEARLY:g} %"
    if share > 1 - _NEARLY:
        return f"> {100 * (1 - _NEARLY):g} %"
    return f"{100 * share:.3g} %"
