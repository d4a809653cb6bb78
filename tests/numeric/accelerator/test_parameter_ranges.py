"""The domains of the parameters, and what is said of values outside."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.accelerator.parameter_ranges import RANGES, DomainError, check, check_latency

ZERO_IS_INSIDE = {"o", "L"}
ABOVE_ONE = {"A", "r", "q"}


@pytest.mark.parametrize("name", RANGES)
@given(value=st.floats(allow_nan=True, allow_infinity=True))
def test_inside_is_what_is_finite_and_above_the_least(name: str, value: float) -> None:
    least = 1 if name in ABOVE_ONE else 0
    inside = math.isfinite(value) and (value > least or (value == 0 and name in ZERO_IS_INSIDE))
    assert (value in RANGES[name]) is inside
    if inside:
        assert check(name, value) == value
    else:
        with pytest.raises(DomainError):
            check(name, value)


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize(
    "wrong", [-1, -0.5, math.nan, math.inf, -math.inf, "3", None, True, 10**400]
)
def test_the_message_has_value_range_unit_meaning_and_source(name: str, wrong: Any) -> None:
    with pytest.raises(DomainError) as raised:
        check(name, wrong)
    text = str(raised.value)
    assert text.startswith(f"{name} = {wrong!r} must be a finite number ")
    assert ("at least 0" if name in ZERO_IS_INSIDE else "greater than") in text
    assert "[" in text.partition(" = ")[2]
    assert "altaf2017" in text


def test_the_unit_of_the_latency_depends_on_its_form() -> None:
    with pytest.raises(DomainError, match=r"L = -1 .*\[cycles\]"):
        check("L", -1, "constant")
    with pytest.raises(DomainError, match=r"L = -1 .*\[cycles/B\]"):
        check("L", -1, "linear")


@pytest.mark.parametrize("number", [3, 3.0, np.float32(3), np.int64(3), Fraction(3)])
def test_every_real_number_is_taken(number: Any) -> None:
    found = check("A", number)
    assert type(found) is float
    assert found == 3


def test_the_acceleration_must_exceed_one_and_the_message_says_why() -> None:
    with pytest.raises(DomainError, match="with A <= 1 nothing is ever gained"):
        check("A", 1.0)
    assert check("A", math.nextafter(1, 2)) > 1


@pytest.mark.parametrize("wrong", ["Linear", "", None, 1, ["linear"]], ids=repr)
def test_an_unknown_latency(wrong: Any) -> None:
    with pytest.raises(DomainError, match=r"'constant' \(L per offload.*'linear'") as raised:
        check_latency(wrong)
    assert repr(wrong) in str(raised.value)


def test_the_latencies() -> None:
    assert [check_latency(each) for each in ("constant", "linear")] == ["constant", "linear"]
