"""Recorded functions, run again by an interpreter of their tapes that shares nothing with them."""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.arrays.tape import (
    BINARY,
    UNARY,
    Operation,
    Tape,
    execute,
    program,
    record,
    straight,
)
from logca.numeric.evaluation.by_name import parameters_of
from logca.numeric.generated import granularity, limits, sensitivity, speedup

MEANING: dict[str, Callable[..., float]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "power": operator.pow,
    "maximum": max,
    "minimum": min,
    "negative": operator.neg,
    "abs": abs,
    "log": math.log,
    "log1p": math.log1p,
    "exp": math.exp,
    "sqrt": math.sqrt,
}


def replay(tape: Tape, arguments: list[float]) -> list[float]:
    values = list(arguments)
    for operation in tape.operations:
        operands = [values[each] if isinstance(each, int) else each for each in operation.operands]
        values.append(MEANING[operation.name](*operands))
    return [values[place] for place in tape.results]


POINT = {"g": 4096.0, "s": 1.5, "g_low": 16.0, "g_high": 2.0**25, "o": 29_000.0, "L": 15.0}
POINT |= {"C": 290.0, "A": 19.0, "beta": 0.75, "r": 10.0, "q": 1.2}


STRAIGHT = [
    pytest.param(name, function, id=f"{name}-{latency}")
    for home in (speedup, sensitivity)
    for name in home.__all__
    if name != "speedup_infinite"  # NaN where nothing costs anything: a condition
    for latency, function in getattr(home, f"_{name.upper()}").items()
]


@pytest.mark.parametrize(("name", "function"), STRAIGHT)
def test_a_tape_does_what_the_function_does(name: str, function: Callable[..., Any]) -> None:
    tape = record(function)
    assert tape is not None
    arguments = [POINT[each] for each in parameters_of(name)]
    (found,) = replay(tape, arguments)
    assert found == pytest.approx(float(function(np, *map(np.float64, arguments))), rel=1e-15)


def test_which_functions_a_tape_can_hold() -> None:
    held = {function.__name__: record(function) for function in speedup._SPEEDUP.values()}
    assert all(held.values())
    assert record(speedup._SPEEDUP_INFINITE["linear"]) is None  # NaN where o = L = 0
    assert record(granularity._G_S["constant"]) is None  # NaN from s = A on
    assert record(limits._LIMIT_LARGE["constant"]) is None  # the result is an argument


def test_the_same_operation_is_held_once() -> None:
    def function(xp: Any, x: Any, y: Any) -> Any:
        return xp.exp(x * y) + x * y / (x * y)

    tape = record(function)
    assert tape is not None
    assert [each.name for each in tape.operations] == ["multiply", "exp", "divide", "add"]


def test_a_square_is_a_product_and_operands_keep_their_places() -> None:
    def function(xp: Any, x: Any) -> Any:
        return -((2.0 - x) ** 2) / (3 / x) + 2**x - abs(x)

    tape = record(function)
    assert tape is not None
    assert replay(tape, [5.0]) == [function(None, 5.0)]
    assert Operation(name="power", operands=(2.0, 0)) in tape.operations
    assert sum(each.name == "power" for each in tape.operations) == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda xp, x: xp.where(x > 1, x, 2 * x),
        lambda xp, x: 2 * x if x < 1 else x,
        lambda xp, x: xp.cosh(x) + x,
        lambda xp, x: x + "1",
        lambda xp, x: x,
        lambda xp, x: 1.0,
        lambda xp, x: (x + 1, x),
    ],
    ids=["where", "comparison", "cosh", "text", "argument", "number", "argument too"],
)
def test_what_a_tape_cannot_hold(function: Callable[..., Any]) -> None:
    assert record(function) is None


@st.composite
def tapes(draw: st.DrawFn) -> Tape:
    """Random straight-line programs, also with values that nothing uses and several results."""
    arguments = draw(st.integers(1, 4))
    operations: list[Operation] = []
    for step in range(draw(st.integers(1, 14))):
        newest = arguments + step - 1
        place = st.integers(max(0, newest - 3), newest)
        operand = st.one_of(place, st.floats(0.5, 2.0))
        name = draw(st.sampled_from((*BINARY, *UNARY)))
        first = draw(place)
        second = (draw(operand),) if name in BINARY else ()
        operations.append(Operation(name=name, operands=(first, *second)))
    made = st.integers(arguments, arguments + len(operations) - 1)
    results = draw(st.lists(made, min_size=1, max_size=3, unique=True))
    return Tape(arguments=arguments, operations=tuple(operations), results=tuple(results))


