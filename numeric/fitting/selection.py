"""Timings of some of the sizes."""

from math import inf

from logca.numeric.fitting.timings import Timings, TimingsError
from logca.numeric.sizes import parse_size

__all__ = ["between"]


def between(timings: Timings, least: float | str | None, most: float | str | None) -> Timings:
    """The timings of the sizes in a range.

    Parameters
    ----------
    timings : Timings
        What was measured.
    least, most : float or str or None
        Smallest and largest size, such as 4096 or "4 KiB"; no end if left out [B].

    Raises
    ------
    TimingsError
        If they are no sizes or not ascending, or too few sizes lie between them.

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
