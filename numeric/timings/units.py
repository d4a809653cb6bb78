"""Units of sizes and of times, as files and options write them."""

import math
import re
import shlex
from contextlib import suppress
from functools import lru_cache

from logca.common.readable_numbers import TIMES
from logca.common.sizes import SizeError, parse_size
from logca.common.toml import shown
from logca.numeric.timings.timings import Spread, TimingsError

__all__ = [
    "agree",
    "bytes_in",
    "is_plain",
    "number",
    "rounding",
    "said",
    "size_of",
    "spread_of",
    "time_of",
    "unit_in",
]

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
        if isinstance(value, str) and not is_plain(value):
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


def is_plain(text: str) -> bool:
    """False if digits are of other scripts, or have underscores: Python alone reads them."""
    return text.isascii() and "_" not in text


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


def plain_size(value: str, unit: str | None) -> float:
    """A granularity that is a bare number above 0 [B]; 0 if `size_of` must look at it.

    Examples
    --------
    >>> plain_size("4", "KiB"), plain_size("4 KiB", None), plain_size("-1", "B")
    (4096.0, 0.0, 0.0)
    """
    return _plain(value, bytes_in(unit) if unit else 0.0)


def plain_time(value: str, unit: str | None) -> float:
    """A time that is a bare number above 0 [s]; 0 if `time_of` must look at it.

    Examples
    --------
    >>> plain_time("2.5", "s"), plain_time("250 ms", None), plain_time("nan", "s")
    (2.5, 0.0, 0.0)
    """
    return _plain(value, TIMES.get(unit or "", 0.0))


def _plain(value: str, unit: float) -> float:
    try:
        found = float(value) * unit if is_plain(value) else 0.0
    except ValueError:
        return 0.0
    return found if 0 < found < math.inf else 0.0


@lru_cache(maxsize=64)
def bytes_in(unit: str) -> float:
    """Bytes of a unit of sizes; 0 if it is none [B]."""
    try:
        return parse_size(unit if unit[0].isdigit() else f"1 {unit}")
    except SizeError:
        return 0.0


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


_MOST_RUNS = 2**53  # behind a mean, whose number a double holds exactly [1]


def spread_of(deviation: object, runs: object, unit: float, where: str, where_runs: str) -> Spread:
    """The spread of the runs behind a mean, from a deviation in a unit [s] and a number of runs.

    Examples
    --------
    >>> spread_of("2.5", "80", 1e-3, "line 2: sd", "line 2: n")
    Spread(deviation=0.0025, runs=80)
    """
    found, count = number(deviation, where), number(runs, where_runs)
    if found < 0:
        raise TimingsError(
            f"{where}: deviation {shown(deviation, 60)} is negative; it is 0 or more: mend it"
        )
    if not 1 <= count <= _MOST_RUNS or count != int(count):
        raise TimingsError(
            f"{where_runs}: {shown(runs, 60)} runs; a mean is of 1, 2, 3, ... runs: mend the number"
        )
    return Spread(found * unit, int(count))


def rounding(text: str) -> float:
    """Half a unit in the last place of a number, over the number, as it is written [1].

    Examples
    --------
    >>> rounding("0.250"), rounding("2e3 ms"), rounding("0.00")
    (0.002, 0.25, inf)
    """
    found = _VALUE.fullmatch(text)
    digits = (found[1] if found else "0").lower().partition("e")[0]
    size = abs(float(digits))
    return 0.5 * 10.0 ** -len(digits.partition(".")[2]) / size if size else math.inf


_ALIKE = 0.02  # of two times of one row, besides their rounding


def agree(one: tuple[str, str, float], other: tuple[str, str, float], where: str) -> None:
    """Refuse columns of a row that say different times: text and title of each, and time [s]."""
    if abs(math.log(one[2] / other[2])) > _ALIKE + rounding(one[0]) + rounding(other[0]):
        both = ", and ".join(
            f"{title} {text} is {time:.4g} s" for text, title, time in (one, other)
        )
        raise TimingsError(f"{where}: {both}: they contradict each other; mend or delete one")
