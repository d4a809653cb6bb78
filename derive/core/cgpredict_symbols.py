"""Symbols of CGPredict, spelt out; in brackets the names of wang2017, Table 3.

Instructions, warps, blocks, transactions and references are counted: pure numbers. So the cycles of
one instruction are cycles, and a number of instructions cannot be added to a number of cycles.
"""

import sympy as sp

from logca.derive.algebra.dimension import (
    BYTES,
    CYCLES,
    ONE,
    SECONDS,
    Dimension,
    described,
    nonnegative,
    positive,
)

__all__ = [
    "ENTRIES",
    "active_blocks",
    "active_warps",
    "associativity",
    "bandwidth",
    "bank_ways_coalesced",
    "bank_ways_constant",
    "bank_ways_uncoalesced",
    "batch",
    "block_threads",
    "blocks",
    "cache_line",
    "cache_size",
    "conflict_set_size",
    "cwp",
    "cycles_combining",
    "cycles_computation",
    "cycles_load_shared",
    "cycles_memory",
    "cycles_per_instruction",
    "cycles_shared",
    "cycles_synchronisation",
    "cycles_total",
    "delay_L2",
    "delay_atomic",
    "delay_coalesced",
    "delay_constant",
    "delay_dram",
    "delay_mean",
    "delay_uncoalesced",
    "dram_bytes",
    "dram_transactions",
    "frequency",
    "instructions_coalesced",
    "instructions_constant",
    "instructions_load_shared",
    "instructions_memory",
    "instructions_synchronisation",
    "instructions_total",
    "instructions_uncoalesced",
    "latency_L2",
    "latency_coalesced",
    "latency_constant",
    "latency_dram",
    "latency_load_shared",
    "latency_mean",
    "latency_shared",
    "latency_uncoalesced",
    "launch_overhead",
    "memory_blocks",
    "miss_rate",
    "mwp",
    "period_computation",
    "period_memory",
    "reference",
    "references",
    "sets",
    "share_dram",
    "transactions",
    "transactions_hit",
    "updates_hottest",
    "warp_threads",
]

frequency = positive("frequency")
bandwidth = positive("bandwidth")
dram_bytes, launch_overhead = map(nonnegative, ("dram_bytes", "launch_overhead"))
cycles_per_instruction = positive("cycles_per_instruction")
latency_L2, latency_dram, latency_shared, latency_load_shared = map(
    nonnegative, ("latency_L2", "latency_dram", "latency_shared", "latency_load_shared")
)
delay_L2, delay_dram, delay_atomic = map(nonnegative, ("delay_L2", "delay_dram", "delay_atomic"))
transactions, dram_transactions, share_dram, transactions_hit = map(
    nonnegative, ("transactions", "dram_transactions", "share_dram", "transactions_hit")
)
latency_coalesced, latency_uncoalesced, latency_constant = map(
    nonnegative, ("latency_coalesced", "latency_uncoalesced", "latency_constant")
)
delay_coalesced, delay_uncoalesced, delay_constant = map(
    nonnegative, ("delay_coalesced", "delay_uncoalesced", "delay_constant")
)
instructions_coalesced, instructions_uncoalesced, instructions_constant = map(
    nonnegative,
    ("instructions_coalesced", "instructions_uncoalesced", "instructions_constant"),
)
bank_ways_coalesced, bank_ways_uncoalesced, bank_ways_constant = map(
    nonnegative, ("bank_ways_coalesced", "bank_ways_uncoalesced", "bank_ways_constant")
)
instructions_memory, instructions_total = map(
    positive, ("instructions_memory", "instructions_total")
)
instructions_load_shared, instructions_synchronisation = map(
    nonnegative, ("instructions_load_shared", "instructions_synchronisation")
)
blocks, active_blocks, active_warps = map(positive, ("blocks", "active_blocks", "active_warps"))
block_threads, warp_threads = map(positive, ("block_threads", "warp_threads"))
updates_hottest, cycles_combining = map(nonnegative, ("updates_hottest", "cycles_combining"))
latency_mean, delay_mean = map(positive, ("latency_mean", "delay_mean"))
cycles_memory, cycles_computation = map(positive, ("cycles_memory", "cycles_computation"))
cycles_shared, cycles_load_shared, cycles_synchronisation = map(
    nonnegative, ("cycles_shared", "cycles_load_shared", "cycles_synchronisation")
)
cycles_total, mwp, cwp, batch = map(positive, ("cycles_total", "mwp", "cwp", "batch"))
period_memory, period_computation = map(positive, ("period_memory", "period_computation"))
cache_size, cache_line, associativity, sets = map(
    positive, ("cache_size", "cache_line", "associativity", "sets")
)
conflict_set_size, miss_rate = map(nonnegative, ("conflict_set_size", "miss_rate"))
reference, references, memory_blocks = map(positive, ("reference", "references", "memory_blocks"))

