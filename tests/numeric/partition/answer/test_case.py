"""Cases: pins against brute force, and what is refused."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from effort import examples
from hypothesis import assume, given
from hypothesis import strategies as st

from logca.numeric.partition.answer.case import Case, case_of
from logca.numeric.partition.answer.methods import METHODS
from logca.numeric.partition.answer.partition import solve
from logca.numeric.partition.memory.caches import CacheError
from logca.numeric.partition.memory.designs import design_named
from logca.numeric.partition.problem.blocks import Block, Flow, Problem, ProblemError, Value
from logca.numeric.partition.problem.costs import latencies_of, times_of
from logca.numeric.partition.problem.files import FORMAT, problem_from
from logca.numeric.partition.problem.platform import changed, platform
from logca.numeric.partition.program.tracing import traced

for library in ("numba", "ortools"):
    pytest.importorskip(library)

KENTER = platform("kenter2010")
COUNTS = st.integers(min_value=0, max_value=40)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Up to seven blocks; which counts fit together plays no part here."""
    number = draw(st.integers(min_value=2, max_value=7))
    place = st.integers(min_value=0, max_value=number - 1)
    blocks = tuple(
        Block(
            name=f"b{each}",
            executions=draw(st.integers(min_value=2, max_value=40)),
            operations=draw(COUNTS),
            real_casts=draw(st.integers(min_value=0, max_value=5)),
            area=draw(st.integers(min_value=0, max_value=9)),
            pinned="calls printf" if draw(st.integers(0, 5)) == 0 else "",
            function=f"f{each % 2}",
        )
        for each in range(number)
    )
    ends = draw(st.lists(st.tuples(place, place), max_size=8, unique=True))
    values = draw(st.lists(st.tuples(place, st.lists(place, max_size=3, unique=True)), max_size=4))
    assume(not all(block.pinned for block in blocks))
    return Problem(
        name="random",
        blocks=blocks,
        flows=tuple(Flow(source=a, target=b, executions=draw(COUNTS)) for a, b in ends),
        values=tuple(
            Value(
                name=f"v{which}",
                producer=home,
                sent=blocks[home].executions,
                consumers=tuple((each, draw(COUNTS)) for each in readers if each != home),
            )
            for which, (home, readers) in enumerate(values)
        ),
    )


def best(case: Case, cores: dict[int, str]) -> Fraction | None:
    """The least time of all partitions that keep pins and area; None if there is none."""
    blocks = case.problem.blocks
    found = None
    for choice in product((False, True), repeat=len(blocks)):
        mapped = np.array(choice)
        if any(on and block.pinned for on, block in zip(choice, blocks, strict=True)):
            continue
        if any(choice[each] != (core == "accelerator") for each, core in cores.items()):
            continue
        if sum(b.area for b, on in zip(blocks, choice, strict=True) if on) > case.instance.capacity:
            continue
        total = times_of(case.costs, case.coupling, mapped).total
        found = total if found is None else min(found, total)
    return found


@given(
    problem=problems(),
    area=st.integers(min_value=1, max_value=30),
    cores=st.dictionaries(
        st.integers(min_value=0, max_value=6), st.sampled_from(["cpu", "accelerator"]), max_size=3
    ),
    values=st.sampled_from(["value", "pair"]),
)
@examples(40, 150)
def test_pins_against_brute_force(
    problem: Problem, area: int, cores: dict[int, str], values: str
) -> None:
    kept = {each: core for each, core in cores.items() if each < len(problem.blocks)}
    pins = {problem.blocks[each].name: core for each, core in kept.items()}
    machine = changed(KENTER, {"values": values})
    free = case_of(problem, machine, area=area)
    least = best(free, kept)
    if least is None:
        with pytest.raises(ProblemError, match=r"cannot be on the accelerator|takes an area"):
            case_of(problem, machine, area=area, pins=pins)
        return
    case = case_of(problem, machine, area=area, pins=pins)
    for method in METHODS:
        found = solve(case, method)
        assert all(found.mapped[each] == (core == "accelerator") for each, core in kept.items()), (
            method
        )
        assert found.area <= area
        assert found.bound <= least <= found.time.total
        found.check()
        assert all(each.bound <= each.time for each in found.frontier)
        if method == "optimal":
            assert found.time.total == least
            assert found.gap == 0


