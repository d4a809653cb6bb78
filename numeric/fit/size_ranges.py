"""Sizes in ranges that are apart: where offloading pays, surely or perhaps; unions, and words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from math import inf

from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.regions import SizeInterval

__all__ = [
    "CANNOT_BE_TOLD",
    "DOES_NOT_PAY",
    "NOWHERE",
    "PAYS",
    "Ranges",
    "SizesBetween",
    "Thresholds",
    "apart",
    "common",
    "ranges_text",
    "without",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SizesBetween:
    """Sizes between two others, which do not belong to it.

    Examples
    --------
    >>> 1000 in SizesBetween(above=357.7, below=4096), 4096 in SizesBetween(above=357.7, below=4096)
    (True, False)
    >>> print(SizesBetween(above=357.7, below=inf))
    from 357.7 B on
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
    'from 16 B to 1 KiB and from 4 KiB on'
    >>> ranges_text((SizesBetween(above=511.9999, below=512.0001),))
    'at 512 B'
    """
    return " and ".join(map(_range_text, ranges)) or str(NOWHERE)


def _range_text(each: SizesBetween) -> str:
    if not 0 < each.above < each.below < inf:
        return str(each)
    first, last = format_size(each.above), format_size(each.below)
    return f"at {first}" if first == last else f"from {first} to {last}"


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


PAYS, DOES_NOT_PAY, CANNOT_BE_TOLD = "pays", "does not pay", "cannot be told"
"""Degrees of certainty that a size pays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Where offloading pays, without and with what the caller does now."""

    likely: Ranges  # where it most likely pays [B]
    staying: Ranges  # where who offloads goes on: where it may pay [B]
    starting: Ranges  # where who does not offload begins: where it pays for certain [B]
    none: float  # confidence that there is no break-even from which on it pays [1]
    told: bool  # whether it is known if there is one [1]
    # lower, upper: between which sizes each break-even of the curve lies [B]
    lower: tuple[float, float] = (inf, inf)
    upper: tuple[float, float] = (inf, inf)
    # measured sizes at which the times contradict the curve, and decide [B]
    contradicted: tuple[float, ...] = ()

    def pays(self, size: float | str, *, offloading: bool | None = None) -> bool:
        """True if the size is to be offloaded."""
        g = parse_size(size)
        if offloading is None:
            ranges = self.likely
        else:
            ranges = self.staying if offloading else self.starting
        return any(g in each for each in ranges)

    def certainty(self, size: float | str) -> str:
        """`PAYS`, `DOES_NOT_PAY` or `CANNOT_BE_TOLD`."""
        if self.pays(size, offloading=False):
            return PAYS
        return CANNOT_BE_TOLD if self.pays(size, offloading=True) else DOES_NOT_PAY
