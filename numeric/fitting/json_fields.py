"""Fields of JSON files, each complaint with the place in the file."""

from collections.abc import Mapping
from typing import Any

from logca.numeric.fitting.timings import TimingsError
from logca.numeric.fitting.units import time_of

__all__ = ["entries", "field", "median_or_mean", "table", "times"]


def table(value: object, where: str) -> dict[str, Any]:
    """A JSON object, or a complaint.

    Raises
    ------
    TimingsError
        If it is something else.
    """
    if not isinstance(value, dict):
        raise TimingsError(f"{where}: must be an object, not {type(value).__name__}")
    return value


def entries(data: Mapping[str, Any], key: str, where: str) -> list[tuple[str, dict[str, Any]]]:
    """The objects of a list, each with its place.

    Raises
    ------
    TimingsError
        If there is no such list, or something else is in it.
    """
    listed = field(data, key, where)
    if not isinstance(listed, list):
        raise TimingsError(f"{where}: {key} must be a list, not {type(listed).__name__}")
    places = [f"{key}[{index}]" for index in range(len(listed))]
    return [
        (place, table(each, f"{where}: {place}"))
        for place, each in zip(places, listed, strict=True)
    ]


def field(data: Mapping[str, Any], key: str, where: str) -> Any:
    """The value of a key.

    Raises
    ------
    TimingsError
        If it is missing.
    """
    if key not in data:
        raise TimingsError(f"{where}: key {key!r} is missing; was the file cut or edited?")
    return data[key]


def times(values: object, unit: str, where: str) -> tuple[float, ...]:
    """A list of times [s].

    Raises
    ------
    TimingsError
        If it is no list, is empty, or a time is not above 0.
    """
    if not isinstance(values, list) or not values:
        raise TimingsError(f"{where}: must be a list of times, not {values!r:.40}")
    return tuple(time_of(each, unit, f"{where}[{index}]") for index, each in enumerate(values))


def median_or_mean(data: Mapping[str, Any], unit: str, where: str) -> float:
    """The median of a summary, or else the mean [s].

    Raises
    ------
    TimingsError
        If it has neither.
    """
    key = "median" if "median" in data else "mean"
    return time_of(field(data, key, where), unit, f"{where}.{key}")
