"""Costs of problems against the paper's sums, written down a second time on fractions."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.partition.problem.blocks import Block, Flow, Problem, ProblemError, Value
from logca.numeric.partition.problem.costs import costs_of, scale_of, speedups, times_of
from logca.numeric.partition.problem.instance_and_objective import area, cost
from logca.numeric.partition.problem.platform import Platform, platform

pytest.importorskip("numba")

KENTER = platform("kenter2010")


def problem(seed: int) -> Problem:
    """Blocks, flows and values at random; nothing need be conserved here."""
    rng = random.Random(seed)
    number = rng.randint(1, 7)
    blocks = tuple(
        Block(
            name=f"b{n}",
            executions=rng.randint(0, 50),
            operations=rng.randint(0, 9),
            integer_casts=rng.randint(0, 3),
            real_casts=rng.randint(0, 3),
            area=rng.randint(0, 15),
            accesses=(rng.randint(0, 9), rng.randint(0, 9), rng.randint(0, 9)),
            pinned="why" if rng.random() < 0.2 else "",
        )
        for n in range(number)
    )
    ends = sorted({(rng.randrange(number), rng.randrange(number)) for _ in range(9)})
    values = []
    for n in range(rng.randint(0, 6)):
        producer = rng.randrange(number)
        readers = rng.sample(range(number), rng.randint(0, number))
        values.append(
            Value(
                name=f"v{n}",
                producer=producer,
                sent=blocks[producer].executions,
                consumers=tuple((each, rng.randint(0, 40)) for each in readers if each != producer),
            )
        )
    return Problem(
        name="random",
        blocks=blocks,
        flows=tuple(Flow(source=a, target=b, executions=rng.randint(0, 30)) for a, b in ends),
        values=tuple(values),
    )


def machine(seed: int) -> Platform:
    rng = random.Random(seed)

    def some() -> Fraction:
        return Fraction(rng.randint(0, 40), rng.choice([1, 2, 3, 5]))

    return replace(
        KENTER,
        cpu_cycles=some(),
        accelerator_cycles=some(),
        control=some(),
        push=some(),
        pull=some(),
        latency_L1=some(),
        latency_L2=some(),
        latency_memory=some(),
        free_casts=rng.choice(["none", "integer", "all"]),
        values=rng.choice(["value", "pair"]),
    )


def by_hand(program: Problem, on: Platform, mapped: list[bool]) -> dict[str, Fraction]:
    """kenter2010, section II-A, term by term."""
    te = tm = tc = tr = Fraction(0)
    for block, there in zip(program.blocks, mapped, strict=True):
        paid = block.operations + block.integer_casts + block.real_casts
        if there and on.free_casts != "none":
            paid -= block.integer_casts + (block.real_casts if on.free_casts == "all" else 0)
        te += block.executions * paid * (on.accelerator_cycles if there else on.cpu_cycles)
        levels = (on.latency_L1, on.latency_L2, on.latency_memory)
        tm += sum(a * b for a, b in zip(block.accesses, levels, strict=True))
    for flow in program.flows:
        if mapped[flow.source] != mapped[flow.target]:
            tc += flow.executions * on.control
    for value in program.values:
        away = [n for block, n in value.consumers if mapped[block] != mapped[value.producer]]
        if on.values == "pair":
            tr += sum(min(value.sent * on.push, n * on.pull) for n in away)
        elif away:
            tr += min(value.sent * on.push, sum(away) * on.pull)
    return {"te": te, "tm": tm, "tc": tc, "tr": tr}


@examples(40, 150)
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 127))
def test_costs_are_the_sums_of_the_paper(program: int, on: int, partition: int) -> None:
    made, board = problem(program), machine(on)
    mapped = [bool(partition >> n & 1) for n in range(len(made.blocks))]
    found = costs_of(made, board)
    wanted = by_hand(made, board, mapped)
    chosen = np.array(mapped)
    times = times_of(found, None, chosen)
    assert {name: getattr(times, name) for name in wanted} == wanted
    assert Fraction(cost(found.instance, chosen), found.instance.scale) == times.total
    assert area(found.instance, chosen) == sum(
        block.area for block, there in zip(made.blocks, mapped, strict=True) if there
    )


def test_the_scale_makes_all_latencies_whole() -> None:
    board = replace(KENTER, push=Fraction(1, 3), write_back=Fraction(7, 5))
    assert (scale_of(KENTER), scale_of(board)) == (2, 30)


def test_speedups_of_a_loop() -> None:
    """10 operations 100 times: 1000 cycles on the CPU, 500 on the accelerator, 4 to get there."""
    blocks = (
        Block(name="in", executions=1, operations=0, area=1, pinned="main"),
        Block(name="loop", executions=100, operations=10, area=10),
    )
    flows = (Flow(source=0, target=1, executions=1), Flow(source=1, target=0, executions=1))
    found = costs_of(Problem(name="loop", blocks=blocks, flows=flows, values=()), KENTER)
    baseline, moved = (
        times_of(found, None, np.array(mapped)) for mapped in ([False, False], [False, True])
    )
    speedup, theoretical, relative = speedups(found, baseline, moved)
    assert (speedup, theoretical) == (1000 / 504, 2)
    assert relative == pytest.approx(1000 / 504 - 1)


def test_bad_areas_and_numbers_beyond_64_bits_are_refused() -> None:
    with pytest.raises(ProblemError, match="area must be at least 0, not -1"):
        costs_of(problem(1), KENTER, area=-1)
    huge = Block(name="huge", executions=1 << 52, operations=1 << 20)
    with pytest.raises(ValueError, match=r"2\*\*61|64 bits"):
        costs_of(Problem(name="huge", blocks=(huge,), flows=(), values=()), KENTER)
