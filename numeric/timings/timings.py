"""Timings of host and accelerator, size by size, checked; those of some of the sizes only."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np

from logca.common import results
from logca.common.errors import LogcaError
from logca.common.real_numbers import is_real
from logca.common.sizes import format_size, parse_size
from logca.numeric.timings.crossing import (
    Compared,
    Crossing,
    compared,
    crossing_of,
    median_of_mean,
)

__all__ = [
    "LARGEST",
    "LEAST_SIZES",
    "MOST_SIZES",
    "Samples",
    "Spread",
    "Timings",
    "TimingsError",
    "between",
    "compared_timings",
    "crossing",
    "thinned",
]

LEAST_SIZES = 4
"""Fewest sizes that determine the parameters under constant latency [1]."""

LARGEST = 1e30
"""Sizes [B] and times [s], and their reciprocals, are less, so that squares stay finite."""

Samples = np.ndarray[Any, np.dtype[np.float64]]


class TimingsError(LogcaError, ValueError):
    """Timings cannot be fitted; the message names the row and what to do."""


class Spread(NamedTuple):
    """Scatter of the runs behind a mean, where the runs themselves are not known."""

    deviation: float  # standard deviation of one run [s]
    runs: int  # number of runs that the mean is of [1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Timings:
    """Repeated times of a kernel on the host and offloaded, size by size.

    Parameters
    ----------
    granularity : sequence of float or str
        Sizes, strictly ascending, such as 4096 or "4 KiB" [B].
    host : sequence of array
        For each size the times on the host; a number is a single run, empty is none [s].
    accelerated : sequence of array
        For each size the times of the offloaded kernel, as for the host [s].
    resolution : float
        Smallest step of the clock; zero if it is not known [s].
    host_spread, accelerated_spread : sequence of (deviation, runs) or None
        For each size standard deviation [s] and number [1] of the runs whose mean is the only time;
        None where they are not known, or the times are single runs. Empty if none is.

    Raises
    ------
    TimingsError
        If sizes are not ascending, or too few; or a size or a time is not between 1e-30 and 1e30;
        or the resolution is negative or none; or a spread is none, or has several times beside it.

    Examples
    --------
    >>> timings = Timings(
    ...     granularity=["1 KiB", "4 KiB", "16 KiB", "64 KiB"],
    ...     host=[[1.0e-6, 1.1e-6], 4e-6, 16e-6, 64e-6],
    ...     accelerated=[9e-6, 9e-6, 10e-6, 12e-6],
    ... )
    >>> len(timings), timings.host[0].size
    (4, 2)
    """

    granularity: Sequence[float | str]
    host: Sequence[Any]
    accelerated: Sequence[Any]
    resolution: float = 0.0
    host_spread: Sequence[Spread | None] = ()
    accelerated_spread: Sequence[Spread | None] = ()

    def __post_init__(self) -> None:
        if not (is_real(self.resolution) and 0 <= self.resolution < inf):
            raise TimingsError(f"resolution = {self.resolution!r} must be a step of a clock [s]")
        given = (self.granularity, self.host, self.accelerated)
        indices: list[Any] = [each.index for each in given if type(each).__name__ == "Series"]
        if any(not each.equals(indices[0]) for each in indices[1:]):
            raise TimingsError("the Series have different indices: align them first")
        sizes = _sizes(self.granularity)
        object.__setattr__(self, "granularity", tuple(sizes))
        for name in ("host", "accelerated"):
            rows = _listed(name, getattr(self, name))
            if len(rows) != len(sizes):
                raise TimingsError(
                    f"{name} has {len(rows)} rows, granularity has {len(sizes)}: one row per size"
                )
            checked = tuple(
                _times(row, f"{name} time of row {number} ({format_size(size)})", self.resolution)
                for number, (row, size) in enumerate(zip(rows, sizes, strict=True), start=1)
            )
            object.__setattr__(self, name, checked)
            spreads = _spreads(getattr(self, f"{name}_spread"), checked, name)
            object.__setattr__(self, f"{name}_spread", spreads)
        _check_number(self)

    def __len__(self) -> int:
        return len(self.granularity)

    __repr__ = results.text
    _repr_html_ = results.html
    to_frame = results.to_frame


def _listed(name: str, given: Any) -> list[Any]:
    try:
        return list(given)
    except TypeError:
        raise TimingsError(
            f"{name} = {given!r} is no sequence: give one value for each size"
        ) from None


def _sizes(given: Any) -> list[float]:
    sizes: list[float] = []
    for number, each in enumerate(_listed("granularity", given), start=1):
        try:
            size = parse_size(each)
        except ValueError as error:
            raise TimingsError(f"granularity of row {number}: {error}") from None
        if sizes and size <= sizes[-1]:
            raise TimingsError(
                f"granularity of row {number} = {format_size(size)} is not larger than the row "
                f"before it ({format_size(sizes[-1])}): sort by size, one row per size; "
                "times of runs again at a size are a list in its row"
            )
        if not 1 / LARGEST < size < LARGEST:
            raise TimingsError(
                f"granularity of row {number} = {size:g} B must be between {1 / LARGEST:g} and "
                f"{LARGEST:g} B: see to its unit, or leave the row out"
            )
        sizes.append(size)
    if sizes and sizes[-1] < 1:
        raise TimingsError(
            f"the largest granularity is {format_size(sizes[-1])}, less than a byte: name the "
            "columns, which may be exchanged, or their units"
        )
    return sizes


def _check_number(timings: Timings) -> None:
    """Refuse too few sizes, and say what their times tell all the same."""
    few = {"": len(timings)} | {
        f"{path} has times at ": sum(row.size > 0 for row in getattr(timings, path))
        for path in ("host", "accelerated")
    }
    least = min(few, key=few.__getitem__)
    if few[least] >= LEAST_SIZES:
        return
    rows = compared_timings(timings)
    told = f"; as measured, without a fit: {crossing_of(rows)}" if rows else ""
    are = "sizes" if least else "size is too few" if few[least] == 1 else "sizes are too few"
    raise TimingsError(f"{least}{few[least]} {are}; measure at {LEAST_SIZES} or more{told}")


def _times(row: Any, what: str, resolution: float) -> Samples:
    if isinstance(row, np.ma.MaskedArray) and np.ma.getmaskarray(row).any():
        raise TimingsError(f"{what} is masked: leave the run out")
    try:
        times = np.array(row, dtype=np.float64).reshape(-1)
        # a truth value is no time, and a time with a unit of its own is not in seconds
        if np.asarray(row).dtype.kind in "bmMc":
            raise ValueError
    except (TypeError, ValueError):
        raise TimingsError(f"{what} = {row!r} is no number of seconds") from None
    for each in times:
        if not np.isfinite(each):
            raise TimingsError(f"{what} = {each} is no finite number [s]: remove or repeat the run")
        if each < 0:
            raise TimingsError(f"{what} = {each:g} s is negative: the clock ran backwards")
        if each == 0 or each < resolution:
            raise TimingsError(
                f"{what} = {each:g} s is below the clock's resolution: "
                "time many calls together and divide by their number, or leave the size out"
            )
        if not 1 / LARGEST < each < LARGEST:
            raise TimingsError(
                f"{what} = {each:g} s must be between {1 / LARGEST:g} and {LARGEST:g} s: "
                "see to its unit, or remove the run"
            )
    times.flags.writeable = False
    return times


def _spreads(given: Any, rows: Sequence[Samples], name: str) -> tuple[Spread | None, ...]:
    """A spread or None for each size; empty if there is none."""
    found = [_spread(name, each) for each in _listed(f"{name}_spread", given)]
    if not any(found):
        return ()
    if len(found) != len(rows):
        raise TimingsError(
            f"{name}_spread has {len(found)} rows, {name} has {len(rows)}: one row per size"
        )
    for number, (each, row) in enumerate(zip(found, rows, strict=True), start=1):
        if each is None:
            continue
        what = f"{name}_spread of row {number}"
        if row.size != 1:
            raise TimingsError(
                f"{what} is for a mean, and there are {row.size} times: leave it out"
            )
        if not 1 <= each.runs < inf:
            raise TimingsError(f"{what}: {each.runs!r} runs; a mean is of 1, 2, 3, ... runs")
        if not 0 <= each.deviation < LARGEST:
            raise TimingsError(
                f"{what}: deviation {each.deviation!r} must be 0 or more, and below {LARGEST:g} s"
            )
    return tuple(found)


def _spread(name: str, given: Any) -> Spread | None:
    if given is None:
        return None
    pair = _listed(f"{name}_spread", given)
    if len(pair) == len(Spread._fields) and all(map(is_real, pair)):
        return Spread(*pair)
    raise TimingsError(
        f"{name}_spread has {given!r}; write a standard deviation [s] and a number of runs"
    )


def between(timings: Timings, least: float | str | None, most: float | str | None) -> Timings:
    """The timings of the sizes in a range.

    Examples
    --------
    >>> times = [1e-6, 2e-6, 4e-6, 8e-6, 16e-6]
    >>> timings = Timings(granularity=[1, 2, 4, 8, 16], host=times, accelerated=times)
    >>> between(timings, "2 B", None).granularity
    (2.0, 4.0, 8.0, 16.0)
    """
    low, high = _size(least, 0.0, "least"), _size(most, inf, "most")
    if low > high:
        raise TimingsError(f"least = {least!r} is larger than most = {most!r}: exchange them")
    kept = [number for number, size in enumerate(timings.granularity) if low <= float(size) <= high]
    if len(kept) == len(timings):
        return timings
    try:
        return _at(timings, kept)
    except TimingsError as error:
        ends = [f"least = {least!r}"] * (least is not None) + [f"most = {most!r}"] * (
            most is not None
        )
        raise TimingsError(
            f"{' and '.join(ends)} leave {len(kept)} of {len(timings)} sizes: {error}"
        ) from None


MOST_SIZES = 3000
"""Most sizes that are fitted: what a fit takes grows with the square of their number [1]."""


def thinned(timings: Timings) -> Timings:
    """The timings of `MOST_SIZES` sizes at most, by equal factors apart where there are many.

    Examples
    --------
    >>> times = [1e-9 * (1 + size) for size in range(10_000)]
    >>> timings = Timings(granularity=range(1, 10_001), host=times, accelerated=times)
    >>> found = thinned(timings)
    >>> len(found) <= 3000, found.granularity[0], found.granularity[-1]
    (True, 1.0, 10000.0)
    """
    if len(timings) <= MOST_SIZES:
        return timings
    sizes = np.log(np.array(timings.granularity, np.float64))
    wanted = np.linspace(sizes[0], sizes[-1], MOST_SIZES)
    places = np.unique(np.searchsorted(sizes, wanted[:-1])).tolist()
    return _at(timings, [*places, len(sizes) - 1])


def _at(timings: Timings, places: Sequence[int]) -> Timings:
    return Timings(
        granularity=[timings.granularity[place] for place in places],
        host=[timings.host[place] for place in places],
        accelerated=[timings.accelerated[place] for place in places],
        resolution=timings.resolution,
        host_spread=_kept(timings.host_spread, places),
        accelerated_spread=_kept(timings.accelerated_spread, places),
    )


def _kept(spreads: Sequence[Spread | None], places: Sequence[int]) -> list[Spread | None]:
    return [spreads[place] for place in places] if spreads else []


def _size(given: float | str | None, other: float, name: str) -> float:
    try:
        return other if given is None else parse_size(given)
    except ValueError as error:
        raise TimingsError(f"{name}: {error}") from None


def crossing(timings: Timings, level: float = 0.95) -> Crossing:
    """Where the accelerated path begins to win, by the measured times, without any model.

    A path is surely faster at a size if the intervals of both medians do not meet; see
    `statistics.median`.

    Examples
    --------
    >>> timings = Timings(
    ...     granularity=[1024, 4096, 16384, 65536],
    ...     host=[[1e-6, 1.1e-6], [4e-6, 4.1e-6], [16e-6, 17e-6], [64e-6, 65e-6]],
    ...     accelerated=[[8e-6, 9e-6], [8e-6, 9e-6], [9e-6, 10e-6], [12e-6, 13e-6]],
    ... )
    >>> print(crossing(timings))
    accelerated wins from 8.854 KiB on (between 4 KiB and 16 KiB)
    """
    return crossing_of(compared_timings(timings, level))


def compared_timings(timings: Timings, level: float = 0.95) -> tuple[Compared, ...]:
    """Both medians at each size at which both paths have times, ascending by size."""
    sides = [
        [
            list(row) if spread is None else median_of_mean(float(row[0]), *spread, level)
            for row, spread in zip(rows, spreads or [None] * len(rows), strict=True)
        ]
        for rows, spreads in (
            (timings.host, timings.host_spread),
            (timings.accelerated, timings.accelerated_spread),
        )
    ]
    times = {
        float(size): {"host": host, "accelerated": accelerated}
        for size, host, accelerated in zip(timings.granularity, *sides, strict=True)
    }
    return compared(times, level)
