"""Values for the examples of CGPredict's functions.

The numbers are those of Jetson TK1 (wang2017, Tables 1 and 3) and of a kernel like its GEMM: 1024
iterations with one coalesced and one constant load each, every 64th of the latter a miss.
"""

from fractions import Fraction

__all__ = ["POINTS", "SEQUENCES"]

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
    "active_warps": Fraction(64),
    "latency_mean": Fraction(168),
    "delay_mean": Fraction(3),
    "cycles_memory": Fraction(343_232),
    "cycles_computation": Fraction(5120),
    "cycles_shared": Fraction(137_216),
    "cycles_load_shared": Fraction(32_384),
    "cycles_synchronisation": Fraction(100_000),
    "cycles_total": Fraction(206_640_000),
    "mwp": Fraction(56),
    "cwp": Fraction(64),
    "batch": Fraction(512),
    "period_memory": Fraction(168),
    "period_computation": Fraction(5, 2),
}
POINTS = (
    _GEMM,
    _GEMM | {"dram_transactions": Fraction(16), "transactions": Fraction(32)},
    _GEMM | {"cwp": Fraction(8)},
)
"""Values for all symbols; the first where a formula's conditions hold counts [their units]."""

SEQUENCES = {
    "conflict_set_size": (0, 3, 15, 16, 2),
    "block_hits": (4, 0, 7),
    "set_hits": (11, 30),
}
"""Terms of sums [their units]."""
