"""Numbers as people read and write them: counts, shares, chances, durations; units of time."""

from decimal import Decimal
from fractions import Fraction
from math import isfinite, isnan

__all__ = [
    "PREFIXES",
    "TIMES",
    "count",
    "digits",
    "duration",
    "exact",
    "fraction_from",
    "is_written_out",
    "number_text",
    "percent",
    "prefix_of",
    "probability",
    "time_text",
    "whole_number_from",
]

_LARGEST = 400  # powers of ten of numbers that are taken as they are written
_EXACT_BELOW = 10_000_000
_WRITTEN = 9  # digits of a number that is written as it is
_SMALL = 1000  # denominators of fractions that are meant as such


def is_written_out(value: Decimal) -> bool:
    """True if a number has at most some hundred digits before and behind the point: as a double.

    As a fraction, 1e-999999999 has a denominator that no machine computes.

    Examples
    --------
    >>> is_written_out(Decimal("1e300")), is_written_out(Decimal("1e-999999999"))
    (True, False)
    """
    return value.is_finite() and abs(value.adjusted()) <= _LARGEST


def fraction_from(text: str) -> Fraction:
    """The number that a text such as 0.5 or 1/8 stands for; ValueError if it stands for none.

    Examples
    --------
    >>> fraction_from("1/8"), fraction_from("2.5e1")
    (Fraction(1, 8), Fraction(25, 1))
    """
    # Python reads the digits of every script, other programs do not
    if not text.isascii():
        raise ValueError(f"{text!r} has other signs than those of ASCII")
    try:
        if "/" not in text and not is_written_out(Decimal(text)):
            raise ValueError(f"{text!r} is too large, or too small")
        return Fraction(text)
    except ArithmeticError as error:
        raise ValueError(f"{text!r} is no number") from error


def whole_number_from(text: str) -> int | None:
    """The whole number of which a text is the digits, at most some hundred; None if it is of none.

    Python's int() takes underscores, blanks and the digits of every script, too, and fails at
    thousands of digits; str.isdigit() takes digits that int() does not.

    Examples
    --------
    >>> whole_number_from("64"), whole_number_from("1_000"), whole_number_from("-1")
    (64, None, None)
    """
    known = text.isascii() and text.isdecimal() and len(text) <= _LARGEST
    return int(text) if known else None


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


TIMES: dict[str, float] = {
    name: seconds
    for seconds, names in {
        1.0: "s sec second seconds",
        1e-3: "ms msec milliseconds",
        1e-6: "us usec \N{MICRO SIGN}s \N{GREEK SMALL LETTER MU}s microseconds",
        1e-9: "ns nsec nanoseconds",
        1e-12: "ps",
    }.items()
    for name in names.split()
}
"""Units of time as people write them [s]."""

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


_IN_FULL = 1e12


def time_text(time: float, unit: str) -> str:
    """A time in seconds or in cycles, with its unit.

    Examples
    --------
    >>> time_text(49_902.1, "cycles"), time_text(1500.0, "cycles"), time_text(3e-5, "seconds")
    ('49,902 cycles', '1,500 cycles', '30 µs')
    """
    if unit == "seconds":
        return duration(time)
    return f"{number_text(time) if abs(time) < _IN_FULL else f'{time:.4g}'} {unit}"


def digits(value: float) -> str:
    """A number in a formula: as it is if nine digits do, else with six.

    Examples
    --------
    >>> digits(200_000_000.0), digits(2.5e-5), digits(1234.56789012)
    ('200000000', '2.5e-05', '1234.57')
    """
    whole = f"{value:.{_WRITTEN}g}"
    return whole if float(whole) == value else f"{value:.6g}"


def exact(value: float) -> Fraction:
    """The fraction that is meant by a number: one with a small denominator, or else its decimals.

    Examples
    --------
    >>> exact(1 / 3), exact(1.2), exact(1.23456)
    (Fraction(1, 3), Fraction(6, 5), Fraction(3858, 3125))
    """
    simple = Fraction(value).limit_denominator(_SMALL)
    return simple if float(simple) == value else Fraction(repr(value))


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
