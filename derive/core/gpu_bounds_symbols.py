"""Symbols of the model of bounds: a current GPU, and what a launch asks of each of its units.

Counts are means of one block if nothing else is said. A lane, a scheduler or a slice takes one
thread, instruction or sector a cycle, so their numbers are rates [1/cycles]. Clock, bandwidth,
launch, latencies of L2 and of main memory, warps and blocks are those of CGPredict.
"""

import sympy as sp

from logca.derive.algebra.dimension import (
    BYTES,
    CYCLES,
    ONE,
    SECONDS,
    Dimension,
    SymbolEntry,
    described,
    nonnegative,
    positive,
)

__all__ = [
    "ENTRIES",
    "bank_passes",
    "barrier_cycles",
    "barriers",
    "busiest_blocks",
    "common_sectors",
    "conversion_lanes",
    "conversions",
    "copied_bytes",
    "copies",
    "dependent_cycles",
    "first_bytes",
    "first_sectors",
    "fp32",
    "fp32_lanes",
    "fp64",
    "fp64_lanes",
    "fresh_sectors",
    "host_peak_rate",
    "instructions",
    "int_lanes",
    "integer",
    "l2_bandwidth",
    "l2_sector",
    "l2_slices",
    "latency_L1",
    "line_cycles",
    "lines",
    "link_bandwidth",
    "link_latency",
    "load_cycles",
    "load_groups",
    "load_wavefronts",
    "main_memory_share",
    "missed_groups",
    "missed_sectors",
    "multiprocessors",
    "partial_lines",
    "partial_store",
    "peak_lanes",
    "reachable_sectors",
    "read_bytes",
    "resident_blocks",
    "sample_times",
    "sampled_sectors",
    "schedulers",
    "second_sectors",
    "shared_issue",
    "shared_wavefronts",
    "sharpness",
    "special",
    "special_lanes",
    "store_cycles",
    "store_wavefronts",
    "stored_sectors",
    "time_issue",
    "time_l1",
    "time_l2",
    "time_l2_slices",
    "time_latency",
    "time_main_memory",
    "time_pipes",
    "time_stores",
    "warps_of_block",
    "wave_bytes",
    "wavefront_cycles",
    "waves",
    "written_bytes",
]

multiprocessors, l2_sector, l2_bandwidth, l2_slices = map(
    positive, ("multiprocessors", "l2_sector", "l2_bandwidth", "l2_slices")
)
partial_store, store_cycles = map(nonnegative, ("partial_store", "store_cycles"))
wavefront_cycles, load_cycles, line_cycles = map(
    nonnegative, ("wavefront_cycles", "load_cycles", "line_cycles")
)
schedulers, fp32_lanes, int_lanes, fp64_lanes, conversion_lanes, special_lanes = map(
    positive,
    ("schedulers", "fp32_lanes", "int_lanes", "fp64_lanes", "conversion_lanes", "special_lanes"),
)
shared_issue, latency_L1, barrier_cycles = map(
    nonnegative, ("shared_issue", "latency_L1", "barrier_cycles")
)

lines, bank_passes = map(nonnegative, ("lines", "bank_passes"))
load_wavefronts, store_wavefronts, shared_wavefronts = map(
    nonnegative, ("load_wavefronts", "store_wavefronts", "shared_wavefronts")
)
missed_sectors, fresh_sectors, stored_sectors, partial_lines = map(
    nonnegative, ("missed_sectors", "fresh_sectors", "stored_sectors", "partial_lines")
)
instructions, fp32, integer, fp64, conversions, special = map(
    nonnegative, ("instructions", "fp32", "integer", "fp64", "conversions", "special")
)
load_groups, missed_groups, dependent_cycles, barriers = map(
    nonnegative, ("load_groups", "missed_groups", "dependent_cycles", "barriers")
)
warps_of_block, busiest_blocks, resident_blocks, waves = map(
    positive, ("warps_of_block", "busiest_blocks", "resident_blocks", "waves")
)
read_bytes, written_bytes, main_memory_share, wave_bytes, first_bytes = map(
    nonnegative,
    ("read_bytes", "written_bytes", "main_memory_share", "wave_bytes", "first_bytes"),
)
sampled_sectors, first_sectors, second_sectors, common_sectors, sample_times = map(
    nonnegative,
    ("sampled_sectors", "first_sectors", "second_sectors", "common_sectors", "sample_times"),
)
reachable_sectors = positive("reachable_sectors")
time_main_memory, time_l2, time_l2_slices, time_stores = map(
    nonnegative, ("time_main_memory", "time_l2", "time_l2_slices", "time_stores")
)
time_l1, time_issue, time_pipes, time_latency = map(
    nonnegative, ("time_l1", "time_issue", "time_pipes", "time_latency")
)
sharpness, link_bandwidth = map(positive, ("sharpness", "link_bandwidth"))
peak_lanes, host_peak_rate = map(positive, ("peak_lanes", "host_peak_rate"))
copies, copied_bytes, link_latency = map(nonnegative, ("copies", "copied_bytes", "link_latency"))

