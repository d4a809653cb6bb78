"""Numbers as people write them: sizes such as "32 MiB" and back, counts, shares, durations."""

import re
from math import inf, isfinite, isnan
from numbers import Real
from typing import Any

from logca.common.errors import LogcaError

__all__ = [
    "PREFIXES",
    "SizeError",
    "amount",
    "count",
    "duration",
    "format_size",
    "number_text",
    "parse_size",
    "percent",
    "prefix_of",
    "probability",
]

_PREFIXES = "kMGTPE"
_FACTORS: dict[str, int] = (
    {"B": 1}
    | {f"{prefix}B": 1000**power for power, prefix in enumerate(_PREFIXES, start=1)}
    | {f"{prefix.upper()}iB": 1024**power for power, prefix in enumerate(_PREFIXES, start=1)}
)
_PATTERN = re.compile(r"\s*([+-]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*")


class SizeError(LogcaError, ValueError):
    """A text is no size in bytes; the message says what would be."""


def parse_size(size: Any) -> float:
    """A size in bytes from a number or a text [B].

    Examples
    --------
    >>> parse_size("32 MiB")
    33554432.0
    >>> parse_size("2 kB"), parse_size(4096)
    (2000.0, 4096.0)
    """
    if isinstance(size, Real) and not isinstance(size, bool):
        number = _float(size)
    elif not isinstance(size, str):
        raise SizeError(f"{size!r} is no size; write a number of bytes, or such as '32 MiB'")
    else:
        found = _PATTERN.fullmatch(size)
        if found is None:
            raise SizeError(f"{size!r} is no size; write a number of bytes, or such as '32 MiB'")
        number = float(found[1]) * _factor(found[1], found[2] or "B", size)
    if not 0 < number < float("inf"):
        raise SizeError(f"{size!r} is no size: a granularity is more than 0 bytes, and finite")
    return number


def _float(size: Any) -> float:
    try:
        return float(size)
    except OverflowError:
        return inf


def _factor(number: str, unit: str, text: str) -> int:
    if unit in _FACTORS:
        return _FACTORS[unit]
    bits = re.fullmatch(r"([kKMGTPE]?i?)(b|[bB]its?)", unit)
    if bits:
        prefix = bits[1].capitalize() if "i" in bits[1] else bits[1].replace("K", "k")
        raise SizeError(
            f"{text!r} is in bits, sizes are in bytes: write '{float(number) / 8:g} {prefix}B'"
        )
    if unit in {"KB", "K", "k"}:
        raise SizeError(f"{text!r} is ambiguous; write KiB for 1024 bytes or kB for 1000 bytes")
    close = {name.lower(): name for name in _FACTORS}.get(unit.lower())
    hint = f"did you mean {close}?" if close else f"known are {', '.join(_FACTORS)}"
    raise SizeError(f"{text!r} has the unknown unit {unit!r}; {hint}")


def format_size(size: float) -> str:
    """A size for people, four digits, powers of 1024.

    Examples
    --------
    >>> format_size(2048), format_size(357.716), format_size(33554432)
    ('2 KiB', '357.7 B', '32 MiB')
    >>> format_size(2.1e23)
    '2.1e+23 B'
    """
    number, unit = float(size), "B"
    for prefix in _PREFIXES.upper():
        if not 1024 <= abs(number) < float("inf"):
            break
        number, unit = number / 1024, f"{prefix}iB"
    if abs(number) >= 1024 or (number and abs(number) < 1e-3):
        number, unit = float(size), "B"
    return f"{number:.4g} {unit}"


_EXACT_BELOW = 10_000_000


def count(number: int) -> str:
    """A whole number to read: exact below ten millions, then with three digits.

    Examples
    --------
    >>> count(2_097_152), count(12_345_678), count(4_000_000_000)
    ('2,097,152', '12.3 M', '4.00 G')
    """
    if abs(number) < _EXACT_BELOW:
        return f"{number:,}"
    unit, power = ("G", 9) if abs(number) >= 999_500_000 else ("M", 6)
    value = number / 10**power
    return f"{value:,.0f} {unit}" if abs(value) >= 99.95 else f"{value:#.3g} {unit}"


def amount(number: int) -> str:
    """A number of bytes to read.

    Examples
    --------
    >>> amount(1000), amount(131072), amount(17664), amount(-4096)
    ('1,000 B', '128 KiB', '17.2 KiB', '-4 KiB')
    """
    for power, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if abs(number) >= 1 << power:
            value = number / (1 << power)
            return f"{value:.0f} {unit}" if abs(value) >= 100 else f"{value:.3g} {unit}"
    return f"{number:,} B"


def percent(part: float, whole: float) -> str:
    """A share in percent to read; 0 and 100 are exact.

    Examples
    --------
    >>> percent(1, 8), percent(0, 8), percent(1, 100_000), percent(99_999, 100_000), percent(8, 8)
    ('12.5', '0', '<0.1', '>99.9', '100')
    """
    if not part or not whole:
        return "0"
    if part == whole:
        return "100"
    share = 100 * part / whole
    if share < 0.1:
        return "<0.1"
    return ">99.9" if share >= 99.95 else f"{share:.1f}"


_NEARLY = 1e-3


def probability(share: float) -> str:
    """A confidence in percent to read; never a full certainty that is not one.

    Examples
    --------
    >>> probability(0.95), probability(1e-9), probability(1.0)
    ('95 %', '< 0.1 %', '> 99.9 %')
    """
    if share < _NEARLY:
        return f"< {100 * _NEARLY:g} %"
    if share > 1 - _NEARLY:
        return f"> {100 * (1 - _NEARLY):g} %"
    return f"{100 * share:.3g} %"


PREFIXES = {1e-15: "f", 1e-12: "p", 1e-9: "n", 1e-6: "µ", 1e-3: "m", 1.0: ""}
"""Prefixes of units, by their factors."""


def prefix_of(value: float) -> float:
    """The factor of the largest prefix that leaves one or more before the point [1]."""
    return max((factor for factor in PREFIXES if factor <= value), default=1e-15)


def duration(seconds: float, digits: int = 4) -> str:
    """A time with its unit; empty if there is none.

    Examples
    --------
    >>> duration(0.24284), duration(2.6985), duration(0.99999), duration(3e-5), duration(0)
    ('242.8 ms', '2.699 s', '1 s', '30 µs', '0 s')
    >>> duration(1.234e-5, 3), duration(9.999e-10, 3), duration(float("nan"))
    ('12.3 µs', '1 ns', '')
    """
    if isnan(seconds):
        return ""
    rounded = float(f"{seconds:.{digits}g}")
    factor = prefix_of(rounded) if rounded else 1.0
    return f"{rounded / factor:.{digits}g} {PREFIXES[factor]}s"


def number_text(value: float) -> str:
    """A number with four digits, a large one in full.

    Examples
    --------
    >>> number_text(54.4303), number_text(1024.0), number_text(2**20), number_text(12.0)
    ('54.43', '1,024', '1,048,576', '12')
    """
    if abs(value) < 1000 or not isfinite(value):
        return f"{value:.4g}"
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 10_000 else f"{value:,.1f}"
