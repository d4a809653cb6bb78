"""Numbers that people write, and what is none."""

from decimal import Decimal
from fractions import Fraction

import pytest

from logca.common.readable_numbers import fraction_from, is_written_out, whole_number_from


@pytest.mark.parametrize("text", ["0.5", "1/8", "-3", "2.5e-7", "1e300", "1e-300", "0", "0.0"])
def test_a_number_is_what_it_says(text: str) -> None:
    assert fraction_from(text) == Fraction(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1/0",
        "1/x",
        "1e999999999",
        "1e-999999999",
        "0e-999999999",
        "nan",
        "inf",
        "٣",
        "1e1e1",
    ],
)
def test_what_is_no_number_is_refused_at_once(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        fraction_from(text)


def test_a_number_of_a_thousand_digits_is_not_written_out() -> None:
    assert not is_written_out(Decimal("1e1000"))
    assert not is_written_out(Decimal("nan"))


@pytest.mark.parametrize("number", [0, 8, 4096, 2**64, 10**399])
def test_a_whole_number_is_that_of_its_digits(number: int) -> None:
    assert whole_number_from(str(number)) == number
    assert whole_number_from(f"000{number}"[-400:]) == number


@pytest.mark.parametrize(
    "text", ["", " 8", "8\n", "+8", "-8", "8.0", "1e3", "1_000", "0x10", "²", "٣", "9²", "9" * 5000]
)
def test_what_is_not_the_digits_of_a_whole_number_is_none(text: str) -> None:
    assert whole_number_from(text) is None