_A_CYCLE = Dimension(cycles=sp.Integer(-1))
_BYTES_A_CYCLE = Dimension(bytes=sp.Integer(1), cycles=sp.Integer(-1))


def _below(letter: str, word: str) -> str:
    return rf"{letter}_{{\mathrm{{{word}}}}}"


def _lanes(symbol: sp.Symbol, what: str, word: str) -> SymbolEntry:
    meaning = f"threads whose {what} a multiprocessor begins in a cycle"
    return described(symbol, _A_CYCLE, meaning, _below("n", word))


def _executed(symbol: sp.Symbol, what: str, word: str) -> SymbolEntry:
    return described(symbol, ONE, f"{what} of the warps of a block", _below("k", word))


_DEVICE = (
    described(multiprocessors, ONE, "multiprocessors of the GPU", _below("n", "SM")),
    described(l2_sector, BYTES, "bytes of a sector, the unit of transfers", _below("S", "sector")),
    described(
        l2_bandwidth,
        _BYTES_A_CYCLE,
        "bytes between L2 and one multiprocessor in a cycle, sustained while all of them transfer",
        _below("W", "L2"),
    ),
    described(
        l2_slices,
        _A_CYCLE,
        "slices of L2, each of which takes a sector a cycle",
        _below("n", "slice"),
    ),
    described(
        partial_store,
        ONE,
        "sectors that one sector costs a slice of L2 of which only a part is written",
        r"\pi",
        "partial_store >= 1",
    ),
    described(
        store_cycles,
        CYCLES,
        "cycles that a multiprocessor takes for each sector that it stores",
        _below("c", "store"),
    ),
    described(
        wavefront_cycles,
        CYCLES,
        "cycles of one pass over the banks of L1 and shared memory",
        _below("c", "pass"),
    ),
    described(
        load_cycles,
        CYCLES,
        "least cycles of a warp's access in the pipe of L1 and shared memory",
        _below("c", "access"),
    ),
    described(
        line_cycles,
        CYCLES,
        "cycles of each line of L1 that an access touches beyond the first",
        _below("c", "line"),
    ),
    described(
        schedulers,
        _A_CYCLE,
        "schedulers of a multiprocessor, each of which issues an instruction a cycle",
        _below("n", "issue"),
    ),
    _lanes(fp32_lanes, "instruction in single precision", "FP32"),
    _lanes(int_lanes, "integer instruction", "int"),
    _lanes(fp64_lanes, "instruction in double precision", "FP64"),
    _lanes(conversion_lanes, "conversion between types", "conv"),
    _lanes(special_lanes, "special function, such as a reciprocal or a sine,", "special"),
    described(
        shared_issue,
        ONE,
        "share of the integer instructions that lanes of single precision take: 1 where both "
        "kinds have the same lanes, else 0",
        r"\sigma_{\mathrm{int}}",
        "0 <= shared_issue <= 1",
    ),
    described(
        latency_L1, CYCLES, "cycles from a load to its use that hits in L1", _below("l", "L1")
    ),
    described(barrier_cycles, CYCLES, "cycles that a warp waits at a barrier", _below("c", "bar")),
    _lanes(peak_lanes, "multiplication and addition in one", "peak"),
    described(
        host_peak_rate,
        Dimension(seconds=sp.Integer(-1)),
        "floating-point operations of the host in a second, at most, by its specification",
        r"\mathrm{peak}_{\mathrm{CPU}}",
    ),
)
_LAUNCH = (
    described(
        busiest_blocks, ONE, "blocks of a launch on the busiest multiprocessor", _below("b", "busy")
    ),
    described(
        resident_blocks, ONE, "blocks that a multiprocessor holds at a time", _below("b", "held")
    ),
    described(
        waves, ONE, "times that the busiest multiprocessor fills with blocks", _below("n", "wave")
    ),
    described(read_bytes, BYTES, "bytes that a launch reads from main memory", _below("S", "read")),
    described(
        written_bytes, BYTES, "bytes that a launch writes to main memory", _below("S", "write")
    ),
    described(
        wave_bytes,
        BYTES,
        "bytes that the blocks read which run at a time, each counted once",
        _below("S", "wave"),
    ),
    described(
        first_bytes,
        BYTES,
        "bytes of these that the first blocks read and L2 does not have",
        _below("S", "first"),
        "0 <= first_bytes <= wave_bytes",
    ),
    described(
        main_memory_share,
        ONE,
        "share of the sectors missed in L1 that main memory delivers",
        r"\mu_{\mathrm{dram}}",
        "0 <= main_memory_share <= 1",
    ),
)
_BLOCK = (
    described(
        lines,
        ONE,
        "lines of L1 that an access of a warp touches",
        _below("k", "line"),
        "lines >= 1",
    ),
    described(
        bank_passes,
        ONE,
        "passes over the banks that a warp's access needs: the most different words that one "
        "bank has of it",
        _below("k", "pass"),
        "bank_passes >= 1",
    ),
    *(
        described(
            symbol,
            CYCLES,
            f"cycles of the pipe of L1 and shared memory in which warps of a block {what}",
            _below("c", word),
        )
        for symbol, what, word in (
            (load_wavefronts, "load", "loads"),
            (store_wavefronts, "store", "stores"),
            (shared_wavefronts, "access shared memory", "shared"),
        )
    ),
    described(
        missed_sectors, ONE, "sectors that a block loads and L1 does not have", _below("k", "miss")
    ),
    described(
        fresh_sectors,
        ONE,
        "missed sectors that none of the blocks on the multiprocessor has loaded before",
        _below("k", "fresh"),
        "0 <= fresh_sectors <= missed_sectors",
    ),
    described(stored_sectors, ONE, "sectors that a block stores", _below("k", "stored")),
    described(
        partial_lines,
        ONE,
        "lines of these with a sector of which only a part is written",
        _below("k", "part"),
        "0 <= partial_lines <= stored_sectors",
    ),
    _executed(instructions, "instructions", "inst"),
    _executed(fp32, "instructions in single precision", "FP32"),
    _executed(integer, "integer instructions", "int"),
    _executed(fp64, "instructions in double precision", "FP64"),
    _executed(conversions, "conversions between types", "conv"),
    _executed(special, "special functions", "special"),
    described(
        load_groups,
        ONE,
        "groups of loads that overlap, which warps of a block wait for one after the other",
        _below("k", "group"),
    ),
    described(
        missed_groups,
        ONE,
        "groups of these of which a load misses L1",
        _below("k", "far"),
        "0 <= missed_groups <= load_groups",
    ),
    described(
        dependent_cycles,
        CYCLES,
        "cycles in which warps of a block wait for results of arithmetic and of shared memory",
        _below("c", "wait"),
    ),
    described(barriers, ONE, "barriers at which warps of a block wait", _below("k", "bar")),
    described(warps_of_block, ONE, "warps of a block", _below("w", "block")),
)
_TIMES = (
    *(
        described(symbol, SECONDS, f"time that {what} at least", _below("T", word))
        for symbol, what, word in (
            (time_main_memory, "main memory needs", "dram"),
            (time_l2, "the ports to L2 need", "port"),
            (time_l2_slices, "the slices of L2 need", "slice"),
            (time_stores, "stores need on their multiprocessor", "store"),
            (time_l1, "L1 and shared memory need", "L1"),
            (time_issue, "issuing the instructions needs", "issue"),
            (time_pipes, "the busiest pipe of arithmetic needs", "arith"),
            (time_latency, "waiting for results needs", "wait"),
        )
    ),
    described(
        sharpness,
        ONE,
        "how well units overlap: 1 if one works after the other, without limit if all work at once",
        r"\eta",
        "sharpness >= 1",
    ),
)

