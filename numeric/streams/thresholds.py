"""Speedups of a stream of requests at sizes, with their intervals, and where it pays."""

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from logca.common.errors import ArgumentError
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import Granularities, exceeding, granularities
from logca.numeric.accelerator.explain import where_it_pays
from logca.numeric.accelerator.parameter_ranges import MODEL
from logca.numeric.evaluation.by_name import evaluate, parameters_of
from logca.numeric.fit.break_evens import FARTHEST
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.segmented import Band, band
from logca.numeric.fit.size_ranges import SizesBetween, Thresholds, apart, common, ranges_text
from logca.numeric.in_flight.units import UNITS, InFlight
from logca.numeric.roots.extensions import roots_of

__all__ = ["pays_in_flight", "stream_band", "stream_value", "thresholds_in_flight", "units_of"]

_GRID = 2001  # sizes from one byte to 1 EiB
_BEHIND = 1e-9  # of a size, from the end of a break to a size that is surely behind it
_KEPT = 64

_ONE_EACH = InFlight(
    times=(),
    units=dict.fromkeys(UNITS, 1.0) | {"u_shared": inf},
    intervals=dict.fromkeys(UNITS, (1.0, 1.0)) | {"u_shared": (inf, inf)},
)
"""Units that an accelerator is taken to have: a host and a pipeline of two stages."""


def units_of(basis: Fit | Accelerator) -> InFlight:
    """Requests that are served side by side."""
    if isinstance(basis, Accelerator):
        return _ONE_EACH
    if basis.in_flight is None:
        raise ArgumentError(
            "this fit has no times with several requests in flight: measure some, with "
            "`logca measure --in-flight`, or add a column in_flight to the table, and fit again"
        )
    return basis.in_flight


def stream_value(
    basis: Fit | Accelerator, quantity: str, units: Mapping[str, float], **at: Any
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A quantity of a stream at sizes, with the times that a fit has there."""
    sizes = np.asarray(at["g"], dtype=np.float64)
    given: dict[str, Any]
    if isinstance(basis, Accelerator):
        given = {name: getattr(basis, name) for name in MODEL}
    elif basis.breaks:
        found = [basis.parameters_at(float(each)) for each in sizes.flat]
        given = {name: np.reshape([each[name] for each in found], sizes.shape) for name in found[0]}
    else:
        given = dict(basis.parameters)
    given |= {**units, **at, "g": sizes}
    if units:
        given["o"] = _wanted("overhead_in_flight", basis.latency, given)
    return np.asarray(_wanted(quantity, basis.latency, given))


def _wanted(quantity: str, latency: str, given: dict[str, Any]) -> Any:
    return evaluate(
        quantity, latency=latency, **{name: given[name] for name in parameters_of(quantity)}
    )


def stream_band(fit: Fit, in_flight: float, sizes: Any) -> Band:
    """Logarithms of the speedup of a stream at sizes, and the ends of its interval.

    The interval takes in that of one request at a time, those of the units, and by how much
    measured speedups of streams scatter around the model, as independent errors.
    """
    units, sizes = units_of(fit), np.asarray(sizes, dtype=np.float64)

    def speedup(given: Mapping[str, float]) -> Any:
        return np.log(stream_value(fit, "speedup_in_flight", given, g=sizes, n=in_flight))

    likely = speedup(units.units)
    alone = np.log(stream_value(fit, "speedup", {}, g=sizes))
    bands = [band(each, fit.level, sizes) for mode in fit.in_either_mode for each in mode]
    low = np.minimum.reduce([alone, *(each.low for each in bands)])
    high = np.maximum.reduce([alone, *(each.high for each in bands)])
    quantile = float(special.stdtrit(units.freedom, (1 + fit.level) / 2))
    scatter = quantile * units.scatter if in_flight > 1 else 0.0
    sides = []
    for own, host, growth, link in ((alone - low, 1, 1, 0), (high - alone, 0, 0, 1)):
        ends = dict.fromkeys(UNITS, link) | {"u_host": host, "growth": growth}
        moved = speedup({name: units.intervals[name][end] for name, end in ends.items()})
        sides.append(
            np.sqrt(own**2 + np.abs(moved - likely) ** 2 + scatter**2) if in_flight > 1 else own
        )
    return Band(sizes, likely, likely - sides[0], likely + sides[1], sides[0])


class _Everywhere(NamedTuple):
    """Where a stream pays, over all sizes."""

    thresholds: Thresholds
    reason: str  # why it pays at no size, of an accelerator


def thresholds_in_flight(basis: Fit | Accelerator, in_flight: float) -> Thresholds:
    """Between which sizes a stream with so many requests in flight pays."""
    return _everywhere(basis, in_flight).thresholds


@lru_cache(maxsize=_KEPT)
def _everywhere(basis: Fit | Accelerator, in_flight: float) -> _Everywhere:
    if isinstance(basis, Accelerator):
        found = _root(basis, in_flight)
        least = float(stream_value(basis, "speedup_in_flight", _ONE_EACH.units, g=1.0, n=in_flight))
        above, below = exceeding(found, least)
        known = apart([SizesBetween(above=above, below=below)])
        return _Everywhere(
            Thresholds(
                likely=known, staying=known, starting=known, none=float(not known), told=True
            ),
            found.reason,
        )
    units_of(basis)
    if in_flight == 1:
        return _Everywhere(thresholds(basis), "")
    ends = [end for each in basis.breaks for end in (each.lower, each.upper)]
    grid = np.geomspace(1.0, FARTHEST, _GRID)
    sizes = np.unique(np.concatenate([grid, ends, np.multiply(ends, 1 + _BEHIND)]))
    found_band = stream_band(basis, in_flight, sizes)
    likely, staying, starting = (
        apart(SizesBetween(above=above, below=below) for above, below in found_band.ranges(name))
        for name in ("likely", "high", "low")
    )
    staying = apart([*likely, *staying])
    starting = common(likely, starting)
    doubt = (1 - basis.level) / 2
    quantile = special.stdtrit(basis.general.freedom, 1 - doubt)
    surest = float((found_band.likely / np.maximum(found_band.error, 1e-300)).max() * quantile)
    none = float(special.stdtr(basis.general.freedom, -surest))
    first = (staying[0].above, starting[0].above if starting else inf) if staying else (inf, inf)
    return _Everywhere(
        Thresholds(
            likely=likely,
            staying=staying,
            starting=starting,
            none=none,
            told=not doubt < none < 1 - doubt,
            lower=first,
        ),
        "",
    )


def _root(basis: Accelerator, in_flight: float) -> Granularities:
    given: dict[str, Any] = {name: getattr(basis, name) for name in MODEL}
    units = {name: value for name, value in _ONE_EACH.units.items() if name != "growth"}
    found = roots_of("g_s_in_flight", s=1.0, n=in_flight, **units, **given, latency=basis.latency)
    return granularities(found.lower, found.upper, found.status)


def pays_in_flight(basis: Fit | Accelerator, in_flight: float) -> str:
    """Clause that says at which sizes a stream with so many requests in flight pays."""
    found, reason = _everywhere(basis, in_flight)
    if not found.likely:
        return where_it_pays(inf, inf, reason) if reason else "it pays at no size"
    if len(found.likely) > 1:
        return f"it pays {ranges_text(found.likely)}"
    return where_it_pays(found.likely[0].above, found.likely[0].below, reason)
