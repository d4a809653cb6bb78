"""Between which sizes offloading pays: most likely, and as far as timings tell; and in words.

The lower break-even and the upper one have an interval each. From their ends follow three ranges:
where it most likely pays; where it may pay, so that who offloads goes on; and where it pays for
certain, so that who does not offload begins.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf, isnan, log

import numpy as np

from logca.common.readable_numbers import probability
from logca.common.sizes import format_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import exceeding
from logca.numeric.accelerator.explain import where_it_pays
from logca.numeric.fit.as_measured import as_measured
from logca.numeric.fit.break_evens import FARTHEST
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.profile_likelihood import ConfidenceInterval
from logca.numeric.fit.segmented import Band, band
from logca.numeric.fit.size_ranges import (
    NOWHERE,
    Ranges,
    SizesBetween,
    Thresholds,
    apart,
    common,
    ranges_text,
)
from logca.numeric.timings.timings import compared_timings

__all__ = [
    "by_curve",
    "exactly",
    "is_one_curve",
    "measured_times",
    "pays_beside_curve",
    "pays_where",
    "thresholds",
    "words",
]

_KEPT = 64


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
    curve = _from_one_byte(by_curve(basis))
    breaks = [
        SizesBetween(above=each.below * scale, below=each.above * scale)
        for mode in basis.in_either_mode
        for estimate in mode
        for scale in (float(np.exp(estimate.data.log_size)),)
        for each in estimate.data.breaks
    ]
    return as_measured(curve, rows, np.log(host / accelerated).tolist(), basis.level, breaks)


def _from_one_byte(found: Thresholds) -> Thresholds:
    """The same, but what pays from less than a byte pays from the smallest size there is."""

    def wider(ranges: Ranges) -> Ranges:
        return tuple(replace(each, above=0.0) if each.above < 1 else each for each in ranges)

    return replace(
        found,
        likely=wider(found.likely),
        staying=wider(found.staying),
        starting=wider(found.starting),
    )


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

    def ranges(of: Band, name: str) -> Ranges:
        return apart(SizesBetween(above=start, below=end) for start, end in of.ranges(name))

    likely = ranges(band(fit.estimates[fit.latency], fit.level), "likely")
    staying, starting = likely, likely
    for each in (each for mode in fit.in_either_mode for each in mode):
        general = band(each, fit.level)
        staying = apart([*staying, *ranges(general, "high")])
        starting = common(starting, ranges(general, "low"))
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
    {'pays': 'from 357.7 B on'}
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


def is_one_curve(basis: Fit | Accelerator) -> bool:
    """True if the parameters at a size are those at all: no breaks, and no times contradict it."""
    return isinstance(basis, Accelerator) or not (basis.breaks or thresholds(basis).contradicted)


def pays_beside_curve(basis: Fit | Accelerator) -> str:
    """`pays_where`, said beside what follows from the curve alone."""
    where = pays_where(basis)
    if isinstance(basis, Fit) and thresholds(basis).contradicted:
        where += "; the rest here is of the curve"
    return where


def _between(lower: float, upper: float, confidence: str) -> str:
    return f"{_ends(lower, upper)} ({confidence})"


def _ends(lower: float, upper: float) -> str:
    if upper == inf:
        return f"{format_size(lower)} or larger"
    return f"{format_size(lower)} to {format_size(upper)}"