_SAMPLES = (
    described(
        reachable_sectors,
        ONE,
        "sectors of an array that its accesses choose from",
        _below("N", "sector"),
    ),
    described(
        sampled_sectors,
        ONE,
        "different sectors that the sampled blocks reach",
        _below("n", "seen"),
        "0 <= sampled_sectors <= reachable_sectors",
    ),
    described(
        sample_times, ONE, "blocks of the launch for each of the sampled ones", _below("r", "seen")
    ),
    *(
        described(symbol, ONE, f"different sectors that {who} of the sampled blocks reach", latex)
        for symbol, who, latex in (
            (first_sectors, "some", "n_1"),
            (second_sectors, "others", "n_2"),
            (common_sectors, "both these and those", _below("n", "common")),
        )
    ),
)
_COPIES = (
    described(
        link_bandwidth,
        Dimension(bytes=sp.Integer(1), seconds=sp.Integer(-1)),
        "bandwidth of the link between host and GPU, one way",
        _below("B", "link"),
    ),
    described(
        link_latency,
        SECONDS,
        "time of a copy besides its bytes",
        _below("L", "link"),
    ),
    described(copies, ONE, "copies between host and GPU", _below("n", "copy")),
    described(copied_bytes, BYTES, "bytes that are copied", _below("b", "copy")),
)

ENTRIES = (*_DEVICE, *_LAUNCH, *_BLOCK, *_TIMES, *_SAMPLES, *_COPIES)
"""Symbol, unit, meaning, domain and LaTeX of each: device, launch, block, times, samples, copies
[any]."""
