"""Numbers of requests served side by side, fitted to times with several in flight.

The times of one request are those of the fit, with its breaks. What is fitted here is by which
factor n requests in flight shorten the time between them: on the host up to `u_host`. Offloaded up
to `u_shared`, if all stages share something, such as cores; or as far as host and link prepare
`u_link`, and accelerators compute `u_accelerator` of them at a time, whichever follows the times
better; the overhead changes by a factor, `growth`, with each doubling of n (logca2026, requests in
flight). What a call costs on both paths is part of the measured times, and never done side by side.
Intervals are profiles of the sum of squares, on a grid, so that they are the same everywhere.
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

UNITS = ("u_host", "u_link", "u_accelerator", "u_shared", "growth")
"""Names of what is fitted: infinite is what does not limit."""


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
    units: Mapping[str, float]  # the most likely ones, of `UNITS` [1]
    # their intervals; without an upper end where no saturation was seen [1]
    intervals: Mapping[str, tuple[float, float]]
    # by how much measured speedups scatter around those of the model, in logarithms [1]
    scatter: float = 0.0
    freedom: int = 1  # times behind it, less what was fitted to them [1]

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
            "units": {name: _written(each) for name, each in self.units.items()},
            "scatter": self.scatter,
            "freedom": self.freedom,
            "intervals": {
                name: [_written(each) for each in ends] for name, ends in self.intervals.items()
            },
        }


def _written(number: float) -> float | str:
    return number if isfinite(number) else str(number)


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
        scatter=float(record["scatter"]),
        freedom=int(record["freedom"]),
    )
    for name, (low, high) in found.intervals.items():
        if not (0 if name == "growth" else 1) <= low <= found.units[name] <= high:
            raise ValueError(f"in_flight: {name} must be 1 or more, and in its interval")
    if not (0 <= found.scatter < inf and found.freedom >= 1):
        raise ValueError("in_flight: scatter must be 0 or more, and freedom 1 or more")
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


_STEPS = 65  # of a grid of units
_GROWTHS = np.geomspace(0.5, 2.0, 41)  # factors on the overhead, per doubling [1]
_LEAST_SPREAD = 0.01  # medians are not known better [1]
_UNDECIDED = 1e-9  # of the logarithm of a growth that no time tells


class OneAtATime(NamedTuple):
    """Times and parameters of one request at a time."""

    timings: Timings  # as measured
    times: Callable[[float], Sequence[Any]]  # from a size [B] to fitted times of both paths [s]
    parameters_at: Callable[[float], Mapping[str, float]]  # o, L, C, A and beta at a size [B]
    call_cost: float  # cost of a call on both paths [s]
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
    gains = _gains(one, times)
    grid = np.geomspace(1.0, max(each.n for each in times), _STEPS)
    host = _Profile(gains.host_squares(grid), (grid,), len(times), one.level)
    column = _GROWTHS[:, None]
    shared = _Profile(
        np.stack([gains.offload_squares(each, u_shared=grid[:, None]) for each in column]),
        (_GROWTHS, grid),
        len(times),
        one.level,
    )
    stages = {"u_link": grid[:, None, None], "u_accelerator": grid[:, None]}
    apart = _Profile(
        np.stack([gains.offload_squares(each, **stages) for each in column]),
        (_GROWTHS, grid, grid),
        len(times),
        one.level,
    )
    names: tuple[str, ...] = ("growth", "u_shared")
    offloaded = shared
    if apart.criterion < shared.criterion:
        names, offloaded = ("growth", "u_link", "u_accelerator"), apart
    unlimited = (inf, (inf, inf))
    found = dict.fromkeys(UNITS, unlimited) | {"u_host": host.found[0]}
    found |= dict(zip(names, offloaded.found, strict=True))
    units = {name: value for name, (value, _) in found.items()}
    left = gains.left(units)
    freedom = max(left.size - len(names) - 1, 1)
    return InFlight(
        times=times,
        units=units,
        intervals={name: ends for name, (_, ends) in found.items()},
        scatter=max(float(np.sqrt((left**2).sum() / freedom)), _LEAST_SPREAD),
        freedom=freedom,
    )


class _Gains(NamedTuple):
    """By how much requests in flight shorten the time between them, and what it follows from."""

    one: OneAtATime
    given: Mapping[str, Any]  # sizes, numbers in flight, and parameters at these sizes
    # host, offloaded: logarithms of the measured gains [1]
    host: Any
    offloaded: Any
    told: Any  # sizes at which the host's times are more than what a call costs

    def host_squares(self, units: Any) -> Any:
        """Sums of squares for numbers of requests that the host computes side by side."""
        missed = self.host - self._host(units[:, None])
        return (missed[:, self.told] ** 2).sum(axis=-1)

    def offload_squares(self, growth: Any, **units: Any) -> Any:
        """Sums of squares for requests that are offloaded side by side, and a growth."""
        missed = self.offloaded - self._offloaded(growth, **units)
        return (missed**2).sum(axis=-1) + _UNDECIDED * float(np.log(growth[0])) ** 2

    def left(self, units: Mapping[str, float]) -> Any:
        """Measured speedups less those of the model, in logarithms [1]."""
        link = {name: units[name] for name in ("u_link", "u_accelerator", "u_shared")}
        host = self.host - self._host(units["u_host"])
        return (host - self.offloaded + self._offloaded(units["growth"], **link))[self.told]

    def _host(self, units: Any) -> Any:
        cost = self.one.call_cost
        period = self._value("host_period_in_flight", u_host=units)
        return np.log((cost + self._value("T0")) / (cost + period))

    def _offloaded(self, growth: Any, **units: Any) -> Any:
        once = self.given["o"] + self.one.call_cost
        o = self._value("overhead_in_flight", o=once, growth=growth)
        return np.log(
            self._value("T1", o=once)
            / self._value("period_in_flight", o=o, **(dict.fromkeys(_LINKS, inf) | units))
        )

    def _value(self, name: str, **given: Any) -> Any:
        every = {**self.given, **given}
        wanted = {each: every[each] for each in parameters_of(name)}
        return evaluate(name, latency=self.one.latency, **wanted)


_LINKS = ("u_link", "u_accelerator", "u_shared")


def _gains(one: OneAtATime, times: Sequence[FlightTime]) -> _Gains:
    once = {row.size: row for row in compared_timings(one.timings)}
    parameters = [one.parameters_at(each.size) for each in times]
    given = {name: np.array([each[name] for each in parameters]) for name in parameters[0]}
    given |= {
        "g": np.array([each.size for each in times]),
        "n": np.array([each.n for each in times]),
    }
    host, offloaded = (
        np.array([log(_once(one, once, each.size, path) / getattr(each, path)) for each in times])
        for path in ("host", "accelerated")
    )
    found = _Gains(one, given, host, offloaded, np.full(len(times), True))
    told = found._value("T0") > one.call_cost
    return found._replace(told=told) if told.any() else found


def _once(one: OneAtATime, once: Mapping[float, Any], size: float, path: str) -> float:
    """Time of one request: as measured at this size, else as fitted [s]."""
    if size in once:
        return float(getattr(once[size], path).value)
    return float(one.times(size)[path == "accelerated"])


class _Profile:
    """The least of a grid of sums of squares, and along each axis its place and interval."""

    def __init__(self, squares: Any, axes: Sequence[Any], count: int, level: float) -> None:
        best = float(squares.min())
        variance = max(best / max(count - squares.ndim, 1), _LEAST_SPREAD**2)
        quantile = float(special.fdtri(1, max(count - squares.ndim, 1), level))
        self.criterion = count * log(max(best / count, _LEAST_SPREAD**2)) + 2 * squares.ndim
        place = np.unravel_index(int(squares.argmin()), squares.shape)
        self.found = []
        for axis, grid in enumerate(axes):
            others = tuple(each for each in range(squares.ndim) if each != axis)
            inside = np.flatnonzero(squares.min(axis=others) <= best + variance * quantile)
            # between two points of the grid there may be more
            low, high = grid[max(inside[0] - 1, 0)], grid[min(inside[-1] + 1, len(grid) - 1)]
            unseen = inside[-1] == len(grid) - 1
            ends = (float(low), inf if unseen and grid is not _GROWTHS else float(high))
            self.found.append((float(grid[place[axis]]), ends))
