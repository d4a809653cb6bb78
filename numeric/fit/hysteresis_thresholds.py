"""Between which sizes offloading pays: most likely, and as far as timings tell; and in words.

The lower break-even and the upper one have an interval each. From their ends follow three ranges:
where it most likely pays; where it may pay, so that who offloads goes on; and where it pays for
certain, so that who does not offload begins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise
from math import inf, isnan, log, nan, nextafter

import numpy as np

from logca.common.readable_numbers import probability
from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import exceeding
from logca.numeric.accelerator.explain import where_it_pays
from logca.numeric.fit.break_evens import FARTHEST
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.profile_likelihood import ConfidenceInterval
from logca.numeric.fit.segmented import band
from logca.numeric.fit.size_ranges import (
    NOWHERE,
    Ranges,
    SizesBetween,
    apart,
    common,
    ranges_text,
    without,
)
from logca.numeric.timings.crossing import Compared, faster, uncertainties
from logca.numeric.timings.timings import compared_timings

__all__ = [
    "CANNOT_BE_TOLD",
    "DOES_NOT_PAY",
    "PAYS",
    "Ranges",
    "SizesBetween",
    "Thresholds",
    "by_curve",
    "exactly",
    "few_thresholds",
    "measured_times",
    "pays_where",
    "ranges_text",
    "thresholds",
    "words",
]

PAYS, DOES_NOT_PAY, CANNOT_BE_TOLD = "pays", "does not pay", "cannot be told"
"""Degrees of certainty that a size pays."""

_KEPT = 64


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
        known = apart([exactly(basis)])
        none = float(not known)
        return Thresholds(likely=known, staying=known, starting=known, none=none, told=True)
    rows = compared_timings(basis.timings)
    host, accelerated = basis.times([row.size for row in rows])
    return _as_measured(by_curve(basis), rows, np.log(host / accelerated).tolist(), basis.level)


def by_curve(fit: Fit) -> Thresholds:
    """Thresholds of the most likely curve and of the intervals, whatever single sizes tell."""
    if fit.breaks:
        return _by_band(fit)
    likely = NOWHERE if fit.parameters["A"] <= 1 else exactly(fit.accelerator)
    if likely.above > FARTHEST:
        likely = NOWHERE
    elif likely.below > FARTHEST:
        likely = SizesBetween(above=likely.above, below=inf)
    return _around(likely, fit.interval("g1"), fit.interval("g1_upper"), fit.level)


def _by_band(fit: Fit) -> Thresholds:
    """Thresholds of a curve with breaks, which may pay in several ranges."""
    chosen, general = (band(each, fit.level) for each in (fit.estimates[fit.latency], fit.general))
    likely, staying, starting = (
        apart(SizesBetween(above=start, below=end) for start, end in found)
        for found in (chosen.ranges("likely"), general.ranges("high"), general.ranges("low"))
    )
    staying = apart([*likely, *staying])
    starting = common(likely, starting)
    g1, last, doubt = fit.interval("g1"), fit.interval("g1_upper"), (1 - fit.level) / 2
    return Thresholds(
        likely=likely,
        staying=staying,
        starting=starting,
        none=g1.none,
        told=not doubt < g1.none < 1 - doubt,
        lower=(_least(g1.lower, inf), _most(g1.upper, 0.0)),
        upper=(_least(last.lower, inf), _most(last.upper, 0.0)),
    )


def exactly(accelerator: Accelerator) -> SizesBetween:
    """Where the speedup of an accelerator is more than one."""
    above, below = exceeding(accelerator.break_even(), float(accelerator.speedup(1.0)))
    return SizesBetween(above=above, below=below)


def _around(
    likely: SizesBetween, lower: ConfidenceInterval, upper: ConfidenceInterval, level: float
) -> Thresholds:
    """The most likely range, widened and narrowed by the intervals of its ends."""
    doubt, exists = (1 - level) / 2, likely.above < likely.below
    told = lower.none <= doubt if exists else lower.none >= 1 - doubt
    if told and not exists:
        return Thresholds(likely=(), staying=(), starting=(), none=lower.none, told=told)
    before = likely.above if exists else 0.0 if isnan(lower.lower) else inf
    first, last = _least(lower.lower, before), _least(upper.lower, likely.below)
    final = _most(upper.upper, likely.below if exists else 0.0)
    surely = _most(lower.upper, likely.above) if told else inf
    return Thresholds(
        likely=apart([likely]),
        staying=apart([SizesBetween(above=first, below=final)]),
        starting=apart([SizesBetween(above=surely, below=last)]),
        none=lower.none,
        told=told,
        lower=(first, surely),
        upper=(last, final),
    )


def _as_measured(
    curve: Thresholds, rows: Sequence[Compared], fitted: Sequence[float], level: float
) -> Thresholds:
    """The thresholds of a curve, or of the times, where one path is faster that the curve is not.

    That is so where the noise leaves no doubt that the path is faster, or that the speedup is not
    the curve's, whose logarithms are given.

    Between two sizes with different answers the change is where the line between the ratios of
    their times crosses one. Beyond the measured sizes the curve goes on deciding if it agrees with
    the outermost one; else what was measured there goes on, and cannot be told.
    """
    signs = faster(rows, level)
    curved = [curve.pays(row.size) for row in rows]
    ratios, noise = [log(row.speedup) for row in rows], uncertainties(rows, level)
    contradicted = tuple(
        row.size
        for row, sign, pays, ratio, own, least in zip(
            rows, signs, curved, ratios, fitted, noise, strict=True
        )
        if ratio * (1 if pays else -1) < 0 and (sign or abs(ratio - own) > least)
    )
    if not contradicted:
        return curve
    pays = _verdicts(rows, signs)
    least, most = rows[0].size, rows[-1].size
    outside = [(0.0, least, curved[0], pays[0]), (most, inf, curved[-1], pays[-1])]
    likely: list[SizesBetween] = []
    for above, below, before, measured in outside:
        beyond = SizesBetween(above=above, below=below)
        if before == measured:
            likely += common((beyond,), curve.likely)
        elif measured:
            likely.append(beyond)
    likely += _between_sizes(rows, pays)
    found, wins, loses = apart(likely), _runs(rows, signs, 1), _runs(rows, signs, -1)
    staying = common(apart([*curve.staying, *found]), without(loses))
    starting = apart([*common(curve.starting, found), *wins])
    return replace(
        curve,
        likely=found,
        staying=staying,
        starting=starting,
        told=True,
        contradicted=contradicted,
    )


def few_thresholds(rows: Sequence[Compared], level: float = 0.95) -> Thresholds:
    """Thresholds of two sizes or three, which no curve can be fitted to, by their times alone.

    The logarithm of a speedup is concave in that of the size, whatever the parameters: it is below
    the line through the first two sizes at all smaller ones. So it does not pay where that line is
    below one; beyond the sizes what was measured at the nearest goes on.

    Examples
    --------
    >>> from logca.numeric.timings.crossing import compared
    >>> times = {1024.0: (1.0, 8.0), 16384.0: (16.0, 9.0)}
    >>> found = few_thresholds(
    ...     compared({g: {"host": [t], "accelerated": [u]} for g, (t, u) in times.items()})
    ... )
    >>> found.pays("2 KiB"), found.pays("64 KiB"), found.certainty("16 KiB")
    (False, True, 'pays')
    """
    signs, pays = faster(rows, level), [row.speedup > 1 for row in rows]
    lowest, likely = 0.0, []
    if len(rows) > 1:
        first, second = (log(row.speedup) for row in rows[:2])
        if second > first > 0:
            lowest = rows[0].size * (rows[0].size / rows[1].size) ** (first / (second - first))
    if pays[0]:
        likely.append(SizesBetween(above=lowest, below=rows[0].size))
    likely += _between_sizes(rows, pays)
    if pays[-1]:
        likely.append(SizesBetween(above=rows[-1].size, below=inf))
    wins, loses = _runs(rows, signs, 1), _runs(rows, signs, -1)
    return Thresholds(
        likely=apart(likely), staying=without(loses), starting=wins, none=nan, told=False
    )


def _between_sizes(rows: Sequence[Compared], pays: Sequence[bool]) -> Iterator[SizesBetween]:
    """Where it pays from a size to the next, if it does at one of them or at both."""
    for (low, high), (first, second) in zip(pairwise(rows), pairwise(pays), strict=True):
        change = _change(low, high)
        if first:
            yield SizesBetween(above=low.size, below=high.size if second else change)
        elif second:
            yield SizesBetween(above=change, below=high.size)


def _verdicts(rows: Sequence[Compared], signs: Sequence[int]) -> list[bool]:
    """For each size whether it pays: where that is unclear, as at the clear ones on both sides."""
    found = []
    for place, row in enumerate(rows):
        before = next((each for each in reversed(signs[: place + 1]) if each), 0)
        after = next((each for each in signs[place:] if each), 0)
        beside = {before, after} - {0}
        found.append(beside == {1} if len(beside) == 1 else row.speedup > 1)
    return found


@lru_cache(maxsize=_KEPT)
def measured_times(fit: Fit, size: float) -> tuple[float, float] | None:
    """Times of host and accelerated path as measured, where times decide and not the curve [s].

    Between two sizes they are those on the lines between their medians, in logarithms. None at all
    sizes if the times contradict the curve at none, and beyond the sizes measured.
    """
    if not thresholds(fit).contradicted:
        return None
    rows = compared_timings(fit.timings, fit.level)
    if not rows[0].size <= size <= rows[-1].size:
        return None
    sizes = np.log([row.size for row in rows])
    paths = ([row.host.value for row in rows], [row.accelerated.value for row in rows])
    host, accelerated = (float(np.exp(np.interp(log(size), sizes, np.log(each)))) for each in paths)
    return host, accelerated


def _change(low: Compared, high: Compared) -> float:
    """Where the faster path changes between two sizes [B]."""
    first, second = log(low.speedup), log(high.speedup)
    share = first / (first - second) if first * second < 0 else 0.5
    return float(low.size * (high.size / low.size) ** share)


def _runs(rows: Sequence[Compared], signs: Sequence[int], sign: int) -> Ranges:
    """From the first to the last of successive sizes at which the same path is faster."""
    found = []
    for same, places in groupby(range(len(rows)), key=lambda place: signs[place]):
        if same == sign:
            run = [rows[place].size for place in places]
            found.append(SizesBetween(above=nextafter(run[0], 0), below=nextafter(run[-1], inf)))
    return tuple(found)


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
    found = {"pays": ranges_text(ranges.likely)}
    if level is None:
        return found
    if ranges.contradicted:
        found["as measured"] = (
            f"the times contradict the curve at {_listed(ranges.contradicted)}: they decide"
        )
    else:
        found |= _break_evens(ranges, probability(level))
    return found | {
        "start offloading": ranges_text(ranges.starting),
        "keep offloading": ranges_text(ranges.staying),
    }


def _break_evens(ranges: Thresholds, confidence: str) -> dict[str, str]:
    """Intervals of both break-evens of a curve."""
    lower = _between(*ranges.lower, confidence)
    if not ranges.told:
        lower = f"uncertain: none ({probability(ranges.none)}), or {lower}"
    elif ranges.lower[0] == inf:
        lower = f"none ({probability(ranges.none)})"
    if min(ranges.upper) < inf:
        return {"break-even": lower, "upper break-even": _between(*ranges.upper, confidence)}
    return {"break-even": lower}


def _listed(sizes: Sequence[float]) -> str:
    if len(sizes) > _MOST_LISTED:
        return f"{len(sizes)} measured sizes"
    return " and ".join(
        filter(None, (", ".join(map(format_size, sizes[:-1])), format_size(sizes[-1])))
    )


_MOST_LISTED = 4


def pays_where(basis: Fit | Accelerator) -> str:
    """Clause that says at which sizes offloading pays, with the intervals that a fit has.

    Examples
    --------
    >>> pays_where(Accelerator(o=29_000, L=1500, C=90, A=19))
    'it pays from 357.7 B on'
    """
    found = thresholds(basis)
    likely = found.likely[0] if found.likely else NOWHERE
    if isinstance(basis, Accelerator):
        return where_it_pays(likely.above, likely.below, basis.break_even().reason)
    if found.contradicted:
        return f"as measured, which no curve follows, it pays {ranges_text(found.likely)}"
    confidence = probability(basis.level)
    if not found.told:
        return f"the break-even is {words(found, basis.level)['break-even']}"
    if len(found.likely) > 1:
        return f"it pays {ranges_text(found.likely)}"
    if found.likely:
        intervals = (f" ({confidence}: {_ends(*each)})" for each in (found.lower, found.upper))
        return where_it_pays(likely.above, likely.below, "", *intervals)
    return f"it pays at no size ({probability(found.none)})"


def _between(lower: float, upper: float, confidence: str) -> str:
    return f"{_ends(lower, upper)} ({confidence})"


def _ends(lower: float, upper: float) -> str:
    if upper == inf:
        return f"{format_size(lower)} or larger"
    return f"{format_size(lower)} to {format_size(upper)}"
