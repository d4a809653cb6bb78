"""Several accelerated paths beside one host: which pays, where, and how much."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from logca.numeric.fit.fit import Fit, fit
from logca.numeric.timings.pairing import Reading
from logca.numeric.timings.timings import TimingsError, compared_timings

__all__ = ["Ranked", "ranked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One accelerated path against the host."""

    name: str
    fit: Fit | None  # None if its timings cannot be fitted
    why: str  # why there is no fit; else empty
    notes: tuple[str, ...]  # on the timings

    @property
    def largest(self) -> tuple[float, float] | None:
        """Largest size with times of both paths [B], and the speedup measured there [1]."""
        rows = compared_timings(self.fit.timings) if self.fit is not None else ()
        return (rows[-1].size, rows[-1].speedup) if rows else None


def ranked(readings: Mapping[str, Reading | TimingsError], **fitting: Any) -> tuple[Ranked, ...]:
    """Fits of all paths, the greatest speedup at its largest size first; then those without one.

    `fitting` are arguments of `fit`.
    """
    found = [_fitted(name, reading, fitting) for name, reading in readings.items()]
    return tuple(sorted(found, key=lambda each: each.largest[1] if each.largest else 0.0)[::-1])


def _fitted(name: str, reading: Reading | TimingsError, fitting: Mapping[str, Any]) -> Ranked:
    if isinstance(reading, TimingsError):
        return Ranked(name=name, fit=None, why=str(reading), notes=())
    try:
        made = fit(reading.timings, provenance=reading.provenance, **fitting)
    except TimingsError as error:
        return Ranked(name=name, fit=None, why=str(error), notes=reading.notes)
    return Ranked(name=name, fit=made, why="", notes=reading.notes)
