"""Models whose formulas become functions of keywords, one generated module for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from logca.derive.algebra.dimension import SymbolEntry
from logca.derive.core import (
    cgpredict_symbols,
    gpu_bounds_symbols,
    partition_symbols,
    shape_symbols,
)
from logca.derive.core.catalogue import CGPREDICT, GPU_BOUNDS, PARTITION, SHAPES
from logca.derive.core.symbols import TABLE

__all__ = ["GROUPS", "Group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A model."""

    title: str  # the first line of the module
    formulas: tuple[str, ...]  # their names, in order
    symbols: tuple[SymbolEntry, ...]  # their symbols, in the order of arguments
    # Values of all symbols for examples; the first point where a formula's conditions hold counts.
    points: Sequence[Mapping[str, Fraction]]
    sequences: Mapping[str, Sequence[int]]  # terms of sums for examples
    # whether sums, products and extrema of whole numbers are to be whole numbers
    whole: bool = False


# Jetson TK1 (wang2017, Tables 1 and 3) and a kernel like its GEMM: 1024 iterations with one
# coalesced and one constant load each, every 64th of the latter a miss.
_LOADS = 1024
_GEMM = {
    "frequency": Fraction(852_000_000),
    "bandwidth": Fraction(17_000_000_000),
    "dram_bytes": Fraction(8_000_000),
    "launch_overhead": Fraction(1, 50_000),
    "cycles_per_instruction": Fraction(1, 2),
    "latency_L2": Fraction(164),
    "latency_dram": Fraction(332),
    "latency_shared": Fraction(67),
    "latency_load_shared": Fraction(506),
    "delay_L2": Fraction(2),
    "delay_dram": Fraction(10),
    "delay_atomic": Fraction(1),
    "cache_size": Fraction(128 * 1024),
    "cache_line": Fraction(64),
    "associativity": Fraction(16),
    "transactions": Fraction(2),
    "dram_transactions": Fraction(1, 4),
    "share_dram": Fraction(1, 8),
    "transactions_hit": Fraction(2),
    "miss_rate": Fraction(1, 10),
    "latency_coalesced": Fraction(166),
    "latency_uncoalesced": Fraction(226),
    "latency_constant": Fraction(164) + Fraction(332, 64),
    "delay_coalesced": Fraction(4),
    "delay_uncoalesced": Fraction(64),
    "delay_constant": Fraction(2) + Fraction(10, 64),
    "instructions_coalesced": Fraction(_LOADS),
    "instructions_uncoalesced": Fraction(0),
    "instructions_constant": Fraction(_LOADS),
    "bank_ways_coalesced": Fraction(1),
    "bank_ways_uncoalesced": Fraction(16),
    "bank_ways_constant": Fraction(1),
    "conflict_set_size": Fraction(3),
    "reference": Fraction(2),
    "instructions_memory": Fraction(2 * _LOADS),
    "instructions_total": Fraction(10 * _LOADS),
    "instructions_load_shared": Fraction(64),
    "instructions_synchronisation": Fraction(64),
    "blocks": Fraction(1024),
    "active_blocks": Fraction(2),
    "block_threads": Fraction(1024),
    "warp_threads": Fraction(32),
    "updates_hottest": Fraction(500_000_000),
    "active_warps": Fraction(64),
    "latency_mean": Fraction(168),
    "delay_mean": Fraction(3),
    "cycles_memory": Fraction(343_232),
    "cycles_computation": Fraction(5120),
    "cycles_shared": Fraction(137_216),
    "cycles_load_shared": Fraction(32_384),
    "cycles_synchronisation": Fraction(100_000),
    "cycles_combining": Fraction(2000),
    "cycles_total": Fraction(206_640_000),
    "mwp": Fraction(56),
    "cwp": Fraction(64),
    "batch": Fraction(512),
    "period_memory": Fraction(168),
    "period_computation": Fraction(5, 2),
}
_CGPREDICT_POINTS = (
    _GEMM,
    _GEMM | {"dram_transactions": Fraction(16), "transactions": Fraction(32)},
    _GEMM | {"cwp": Fraction(8)},
)

