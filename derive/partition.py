"""Partition between CPU and accelerator: t = te + tm + tc + tr (kenter2010, §II-A).

In the sums, what stands before a bracketed index is a sequence, over the blocks of the program, the
classes of operations, the edges of the control flow graph, or the uses of register values.
"""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import ONE, Dimension
from logca.derive.formula import Formula
from logca.derive.partition_symbols import (
    accesses_L1,
    accesses_L2,
    accesses_memory,
    accesses_shared,
    basic_blocks,
    block_area,
    block_cycles_accelerator,
    block_cycles_cpu,
    block_executions,
    cache_latency_L1,
    cache_latency_L2,
    class_operations,
    classes,
    control_latency,
    cycles_control_transfer,
    cycles_program_execution,
    cycles_program_memory,
    cycles_register_transfer,
    flow_executions,
    flows,
    mapped,
    mapped_source,
    mapped_target,
    memory_access_latency,
    operation_cycles,
    shared_penalty,
    write_back_penalty,
    write_backs,
)

__all__ = [
    "BLOCKS_APART",
    "BLOCK_EXECUTION_CYCLES",
    "BLOCK_MEMORY_CYCLES",
    "CONTROL_TRANSFER_CYCLES",
    "FLOW_TRANSFER_CYCLES",
    "FORMULAS",
    "MAPPED_AREA",
    "PROGRAM_CYCLES",
    "PROGRAM_EXECUTION_CYCLES",
    "PROGRAM_MEMORY_CYCLES",
    "each",
]

_CYCLES = Dimension(cycles=sp.Integer(1))
_i, _j, _k = (sp.Symbol(name, integer=True, positive=True) for name in "ijk")


def each(term: sp.Symbol | Formula, index: sp.Symbol) -> sp.Expr:
    """What a sequence of a symbol's or a formula's values holds at a place [its unit]."""
    return sp.Function(term.name)(index)


BLOCK_EXECUTION_CYCLES = Formula(
    name="block_execution_cycles",
    meaning="execution cycles of a block on the core whose cycles of each class are given",
    source="kenter2010, §II-A, t_e, with the classes of §III: n(I) = n(B) for instructions of B",
    unit=_CYCLES,
    latex="e_B",
    derivation=begin(
        "every operation takes the mean cycles of its class, whenever the block is executed",
        "block_execution_cycles",
        sp.Sum(
            block_executions * each(class_operations, _j) * each(operation_cycles, _j),
            (_j, 1, classes),
        ),
    ),
)

PROGRAM_EXECUTION_CYCLES = Formula(
    name="program_execution_cycles",
    meaning="execution time of a program, loads and stores not included",
    source="kenter2010, §II-A, t_e",
    unit=_CYCLES,
    latex=r"t_{\mathrm{e}}",
    derivation=begin(
        "add the blocks, each on its core",
        "program_execution_cycles",
        sp.Sum(
            (1 - each(mapped, _k)) * each(block_cycles_cpu, _k)
            + each(mapped, _k) * each(block_cycles_accelerator, _k),
            (_k, 1, basic_blocks),
        ),
    ),
)

BLOCK_MEMORY_CYCLES = Formula(
    name="block_memory_cycles",
    meaning="memory access time of a block, or of any other accesses, from the levels that serve "
    "them",
    source="kenter2010, §II-A, t_m; write-backs of §III, penalty of shared caches of §III-B",
    unit=_CYCLES,
    latex="m_B",
    derivation=begin(
        "every access takes the latency of its level, and what sharing adds to it",
        "block_memory_cycles",
        accesses_L1 * cache_latency_L1
        + accesses_L2 * cache_latency_L2
        + accesses_memory * memory_access_latency
        + accesses_shared * shared_penalty
        + write_backs * write_back_penalty,
    ),
)

PROGRAM_MEMORY_CYCLES = Formula(
    name="program_memory_cycles",
    meaning="memory access time of a program, from the levels under its partition",
    source="kenter2010, §II-A, t_m",
    unit=_CYCLES,
    latex=r"t_{\mathrm{m}}",
    derivation=begin(
        "add the blocks",
        "program_memory_cycles",
        sp.Sum(each(BLOCK_MEMORY_CYCLES, _k), (_k, 1, basic_blocks)),
    ),
)

BLOCKS_APART = Formula(
    name="blocks_apart",
    meaning="1 if two blocks are mapped to different cores, else 0",
    source="kenter2010, §II-A, conditions of t_c and t_r",
    unit=ONE,
    latex=r"\delta",
    derivation=begin(
        "one of them is on the accelerator, the other is not",
        "blocks_apart",
        mapped_source * (1 - mapped_target) + (1 - mapped_source) * mapped_target,
    ),
)

FLOW_TRANSFER_CYCLES = Formula(
    name="flow_transfer_cycles",
    meaning="cycles for passing control over an edge whose blocks are on different cores",
    source="kenter2010, §II-A, t_c",
    unit=_CYCLES,
    latex=r"c_{\mathrm{flow}}",
    derivation=begin(
        "a latency for each time", "flow_transfer_cycles", flow_executions * control_latency
    ),
)

CONTROL_TRANSFER_CYCLES = Formula(
    name="control_transfer_cycles",
    meaning="control transfer time of a program",
    source="kenter2010, §II-A, t_c",
    unit=_CYCLES,
    latex=r"t_{\mathrm{c}}",
    derivation=begin(
        "add the edges whose blocks are apart",
        "control_transfer_cycles",
        sp.Sum(each(BLOCKS_APART, _i) * each(FLOW_TRANSFER_CYCLES, _i), (_i, 1, flows)),
    ),
)

PROGRAM_CYCLES = Formula(
    name="program_cycles",
    meaning="runtime of a program; register values take register_transfer_cycles (reading `value`, "
    "the default) or pairwise_transfer_cycles (reading `pair`)",
    source="kenter2010, §II-A, t",
    unit=_CYCLES,
    latex=r"t_{\mathrm{part}}",
    derivation=begin(
        "nothing overlaps",
        "program_cycles",
        cycles_program_execution
        + cycles_program_memory
        + cycles_control_transfer
        + cycles_register_transfer,
    ),
)

MAPPED_AREA = Formula(
    name="mapped_area",
    meaning="what a partition takes of the accelerator, in LLVM instructions",
    source="kenter2010, §III, accelerator size",
    unit=ONE,
    latex=r"a_{\mathrm{part}}",
    derivation=begin(
        "add the blocks on the accelerator",
        "mapped_area",
        sp.Sum(each(mapped, _k) * each(block_area, _k), (_k, 1, basic_blocks)),
    ),
)

FORMULAS = (
    BLOCK_EXECUTION_CYCLES,
    PROGRAM_EXECUTION_CYCLES,
    BLOCK_MEMORY_CYCLES,
    PROGRAM_MEMORY_CYCLES,
    BLOCKS_APART,
    FLOW_TRANSFER_CYCLES,
    CONTROL_TRANSFER_CYCLES,
    PROGRAM_CYCLES,
    MAPPED_AREA,
)
