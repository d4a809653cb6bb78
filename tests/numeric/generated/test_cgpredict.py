"""The generated functions of CGPredict: the paper's numbers, an oracle, every array library."""

import inspect
import math
import random
import re
from collections import OrderedDict
from itertools import pairwise
from typing import Any

import array_api_strict as strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from cgpredict_oracle import ORACLE, PAPER, Given

from logca import numeric
from logca.numeric.arrays.arrays import total
from logca.numeric.generate import keyword_functions as generator
from logca.numeric.generate.write import FOLDER
from logca.numeric.generated import CGPREDICT, HOMES, cgpredict

POINTS = 25
SUMS = ("block_hits", "set_hits", "trace_hits")
DEVICE = {"latency_L2": 164, "latency_dram": 332, "delay_L2": 2, "delay_dram": 10}
"""Jetson TK1 [cycles]; wang2017, Table 3."""


def arguments(name: str) -> list[str]:
    return list(inspect.signature(getattr(cgpredict, name)).parameters)


NOT_IN_THE_PAPER = (
    "bandwidth",
    "block_threads",
    "cycles_combining",
    "delay_atomic",
    "dram_bytes",
    "launch_overhead",
    "share_dram",
    "transactions_hit",
    "updates_hottest",
    "warp_threads",
)


def draw(rng: random.Random) -> dict[str, float]:
    names = (*PAPER.values(), *NOT_IN_THE_PAPER)
    values = {ours: float(2.0 ** rng.uniform(-4, 7)) for ours in names}
    return values | {"block_threads": 4 * values["warp_threads"]}


def defined(name: str, values: dict[str, float]) -> bool:
    """The single cases of the model are defined where they apply."""
    if name.startswith("access_latency_"):
        return (values["dram_transactions"] <= 1) == name.endswith("L2")
    if "_bound_cycles" in name:
        return (values["cwp"] >= values["mwp"]) == name.startswith("memory")
    return True


@pytest.mark.parametrize("name", ORACLE)
def test_the_value_is_that_of_the_paper(name: str) -> None:
    rng, inside = random.Random(name), 0
    for _ in range(POINTS):
        values = draw(rng)
        found = getattr(cgpredict, name)(**{each: values[each] for each in arguments(name)})
        if defined(name, values):
            inside += 1
            assert found == pytest.approx(ORACLE[name](Given(values)), rel=1e-12)
        else:
            assert math.isnan(found)
    assert inside >= 3


def _of_one_class(kind: str, missed: float = 0.0) -> dict[str, float]:
    """Latency and departure delay of one memory instruction, as TK1 has them."""
    if kind == "constant":
        only_latencies = {key: DEVICE[key] for key in ("latency_L2", "latency_dram")}
        delays = {key: DEVICE[key] for key in ("delay_L2", "delay_dram")}
        return {
            "latency_constant": cgpredict.constant_access_latency(
                dram_transactions=missed, **only_latencies
            ),
            "delay_constant": cgpredict.constant_access_delay(
                transactions=1, dram_transactions=missed, **delays
            ),
        }
    each = {"transactions": {"coalesced": 2, "uncoalesced": 32}[kind], "dram_transactions": missed}
    delays = {key: DEVICE[key] for key in ("delay_L2", "delay_dram")}
    return {
        f"latency_{kind}": cgpredict.access_latency(**each, **DEVICE),
        f"delay_{kind}": cgpredict.access_delay(**each, **delays),
    }


def test_latencies_and_delays_of_jetson_tk1() -> None:
    """By hand, from the paper's Table 3."""
    assert _of_one_class("coalesced") == {"latency_coalesced": 166, "delay_coalesced": 4}
    assert _of_one_class("uncoalesced") == {"latency_uncoalesced": 226, "delay_uncoalesced": 64}
    assert _of_one_class("constant") == {"latency_constant": 164, "delay_constant": 2}
    assert _of_one_class("constant", 1) == {"latency_constant": 496, "delay_constant": 12}
    assert _of_one_class("uncoalesced", 32) == {
        "latency_uncoalesced": 164 + 332 + 310,
        "delay_uncoalesced": 320,
    }


