"""Between which sizes offloading pays: most likely, and as far as timings tell; and in words.

The lower break-even and the upper one have an interval each. From their ends follow three ranges:
where it most likely pays; where it may pay, so that who offloads goes on; and where it pays for
certain, so that who does not offload begins.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import inf, isnan

from logca.common.readable_numbers import probability
from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import exceeding
from logca.numeric.accelerator.explain import where_it_pays
from logca.numeric.accelerator.regions import SizeInterval
from logca.numeric.fit.break_evens import FARTHEST
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.profile_likelihood import ConfidenceInterval

__all__ = [
    "CANNOT_BE_TOLD",
    "DOES_NOT_PAY",
    "PAYS",
    "SizesBetween",
    "Thresholds",
    "pays_where",
    "thresholds",
    "words",
]

PAYS, DOES_NOT_PAY, CANNOT_BE_TOLD = "pays", "does not pay", "cannot be told"
"""Degrees of certainty that a size pays."""

_KEPT = 64


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


_NOWHERE = SizesBetween(above=inf, below=inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Where offloading pays, without and with what the caller does now."""

    likely: SizesBetween  # where it most likely pays [B]
    staying: SizesBetween  # where who offloads goes on: where it may pay [B]
    starting: SizesBetween  # where who does not offload begins: where it pays for certain [B]
    none: float  # confidence that there is no break-even from which on it pays [1]
    told: bool  # whether it is known if there is one [1]

    def pays(self, size: float | str, *, offloading: bool | None = None) -> bool:
        """True if the size is to be offloaded."""
        g = parse_size(size)
        if offloading is None:
            return g in self.likely
        return g in (self.staying if offloading else self.starting)

    def certainty(self, size: float | str) -> str:
        """`PAYS`, `DOES_NOT_PAY` or `CANNOT_BE_TOLD`."""
        if self.pays(size, offloading=False):
            return PAYS
        return CANNOT_BE_TOLD if self.pays(size, offloading=True) else DOES_NOT_PAY


@lru_cache(maxsize=_KEPT)
def thresholds(basis: Fit | Accelerator) -> Thresholds:
    """Thresholds of a fit, or of an accelerator whose parameters are known exactly.

    Examples
    --------
    >>> found = thresholds(Accelerator(o=29_000, L=1500, C=90, A=19))
    >>> found.pays(357), found.pays(358), found.certainty(358)
    (False, True, 'pays')
    """
    if isinstance(basis, Accelerator):
        likely = _exactly(basis)
        none = float(likely == _NOWHERE)
        return Thresholds(likely=likely, staying=likely, starting=likely, none=none, told=True)
    likely = _NOWHERE if basis.parameters["A"] <= 1 else _exactly(basis.accelerator)
    if likely.above > FARTHEST:
        likely = _NOWHERE
    elif likely.below > FARTHEST:
        likely = SizesBetween(above=likely.above, below=inf)
    return _around(likely, basis.interval("g1"), basis.interval("g1_upper"), basis.level)


def _exactly(accelerator: Accelerator) -> SizesBetween:
    """Where the speedup of an accelerator is more than one."""
    above, below = exceeding(accelerator.break_even(), float(accelerator.speedup(1.0)))
    return SizesBetween(above=above, below=below)


def _around(
    likely: SizesBetween, lower: ConfidenceInterval, upper: ConfidenceInterval, level: float
) -> Thresholds:
    """The most likely range, widened and narrowed by the intervals of its ends."""
    doubt, exists = (1 - level) / 2, likely != _NOWHERE
    told = lower.none <= doubt if exists else lower.none >= 1 - doubt
    if told and not exists:
        return Thresholds(
            likely=likely, staying=likely, starting=likely, none=lower.none, told=told
        )
    before = likely.above if exists else 0.0 if isnan(lower.lower) else inf
    first, last = _least(lower.lower, before), _least(upper.lower, likely.below)
    final = _most(upper.upper, likely.below if exists else 0.0)
    surely = _most(lower.upper, likely.above) if told else inf
    return Thresholds(
        likely=likely,
        staying=SizesBetween(above=first, below=final),
        starting=SizesBetween(above=surely, below=last),
        none=lower.none,
        told=told,
    )


def _least(end: float, likely: float) -> float:
    return likely if isnan(end) else min(end, likely)


def _most(end: float, likely: float) -> float:
    return inf if isnan(end) else max(end, likely)


def words(ranges: Thresholds, level: float | None) -> dict[str, str]:
    """Where it pays, the intervals of both break-evens, and what a state changes.

    Examples
    --------
    >>> from logca.numeric.accelerator.accelerator import Accelerator
    >>> from logca.numeric.fit.hysteresis_thresholds import thresholds
    >>> words(thresholds(Accelerator(o=29_000, L=1500, C=90, A=19)), None)
    {'pays': 'from 357.7 B'}
    """
    found = {"pays": str(ranges.likely)}
    if level is None:
        return found
    confidence = probability(level)
    lower = _between(ranges.staying.above, ranges.starting.above, confidence)
    if not ranges.told:
        found["break-even"] = f"uncertain: none ({probability(ranges.none)}), or {lower}"
    elif ranges.staying.above == inf:
        found["break-even"] = f"none ({probability(ranges.none)})"
    else:
        found["break-even"] = lower
    upper = ranges.starting.below, ranges.staying.below
    if min(upper) < inf:
        found["upper break-even"] = _between(*upper, confidence)
    return found | {
        "start offloading": str(ranges.starting),
        "keep offloading": str(ranges.staying),
    }


def pays_where(basis: Fit | Accelerator) -> str:
    """Clause that says at which sizes offloading pays, with the intervals that a fit has.

    Examples
    --------
    >>> pays_where(Accelerator(o=29_000, L=1500, C=90, A=19))
    'it pays from 357.7 B on'
    """
    found = thresholds(basis)
    likely = (found.likely.above, found.likely.below)
    if isinstance(basis, Accelerator):
        return where_it_pays(*likely, basis.break_even().reason)
    confidence = probability(basis.level)
    if not found.told:
        return f"the break-even is {words(found, basis.level)['break-even']}"
    if found.likely.above < found.likely.below:
        first = _ends(found.staying.above, found.starting.above)
        last = _ends(found.starting.below, found.staying.below)
        return where_it_pays(*likely, "", f" ({confidence}: {first})", f" ({confidence}: {last})")
    return f"it pays at no size ({probability(found.none)})"


def _between(lower: float, upper: float, confidence: str) -> str:
    return f"{_ends(lower, upper)} ({confidence})"


def _ends(lower: float, upper: float) -> str:
    if upper == inf:
        return f"{format_size(lower)} or larger"
    return f"{format_size(lower)} to {format_size(upper)}"