_CGPREDICT_SEQUENCES = {
    "conflict_set_size": (0, 3, 15, 16, 2),
    "block_hits": (4, 0, 7),
    "set_hits": (11, 30),
}

# A saxpy of 2**22 elements in blocks of 256 threads on a GPU like an RTX 3080, caches cold: each
# of the eight warps of a block loads four sectors of two arrays, and stores those of one.
_SAXPY = {
    "frequency": Fraction(1_725_000_000),
    "bandwidth": Fraction(700_000_000_000),
    "launch_overhead": Fraction(3, 1_000_000),
    "warp_threads": Fraction(32),
    "multiprocessors": Fraction(68),
    "l2_sector": Fraction(32),
    "l2_bandwidth": Fraction(83, 5),
    "l2_slices": Fraction(40),
    "partial_store": Fraction(23, 10),
    "store_cycles": Fraction(2),
    "wavefront_cycles": Fraction(1),
    "load_cycles": Fraction(2),
    "line_cycles": Fraction(53, 200),
    "schedulers": Fraction(4),
    "fp32_lanes": Fraction(128),
    "int_lanes": Fraction(64),
    "fp64_lanes": Fraction(2),
    "conversion_lanes": Fraction(16),
    "special_lanes": Fraction(16),
    "shared_issue": Fraction(1),
    "latency_L1": Fraction(36),
    "latency_L2": Fraction(230),
    "latency_dram": Fraction(290),
    "link_bandwidth": Fraction(25_000_000_000),
    "link_latency": Fraction(1, 100_000),
    "peak_lanes": Fraction(128),
    "host_peak_rate": Fraction(10**11),
    "copies": Fraction(3),
    "copied_bytes": Fraction(12_582_912),
    "barrier_cycles": Fraction(30),
    "blocks": Fraction(16_384),
    "busiest_blocks": Fraction(16_384, 68),
    "resident_blocks": Fraction(6),
    "waves": Fraction(16_384, 408),
    "read_bytes": Fraction(2**25),
    "written_bytes": Fraction(2**24),
    "wave_bytes": Fraction(408 * 64 * 32),
    "first_bytes": Fraction(408 * 64 * 32),
    "main_memory_share": Fraction(1),
    "lines": Fraction(1),
    "bank_passes": Fraction(1),
    "load_wavefronts": Fraction(32),
    "store_wavefronts": Fraction(16),
    "shared_wavefronts": Fraction(0),
    "missed_sectors": Fraction(64),
    "fresh_sectors": Fraction(64),
    "stored_sectors": Fraction(32),
    "partial_lines": Fraction(0),
    "instructions": Fraction(96),
    "fp32": Fraction(8),
    "integer": Fraction(48),
    "fp64": Fraction(0),
    "conversions": Fraction(0),
    "special": Fraction(0),
    "load_groups": Fraction(8),
    "missed_groups": Fraction(8),
    "dependent_cycles": Fraction(160),
    "barriers": Fraction(0),
    "warps_of_block": Fraction(8),
    "time_main_memory": Fraction(72, 1_000_000),
    "time_l2": Fraction(26, 1_000_000),
    "time_l2_slices": Fraction(23, 1_000_000),
    "time_stores": Fraction(10, 1_000_000),
    "time_l1": Fraction(7, 1_000_000),
    "time_issue": Fraction(3, 1_000_000),
    "time_pipes": Fraction(3, 1_000_000),
    "time_latency": Fraction(13, 1_000_000),
    "sharpness": Fraction(5, 2),
    "reachable_sectors": Fraction(2**20),
    "first_sectors": Fraction(2**15),
    "second_sectors": Fraction(2**15),
    "common_sectors": Fraction(2**10),
    "sampled_sectors": Fraction(2**16 - 2**10),
    "sample_times": Fraction(64),
}

