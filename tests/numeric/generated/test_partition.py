"""The generated functions of partitions: exact on whole numbers, and on every kind of array."""

import inspect
import math
import random
import re
from fractions import Fraction
from typing import Any

import array_api_strict as strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from logca import numeric
from logca.derive.core.catalogue import formula
from logca.numeric.arrays.whole_numbers import TooLargeError, apply_whole, total_whole
from logca.numeric.generate import keyword_functions as generator
from logca.numeric.generate.groups import GROUPS
from logca.numeric.generate.write import FOLDER
from logca.numeric.generated import CGPREDICT, HOMES, PARTITION, partition

GROUP = GROUPS["partition"]
SEQUENCES = {name: generator.sequences_of(formula(name)) for name in PARTITION}
ARGUMENTS = {name: generator.arguments_of(formula(name), GROUP) for name in PARTITION}
WHOLE = [name for name in PARTITION if generator.stays_whole(formula(name))]
RATIOS = sorted(set(PARTITION) - set(WHOLE))
TERMS = 4


def by_hand(name: str, values: dict[str, Any]) -> Any:
    """The model in Python's own numbers; sequences are lists."""
    v = values
    match name:
        case "block_execution_cycles":
            pairs = zip(v["class_operations"], v["operation_cycles"], strict=True)
            return v["block_executions"] * sum(count * each for count, each in pairs)
        case "program_execution_cycles":
            cores = zip(v["block_cycles_cpu"], v["block_cycles_accelerator"], strict=True)
            chosen = zip(v["mapped"], cores, strict=True)
            return sum((1 - x) * cpu + x * other for x, (cpu, other) in chosen)
        case "block_memory_cycles":
            served = [("accesses_L1", "cache_latency_L1"), ("accesses_L2", "cache_latency_L2")]
            served += [("accesses_memory", "memory_access_latency")]
            served += [("accesses_shared", "shared_penalty"), ("write_backs", "write_back_penalty")]
            return sum(v[count] * v[latency] for count, latency in served)
        case "program_memory_cycles" | "register_transfer_cycles":
            return sum(v[SEQUENCES[name][0]])
        case "blocks_apart":
            one, other = v["mapped_source"], v["mapped_target"]
            return one + other - 2 * one * other
        case "control_transfer_cycles" | "pull_cycles" | "pairwise_transfer_cycles" | "mapped_area":
            return sum(a * b for a, b in zip(*(v[each] for each in SEQUENCES[name]), strict=True))
        case "value_transfer_cycles":
            return min(v["cycles_push"], v["cycles_pull"])
        case "pair_transfer_cycles":
            push = v["producer_executions"] * v["push_latency"]
            return min(push, v["consumer_executions"] * v["pull_latency"])
        case "program_cycles" | "cpu_only_cycles" | "theoretical_cycles":
            return sum(v.values())
        case "flow_transfer_cycles" | "push_cycles" | "use_pull_cycles":
            return math.prod(v.values())
        case "partition_speedup":
            return Fraction(v["cycles_cpu_only"]) / v["cycles_program"]
        case "theoretical_speedup":
            memory = v["cycles_program_memory_cpu"]
            over = Fraction(v["cycles_program_execution_cpu"] + memory)
            return over / (v["cycles_program_execution_accelerator"] + memory)
        case "relative_speedup":
            return (Fraction(v["speedup_partition"]) - 1) / (v["speedup_theoretical"] - 1)
        case "relative_speedup_of_cycles":
            whole = v["cycles_cpu_only"]
            gain, possible = (
                Fraction(whole, v[each]) - 1 for each in ("cycles_program", "cycles_theoretical")
            )
            return gain / possible
    raise AssertionError(name)


def drawn(name: str, rng: random.Random, most: int) -> dict[str, Any]:
    return {
        each: [rng.randint(0, most) for _ in range(TERMS)]
        if each in SEQUENCES[name]
        else rng.randint(0, most)
        for each in ARGUMENTS[name]
    }


def as_arrays(values: dict[str, Any]) -> dict[str, Any]:
    return {
        each: np.asarray(value, np.int64) if isinstance(value, list) else value
        for each, value in values.items()
    }


def test_what_stays_whole_is_all_but_ratios() -> None:
    assert RATIOS == [
        "partition_speedup",
        "relative_speedup",
        "relative_speedup_of_cycles",
        "theoretical_speedup",
    ]


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), bits=st.integers(1, 62))
def test_whole_numbers_stay_whole_and_exact_or_are_refused(name: str, seed: int, bits: int) -> None:
    values = drawn(name, random.Random(seed), 2**bits)
    wanted = by_hand(name, values)
    function = getattr(partition, name)
    if abs(wanted) >= 2**63:
        with pytest.raises(TooLargeError, match="does not fit 64 bits"):
            function(**as_arrays(values))
        return
    found = function(**as_arrays(values))
    assert found.dtype == np.int64
    assert int(found) == wanted


