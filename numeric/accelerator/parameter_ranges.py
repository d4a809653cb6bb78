"""Domains and units of the parameters, and messages for values that are outside them."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, isnan, nan
from typing import Any

from logca.common.errors import LogcaError
from logca.common.readable_numbers import TIMES
from logca.common.real_numbers import is_real
from logca.numeric.generated.units import ENTRIES

__all__ = [
    "LATENCIES",
    "MODEL",
    "RANGES",
    "UNITS",
    "DomainError",
    "Range",
    "WrittenValue",
    "check",
    "check_factor",
    "check_latency",
    "check_whole",
    "number_from",
    "time_in",
    "written_value",
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
    greatest: float = inf  # upper end, which belongs to it if it is finite [unit of the parameter]

    def __contains__(self, value: float) -> bool:
        above = self.least < value or (self.included and value == self.least)
        return above and value <= self.greatest and value < inf

    def __str__(self) -> str:
        above = f"{'at least' if self.included else 'greater than'} {self.least:g}"
        return above if self.greatest == inf else f"{above} and at most {self.greatest:g}"


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
    "rho": Range(least=1, included=True, source="logca2026, uncertainty"),
    **dict.fromkeys(("m", "n"), Range(least=1, included=True, source="logca2026, streams")),
    "N": Range(least=0, included=False, source="logca2026, streams"),
    "f": Range(least=0, included=False, greatest=1, source="logca2026; after amdahl1967"),
    **dict.fromkeys(
        ("p_host", "p_overhead", "p_link", "p_accelerator"),
        Range(least=0, included=False, source="logca2026, energy"),
    ),
    "growth": Range(least=0, included=False, source="logca2026, requests in flight"),
    **dict.fromkeys(
        ("u_host", "u_link", "u_accelerator", "u_shared"),
        Range(least=1, included=True, source="logca2026, requests in flight"),
    ),
    **dict.fromkeys(
        ("spread_o", "spread_L", "spread_C"),
        Range(least=0, included=True, source="logca2026, chance"),
    ),
    "deviation": Range(least=0, included=False, source="logca2026, chance"),
}
"""The domain of each parameter."""


def check(name: str, value: Any, latency: str = "constant", time: str = "cycles") -> float:
    """The value as a number, if the parameter may have it [unit of the parameter].

    `time` is the unit of time of o, L and C.

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
        shown = f"{number:g}" if isinstance(value, float) else repr(value)
        of_unit = "" if unit == "1" else f" [{unit.replace('cycles', time)}]"
        raise DomainError(
            f"{name} = {shown} must be a finite number {RANGES[name]}{of_unit}: "
            f"{meaning.partition(';')[0]} ({RANGES[name].source})"
        )
    return number


def number_from(name: str, text: str, unit: str, latency: str) -> float:
    """A parameter's value from a text, which must be in the accelerator's unit of time and form.

    Examples
    --------
    >>> number_from("C", "36 ns/B", "seconds", "constant")
    3.6e-08
    """
    found = written_value(name, text)
    if found.unit not in ("", unit):
        raise DomainError(
            f"{name} = {text!r} is in {found.unit}, and the accelerator in {unit}: give "
            f"unit={found.unit!r}, and all of o, L and C in {found.unit}"
        )
    if name == "L" and found.per_byte not in (None, latency == "linear"):
        said, form = ("a byte", "linear") if found.per_byte else ("an offload", "constant")
        raise DomainError(f"L = {text!r} is a time of {said}: give latency={form!r}")
    return found.value


def check_whole(name: str, value: Any) -> float:
    """The value of a parameter that counts something: `check` takes what a formula allows [1].

    Examples
    --------
    >>> check_whole("m", 8)
    8.0
    """
    number = check(name, value)
    if number.is_integer():
        return number
    meaning = ENTRIES["constant"][name][1].partition(";")[0]
    raise DomainError(f"{name} = {value!r} must be a whole number: {meaning}")


def check_factor(name: str, factor: Any) -> float:
    """A factor by which a parameter is improved [1]."""
    by = _number(factor)
    if 0 < by < inf:
        return by
    raise DomainError(f"{name} = {factor!r} must be a positive, finite factor of improvement")


