"""Numbers of requests served side by side, fitted to times with several in flight.

The times of one request are those of the fit. What is fitted here is by which factor n requests in
flight shorten the time between them: on the host up to `u_host`; offloaded as far as host and link
prepare `u_link`, and accelerators compute `u_accelerator` of them at a time (logca2026, requests in
flight). Intervals are profiles of the sum of squares, on a grid, so that they are the same
everywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, log
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from logca.numeric.evaluation.by_name import evaluate, parameters_of
from logca.numeric.timings.in_flight import numbers_in
from logca.numeric.timings.reading import Reading, read
from logca.numeric.timings.timings import Timings, TimingsError, compared_timings

__all__ = [
    "UNITS",
    "FlightTime",
    "InFlight",
    "OneAtATime",
    "fit_units",
    "read_in_flight",
    "restored_units",
]

UNITS = ("u_host", "u_link", "u_accelerator")
"""Names of what is fitted."""


class FlightTime(NamedTuple):
    """Medians of a request's time with several requests in flight."""

    size: float  # [B]
    n: int  # requests in flight [1]
    # host, accelerated: time of a request: that of all over their number [s]
    host: float
    accelerated: float


@dataclass(frozen=True, slots=True, kw_only=True)
class InFlight:
    """Requests that are served side by side, and their intervals."""

    times: tuple[FlightTime, ...]  # those measured with two requests in flight or more
    units: Mapping[str, float]  # most likely u_host, u_link and u_accelerator [1]
    # their intervals; without an upper end where no saturation was seen [1]
    intervals: Mapping[str, tuple[float, float]]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of requests in flight that were measured, besides one, ascending [1]."""
        return tuple(sorted({each.n for each in self.times}))

    def measured(self, size: float, n: float) -> float | None:
        """Measured speedup at a size, between those of the sizes beside it; None outside [1]."""
        there = sorted(
            (each.size, each.host / each.accelerated) for each in self.times if each.n == n
        )
        if not there or not there[0][0] <= size <= there[-1][0]:
            return None
        sizes, speedups = (np.log(each) for each in zip(*there, strict=True))
        return float(np.exp(np.interp(log(size), sizes, speedups)))

    def record(self) -> dict[str, Any]:
        """Contents for a file; `restored_units` reads it."""
        return {
            "times": [list(each) for each in self.times],
            "units": dict(self.units),
            "intervals": {
                name: [each if isfinite(each) else str(each) for each in ends]
                for name, ends in self.intervals.items()
            },
        }


def restored_units(record: Mapping[str, Any] | None) -> InFlight | None:
    """Requests in flight from what `record` wrote; None of none."""
    if record is None:
        return None
    found = InFlight(
        times=tuple(
            FlightTime(float(size), int(n), float(host), float(accelerated))
            for size, n, host, accelerated in record["times"]
        ),
        units={name: float(record["units"][name]) for name in UNITS},
        intervals={
            name: (float(low), float(high))
            for name, (low, high) in ((name, record["intervals"][name]) for name in UNITS)
        },
    )
    for name, (low, high) in found.intervals.items():
        if not 1 <= low <= found.units[name] <= high:
            raise ValueError(f"in_flight: {name} must be 1 or more, and in its interval")
    return found


def read_in_flight(path: str | PathLike[str], **how: Any) -> dict[int, Reading]:
    """Timings for each number of requests in flight; only those of one if there are no others.

    Keywords are those of `logca.numeric.timings.reading.read`.
    """
    first = read(path, **how, in_flight=1)
    from pathlib import Path

    text = Path(fspath(path)).read_text(encoding="utf-8", errors="replace")
    others = [each for each in numbers_in(text, fspath(path)) if each > 1]
    return {1: first} | {n: read(path, **how, in_flight=n) for n in others}


_STEPS = 97  # of a grid
_LEAST_SPREAD = 0.01  # medians are not known better [1]


class OneAtATime(NamedTuple):
    """Times and parameters of one request at a time."""

    timings: Timings  # as measured
    times: Callable[[float], Sequence[Any]]  # from a size [B] to fitted times of both paths [s]
    parameters: Mapping[str, float]  # o, L, C, A and beta
    latency: str  # form of latency
    level: float  # confidence of intervals [1]


def fit_units(one: OneAtATime, others: Mapping[int, Timings]) -> InFlight:
    """Requests that are served side by side, fitted to times with several in flight, by number."""
    times = tuple(
        FlightTime(row.size, n, row.host.value, row.accelerated.value)
        for n, timings in sorted(others.items())
        if n > 1
        for row in compared_timings(timings)
    )
    if not times:
        raise TimingsError("no times with two requests in flight or more")
    once = {row.size: row for row in compared_timings(one.timings)}
    grid = np.geomspace(1.0, max(each.n for each in times), _STEPS)
    g, n = (np.array([each[at] for each in times], dtype=float) for at in (0, 1))
    gains = {
        path: np.array(
            [log(_once(one, once, each.size, path) / getattr(each, path)) for each in times]
        )
        for path in ("host", "accelerated")
    }
    host = np.log(gain(one, "host", g, n, u_host=grid[:, None]))
    offloaded = np.log(
        gain(one, "accelerated", g, n, u_link=grid[:, None, None], u_accelerator=grid[:, None])
    )
    alone = _profiles(((gains["host"] - host) ** 2).sum(axis=-1), grid, len(times), one.level)
    both = _profiles(
        ((gains["accelerated"] - offloaded) ** 2).sum(axis=-1), grid, len(times), one.level
    )
    found = dict(zip(UNITS, (*alone, *both), strict=True))
    return InFlight(
        times=times,
        units={name: value for name, (value, _) in found.items()},
        intervals={name: ends for name, (_, ends) in found.items()},
    )


def gain(one: OneAtATime, path: str, g: Any, n: Any, **units: Any) -> Any:
    """By which factor n requests in flight shorten the time between them on a path [1]."""
    given = {**one.parameters, "g": g, "n": n, **units}

    def value(name: str) -> Any:
        wanted = {each: given[each] for each in parameters_of(name)}
        return evaluate(name, latency=one.latency, **wanted)

    if path == "host":
        return value("T0") / value("host_period_in_flight")
    return value("gain_in_flight")


def _once(one: OneAtATime, once: Mapping[float, Any], size: float, path: str) -> float:
    """Time of one request: as measured at this size, else as fitted [s]."""
    if size in once:
        return float(getattr(once[size], path).value)
    return float(one.times(size)[path == "accelerated"])


def _profiles(
    squares: Any, grid: Any, count: int, level: float
) -> list[tuple[float, tuple[float, float]]]:
    """Best value and interval along each axis of a grid of sums of squares."""
    best = squares.min()
    freedom = max(count - squares.ndim, 1)
    variance = max(best / freedom, _LEAST_SPREAD**2)
    allowed = best + variance * float(special.fdtri(1, freedom, level))
    place = np.unravel_index(int(squares.argmin()), squares.shape)
    found = []
    for axis in range(squares.ndim):
        others = tuple(each for each in range(squares.ndim) if each != axis)
        inside = np.flatnonzero(squares.min(axis=others) <= allowed)
        # between two points of the grid there may be more
        low, high = grid[max(inside[0] - 1, 0)], grid[min(inside[-1] + 1, len(grid) - 1)]
        ends = (float(low), inf if inside[-1] == len(grid) - 1 else float(high))
        found.append((float(grid[place[axis]]), ends))
    return found
