"""Trees in shared memory, step by step; and laws of what gathering values takes."""

from itertools import product

import pytest
import sympy as sp

from logca.derive.cgpredict.crossover import LAUNCH_TIME
from logca.derive.cgpredict.reductions import (
    COMBINING_CYCLES,
    CONTENDED_CYCLES,
    REDUCTION_TIME,
    SECOND_LAUNCH_CYCLES,
    TREE_CYCLES,
    TREE_INSTRUCTIONS,
    TREE_STEPS,
)
from logca.derive.core.cgpredict_symbols import (
    active_blocks,
    bandwidth,
    block_threads,
    blocks,
    cycles_combining,
    cycles_per_instruction,
    cycles_total,
    delay_atomic,
    dram_bytes,
    frequency,
    latency_shared,
    launch_overhead,
    updates_hottest,
    warp_threads,
)


def tree(threads: int, warp: int) -> tuple[int, int, int]:
    """Steps, instructions that warps issue, and the sum of the numbers from 0, by Harris's loop."""
    values = list(range(threads))
    warps = [range(first, first + warp) for first in range(0, threads, warp)]
    issued, steps, half = len(warps), 0, threads // 2  # each warp stores its values first
    while half:
        steps += 1
        for lanes in warps:
            issued += 2  # barrier, and the test whether a thread is left
            active = [lane for lane in lanes if lane < half]
            issued += 3 * bool(active)  # load, add, store
            for lane in active:
                values[lane] += values[lane + half]
        half //= 2
    return steps, issued, values[0]


@pytest.mark.parametrize(("threads", "warp"), [(32, 32), (64, 32), (256, 32), (1024, 32), (64, 8)])
def test_steps_and_instructions_are_those_of_the_loop(threads: int, warp: int) -> None:
    steps, issued, total = tree(threads, warp)
    assert total == threads * (threads - 1) // 2
    at = {block_threads: threads, warp_threads: warp}
    assert float(TREE_STEPS.expr.subs(at)) == pytest.approx(steps, rel=1e-12)
    assert float(TREE_INSTRUCTIONS.expr.subs(at)) == pytest.approx(issued, rel=1e-12)


def test_a_tree_waits_as_often_as_its_block_can_be_halved() -> None:
    waits = TREE_CYCLES.expr.subs(cycles_per_instruction, 0)
    assert sp.simplify(waits - 2 * latency_shared * sp.log(block_threads) / sp.log(2)) == 0
    doubled = waits.subs(block_threads, 2 * block_threads) - waits
    assert sp.simplify(sp.expand_log(doubled)) == 2 * latency_shared


def test_atomic_operations_of_more_blocks_wait_longer() -> None:
    assert sp.diff(COMBINING_CYCLES.expr, blocks) == delay_atomic
    alone = SECOND_LAUNCH_CYCLES.expr - TREE_CYCLES.expr.subs(active_blocks, 1)
    assert alone.free_symbols.isdisjoint({blocks, active_blocks, block_threads})


def test_gathering_is_never_faster_than_streaming_the_data() -> None:
    time = REDUCTION_TIME.expr
    assert time.subs(cycles_combining, 0) == LAUNCH_TIME.expr
    assert time - LAUNCH_TIME.expr == cycles_combining / frequency
    for cycles, moved in product((0, 10, 1000), repeat=2):
        at = {cycles_total: cycles, dram_bytes: moved, frequency: 7, bandwidth: 5}
        least = launch_overhead + sp.Rational(moved, 5) + cycles_combining / 7
        assert (time.subs(at) - least).is_nonnegative


def test_updates_of_one_element_go_one_after_another() -> None:
    values = {cycles_total: 100, delay_atomic: 2}
    free_at: dict[int, int] = {}
    for element in [0, 3, 3, 1, 3] * 20:
        free_at[element] = free_at.get(element, 0) + 2
    assert CONTENDED_CYCLES.expr.subs({**values, updates_hottest: 60}) == max(free_at.values())
    assert CONTENDED_CYCLES.expr.subs({**values, updates_hottest: 20}) == 100
