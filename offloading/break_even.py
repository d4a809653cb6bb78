"""From which size on one curve of times is below another, by the points of both.

Between two sizes the times are taken to be powers of the size, as in the model of ISCA 2017, eq. 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, exp, floor, log, log10

__all__ = ["PayingRange", "interpolated", "last_range", "paying_ranges", "whole_size"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PayingRange:
    """Sizes at which an offload pays."""

    # least, most: the first and the last of them; None where it pays from the first size that was
    # looked at, or to the last [unit of the sizes]
    least: float | None
    most: float | None


def paying_ranges(
    sizes: Sequence[float], host: Sequence[float], accelerated: Sequence[float]
) -> tuple[PayingRange, ...]:
    """The ranges in which the accelerated path takes less time than the host, ascending.

    Examples
    --------
    >>> paying_ranges([1, 4, 16], [1, 4, 16], [4, 4.0, 4])
    (PayingRange(least=4.0, most=None),)
    >>> paying_ranges([1, 4], [1, 4], [2, 8]), paying_ranges([1, 4], [2, 8], [1, 4])
    ((), (PayingRange(least=None, most=None),))
    """
    gains = [log(own / other) for own, other in zip(host, accelerated, strict=True)]
    found: list[PayingRange] = []
    least: float | None = None
    within = gains[0] > 0
    for (low, before), (high, after) in pairwise(zip(sizes, gains, strict=True)):
        if (before > 0) == (after > 0):
            continue
        share = before / (before - after)
        size = round(exp(log(low) + share * log(high / low)), 9)
        if within:
            found.append(PayingRange(least=least, most=size))
        least, within = size, not within
    if within:
        found.append(PayingRange(least=least, most=None))
    return tuple(found)


def last_range(ranges: Sequence[PayingRange]) -> PayingRange | None:
    """The range that the largest sizes are in; None if it does not pay there."""
    return ranges[-1] if ranges and ranges[-1].most is None else None


def interpolated(sizes: Sequence[float], values: Sequence[float], size: float) -> float:
    """The value at a size, by powers of it between the nearest two points.

    Examples
    --------
    >>> interpolated([1, 4, 16], [1, 16, 256], 2)
    4.0
    """
    pairs = list(pairwise(zip(sizes, values, strict=True)))
    (low, first), (high, last) = next((pair for pair in pairs if size <= pair[1][0]), pairs[-1])
    share = log(size / low) / log(high / low)
    return round(exp(log(first) + share * log(last / first)), 9)


def whole_size(size: float) -> int:
    """A break-even as a value of the macro: the next whole number of three digits.

    Examples
    --------
    >>> whole_size(51.3), whole_size(26_781)
    (52, 26800)
    """
    step: int = 10 ** max(0, floor(log10(size)) - 2)
    return int(ceil(size / step) * step)