HARD = """
static double a[4096];
static double scaled(double by) {
    double s = 0;
    for (int i = 0; i < 4096; i++)
        s += a[i] = a[i] * by + i;
    return s;
}
int main(void) {
    double s = 0;
    for (int n = 0; n < 4; n++) {
        for (int i = 0; i < 4096; i += 8)
            s += a[i];
        s += scaled(0.5);
    }
    return s < 0;
}
"""


def test_pins_hold_where_memory_speaks_against_them(tmp_path: Path) -> None:
    """Every access of the accelerator takes a hundred times what the loop would save."""
    pytest.importorskip("ziglang")
    source = tmp_path / "hard.c"
    source.write_text(HARD, encoding="utf-8")
    machine = changed(KENTER, {"latency_memory": 10**5, "write_back": 10**5, "cpu_cycles": 1})
    program = traced(source, machine)
    free = solve(case_of(program, machine, "SMM-"))
    assert not free.mapped.any()
    case = case_of(program, machine, "SMM-", pins={"scaled": "accelerator"})
    wanted = [block.function == "scaled" for block in program.problem.blocks]
    for method in METHODS:
        found = solve(case, method)
        assert np.all(found.mapped[wanted]), method
        assert found.speedup < 0.1
        found.check()


def one(**changes: object) -> Problem:
    block = {"name": "loop", "executions": 9, "operations": 3, **changes}
    flow = {"from": "loop", "to": "loop", "executions": 8}
    return problem_from({"format": FORMAT, "blocks": [block], "flows": [flow]}, "one.json")


@pytest.mark.parametrize(
    ("area", "pins", "message"),
    [
        (0, {}, "area = 0 must be at least 1 instruction and at most 1,000,000,000"),
        (-3, {}, "area = -3"),
        (2, {"loop": "accelerator"}, "takes an area of 3, and there is one of 2"),
        (9, {"loop": "gpu"}, "the core must be cpu or accelerator, not 'gpu'"),
        (9, {"lop": "cpu"}, "no such block or function; did you mean 'loop'"),
        (9, {"loop": "cpu", "f": "accelerator"}, "block 'loop' is pinned to both cores"),
    ],
)
def test_what_cannot_be_is_refused(area: int, pins: dict[str, str], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        case_of(one(function="f"), KENTER, area=area, pins=pins)


def test_a_pinned_block_cannot_be_on_the_accelerator() -> None:
    blocks = [
        {"name": "loop", "executions": 9, "operations": 3},
        {"name": "print", "executions": 1, "operations": 3, "pinned": "calls printf"},
    ]
    flows = [
        {"from": "loop", "to": "loop", "executions": 8},
        {"from": "loop", "to": "print", "executions": 1},
    ]
    problem = problem_from({"format": FORMAT, "blocks": blocks, "flows": flows}, "two.json")
    with pytest.raises(ProblemError, match="'print' cannot be on the accelerator: calls printf"):
        case_of(problem, KENTER, pins={"print": "accelerator"})


def test_a_program_without_a_hot_loop_is_refused() -> None:
    blocks = [{"name": "all", "executions": 1, "operations": 9}]
    problem = problem_from({"format": FORMAT, "name": "once", "blocks": blocks}, "once.json")
    with pytest.raises(ProblemError, match="once has no hot loop"):
        case_of(problem, KENTER)


def test_an_unknown_design_is_refused() -> None:
    with pytest.raises(CacheError, match="known: SL1"):
        case_of(one(), KENTER, "SL3")


def test_what_a_write_back_costs_if_nobody_says() -> None:
    """As long as the first shared level takes, in half cycles."""
    prices = {
        name: latencies_of(KENTER, design_named(name), penalty=False).write_back
        for name in ("SL1", "SL2+", "SL2-", "SMM+", "SMM-")
    }
    assert prices == {"SL1": 30, "SL2+": 30, "SL2-": 30, "SMM+": 400, "SMM-": 400}


def test_a_program_that_takes_no_time_is_refused() -> None:
    with pytest.raises(ProblemError, match="loop takes no time on the CPU"):
        case_of(replace(one(operations=0), name="loop"), KENTER)