# Latencies of kenter2010, Table I, and a program of three blocks; a loop in the second one executes
# 1000 times. Cycles are half cycles, so that those of the accelerator are whole numbers.
_LOOP = {
    "mapped_source": 0,
    "mapped_target": 1,
    "block_executions": 1000,
    "flow_executions": 1,
    "producer_executions": 1,
    "consumer_executions": 1000,
    "accesses_L1": 1900,
    "accesses_L2": 80,
    "accesses_memory": 20,
    "accesses_shared": 80,
    "write_backs": 5,
    "cache_latency_L1": 6,
    "cache_latency_L2": 30,
    "memory_access_latency": 400,
    "shared_penalty": 2,
    "write_back_penalty": 30,
    "control_latency": 4,
    "push_latency": 2,
    "pull_latency": 6,
    "cycles_push": 2,
    "cycles_pull": 6000,
    "cycles_program_execution": 10_080,
    "cycles_program_memory": 22_110,
    "cycles_control_transfer": 8,
    "cycles_register_transfer": 2,
    "cycles_program_execution_cpu": 24_080,
    "cycles_program_execution_accelerator": 10_040,
    "cycles_program_memory_cpu": 21_800,
    "cycles_program": 32_200,
    "cycles_cpu_only": 45_880,
    "cycles_theoretical": 31_840,
}
_SPEEDUPS = {"speedup_partition": Fraction(7, 5), "speedup_theoretical": Fraction(3, 2)}
_PARTITION_POINTS = ({name: Fraction(value) for name, value in _LOOP.items()} | _SPEEDUPS,)

_PARTITION_SEQUENCES = {
    "class_operations": (10, 2),
    "operation_cycles": (1, 0),
    "mapped": (0, 1, 0),
    "block_cycles_cpu": (40, 24_000, 40),
    "block_cycles_accelerator": (20, 10_000, 20),
    "block_area": (20, 12, 20),
    "block_memory_cycles": (0, 22_110, 0),
    "blocks_apart": (1, 0, 1),
    "flow_transfer_cycles": (4, 3996, 4),
    "use_pull_cycles": (6000, 12, 6),
    "value_transfer_cycles": (2, 0),
    "pair_transfer_cycles": (2, 12, 6),
}

# A product of 512-square matrices in single precision: 1 us a call on the host, 30 us offloaded.
_PRODUCT = {
    "data_bytes": Fraction(3 * 4 * 512**2),
    "work": Fraction(2 * 512**3),
    "items": Fraction(1),
    "call_time_host": Fraction(1),
    "call_time_accelerated": Fraction(30),
    "item_time_host": Fraction(0),
    "item_time_accelerated": Fraction(1, 2),
    "byte_time_host": Fraction(1, 8192),
    "byte_time_accelerated": Fraction(1, 1024),
    "work_time_host": Fraction(1, 2**16),
    "work_time_accelerated": Fraction(1, 2**20),
    "beta": Fraction(1),
}

GROUPS = {
    "cgpredict": Group(
        title="Array functions of CGPredict, a model of the execution time of GPU kernels.",
        formulas=tuple(name for listed in CGPREDICT.values() for name in listed),
        symbols=cgpredict_symbols.ENTRIES,
        points=_CGPREDICT_POINTS,
        sequences=_CGPREDICT_SEQUENCES,
    ),
    "gpu_bounds": Group(
        title="Array functions of the model of bounds: each unit of a GPU at its own rate.",
        formulas=tuple(name for listed in GPU_BOUNDS.values() for name in listed),
        symbols=(*cgpredict_symbols.ENTRIES, *gpu_bounds_symbols.ENTRIES),
        points=(_SAXPY,),
        sequences={},
    ),
    "partition": Group(
        title="Array functions of partitions between CPU and accelerator (kenter2010).",
        formulas=tuple(name for listed in PARTITION.values() for name in listed),
        symbols=partition_symbols.ENTRIES,
        points=_PARTITION_POINTS,
        sequences=_PARTITION_SEQUENCES,
        whole=True,
    ),
    "shapes": Group(
        title="Array functions of LogCA with bytes, work and items apart.",
        formulas=tuple(name for listed in SHAPES.values() for name in listed),
        symbols=(*shape_symbols.ENTRIES, TABLE["beta"]),
        points=(_PRODUCT,),
        sequences={},
    ),
}
"""By the name of the module in `logca.numeric.generated`."""