_RATE = Dimension(cycles=sp.Integer(1), seconds=sp.Integer(-1))
_BYTES_PER_SECOND = Dimension(bytes=sp.Integer(1), seconds=sp.Integer(-1))


def _below(letter: str, word: str) -> str:
    return rf"{letter}_{{\mathrm{{{word}}}}}"


_DEVICE = (
    described(frequency, _RATE, "clock frequency of the GPU (freq)", r"f_{\mathrm{clk}}"),
    described(
        cycles_per_instruction,
        CYCLES,
        "mean cycles to execute one instruction (inst_cycle)",
        _below("c", "inst"),
    ),
    described(latency_L2, CYCLES, "access latency of the L2 cache (mem_ld_L2)", _below("l", "L2")),
    described(
        latency_dram, CYCLES, "access latency of the DRAM (mem_ld_dram)", _below("l", "DRAM")
    ),
    described(
        latency_shared,
        CYCLES,
        "access latency of the shared memory (mem_ld_smem)",
        _below("l", "smem"),
    ),
    described(
        latency_load_shared,
        CYCLES,
        "latency of a load from main memory to shared memory (smem_load_const)",
        _below("l", "load"),
    ),
    described(
        delay_L2,
        CYCLES,
        "departure delay: time between two transactions to the L2 cache (dd_L2)",
        _below("d", "L2"),
    ),
    described(
        delay_dram,
        CYCLES,
        "departure delay: time between two transactions to the DRAM (dd_dram)",
        _below("d", "DRAM"),
    ),
    described(
        delay_atomic,
        CYCLES,
        "time between two atomic operations on the same address",
        _below("d", "atomic"),
    ),
    described(bandwidth, _BYTES_PER_SECOND, "bandwidth of the DRAM", "W"),
    described(
        launch_overhead,
        SECONDS,
        "time that a launch takes before its kernel begins",
        _below("t", "launch"),
    ),
    described(cache_size, BYTES, "size of the cache", _below("S", "cache")),
    described(cache_line, BYTES, "size of a cache line (B)", _below("S", "line")),
    described(associativity, ONE, "associativity: lines in a set of the cache (A)", "a"),
    described(sets, ONE, "number of sets of the cache (K)", "K"),
)
_ACCESSES = (
    described(
        transactions,
        ONE,
        "L2 transactions of one memory instruction of a warp (no_coal_pw, no_uncoal_pw, "
        "no_const_pw)",
        _below("k", "L2"),
    ),
    described(
        dram_transactions,
        ONE,
        "DRAM transactions of one memory instruction of a warp, a mean over its class "
        "(no_dram_trans_coal, no_dram_trans_uncoal, no_dram_trans_const)",
        _below("k", "DRAM"),
    ),
    described(
        share_dram,
        ONE,
        "share of the memory instructions of a class that have DRAM transactions",
        r"\sigma",
        "0 <= share_dram <= 1",
    ),
    described(
        transactions_hit,
        ONE,
        "L2 transactions of one memory instruction of a warp, a mean over those of its class that "
        "have no DRAM transactions",
        _below("k", "hit"),
    ),
    described(
        dram_bytes, BYTES, "bytes that a launch moves to and from the DRAM", _below("S", "DRAM")
    ),
    described(miss_rate, ONE, "miss rate of the L2 cache (L2_miss)", r"\mu", "0 <= miss_rate <= 1"),
    *(
        described(symbol, CYCLES, f"latency of {article} memory instruction ({name})", latex)
        for symbol, article, name, latex in (
            (latency_coalesced, "a coalesced", "mem_l_coal", _below("l", "coal")),
            (latency_uncoalesced, "an uncoalesced", "mem_l_uncoal", _below("l", "uncoal")),
            (latency_constant, "a constant", "mem_l_const", _below("l", "const")),
        )
    ),
    *(
        described(symbol, CYCLES, f"departure delay of {article} memory instruction ({name})", lat)
        for symbol, article, name, lat in (
            (delay_coalesced, "a coalesced", "dep_del_coal", _below("d", "coal")),
            (delay_uncoalesced, "an uncoalesced", "dep_del_uncoal", _below("d", "uncoal")),
            (delay_constant, "a constant", "dep_del_const", _below("d", "const")),
        )
    ),
    *(
        described(symbol, ONE, f"number of {kind} memory instructions of a warp ({name})", latex)
        for symbol, kind, name, latex in (
            (instructions_coalesced, "coalesced", "no_coal_insts", _below("n", "coal")),
            (instructions_uncoalesced, "uncoalesced", "no_uncoal_insts", _below("n", "uncoal")),
            (instructions_constant, "constant", "no_const_insts", _below("n", "const")),
        )
    ),
    *(
        described(symbol, ONE, f"ways of the bank conflict of {kind} accesses ({name})", latex)
        for symbol, kind, name, latex in (
            (bank_ways_coalesced, "coalesced", "X_coal", _below("X", "coal")),
            (bank_ways_uncoalesced, "uncoalesced", "X_uncoal", _below("X", "uncoal")),
            (bank_ways_constant, "constant", "X_const", _below("X", "const")),
        )
    ),
)
_CACHE = (
    described(
        conflict_set_size,
        ONE,
        "size of the temporal conflict set: other blocks of the cache set referenced since the "
        "last reference to this one (|TCS|)",
        "D",
    ),
    described(
        reference, ONE, "number of a reference to a memory block, from 1 (j)", "j", "reference >= 1"
    ),
    described(references, ONE, "number of references to a memory block (N_m)", "J"),
    described(memory_blocks, ONE, "number of memory blocks that map to a cache set (|M_i|)", "M"),
)
_WARPS = (
    described(
        instructions_memory,
        ONE,
        "number of memory instructions of a warp (no_mem_insts)",
        _below("n", "mem"),
    ),
    described(
        instructions_total,
        ONE,
        "number of all instructions of a warp (no_total_insts)",
        _below("n", "total"),
    ),
    described(
        instructions_load_shared,
        ONE,
        "number of loads of a warp from main memory to shared memory (no_smem_load_inst)",
        _below("n", "load"),
    ),
    described(
        instructions_synchronisation,
        ONE,
        "number of synchronisation instructions of a warp (no_sync_insts)",
        _below("n", "sync"),
    ),
    described(blocks, ONE, "number of thread blocks of the kernel (no_blocks)", "b"),
    described(
        active_blocks,
        ONE,
        "thread blocks that run at once on a multiprocessor (B)",
        "B",
        "0 < active_blocks <= blocks",
    ),
    described(
        active_warps, ONE, "warps that run at once on a multiprocessor (N)", _below("N", "w")
    ),
    described(block_threads, ONE, "threads of a block", _below("n", "block"), "0 < block_threads"),
    described(warp_threads, ONE, "threads of a warp", _below("n", "warp"), "0 < warp_threads"),
    described(
        updates_hottest,
        ONE,
        "updates of the element of an array that is updated most, by all threads of a launch",
        _below("n", "hot"),
    ),
    described(
        latency_mean,
        CYCLES,
        "mean latency of a memory instruction of a warp, all classes (mem_l)",
        r"\bar{l}",
    ),
    described(
        delay_mean,
        CYCLES,
        "mean departure delay of a memory instruction of a warp, all classes (departure_delay)",
        r"\bar{d}",
    ),
    described(cycles_memory, CYCLES, "memory cycles of a warp (mem_cycles)", _below("c", "mem")),
    described(
        cycles_computation,
        CYCLES,
        "computation cycles of a warp (comp_cycles)",
        _below("c", "comp"),
    ),
    described(
        cycles_shared,
        CYCLES,
        "cycles of a warp's accesses to shared memory (smem_cycles)",
        _below("c", "smem"),
    ),
    described(
        cycles_load_shared,
        CYCLES,
        "cycles of a warp's loads to shared memory (smem_load_cycles)",
        _below("c", "load"),
    ),
    described(
        cycles_synchronisation,
        CYCLES,
        "cycles lost to synchronisation (sync_cost)",
        _below("c", "sync"),
    ),
    described(
        cycles_combining,
        CYCLES,
        "cycles in which blocks combine the partial results of their threads",
        _below("c", "comb"),
    ),
    described(
        cycles_total, CYCLES, "execution cycles of the kernel (exec_cycles)", _below("c", "exec")
    ),
    described(
        mwp,
        ONE,
        "memory warp parallelism: warps that access memory at once (MWP)",
        r"\mathrm{MWP}",
        "0 < mwp <= active_warps",
    ),
    described(
        cwp,
        ONE,
        "computation warp parallelism: warps that compute during one memory period, plus one (CWP)",
        r"\mathrm{CWP}",
        "0 < cwp <= active_warps",
    ),
    described(batch, ONE, "number of batches of active blocks (batch)", "R"),
    described(period_memory, CYCLES, "time of one memory instruction (mem_p)", _below("p", "mem")),
    described(
        period_computation,
        CYCLES,
        "time of the computation before one memory instruction (comp_p)",
        _below("p", "comp"),
    ),
)

ENTRIES = (*_DEVICE, *_ACCESSES, *_CACHE, *_WARPS)
"""Symbol, unit, meaning, domain and LaTeX of each: device, accesses, cache, warps [any]."""
