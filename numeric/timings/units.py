"""Units of sizes and of times, as files and options write them."""

import math
import re
import shlex
from contextlib import suppress

from logca.common.readable_numbers import TIMES
from logca.common.sizes import SizeError, parse_size
from logca.common.toml import shown
from logca.numeric.timings.timings import TimingsError

__all__ = ["number", "said", "size_of", "time_of", "unit_in"]

_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+(?:[eE][+-]?\d+)?\s*")
_VALUE = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\W\d]*)\s*")


def unit_in(title: str) -> str | None:
    """The unit of sizes that a title has: its last word that is one, or the word "bytes".

    Examples
    --------
    >>> unit_in("size_KiB"), unit_in("message bytes"), unit_in("n")
    ('KiB', 'B', None)
    """
    words: list[str] = re.findall(r"[^\W\d_]+", title)
    for word in reversed(words):
        with suppress(SizeError):
            parse_size(f"1 {word}")
            return word
    return "B" if {"bytes", "nbytes"} & {word.lower() for word in words} else None


def said(option: str, **roles: str) -> str:
    """Text by which a user gives a column's role, on the command line and in Python, for messages.

    Examples
    --------
    >>> print(said("columns", granularity="n"))
    --columns granularity=n, or columns={'granularity': 'n'}
    """
    pairs = ",".join(f"{role}={value}" for role, value in roles.items())
    return f"--{option} {shlex.quote(pairs)}, or {option}={roles!r}"


def number(value: object, where: str) -> float:
    """A plain number of a file [1].

    Examples
    --------
    >>> number("1e-3", "line 2")
    0.001
    """
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        found = float(value)
    except OverflowError:
        found = math.inf
    except ValueError:
        comma = isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value)
        hint = "write decimals with a point" if comma else "write a number such as 0.00125"
        raise TimingsError(f"{where}: {shown(value, 60)} is no number; {hint}") from None
    if math.isnan(found):
        raise TimingsError(f"{where}: not a number (NaN); measure it again or delete the entry")
    if math.isinf(found):
        raise TimingsError(f"{where}: infinite; measure it again or delete the entry")
    return found


def size_of(value: object, unit: str | None, where: str) -> float:
    """A granularity in bytes [B].

    Examples
    --------
    >>> size_of("4", "KiB", "line 2"), size_of("4 KiB", None, "line 2"), size_of(10, "8 B", "x")
    (4096.0, 4096.0, 80.0)
    """
    own = _one_unit(
        value,
        unit,
        where,
        "sizes",
        "granularity_B or size_KiB (1024 bytes), size_kB (1000 bytes), or give "
        + said("units", granularity="B"),
    )
    try:
        if own:
            return parse_size(value)
        size = number(value, where) * parse_size(
            unit if unit and unit[0].isdigit() else f"1 {unit}"
        )
    except SizeError as error:
        raise TimingsError(f"{where}: {error}") from None
    if not 0 < size < math.inf:
        raise TimingsError(
            f"{where}: granularity {shown(value, 60)} is not above 0; delete the entry: the model "
            "has no size 0"
        )
    return size


def time_of(value: object, unit: str | None, where: str) -> float:
    """A time in seconds [s].

    Examples
    --------
    >>> time_of("2.5", "s", "line 2"), time_of("250 ms", None, "line 2")
    (2.5, 0.25)
    """
    own = _one_unit(
        value,
        unit,
        where,
        "times",
        "host_s (s, ms, us or ns; cycles are no time: divide them by the clock, in Hz), or give "
        + said("units", host="s"),
    )
    match = _VALUE.fullmatch(value) if own and isinstance(value, str) else None
    text = match[1] if match else value
    count, unit = number(text, where), own or str(unit)
    if unit.lower().startswith("cycle"):
        raise TimingsError(f"{where}: cycles are no time; divide them by the clock, in Hz")
    if unit not in TIMES:
        raise TimingsError(f"{where}: {unit!r} is no unit of time; write s, ms, us or ns")
    seconds = count * TIMES[unit]
    if seconds < 0:
        raise TimingsError(
            f"{where}: negative time {shown(value, 60)}; the clock went back: use a monotonic "
            "clock and measure again"
        )
    if seconds == 0:
        raise TimingsError(
            f"{where}: time 0; the clock is too coarse for this size: time many calls together and "
            "divide, or delete the entry"
        )
    return seconds


def _one_unit(value: object, unit: str | None, where: str, what: str, fix: str) -> str:
    """The unit that a value has of its own, if its column has none."""
    own = _own_unit(value)
    if own and unit:
        raise TimingsError(
            f"{where}: mixed units: {shown(value, 60)} has a unit, and the {what} are in {unit} "
            "already"
        )
    if not (own or unit):
        number(value, where)
        raise TimingsError(
            f"{where}: {shown(value, 60)} has no unit; name the column such as {fix}"
        )
    return own


def _own_unit(value: object) -> str:
    """The unit that a text ends with; none in "nan" and "inf"."""
    found = _VALUE.fullmatch(value) if isinstance(value, str) else None
    return found[2] if found else ""
