"""Timings of host and accelerator, size by size, checked; those of some of the sizes only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from logca.common import results
from logca.common.errors import LogcaError
from logca.common.sizes import format_size, parse_size

__all__ = ["LEAST_SIZES", "Samples", "Timings", "TimingsError", "between"]

LEAST_SIZES = 4
"""Fewest sizes that determine the parameters under constant latency [1]."""

Samples = np.ndarray[Any, np.dtype[np.float64]]


class TimingsError(LogcaError, ValueError):
    """Timings cannot be fitted; the message names the row and what to do."""


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

    Raises
    ------
    TimingsError
        If sizes are not ascending, too few, or a time is no positive, finite number; or the
        resolution is negative or none.

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

    def __post_init__(self) -> None:
        if not 0 <= self.resolution < float("inf"):
            raise TimingsError(f"resolution = {self.resolution!r} must be a step of a clock [s]")
        sizes = _sizes(self.granularity)
        object.__setattr__(self, "granularity", tuple(sizes))
        for name in ("host", "accelerated"):
            rows = list(getattr(self, name))
            if len(rows) != len(sizes):
                raise TimingsError(
                    f"{name} has {len(rows)} rows, granularity has {len(sizes)}: one row per size"
                )
            checked = tuple(
                _times(row, f"{name} time of row {number} ({format_size(size)})", self.resolution)
                for number, (row, size) in enumerate(zip(rows, sizes, strict=True), start=1)
            )
            measured = sum(each.size > 0 for each in checked)
            if measured < LEAST_SIZES:
                raise TimingsError(
                    f"{name} has times at {measured} sizes; measure at {LEAST_SIZES} or more"
                )
            object.__setattr__(self, name, checked)

    def __len__(self) -> int:
        return len(self.granularity)

    __repr__ = results.text
    _repr_html_ = results.html
    to_frame = results.to_frame


def _sizes(given: Iterable[Any]) -> list[float]:
    sizes: list[float] = []
    for number, each in enumerate(given, start=1):
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
        sizes.append(size)
    if sizes and sizes[-1] < 1:
        raise TimingsError(
            f"the largest granularity is {format_size(sizes[-1])}, less than a byte: name the "
            "columns, which may be exchanged, or their units"
        )
    if len(sizes) < LEAST_SIZES:
        raise TimingsError(f"{len(sizes)} sizes are too few; measure at {LEAST_SIZES} or more")
    return sizes


def _times(row: Any, what: str, resolution: float) -> Samples:
    try:
        times = np.array(row, dtype=np.float64).reshape(-1)
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
    times.flags.writeable = False
    return times


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
        return Timings(
            granularity=[timings.granularity[number] for number in kept],
            host=[timings.host[number] for number in kept],
            accelerated=[timings.accelerated[number] for number in kept],
            resolution=timings.resolution,
        )
    except TimingsError as error:
        ends = [f"least = {least!r}"] * (least is not None) + [f"most = {most!r}"] * (
            most is not None
        )
        raise TimingsError(
            f"{' and '.join(ends)} leave {len(kept)} of {len(timings)} sizes: {error}"
        ) from None


def _size(given: float | str | None, other: float, name: str) -> float:
    try:
        return other if given is None else parse_size(given)
    except ValueError as error:
        raise TimingsError(f"{name}: {error}") from None