@examples(100)
@given(tape=tapes(), seed=st.integers(0, 2**20), size=st.integers(1, 5))
def test_scratch_memory_is_not_used_twice_at_a_time(tape: Tape, seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    arguments = [rng.uniform(0.5, 2.0, size) for _ in range(tape.arguments)]
    results = [np.full(size, np.nan) for _ in tape.results]
    scratch: list[Any] = []
    values = list(arguments)
    with np.errstate(all="ignore"):
        for operation in tape.operations:
            given_ = [values[e] if isinstance(e, int) else e for e in operation.operands]
            values.append(getattr(np, operation.name)(*given_))
        for _ in range(2):  # the second time with memory that is there already
            execute(program(tape), arguments, scratch, results)
            for result, place in zip(results, tape.results, strict=True):
                np.testing.assert_array_equal(result, values[place])


@given(tape=tapes())
def test_registers_are_few_and_results_have_their_own(tape: Tape) -> None:
    registers = tape.registers()
    own = {step: -1 - order for order, step in enumerate(tape.results)}
    for step, register in enumerate(registers, start=tape.arguments):
        assert register == own.get(step, register)
        assert (register < 0) == (step in own)
    assert max(registers) < len(tape.operations)


KINDS = st.sampled_from([float, int, np.float64, np.ndarray])


@examples(60)
@given(tape=tapes(), kinds=st.lists(KINDS, min_size=4, max_size=4), seed=st.integers(0, 2**20))
def test_written_out_it_gives_the_same_bits(tape: Tape, kinds: list[type], seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = kinds[: tape.arguments]
    made = {float: rng.uniform, int: lambda *_: 2, np.float64: lambda *_: np.float64(1.25)}
    made[np.ndarray] = lambda *_: rng.uniform(0.5, 2.0, 3)
    arguments = [made[kind](0.5, 2.0) for kind in kinds]
    values: list[Any] = [np.asarray(each, dtype=np.float64) for each in arguments]
    with np.errstate(all="ignore"):
        for operation in tape.operations:
            operands = [np.asarray(values[e] if type(e) is int else e) for e in operation.operands]
            values.append(getattr(np, operation.name)(*operands))
    wanted = [values[place] for place in tape.results]
    try:
        found = straight(tape, kinds, most=3)(*arguments)
    except ZeroDivisionError:
        return
    if np.ndarray in kinds and not all(np.ndim(each) for each in wanted):
        assert found is None
        return
    found = found if isinstance(found, tuple) else (found,)
    for one, other in zip(found, wanted, strict=True):
        assert type(one) is (np.ndarray if np.ndarray in kinds else float)
        np.testing.assert_array_equal(one, other)


def test_written_out_it_declines_what_needs_more_care() -> None:
    tape = record(lambda xp, x, y: xp.exp(x) / y)
    assert tape is not None
    arrays = straight(tape, [np.ndarray, np.ndarray], most=4)
    good = np.ones(4)
    assert arrays(good, good) is not None
    others = (np.ones(5), np.ones((2, 2)), np.ones(1), np.float64(1).reshape(()))
    for other in (*others, good.astype(np.float32), good.astype(">f8")):
        assert arrays(good, other) is None
    for other in (np.ones(5), good.astype(np.float32), np.ones(())):
        assert arrays(other, other) is None
    mixed = straight(tape, [int, np.ndarray], most=4)
    assert mixed(2**63 - 1, good) is not None
    assert mixed(2**63, good) is None
    assert straight(tape, [float, np.ndarray], most=4)(1.0, 0 * good).tolist() == [math.inf] * 4
    with pytest.raises(ZeroDivisionError):
        straight(tape, [float, float])(1.0, 0.0)


def test_exponents_are_one_for_all_or_elements_of_an_array() -> None:
    tape = record(lambda xp, x, y: x**y)
    assert tape is not None
    one, elements = (straight(tape, [float, float], by_element=each) for each in (False, True))
    for base in np.random.default_rng(3).uniform(0, 1e6, 200).tolist():
        for exponent in (0.5, 2.0, 0.7):
            assert one(base, exponent) == np.power(base, np.asarray(exponent))
            array = np.power(np.array([base]), np.array([exponent]))
            assert elements(base, exponent) == array[0]