def test_a_product_too_large_does_not_wrap_in_a_minimum() -> None:
    """In 64 bits the first product is negative, and would be the lesser."""
    huge = {"producer_executions": 3 * 2**40, "push_latency": 2**22}
    found = partition.pair_transfer_cycles(**huge, consumer_executions=5, pull_latency=7)
    assert found == 35
    with np.errstate(over="ignore"):
        assert np.int64(3 * 2**40) * np.int64(2**22) < 35


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.uint64, np.bool_, np.int64])
def test_every_kind_of_whole_number_is_one(dtype: Any) -> None:
    mapped = np.asarray([1, 0, 1], dtype)
    found = partition.program_execution_cycles(
        mapped=mapped, block_cycles_cpu=[10, 20, 30], block_cycles_accelerator=[1, 2, 3]
    )
    assert (found, found.dtype) == (24, np.int64)
    apart = partition.blocks_apart(mapped_source=mapped, mapped_target=mapped[::-1])
    np.testing.assert_array_equal(apart, [0, 0, 0])
    assert apart.dtype == np.int64


def test_blocks_of_a_program_at_once() -> None:
    """Classes along the last axis, blocks along the first; free casts on the accelerator."""
    operations = np.asarray([[10, 0, 2], [5, 1, 0]])
    executions = np.asarray([1000, 3])
    cpu, accelerator = (
        partition.block_execution_cycles(
            class_operations=operations, operation_cycles=cycles, block_executions=executions
        )
        for cycles in ([2, 2, 2], [1, 1, 0])
    )
    np.testing.assert_array_equal(cpu, [24_000, 36])
    np.testing.assert_array_equal(accelerator, [10_000, 18])
    assert cpu.dtype == accelerator.dtype == np.int64
    partitions = np.asarray([[0, 0], [1, 0], [0, 1], [1, 1]])
    time = partition.program_execution_cycles(
        mapped=partitions, block_cycles_cpu=cpu, block_cycles_accelerator=accelerator
    )
    np.testing.assert_array_equal(time, [24_036, 10_036, 24_018, 10_018])


def test_what_is_no_whole_number_is_computed_in_floating_point() -> None:
    found = partition.block_execution_cycles(
        class_operations=[10, 2], operation_cycles=[0.5, 0.0], block_executions=3
    )
    assert (found, found.dtype) == (15.0, np.float64)
    for function in (apply_whole, total_whole):
        with pytest.raises(TypeError, match="not a real number"):
            function(lambda xp, *given: given[-1], ["3"])
        with pytest.raises(TypeError, match="not a real number"):
            function(lambda xp, *given: given[-1], [Fraction(1, 2)])


def test_sums_of_nothing_are_nothing() -> None:
    empty = np.zeros(0, np.int64)
    found = partition.control_transfer_cycles(blocks_apart=empty, flow_transfer_cycles=empty)
    assert (found, found.dtype) == (0, np.int64)
    assert partition.register_transfer_cycles([]) == 0


def test_a_sum_is_not_the_callers_array() -> None:
    """Nor is a result that equals an argument."""
    given = np.asarray([[1, 2]])
    found = apply_whole(lambda xp, each: each, given)
    found[0, 0] = 7
    assert given[0, 0] == 1


def test_sequences_must_be_equally_long() -> None:
    with pytest.raises(ValueError, match="sequences of 1 and 3 terms"):
        partition.mapped_area(block_area=[1], mapped=[1, 1, 0])
    with pytest.raises(ValueError, match="3 is one number; a sum needs an array"):
        partition.mapped_area(block_area=[1], mapped=3)


def test_numbers_beyond_64_bits_are_taken_where_the_result_fits() -> None:
    assert partition.value_transfer_cycles(cycles_push=2**80, cycles_pull=5) == 5
    with pytest.raises(TooLargeError, match=str(2**80)):
        partition.value_transfer_cycles(cycles_push=2**80, cycles_pull=2**81)
    limit = 2**63
    assert partition.register_transfer_cycles([limit - 1]) == limit - 1
    for terms in ([limit], [limit - 1, 1]):
        with pytest.raises(TooLargeError, match=str(limit)):
            partition.register_transfer_cycles(terms)


