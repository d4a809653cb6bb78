"""Sizes in bytes as people write them, such as "32 MiB", and back."""

import re
from collections.abc import Sized
from math import inf
from reprlib import repr as short
from typing import Any

from logca.common.errors import LogcaError
from logca.common.real_numbers import is_real

__all__ = [
    "SizeError",
    "amount",
    "format_size",
    "parse_size",
]

_PREFIXES = "kMGTPE"
_FACTORS: dict[str, int] = (
    {"B": 1}
    | {f"{prefix}B": 1000**power for power, prefix in enumerate(_PREFIXES, start=1)}
    | {f"{prefix.upper()}iB": 1024**power for power, prefix in enumerate(_PREFIXES, start=1)}
)
_PATTERN = re.compile(
    r"\s*([+-]?(?:[0-9]+(?:_[0-9]+)*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*([A-Za-z]*)\s*"
)
_WRITE = "write bytes, such as 4096, or a number with a unit, such as 32MiB"


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
    if type(size) is float or is_real(size):
        number = _float(size)
    elif not isinstance(size, str):
        several = "one size is needed, not several; " if isinstance(size, Sized) else ""
        given = " ".join(short(size).split())  # a table of pandas, say, takes many lines
        raise SizeError(f"{given} is no size; {several}{_WRITE}")
    else:
        found = _PATTERN.fullmatch(size)
        if found is None:
            more = ", with a point and without commas" if "," in size else ""
            if ":" in size or ".." in size:
                more = "; one size is needed, not a range"
            raise SizeError(f"{size!r} is no size; {_WRITE}{more}")
        number = float(found[1]) * _factor(found[1], found[2] or "B", size)
    if number < 0:
        raise SizeError(f"{size!r} is a negative size; a size is more than 0 bytes, such as 4KiB")
    if not 0 < number < inf:
        raise SizeError(f"{size!r} is no size; a size is more than 0 bytes, and finite, as 4KiB is")
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
    in_bits = ""
    if bits:
        prefix = bits[1].capitalize() if "i" in bits[1] else bits[1].replace("K", "k")
        in_bits = f"write {float(number) / 8:g}{prefix}B"
        if len(unit) != 2 or unit == "ib":
            raise SizeError(f"{text!r} is in bits, sizes are in bytes: {in_bits}")
        in_bits = f", or {in_bits.removeprefix('write ')} if b means bits"
    prefix = unit[0].upper()
    if prefix in _PREFIXES.upper() and unit[1:] in {"", "b", "B"}:
        decimal, binary = f"{prefix if prefix != 'K' else 'k'}B", f"{prefix}iB"
        ways = (f"{number}{name} for {float(number) * _FACTORS[name]:.15g} bytes"
                for name in (decimal, binary))  # fmt: skip
        raise SizeError(f"{text!r} is ambiguous; write {' or '.join(ways)}{in_bits}")
    close = {name.lower(): name for name in _FACTORS}.get(unit.lower())
    hint = f"did you mean {close}?" if close else f"known are {', '.join(_FACTORS)}"
    raise SizeError(f"{text!r} has the unknown unit {unit!r}; {hint}")


def format_size(size: float) -> str:
    """A size for people, four digits, powers of 1024.

    Examples
    --------
    >>> format_size(2048), format_size(357.716), format_size(33554432)
    ('2 KiB', '357.7 B', '32 MiB')
    >>> format_size(1023.99), format_size(1023 * 1024)
    ('1 KiB', '1023 KiB')
    >>> format_size(2.1e23)
    '2.1e+23 B'
    """
    number, unit = float(size), "B"
    for prefix in _PREFIXES.upper():
        if not 1024 <= abs(float(f"{number:.4g}")) < float("inf"):
            break
        number, unit = number / 1024, f"{prefix}iB"
    if abs(number) >= 1024 or (number and abs(number) < 1e-3):
        number, unit = float(size), "B"
    return f"{number:.4g} {unit}"


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
