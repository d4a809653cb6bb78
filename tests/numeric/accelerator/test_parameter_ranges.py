"""The domains of the parameters, and what is said of values outside."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.accelerator.parameter_ranges import (
    RANGES,
    DomainError,
    check,
    check_latency,
    check_whole,
    time_in,
    written_value,
)

SPREADS = {"spread_o", "spread_L", "spread_C"}
ZERO_IS_INSIDE = {"o", "L", *SPREADS}
ABOVE_ONE = {"A", "r", "q"}
FROM_ONE = {"rho", "m", "n", "u_host", "u_link", "u_accelerator", "u_shared"}
AT_MOST_ONE = {"f"}
POWERS = {"p_host", "p_overhead", "p_link", "p_accelerator"}
WITH_UNIT = {"o", "L", "C", "g", "N", *POWERS}
OURS = {*FROM_ONE, *AT_MOST_ONE, *POWERS, "N", "growth", *SPREADS, "deviation"}


@pytest.mark.parametrize("name", RANGES)
@given(value=st.floats(allow_nan=True, allow_infinity=True) | st.sampled_from([0.0, 0.5, 1.0]))
def test_inside_is_what_is_finite_and_between_the_ends(name: str, value: float) -> None:
    least = 1 if name in ABOVE_ONE | FROM_ONE else 0
    above = value > least or (value == least and name in ZERO_IS_INSIDE | FROM_ONE)
    inside = math.isfinite(value) and above and not (value > 1 and name in AT_MOST_ONE)
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
    shown = f"{wrong:g}" if isinstance(wrong, float) else repr(wrong)
    assert text.startswith(f"{name} = {shown} must be a finite number ")
    least = "at least 0" if name in ZERO_IS_INSIDE else "greater than"
    assert ("at least 1" if name in FROM_ONE else least) in text
    assert ("and at most 1" in text) == (name in AT_MOST_ONE)
    assert ("[" in text.partition(" = ")[2]) == (name in WITH_UNIT)
    assert ("logca2026" if name in OURS else "altaf2017") in text


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


@pytest.mark.parametrize("span", [np.timedelta64(3, "us"), np.timedelta64(3)])
def test_a_span_of_time_has_no_unit_of_ours(span: Any) -> None:
    with pytest.raises(DomainError, match=r"o = .*must be a finite number"):
        check("o", span)


def test_what_is_counted_is_whole() -> None:
    assert [check_whole("m", number) for number in (1, 8.0, Fraction(3))] == [1, 8, 3]
    with pytest.raises(DomainError, match=r"m = 1\.5 must be a whole number: number of items sent"):
        check_whole("m", 1.5)
    with pytest.raises(DomainError, match="m = '3' must be a finite number at least 1"):
        check_whole("m", "3")


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


@pytest.mark.parametrize(
    ("name", "text", "value", "unit", "per_byte"),
    [
        ("o", "10us", 1e-5, "seconds", False),
        ("o", " 10 \N{MICRO SIGN}s ", 1e-5, "seconds", False),
        ("o", "29000", 29_000, "cycles", None),
        ("o", "29_000 cycles", 29_000, "cycles", False),
        ("o", "0", 0, "", None),
        ("L", "1.5ns/B", 1.5e-9, "seconds", True),
        ("L", "2 ms", 2e-3, "seconds", False),
        ("C", "90 cycles/B", 90, "cycles", True),
        ("C", "3e1 ns / B**beta", 3e-8, "seconds", True),
        ("C", "36ns/B^1.7", 36e-9, "seconds", True),
        ("A", "19", 19, "", None),
        ("beta", "1.7", 1.7, "", None),
    ],
)
def test_values_with_units(
    name: str, text: str, value: float, unit: str, per_byte: bool | None
) -> None:
    found = written_value(name, text)
    assert (found.value, found.unit, found.per_byte) == (value, unit, per_byte)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("o", "fast", "is not a number"),
        ("o", "３5", "is not a number"),
        ("C", "１ns/B", "is not a number"),
        ("o", "10 parsecs", "'parsecs' is no unit of time; write s, ms, us, ns or cycles"),
        ("o", "10 cycle s", "no unit of time"),
        ("o", "10us/B", "o is a time, such as 10us"),
        ("L", "10us/KiB", "is not per byte; write a time of an offload"),
        ("C", "90 cycles", "C is the host's time for a byte"),
        ("C", "1/B", "is not a number"),
        ("A", "19x", "A is a number without one"),
    ],
)
def test_what_is_no_value_says_what_would_be(name: str, text: str, message: str) -> None:
    with pytest.raises(DomainError) as raised:
        written_value(name, text)
    assert message in str(raised.value)


@given(time=st.floats(0, 1e20), clock=st.floats(1e6, 1e12))
def test_a_clock_turns_units_there_and_back(time: float, clock: float) -> None:
    cycles = time_in("cycles", time, "seconds", clock)
    assert cycles == pytest.approx(time * clock)
    assert time_in("seconds", cycles, "cycles", clock) == pytest.approx(time)
    assert time_in("seconds", time, "seconds") == time


@pytest.mark.parametrize("clock", [None, 0.0, -1.0, math.nan, math.inf])
def test_without_a_clock_units_stay(clock: float | None) -> None:
    with pytest.raises(DomainError, match="by a clock"):
        time_in("seconds", 1.0, "cycles", clock)