def _number(value: Any) -> float:
    if not is_real(value) and not isinstance(value, Decimal):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenValue:
    """Value of a parameter as someone wrote it, such as 10us or 90 cycles/B."""

    value: float  # in its unit of time, or per byte in that unit [unit]
    unit: str  # "cycles" or "seconds"; empty if it has none: A, beta, and a plain zero
    per_byte: bool | None  # whether it is a time per byte; None if no unit says so

    def within(self, unit: str, clock_Hz: float | None = None) -> float:
        """The value in another unit of time, by the clock [Hz], [unit]."""
        return time_in(unit, self.value, self.unit or unit, clock_Hz)


_SUCH = {"o": "29000 or 10us", "L": "1500, 2us or 1.5ns/B", "C": "90 or 36ns/B"}
_QUANTITY = re.compile(
    r"([+-]?(?:[0-9]+(?:_[0-9]+)*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*([^\W\d_].*)"
)
_PER_BYTE = re.compile(r"\s*/\s*B(?:\s*(?:\*\*|\^)\s*(?:beta|[0-9.]+))?")
_TIMED = ("o", "L", "C")
_WRITTEN = {
    "o": "a time, such as 10us or 29000cycles",
    "L": "a time of an offload, such as 10us, or of a byte, such as 1.5ns/B",
    "C": "the host's time for a byte, such as 36ns/B or 90cycles/B",
}


def written_value(name: str, text: str) -> WrittenValue:
    """A parameter's value from a text; a number without a unit is in cycles.

    Examples
    --------
    >>> found = written_value("L", "1.5 ns/B")
    >>> found.value, found.unit, found.per_byte
    (1.5e-09, 'seconds', True)
    >>> written_value("C", "90").unit, written_value("A", "19").unit
    ('cycles', '')
    >>> written_value("beta", "3/2").value
    1.5
    """
    try:
        # Python reads the digits of every script, other programs do not
        if not text.isascii():
            raise ValueError
        ratio = "/" in text and name not in _TIMED
        value = float(Fraction(text)) if ratio else float(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        return _with_unit(name, text.strip())
    timed = name in _TIMED and value != 0
    return WrittenValue(value=value, unit="cycles" if timed else "", per_byte=None)


def _with_unit(name: str, text: str) -> WrittenValue:
    found = _QUANTITY.fullmatch(text)
    if found is None:
        raise DomainError(
            f"{name} = {text!r} is not a number; write one such as {_SUCH.get(name, '2')}"
        )
    if name not in _TIMED:
        raise DomainError(
            f"{name} = {text!r} has a unit, but {name} is a number without one, such as 2"
        )
    unit, slash, rest = found[2].partition("/")
    per_byte, unit = bool(slash), unit.strip()
    if slash and not _PER_BYTE.fullmatch(slash + rest):
        raise DomainError(f"{name} = {text!r} is not per byte; write {_WRITTEN[name]}")
    if (name == "o" and per_byte) or (name == "C" and not per_byte):
        raise DomainError(f"{name} = {text!r}: {name} is {_WRITTEN[name]}")
    if unit in ("cycles", "cycle"):
        return WrittenValue(value=float(found[1]), unit="cycles", per_byte=per_byte)
    if unit not in TIMES:
        raise DomainError(
            f"{name} = {text!r}: {unit!r} is no unit of time; write s, ms, us, ns or cycles"
        )
    seconds = float(f"{float(found[1]) * TIMES[unit]:.15g}")  # 10us is 1e-05, not a bit less
    return WrittenValue(value=seconds, unit="seconds", per_byte=per_byte)


def time_in(unit: str, time: float, of: str, clock_Hz: float | None = None) -> float:
    """A time, or a time per byte, in another unit, by the clock [Hz], [unit].

    Examples
    --------
    >>> time_in("seconds", 25_000, "cycles", 2.5e9), time_in("cycles", 0.5, "seconds", 2e9)
    (1e-05, 1000000000.0)
    """
    if unit == of:
        return time
    if clock_Hz is None or not 0 < clock_Hz < inf:
        raise DomainError(f"{of} become {unit} by a clock that is positive and finite [Hz]")
    return time / clock_Hz if unit == "seconds" else time * clock_Hz
