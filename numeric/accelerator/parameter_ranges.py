"""Domains of the parameters, and messages for values outside them."""

from dataclasses import dataclass
from decimal import Decimal
from math import inf, isnan, nan
from numbers import Real
from typing import Any

from logca.common.errors import LogcaError
from logca.numeric.generated.units import ENTRIES

__all__ = [
    "LATENCIES",
    "MODEL",
    "RANGES",
    "UNITS",
    "DomainError",
    "Range",
    "check",
    "check_factor",
    "check_latency",
]

LATENCIES = ("constant", "linear")
"""Forms of latency."""

MODEL = ("o", "L", "C", "A", "beta")
"""Names of the parameters of an accelerator."""

UNITS = ("cycles", "seconds")
"""Units of time."""


class DomainError(LogcaError, ValueError):
    """A parameter is outside its domain; the message has value, range, meaning and source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The numbers that a parameter may be; all of them finite."""

    least: float  # lower end [unit of the parameter]
    included: bool  # whether the lower end belongs to it
    source: str  # where the model says so

    def __contains__(self, value: float) -> bool:
        return self.least < value < inf or (self.included and value == self.least)

    def __str__(self) -> str:
        return f"{'at least' if self.included else 'greater than'} {self.least:g}"


RANGES: dict[str, Range] = {
    "o": Range(least=0, included=True, source="altaf2017, Table 1"),
    "L": Range(least=0, included=True, source="altaf2017, Table 1"),
    "C": Range(least=0, included=False, source="altaf2017, Table 1"),
    "A": Range(
        least=1,
        included=False,
        source="altaf2017, Table 1 and Eq. 5: with A <= 1 nothing is ever gained",
    ),
    "beta": Range(least=0, included=False, source="altaf2017, §2 and Table 4"),
    "g": Range(least=0, included=False, source="altaf2017, Table 1"),
    "s": Range(least=0, included=False, source="altaf2017, §2.2"),
    "r": Range(least=1, included=False, source="altaf2017, §3.2"),
    "q": Range(least=1, included=False, source="altaf2017, §3.2"),
}
"""The domain of each parameter."""


def check(name: str, value: Any, latency: str = "constant") -> float:
    """The value as a number, if the parameter may have it [unit of the parameter].

    Examples
    --------
    >>> check("A", 19)
    19.0
    >>> check("C", -1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    logca.numeric.accelerator.parameter_ranges.DomainError: C = -1 must be a finite...
    """
    unit, meaning = ENTRIES[latency][name]
    number = _number(value)
    if isnan(number) or number not in RANGES[name]:
        raise DomainError(
            f"{name} = {value!r} must be a finite number {RANGES[name]} [{unit}]: "
            f"{meaning.partition(';')[0]} ({RANGES[name].source})"
        )
    return number


def check_factor(name: str, factor: Any) -> float:
    """A factor by which a parameter is improved [1]."""
    by = _number(factor)
    if 0 < by < inf:
        return by
    raise DomainError(f"{name} = {factor!r} must be a positive, finite factor of improvement [1]")


def _number(value: Any) -> float:
    if not isinstance(value, Real | Decimal) or isinstance(value, bool):
        return nan
    try:
        return float(value)
    except (OverflowError, ValueError):
        return nan


def check_latency(latency: Any) -> str:
    """The form of latency, if it is one."""
    if latency not in LATENCIES:
        raise DomainError(
            f"latency = {latency!r} must be 'constant' (L per offload, altaf2017, Eq. 2) or "
            "'linear' (L per byte, altaf2017, Eq. 8)"
        )
    return str(latency)
