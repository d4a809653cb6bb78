"""Runtime of a partitioned program: t = te + tm + tc + tr (kenter2010, §II-A).

In the sums, what stands before a bracketed index is a sequence, over the blocks of the program,
the classes of operations, the edges of the control flow graph, or the uses of register values.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import CYCLES, ONE
from logca.derive.core.formula import Formula
from logca.derive.core.partition_symbols import (
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
    consumer_executions,
    consumers,
    control_latency,
    cycles_control_transfer,
    cycles_program_execution,
    cycles_program_memory,
    cycles_pull,
    cycles_push,
    cycles_register_transfer,
    flow_executions,
    flows,
    mapped,
    mapped_source,
    mapped_target,
    memory_access_latency,
    operation_cycles,
    producer_executions,
    pull_latency,
    push_latency,
    register_pairs,
    register_values,
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
    "PAIRWISE_TRANSFER_CYCLES",
    "PAIR_TRANSFER_CYCLES",
    "PROGRAM_CYCLES",
    "PROGRAM_EXECUTION_CYCLES",
    "PROGRAM_MEMORY_CYCLES",
    "PULL_CYCLES",
    "PUSH_CYCLES",
    "REGISTER_TRANSFER_CYCLES",
    "USE_PULL_CYCLES",
    "VALUE_TRANSFER_CYCLES",
    "indexed",
]

_i, _j, _k = (sp.Symbol(name, integer=True, positive=True) for name in "ijk")


def indexed(term: sp.Symbol | Formula, index: sp.Symbol) -> sp.Expr:
    """Value at a place of the sequence of a symbol's or a formula's values [its unit]."""
    return sp.Function(term.name)(index)


BLOCK_EXECUTION_CYCLES = Formula(
    name="block_execution_cycles",
    meaning="execution cycles of a block on the core whose cycles of each class are given",
    source="kenter2010, §II-A, t_e, with the classes of §III: n(I) = n(B) for instructions of B",
    unit=CYCLES,
    latex="e_B",
    derivation=begin(
        "every operation takes the mean cycles of its class, whenever the block is executed",
        "block_execution_cycles",
        sp.Sum(
            block_executions * indexed(class_operations, _j) * indexed(operation_cycles, _j),
            (_j, 1, classes),
        ),
    ),
)

PROGRAM_EXECUTION_CYCLES = Formula(
    name="program_execution_cycles",
    meaning="execution time of a program, loads and stores not included",
    source="kenter2010, §II-A, t_e",
    unit=CYCLES,
    latex=r"t_{\mathrm{e}}",
    derivation=begin(
        "add the blocks, each on its core",
        "program_execution_cycles",
        sp.Sum(
            (1 - indexed(mapped, _k)) * indexed(block_cycles_cpu, _k)
            + indexed(mapped, _k) * indexed(block_cycles_accelerator, _k),
            (_k, 1, basic_blocks),
        ),
    ),
)

BLOCK_MEMORY_CYCLES = Formula(
    name="block_memory_cycles",
    meaning="memory access time of a block, or of any other accesses, from the levels that serve "
    "them",
    source="kenter2010, §II-A, t_m; write-backs of §III, penalty of shared caches of §III-B",
    unit=CYCLES,
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
    unit=CYCLES,
    latex=r"t_{\mathrm{m}}",
    derivation=begin(
        "add the blocks",
        "program_memory_cycles",
        sp.Sum(indexed(BLOCK_MEMORY_CYCLES, _k), (_k, 1, basic_blocks)),
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
    unit=CYCLES,
    latex=r"c_{\mathrm{flow}}",
    derivation=begin(
        "a latency for each time", "flow_transfer_cycles", flow_executions * control_latency
    ),
)

CONTROL_TRANSFER_CYCLES = Formula(
    name="control_transfer_cycles",
    meaning="control transfer time of a program",
    source="kenter2010, §II-A, t_c",
    unit=CYCLES,
    latex=r"t_{\mathrm{c}}",
    derivation=begin(
        "add the edges whose blocks are apart",
        "control_transfer_cycles",
        sp.Sum(indexed(BLOCKS_APART, _i) * indexed(FLOW_TRANSFER_CYCLES, _i), (_i, 1, flows)),
    ),
)

PROGRAM_CYCLES = Formula(
    name="program_cycles",
    meaning="runtime of a program; register values take register_transfer_cycles (reading `value`, "
    "the default) or pairwise_transfer_cycles (reading `pair`)",
    source="kenter2010, §II-A, t",
    unit=CYCLES,
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
        sp.Sum(indexed(mapped, _k) * indexed(block_area, _k), (_k, 1, basic_blocks)),
    ),
)

_CYCLE_FORMULAS = (
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


PUSH_CYCLES = Formula(
    name="push_cycles",
    meaning="cycles to send a register value whenever it is produced",
    source="kenter2010, §II-A, first argument of the minimum in t_r",
    unit=CYCLES,
    latex=r"c_{\mathrm{push}}",
    derivation=begin("a latency for each time", "push_cycles", producer_executions * push_latency),
)

USE_PULL_CYCLES = Formula(
    name="use_pull_cycles",
    meaning="cycles to fetch a register value whenever one of its consumers is executed",
    source="kenter2010, §II-A, second argument of the minimum in t_r",
    unit=CYCLES,
    latex=r"c_{\mathrm{use}}",
    derivation=begin(
        "a latency for each time", "use_pull_cycles", consumer_executions * pull_latency
    ),
)

PULL_CYCLES = Formula(
    name="pull_cycles",
    meaning="cycles to fetch a register value wherever it is used on the other core",
    source="kenter2010, §II-A, second argument of the minimum in t_r, for several consumers",
    unit=CYCLES,
    latex=r"c_{\mathrm{pull}}",
    derivation=begin(
        "add the consumers that are apart from the producer",
        "pull_cycles",
        sp.Sum(
            indexed(BLOCKS_APART, _j) * indexed(USE_PULL_CYCLES, _j),
            (_j, 1, consumers),
        ),
    ),
)

VALUE_TRANSFER_CYCLES = Formula(
    name="value_transfer_cycles",
    meaning="cycles to transfer a register value to its consumers on the other core",
    source="kenter2010, §II-A, t_r, where one push serves all consumers (reading `value`)",
    unit=CYCLES,
    latex=r"c_{\mathrm{value}}",
    derivation=begin(
        "the cheaper of sending it once and of fetching it everywhere",
        "value_transfer_cycles",
        sp.Min(cycles_push, cycles_pull),
    ),
)

PAIR_TRANSFER_CYCLES = Formula(
    name="pair_transfer_cycles",
    meaning="cycles to transfer a register value to one consumer on the other core",
    source="kenter2010, §II-A, a term of t_r",
    unit=CYCLES,
    latex=r"c_{\mathrm{pair}}",
    derivation=VALUE_TRANSFER_CYCLES.derivation.substitute(
        "there is one consumer",
        cycles_push=PUSH_CYCLES.expr,
        cycles_pull=USE_PULL_CYCLES.expr,
    ).rename("name it", sp.Symbol("pair_transfer_cycles")),
)

REGISTER_TRANSFER_CYCLES = Formula(
    name="register_transfer_cycles",
    meaning="register value transfer time of a program, where one push serves all consumers "
    "(reading `value`, the default; as printed: pairwise_transfer_cycles)",
    source="kenter2010, §II-A, t_r, where one push serves all consumers (reading `value`)",
    unit=CYCLES,
    latex=r"t_{\mathrm{r}}",
    derivation=begin(
        "add the values",
        "register_transfer_cycles",
        sp.Sum(
            indexed(VALUE_TRANSFER_CYCLES, _i),
            (_i, 1, register_values),
        ),
    ),
)

PAIRWISE_TRANSFER_CYCLES = Formula(
    name="pairwise_transfer_cycles",
    meaning="register value transfer time of a program, every pair of producer and consumer paid "
    "for (reading `pair`; the default is register_transfer_cycles)",
    source="kenter2010, §II-A, t_r as printed (reading `pair`)",
    unit=CYCLES,
    latex=r"t_{\mathrm{r}}^{\mathrm{pair}}",
    derivation=begin(
        "add the pairs that are apart",
        "pairwise_transfer_cycles",
        sp.Sum(
            indexed(BLOCKS_APART, _i) * indexed(PAIR_TRANSFER_CYCLES, _i),
            (_i, 1, register_pairs),
        ),
    ),
)

_REGISTER_FORMULAS = (
    PUSH_CYCLES,
    USE_PULL_CYCLES,
    PULL_CYCLES,
    VALUE_TRANSFER_CYCLES,
    PAIR_TRANSFER_CYCLES,
    REGISTER_TRANSFER_CYCLES,
    PAIRWISE_TRANSFER_CYCLES,
)


FORMULAS = (*_CYCLE_FORMULAS, *_REGISTER_FORMULAS)
