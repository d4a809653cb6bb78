"""Timings of some of the sizes only."""

from math import inf

from logca.common.sizes import parse_size
from logca.numeric.timings.timings import Timings, TimingsError

__all__ = ["between"]


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
