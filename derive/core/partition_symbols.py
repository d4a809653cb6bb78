"""Symbols of partitions between CPU and accelerator; in brackets the names of kenter2010, §II-A.

Blocks, operations, accesses and values are counted: pure numbers. So the latency of one access is
cycles, and a number of accesses cannot be added to a number of cycles.
"""

import sympy as sp

from logca.derive.algebra.dimension import (
    CYCLES,
    ONE,
    SymbolEntry,
    described,
    nonnegative,
    positive,
)

__all__ = [
    "ENTRIES",
    "accesses_L1",
    "accesses_L2",
    "accesses_memory",
    "accesses_shared",
    "basic_blocks",
    "block_area",
    "block_cycles_accelerator",
    "block_cycles_cpu",
    "block_executions",
    "cache_latency_L1",
    "cache_latency_L2",
    "class_operations",
    "classes",
    "consumer_executions",
    "consumers",
    "control_latency",
    "cycles_control_transfer",
    "cycles_cpu_only",
    "cycles_program",
    "cycles_program_execution",
    "cycles_program_execution_accelerator",
    "cycles_program_execution_cpu",
    "cycles_program_memory",
    "cycles_program_memory_cpu",
    "cycles_pull",
    "cycles_push",
    "cycles_register_transfer",
    "cycles_theoretical",
    "flow_executions",
    "flows",
    "mapped",
    "mapped_source",
    "mapped_target",
    "memory_access_latency",
    "operation_cycles",
    "producer_executions",
    "pull_latency",
    "push_latency",
    "register_pairs",
    "register_values",
    "shared_penalty",
    "speedup_partition",
    "speedup_theoretical",
    "write_back_penalty",
    "write_backs",
]

mapped, mapped_source, mapped_target = map(
    nonnegative, ("mapped", "mapped_source", "mapped_target")
)
basic_blocks, classes, flows, register_values, register_pairs, consumers = map(
    positive,
    ("basic_blocks", "classes", "flows", "register_values", "register_pairs", "consumers"),
)
block_executions, flow_executions, producer_executions, consumer_executions = map(
    nonnegative,
    ("block_executions", "flow_executions", "producer_executions", "consumer_executions"),
)
class_operations, operation_cycles, block_area = map(
    nonnegative, ("class_operations", "operation_cycles", "block_area")
)
block_cycles_cpu, block_cycles_accelerator = map(
    nonnegative, ("block_cycles_cpu", "block_cycles_accelerator")
)
accesses_L1, accesses_L2, accesses_memory, accesses_shared, write_backs = map(
    nonnegative,
    ("accesses_L1", "accesses_L2", "accesses_memory", "accesses_shared", "write_backs"),
)
cache_latency_L1, cache_latency_L2, memory_access_latency = map(
    nonnegative, ("cache_latency_L1", "cache_latency_L2", "memory_access_latency")
)
shared_penalty, write_back_penalty = map(nonnegative, ("shared_penalty", "write_back_penalty"))
control_latency, push_latency, pull_latency = map(
    nonnegative, ("control_latency", "push_latency", "pull_latency")
)
cycles_push, cycles_pull = map(nonnegative, ("cycles_push", "cycles_pull"))
cycles_program_execution, cycles_program_memory = map(
    nonnegative, ("cycles_program_execution", "cycles_program_memory")
)
cycles_control_transfer, cycles_register_transfer = map(
    nonnegative, ("cycles_control_transfer", "cycles_register_transfer")
)
cycles_program_execution_cpu, cycles_program_execution_accelerator = map(
    nonnegative, ("cycles_program_execution_cpu", "cycles_program_execution_accelerator")
)
cycles_program_memory_cpu = nonnegative("cycles_program_memory_cpu")
cycles_program, cycles_cpu_only, cycles_theoretical = map(
    positive, ("cycles_program", "cycles_cpu_only", "cycles_theoretical")
)
speedup_partition, speedup_theoretical = map(positive, ("speedup_partition", "speedup_theoretical"))


def _below(letter: str, word: str) -> str:
    return rf"{letter}_{{\mathrm{{{word}}}}}"


def _latency(symbol: sp.Symbol, meaning: str, word: str) -> SymbolEntry:
    return described(symbol, CYCLES, meaning, _below(r"\lambda", word))


def _time(symbol: sp.Symbol, meaning: str, letter: str, word: str) -> SymbolEntry:
    return described(symbol, CYCLES, meaning, _below(letter, word))