PRODUCTS = {  # wang2017, Table 4: class beside constant, size, instructions, launches, MWP, ms
    "GEMM": ("coalesced", 1024, 10, 1, 54.45, 242.53),
    "SYRK": ("uncoalesced", 1024, 10, 1, 5.97, 2605.45),
    "3MM": ("coalesced", 2048, 9, 3, 54.45, 5819.73),
}
MISSED = 1 / 64
"""DRAM transactions of a constant load: each L2 line serves 16 iterations of 4 warps [1]."""


def _product(kind: str, size: int, instructions: int) -> dict[str, float]:
    """What the matrix products need: two loads an iteration, blocks of 32 x 32 threads."""
    classes = {"coalesced": {}, "uncoalesced": {}, "constant": {}}
    each = {
        **_of_one_class("coalesced"),
        **_of_one_class("uncoalesced"),
        **_of_one_class("constant", MISSED),
        **{f"instructions_{name}": 0 for name in classes},
    }
    each |= {f"instructions_{kind}": size, "instructions_constant": size}
    return each | {
        "instructions_total": instructions * size,
        "cycles_per_instruction": 0.5,
        "active_warps": 64,
        "active_blocks": 2,
        "blocks": (size // 32) ** 2,
        "frequency": 852e6,
    }


@pytest.mark.parametrize("kernel", PRODUCTS)
def test_the_papers_own_estimates(kernel: str) -> None:
    """The estimates of Table 4 and the parallelisms of section 4.1, to the last printed digit."""
    kind, size, instructions, launches, mwp, milliseconds = PRODUCTS[kernel]
    given = _product(kind, size, instructions)
    latency = cgpredict.memory_latency_weighted(**_only("memory_latency_weighted", given))
    delay = cgpredict.departure_delay(**_only("departure_delay", given))
    found = cgpredict.memory_warp_parallelism(
        latency_mean=latency, delay_mean=delay, active_warps=64
    )
    assert round(float(found), 2) == mwp
    time = launches * cgpredict.execution_time(**given)
    assert round(1e3 * float(time), 2) == milliseconds


def test_the_printed_equation_misses_by_microseconds() -> None:
    """Eq. 16 as printed has the computation before one memory instruction more, in each batch."""
    given = _staged(_product("coalesced", 1024, 10))
    as_printed = cgpredict.execution_cycles_printed(**given)
    assert as_printed - cgpredict.execution_cycles(**given) == pytest.approx(512 * 5120 / 2048)


def test_the_stages_one_by_one_are_the_composed_time() -> None:
    for kind in ("coalesced", "uncoalesced"):
        given = _product(kind, 1024, 10)
        cycles = cgpredict.execution_cycles(**_staged(given))
        staged = cgpredict.time_of_cycles(cycles_total=cycles, frequency=852e6)
        assert staged == pytest.approx(cgpredict.execution_time(**given), rel=1e-14)


def test_computation_warp_parallelism_of_syrk_is_bounded_by_its_warps() -> None:
    staged = _staged(_product("uncoalesced", 1024, 10))
    unbounded = cgpredict.computation_warp_parallelism_full(
        cycles_memory=staged["cycles_memory"], cycles_computation=staged["cycles_computation"]
    )
    assert unbounded == pytest.approx(1 + 1024 * (226 + 164 + 332 / 64) / 5120)
    assert unbounded > 64 == staged["cwp"]


def _only(name: str, given: dict[str, float]) -> dict[str, float]:
    return {each: given[each] for each in arguments(name)}


def _staged(given: dict[str, float]) -> dict[str, Any]:
    """What the execution cycles are computed from, one equation after the other."""
    memory = cgpredict.memory_cycles(**_only("memory_cycles", given))
    count = cgpredict.memory_instructions(**_only("memory_instructions", given))
    computation = cgpredict.computation_cycles(**_only("computation_cycles", given))
    latency = cgpredict.memory_latency(cycles_memory=memory, instructions_memory=count)
    delay = cgpredict.departure_delay(**_only("departure_delay", given))
    return {
        "cycles_memory": memory,
        "cycles_computation": computation,
        "latency_mean": latency,
        "instructions_memory": count,
        "active_warps": given["active_warps"],
        "mwp": cgpredict.memory_warp_parallelism(
            latency_mean=latency, delay_mean=delay, active_warps=given["active_warps"]
        ),
        "cwp": cgpredict.computation_warp_parallelism(
            cycles_memory=memory, cycles_computation=computation, active_warps=given["active_warps"]
        ),
        "batch": cgpredict.batches(blocks=given["blocks"], active_blocks=given["active_blocks"]),
    }


@pytest.mark.parametrize("seed", range(20))
def test_hits_of_a_trace_are_those_of_a_cache_that_is_simulated(seed: int) -> None:
    """Eqs 9-11 against one LRU list for each set."""
    rng = random.Random(seed)
    sets, ways = rng.choice([1, 2, 4]), rng.randint(1, 5)
    trace = [rng.randrange(rng.choice([8, 24])) for _ in range(300)]
    simulated, lists = 0, [OrderedDict[int, None]() for _ in range(sets)]
    for block in trace:
        held = lists[block % sets]
        simulated += block in held
        held[block] = None
        held.move_to_end(block)
        if len(held) > ways:
            held.popitem(last=False)
    found = []
    for part in ([b for b in trace if b % sets == index] for index in range(sets)):
        conflicts = _conflict_sets(part)
        found.append(
            cgpredict.set_hits(
                [cgpredict.block_hits(each, associativity=ways) for each in conflicts] or [0]
            )
        )
    assert cgpredict.trace_hits(found) == simulated


def _conflict_sets(trace: list[int]) -> list[list[int]]:
    """For every block and each of its references, how many others came since the one before."""
    found = []
    for block in sorted(set(trace)):
        places = [place for place, each in enumerate(trace) if each == block]
        between = pairwise(places)
        found.append([0, *(len(set(trace[before + 1 : after])) for before, after in between)])
    return found


def test_sums_run_over_the_last_axis_and_broadcast_the_others() -> None:
    conflicts = [[0, 3, 15, 16, 2], [1, 1, 1, 1, 1]]
    hits = cgpredict.block_hits(conflicts, associativity=[16, 1])
    np.testing.assert_array_equal(hits, [3, 0])
    np.testing.assert_array_equal(
        cgpredict.block_hits(conflicts, associativity=[[4], [2]]), [[2, 4], [0, 4]]
    )
    assert cgpredict.set_hits([]) == 0
    with pytest.raises(ValueError, match="3 is one number; a sum needs an array"):
        cgpredict.trace_hits(3)
    with pytest.raises(TypeError, match="not a real number"):
        cgpredict.trace_hits(["3"])


@pytest.mark.parametrize("name", [name for name in CGPREDICT if name not in SUMS])
def test_not_a_number_in_not_a_number_out(name: str) -> None:
    values = draw(random.Random(1)) | {"mwp": 3.0, "cwp": 5.0, "dram_transactions": 0.5}
    given = _only(name, values)
    for each in given:
        assert math.isnan(getattr(cgpredict, name)(**(given | {each: math.nan}))), each


@pytest.mark.parametrize("name", SUMS)
def test_not_a_number_in_a_sequence(name: str) -> None:
    others = {"associativity": 2} if name == "block_hits" else {}
    assert math.isnan(getattr(cgpredict, name)([1, math.nan, 1], **others))


@pytest.mark.parametrize("name", [name for name in CGPREDICT if name not in SUMS])
def test_all_arguments_are_broadcast_and_named(name: str) -> None:
    parameters = inspect.signature(getattr(cgpredict, name)).parameters
    assert {each.kind for each in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    values = draw(random.Random(2))
    shapes = {each: (2,) + (1,) * place for place, each in enumerate(parameters)}
    grids = {each: np.full(shape, values[each]) for each, shape in shapes.items()}
    result = getattr(cgpredict, name)(**grids)
    assert result.shape == (2,) * len(parameters)


@pytest.mark.parametrize("make", [strict.asarray, jnp.asarray], ids=["array_api_strict", "jax"])
@pytest.mark.parametrize("name", CGPREDICT)
def test_an_array_of_a_library_comes_back_as_one(name: str, make: Any) -> None:
    with jax.enable_x64(True):
        values = {each: [draw(random.Random(s)).get(each, s) for s in (1, 2, 3)] for each in
                  arguments(name)}  # fmt: skip
        function = getattr(cgpredict, name)
        if name in SUMS:
            first, *rest = values
            taken, others = make(values[first]), {each: values[each][0] for each in rest}
            found, wanted = function(taken, **others), function(values[first], **others)
        else:
            taken = {each: make(numbers) for each, numbers in values.items()}
            found, wanted = function(**taken), function(**values)
        assert "numpy" not in type(found).__module__
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-13)


def test_large_arrays_are_done_in_blocks_like_small_ones() -> None:
    latencies = np.linspace(1, 1e3, 400_000)
    given = {"delay_mean": 3.0, "active_warps": 64.0}
    found = cgpredict.memory_warp_parallelism(latency_mean=latencies, **given)
    np.testing.assert_array_equal(found, np.minimum(latencies / 3.0, 64.0))


def test_a_launch_takes_no_less_than_its_bytes_and_never_less_than_its_overhead() -> None:
    given = {"frequency": 100.0, "cycles_total": 500.0, "launch_overhead": 0.25}
    for moved, expected in ((40.0, 5.25), (50.0, 5.25), (60.0, 6.25)):
        found = cgpredict.launch_time(**given, bandwidth=10.0, dram_bytes=moved)
        assert found == pytest.approx(expected, rel=1e-15)


def test_the_functions_are_at_hand_in_the_package() -> None:
    assert numeric.execution_time is cgpredict.execution_time
    assert set(CGPREDICT) == set(cgpredict.__all__)
    assert set(CGPREDICT) <= set(dir(numeric))
    assert not set(CGPREDICT) & set(HOMES)


@pytest.mark.parametrize("name", CGPREDICT)
def test_the_documentation_has_units_and_the_papers_names(name: str) -> None:
    text = inspect.getdoc(getattr(cgpredict, name))
    assert text is not None
    entries = dict(re.findall(r"^(\w+) : array\n((?:    .*\n)+)", text, re.M))
    assert list(entries) == arguments(name)
    assert all(
        re.search(r"\[(1|B|B/s|s|cycles|cycles/s)\]\.$", each.strip()) for each in entries.values()
    )
    paper = {ours: theirs for theirs, ours in PAPER.items() if "_" in theirs}
    for each in set(entries) & set(paper) - {"batch"}:
        assert f"({paper[each]}" in entries[each].replace("\n    ", " ")
    assert re.search(r"\[(1|cycles|s)\]\.$", text.partition("\n\n")[0])
    assert "Source: " in text


def test_the_stamp_changes_with_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    def digest(text: str) -> str:
        found = re.search(r"^SymPy \S+; formulas ([0-9a-f]{16})\.$", text, re.M)
        assert found is not None
        return found[1]

    known = generator.formula
    spoilt = known("batches").mutated(2 * known("batches").expr)
    monkeypatch.setattr(generator, "formula", lambda n: spoilt if n == "batches" else known(n))
    fresh, there = (
        generator.keyword_functions_text("cgpredict"),
        (FOLDER / "cgpredict.py").read_text("utf-8"),
    )
    assert digest(fresh) != digest(there)
    assert f"SymPy {sp.__version__};" in fresh


def test_sequences_of_a_sum_are_equally_long() -> None:
    def product(xp: Any, place: Any, left: Any, right: Any) -> Any:
        return left * right

    assert total(product, [1, 2], [3, 4], sequences=2) == 11
    with pytest.raises(ValueError, match="sequences of 2 and 3 terms"):
        total(product, [1, 2], [3, 4, 5], sequences=2)
    with pytest.raises(ValueError, match="5 is one number; a sum needs an array"):
        total(product, [1, 2], 5, sequences=2)


def test_total_takes_a_function_of_the_place() -> None:
    weighted = total(lambda xp, place, terms, factor: place * terms * factor, [[1, 2], [3, 4]], 10)
    np.testing.assert_array_equal(weighted, [50, 110])
