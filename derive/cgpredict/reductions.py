"""Reductions: iterations that gather a sum, a minimum or a histogram; not in wang2017.

A block combines the values of its threads by a tree in shared memory: each step halves the threads
that add the value of a partner to their own, between barriers. What is left of each block goes to
memory by one atomic operation, or to a second launch that combines it in the same way.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import CYCLES, ONE, SECONDS
from logca.derive.cgpredict.crossover import LAUNCH_TIME
from logca.derive.core.cgpredict_symbols import (
    active_blocks,
    block_threads,
    blocks,
    cycles_combining,
    cycles_per_instruction,
    cycles_total,
    delay_atomic,
    frequency,
    latency_dram,
    latency_L2,
    latency_shared,
    updates_hottest,
    warp_threads,
)
from logca.derive.core.formula import Formula

__all__ = [
    "COMBINING_CYCLES",
    "CONTENDED_CYCLES",
    "FORMULAS",
    "REDUCTION_TIME",
    "SECOND_LAUNCH_CYCLES",
    "TREE_CYCLES",
    "TREE_INSTRUCTIONS",
    "TREE_STEPS",
]

_WHOLE_WARPS = (block_threads >= warp_threads,)
_WARPS = block_threads / warp_threads

TREE_STEPS = Formula(
    name="tree_steps",
    meaning="steps of a block's tree, which combines the values of its threads: there are a power "
    "of two of them",
    source="logca2026; Harris, Optimizing Parallel Reduction in CUDA",
    unit=ONE,
    latex=r"n_{\mathrm{steps}}",
    derivation=begin(
        "each step halves the threads that are left",
        "tree_steps",
        sp.log(block_threads) / sp.log(2),
    ),
)

_EVERY = 1 + 2 * TREE_STEPS.expr
_ACTIVE = _WARPS - 1 + sp.log(warp_threads) / sp.log(2)

TREE_INSTRUCTIONS = Formula(
    name="tree_instructions",
    meaning="instructions that the warps of a block issue for its tree",
    source="logca2026; counted in the loop of Harris, Optimizing Parallel Reduction in CUDA, in "
    "which each thread keeps its value in a register too",
    unit=ONE,
    domain=_WHOLE_WARPS,
    latex=r"n_{\mathrm{tree}}",
    derivation=begin(
        "every warp stores its values, and has a barrier and a test in each step; warps that are "
        "left load, combine and store: half as many in each step down to one, which then has a "
        "step for each halving of its threads",
        "tree_instructions",
        _WARPS * _EVERY + 3 * _ACTIVE,
    ),
)

TREE_CYCLES = Formula(
    name="tree_cycles",
    meaning="cycles of the trees of the blocks on a multiprocessor: each combines values of its "
    "threads",
    source="logca2026; latency and cycles of an instruction of wang2017, Table 3",
    unit=CYCLES,
    domain=_WHOLE_WARPS,
    latex=r"c_{\mathrm{tree}}",
    derivation=begin(
        "in each step a store and the load behind it one after the other, and the instructions of "
        "all blocks on the multiprocessor",
        "tree_cycles",
        2 * latency_shared * TREE_STEPS.expr
        + cycles_per_instruction * active_blocks * TREE_INSTRUCTIONS.expr,
    ),
)

COMBINING_CYCLES = Formula(
    name="combining_cycles",
    meaning="cycles from the last iteration to the one value: a tree in each block, then an atomic "
    "operation a block",
    source="logca2026",
    unit=CYCLES,
    domain=_WHOLE_WARPS,
    latex=r"c_{\mathrm{comb}}",
    derivation=begin(
        "behind its tree a block's atomic operation goes to L2, at worst behind all others'",
        "combining_cycles",
        TREE_CYCLES.expr + latency_L2 + blocks * delay_atomic,
    ),
)

SECOND_LAUNCH_CYCLES = Formula(
    name="second_launch_cycles",
    meaning="execution cycles of a second launch: one block combines what all of them left",
    source="logca2026; latencies of wang2017, Table 3",
    unit=CYCLES,
    domain=_WHOLE_WARPS,
    latex=r"c_{\mathrm{second}}",
    derivation=begin(
        "one load from main memory, and the tree of one block",
        "second_launch_cycles",
        latency_L2 + latency_dram + TREE_CYCLES.expr.subs(active_blocks, 1),
    ),
)

CONTENDED_CYCLES = Formula(
    name="contended_cycles",
    meaning="execution cycles of a kernel with atomic updates: elements of an array are counted or "
    "summed up",
    source="logca2026; updates of the same element wait for each other",
    unit=CYCLES,
    latex=r"c_{\mathrm{atomic}}",
    derivation=begin(
        "no less than the updates of the element that is updated most take one after another",
        "contended_cycles",
        sp.Max(cycles_total, updates_hottest * delay_atomic),
    ),
)

REDUCTION_TIME = Formula(
    name="reduction_time",
    meaning="time of a launch whose threads gather values: that of the launch, then combining",
    source="logca2026; the time of wang2017, Eq. 18",
    unit=SECONDS,
    latex=r"t_{\mathrm{red}}",
    derivation=begin(
        "combining begins when the last iterations have ended, however memory has held them up",
        "reduction_time",
        LAUNCH_TIME.expr + cycles_combining / frequency,
    ),
)

FORMULAS = (
    TREE_STEPS,
    TREE_INSTRUCTIONS,
    TREE_CYCLES,
    COMBINING_CYCLES,
    SECOND_LAUNCH_CYCLES,
    CONTENDED_CYCLES,
    REDUCTION_TIME,
)