_MAPPING = (
    described(
        mapped,
        ONE,
        "1 if a block is mapped to the accelerator, 0 if to the CPU (p(B))",
        "p",
        "mapped = 0 or mapped = 1",
    ),
    described(
        mapped_source,
        ONE,
        "1 if the first of two blocks, which passes on control or a value, is mapped to the "
        "accelerator, 0 if to the CPU (p(B_l))",
        "p_l",
        "mapped_source = 0 or mapped_source = 1",
    ),
    described(
        mapped_target,
        ONE,
        "1 if the second of two blocks, which takes it over, is mapped to the accelerator, 0 if to "
        "the CPU (p(B_m))",
        "p_m",
        "mapped_target = 0 or mapped_target = 1",
    ),
    described(
        block_area, ONE, "what a block takes of the accelerator, in LLVM instructions", "a_B"
    ),
)
_COUNTS = (
    described(basic_blocks, ONE, "number of basic blocks of the program", _below("N", "B")),
    described(classes, ONE, "number of classes of operations", _below("N", "class")),
    described(
        flows,
        ONE,
        "number of edges of the control flow graph, calls and returns included",
        _below("N", "flow"),
    ),
    described(
        register_values,
        ONE,
        "number of register values that blocks other than their producer use",
        _below("N", "R"),
    ),
    described(
        register_pairs,
        ONE,
        "number of pairs of producer and consumer, counted for each register value",
        _below("N", "pair"),
    ),
    described(consumers, ONE, "number of blocks that use a register value", _below("N", "use")),
    described(block_executions, ONE, "executions of a basic block (n(B_l))", "n_B"),
    described(
        flow_executions, ONE, "control flows over an edge (n(B_l, B_m))", _below("n", "flow")
    ),
    described(
        producer_executions,
        ONE,
        "executions of the block that produces a register value (n(B_l))",
        "n_l",
    ),
    described(
        consumer_executions,
        ONE,
        "executions of a block that uses a register value (n(B_m)); of the edge it comes in by, if "
        "a phi uses it",
        "n_m",
    ),
    described(
        class_operations,
        ONE,
        "operations of a class in one execution of a block, loads and stores not among them",
        _below("n", "op"),
    ),
    *(
        described(symbol, ONE, meaning, _below("n", word))
        for symbol, meaning, word in (
            (accesses_L1, "loads and stores that an L1 cache serves (v = L1)", "L1"),
            (accesses_L2, "loads and stores that an L2 cache serves (v = L2)", "L2"),
            (accesses_memory, "loads and stores that the memory serves (v = MEM)", "MEM"),
            (
                accesses_shared,
                "loads and stores, counted above already, that a cache serves which is slower for "
                "being shared",
                "shared",
            ),
            (
                write_backs,
                "loads and stores, counted above already, before which the other core writes the "
                "line back from its private cache",
                "wb",
            ),
        )
    ),
)
_LATENCIES = (
    described(
        operation_cycles,
        CYCLES,
        "mean cycles of an operation of a class on the core that executes it (eps)",
        r"\epsilon",
    ),
    _latency(cache_latency_L1, "access latency of an L1 cache (lambda(L1))", "L1"),
    _latency(cache_latency_L2, "access latency of an L2 cache (lambda(L2))", "L2"),
    _latency(memory_access_latency, "access latency of the memory (lambda(MEM))", "MEM"),
    _latency(
        shared_penalty,
        "what an access to a shared cache takes longer than to a private one",
        "shared",
    ),
    _latency(
        write_back_penalty,
        "what an access takes longer if the other core must write the line back first",
        "wb",
    ),
    _latency(control_latency, "latency of transferring control between the cores (lambda_c)", "c"),
    _latency(
        push_latency,
        "latency of sending a register value to the other core (lambda_r,push)",
        "push",
    ),
    _latency(
        pull_latency,
        "latency of fetching a register value from the other core (lambda_r,pull)",
        "pull",
    ),
)
_TIMES = (
    _time(block_cycles_cpu, "execution cycles of a block on the CPU", "e", "CPU"),
    _time(block_cycles_accelerator, "execution cycles of a block on the accelerator", "e", "ACC"),
    _time(cycles_push, "cycles to send a register value whenever it is produced", "c", "push"),
    _time(
        cycles_pull,
        "cycles to fetch a register value wherever it is used on the other core",
        "c",
        "pull",
    ),
    _time(cycles_program_execution, "execution time of the program (t_e)", "t", "e"),
    _time(cycles_program_memory, "memory access time of the program (t_m)", "t", "m"),
    _time(cycles_control_transfer, "control transfer time (t_c)", "t", "c"),
    _time(cycles_register_transfer, "register value transfer time (t_r)", "t", "r"),
    _time(
        cycles_program_execution_cpu,
        "execution time of the program with all blocks on the CPU (t_e)",
        "t",
        "e,CPU",
    ),
    _time(
        cycles_program_execution_accelerator,
        "execution time of the program with all blocks on the accelerator (t_e)",
        "t",
        "e,ACC",
    ),
    _time(
        cycles_program_memory_cpu,
        "memory access time of the program with all blocks on the CPU (t_m)",
        "t",
        "m,CPU",
    ),
    _time(cycles_program, "runtime of the program, partitioned (t)", "t", "part"),
    _time(cycles_cpu_only, "runtime of the program with all blocks on the CPU", "t", "CPU"),
    _time(
        cycles_theoretical,
        "runtime of the program with everything on the accelerator, which nothing limits and to "
        "which nothing is transferred",
        "t",
        "theoretical",
    ),
)
_SPEEDUPS = (
    described(speedup_partition, ONE, "speedup of the partitioned program", _below("S", "part")),
    described(
        speedup_theoretical,
        ONE,
        "speedup of the program with everything on the accelerator, which nothing limits",
        _below("S", "theoretical"),
    ),
)

ENTRIES = (*_MAPPING, *_COUNTS, *_LATENCIES, *_TIMES, *_SPEEDUPS)
"""Symbol, unit, meaning, domain, LaTeX: mapping, counts, latencies, times, speedups [any]."""