@pytest.mark.parametrize("name", PARTITION)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_values_in_floating_point(name: str, seed: int) -> None:
    rng = random.Random(seed)
    values = {
        each: [1 + each_ for each_ in value] if isinstance(value, list) else 1 + value
        for each, value in drawn(name, rng, 1000).items()
    }
    floats = {each: np.asarray(value, np.float64) for each, value in values.items()}
    found = getattr(partition, name)(**floats)
    try:
        wanted = by_hand(name, values)
    except ZeroDivisionError:
        assert math.isnan(found)
        return
    undefined = {
        "relative_speedup": lambda: values["speedup_theoretical"] <= 1,
        "relative_speedup_of_cycles": lambda: (
            values["cycles_cpu_only"] <= values["cycles_theoretical"]
        ),
    }
    if name in undefined and undefined[name]():
        assert math.isnan(found)
    else:
        assert float(found) == pytest.approx(float(wanted), rel=1e-12)


@pytest.mark.parametrize("name", PARTITION)
def test_not_a_number_in_is_not_a_number_out(name: str) -> None:
    values = drawn(name, random.Random(1), 9)
    for each, value in values.items():
        spoilt = [*value[:-1], math.nan] if isinstance(value, list) else math.nan
        assert math.isnan(getattr(partition, name)(**(values | {each: spoilt}))), each


@pytest.mark.parametrize("make", [strict.asarray, jnp.asarray], ids=["array_api_strict", "jax"])
@pytest.mark.parametrize("name", PARTITION)
def test_arrays_of_a_library_come_back_as_one(name: str, make: Any) -> None:
    with jax.enable_x64(True):
        values = {each: np.asarray(v) for each, v in drawn(name, random.Random(3), 50).items()}
        taken = {each: make(value) for each, value in values.items()}
        function = getattr(partition, name)
        found = function(**taken)
        assert "numpy" not in type(found).__module__
        np.testing.assert_allclose(np.asarray(found), function(**values), rtol=1e-13)


def test_large_arrays_are_exact() -> None:
    rng = np.random.default_rng(5)
    executions, latency = rng.integers(0, 2**40, 200_000), 2**20
    found = partition.flow_transfer_cycles(flow_executions=executions, control_latency=latency)
    again = [each * latency for each in executions.tolist()]
    assert found.tolist() == again


def test_the_functions_are_at_hand_in_the_package() -> None:
    assert numeric.program_cycles is partition.program_cycles
    assert set(PARTITION) == set(partition.__all__) <= set(dir(numeric))
    assert not set(PARTITION) & (set(HOMES) | set(CGPREDICT))


@pytest.mark.parametrize("name", PARTITION)
def test_arguments_have_names_and_units(name: str) -> None:
    function = getattr(partition, name)
    parameters = inspect.signature(function).parameters
    assert tuple(parameters) == ARGUMENTS[name]
    positional = [each for each in parameters.values() if each.kind is not each.KEYWORD_ONLY]
    assert len(positional) == (len(SEQUENCES[name]) == 1)
    text = inspect.getdoc(function)
    assert text is not None
    entries = re.findall(r"^(\w+) : array\n((?:    .*\n)+)", text, re.M)
    assert [each for each, _ in entries] == list(ARGUMENTS[name])
    assert all(re.search(r"\[(1|cycles)\]\.$", said.strip()) for _, said in entries)
    assert ("Whole numbers in, whole numbers out" in text) == (name in WHOLE)


def test_the_stamp_changes_with_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    known = generator.formula
    spoilt = known("push_cycles").mutated(2 * known("push_cycles").expr)
    monkeypatch.setattr(generator, "formula", lambda n: spoilt if n == "push_cycles" else known(n))
    there = (FOLDER / "partition.py").read_text("utf-8")
    stamp = re.compile(r"^SymPy (\S+); formulas ([0-9a-f]{16})\.$", re.M)
    fresh, before = (
        stamp.search(t) for t in (generator.keyword_functions_text("partition"), there)
    )
    assert fresh is not None
    assert before is not None
    assert fresh[2] != before[2]
    assert fresh[1] == sp.__version__


@pytest.mark.parametrize("octets", [bytearray(b"ab"), memoryview(b"ab")], ids=["array", "view"])
def test_bytes_are_no_whole_numbers(octets: bytearray | memoryview) -> None:
    with pytest.raises(TypeError, match="is not a real number"):
        apply_whole(lambda xp, each: each, octets)
    with pytest.raises(TypeError, match="is not a real number"):
        total_whole(lambda xp, place, each: each, octets)
