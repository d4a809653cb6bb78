"""Results as JSON: one way from any of them to what JSON can hold."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from math import isfinite
from pathlib import PurePath
from typing import Any

__all__ = ["attributes", "to_json", "to_plain"]


def to_plain(value: Any) -> Any:
    """A result in the types of JSON; what is infinite or no number becomes None.

    Data classes and named tuples become dictionaries of their fields, in their order.

    Examples
    --------
    >>> to_plain({"sizes": (1, float("inf")), 3: Fraction(5, 2)})
    {'sizes': [1, None], '3': 2.5}
    """
    if isinstance(value, Enum):  # before text and numbers, which some of them are as well
        return to_plain(value.value)
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Fraction):  # whole ones stay exact, however many digits they have
        return value.numerator if value.denominator == 1 else float(value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return to_plain(value._asdict())
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return [to_plain(item) for item in sorted(value)]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, PurePath):
        return str(value)
    if hasattr(value, "tolist"):  # an array or a number of NumPy, which need not be loaded for it
        return to_plain(value.tolist())
    raise TypeError(f"JSON has nothing for {type(value).__name__}")


def attributes(of: object, names: str | Iterable[str]) -> dict[str, Any]:
    """Attributes of a result by their names, which may be one text with spaces between them.

    Examples
    --------
    >>> attributes(Fraction(5, 2), "numerator denominator")
    {'numerator': 5, 'denominator': 2}
    """
    each = names.split() if isinstance(names, str) else names
    return {name: getattr(of, name) for name in each}


def to_json(value: Any, *, indent: int | None = 1) -> str:
    """The text of a result as JSON."""
    return json.dumps(to_plain(value), indent=indent, allow_nan=False)
