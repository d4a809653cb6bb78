"""Sizes in ranges that are apart: their union, what is common to them, what they leave, words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from math import inf

from logca.numeric.accelerator.regions import SizeInterval

__all__ = ["NOWHERE", "Ranges", "SizesBetween", "apart", "common", "ranges_text", "without"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SizesBetween:
    """Sizes between two others, which do not belong to it.

    Examples
    --------
    >>> 1000 in SizesBetween(above=357.7, below=4096), 4096 in SizesBetween(above=357.7, below=4096)
    (True, False)
    >>> print(SizesBetween(above=357.7, below=inf))
    from 357.7 B
    """

    above: float  # zero if there is no lower end, infinite if nothing belongs to it [B]
    below: float  # infinite if there is no upper end [B]

    def __contains__(self, size: float) -> bool:
        return self.above < size < self.below

    def __str__(self) -> str:
        if not self.above < self.below:
            return "at no size"
        return str(SizeInterval(start=self.above, end=self.below))


NOWHERE = SizesBetween(above=inf, below=inf)

Ranges = tuple[SizesBetween, ...]
"""Sizes in several ranges, ascending and apart; none if it is no size."""


def ranges_text(ranges: Ranges) -> str:
    """Sizes in words.

    Examples
    --------
    >>> ranges_text((SizesBetween(above=16, below=1024), SizesBetween(above=4096, below=inf)))
    'from 16 B to 1 KiB and from 4 KiB'
    """
    told = (f"from {each}" if each.above > 0 and each.below < inf else str(each) for each in ranges)
    return " and ".join(told) or str(NOWHERE)


def apart(ranges: Iterable[SizesBetween]) -> Ranges:
    """Their union."""
    found: list[SizesBetween] = []
    for each in sorted(ranges, key=lambda each: each.above):
        if not each.above < each.below:
            continue
        if found and each.above <= found[-1].below:
            last = found.pop()
            found.append(replace(last, below=max(last.below, each.below)))
        else:
            found.append(each)
    return tuple(found)


def common(some: Ranges, others: Ranges) -> Ranges:
    """Sizes that are in both."""
    return apart(
        SizesBetween(above=max(a.above, b.above), below=min(a.below, b.below))
        for a, b in product(some, others)
    )


def without(ranges: Ranges) -> Ranges:
    """All sizes but these."""
    ends = [0.0, *(end for each in ranges for end in (each.above, each.below)), inf]
    return apart(
        SizesBetween(above=above, below=below)
        for above, below in zip(ends[::2], ends[1::2], strict=True)
    )
