"""CGPredict written down a second time, from the paper, in its own names and in plain numbers.

Works on Fractions and on floats alike. Nothing here comes from the package.
"""

from collections.abc import Callable
from typing import Any

PAPER = {
    "freq": "frequency",
    "inst_cycle": "cycles_per_instruction",
    "mem_ld_L2": "latency_L2",
    "mem_ld_dram": "latency_dram",
    "mem_ld_smem": "latency_shared",
    "smem_load_const": "latency_load_shared",
    "dd_L2": "delay_L2",
    "dd_dram": "delay_dram",
    "size": "cache_size",
    "line": "cache_line",
    "assoc": "associativity",
    "TCS": "conflict_set_size",
    "j": "reference",
    "pw": "transactions",
    "trans": "dram_transactions",
    "miss": "miss_rate",
    "lc": "latency_coalesced",
    "lu": "latency_uncoalesced",
    "lk": "latency_constant",
    "dc": "delay_coalesced",
    "du": "delay_uncoalesced",
    "dk": "delay_constant",
    "nc": "instructions_coalesced",
    "nu": "instructions_uncoalesced",
    "nk": "instructions_constant",
    "Xc": "bank_ways_coalesced",
    "Xu": "bank_ways_uncoalesced",
    "Xk": "bank_ways_constant",
    "no_mem_insts": "instructions_memory",
    "no_total_insts": "instructions_total",
    "no_smem_load_inst": "instructions_load_shared",
    "no_sync_insts": "instructions_synchronisation",
    "no_blocks": "blocks",
    "B": "active_blocks",
    "N": "active_warps",
    "mem_l": "latency_mean",
    "departure_delay": "delay_mean",
    "mem_cycles": "cycles_memory",
    "comp_cycles": "cycles_computation",
    "smem_cycles": "cycles_shared",
    "smem_load_cycles": "cycles_load_shared",
    "sync_cost": "cycles_synchronisation",
    "exec_cycles": "cycles_total",
    "MWP": "mwp",
    "CWP": "cwp",
    "batch": "batch",
    "mem_p": "period_memory",
    "comp_p": "period_computation",
}
"""Names of the paper, the three classes of accesses shortened, and ours."""


class Given:
    """Our values under the paper's names."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def __getattr__(self, name: str) -> Any:
        return self.values[PAPER[name]]


def eq1(p: Given) -> Any:
    return p.mem_ld_L2 + (p.pw - 1) * p.dd_L2


def eq2(p: Given) -> Any:
    return p.mem_ld_L2 + p.mem_ld_dram + (p.trans - 1) * p.dd_dram


def eq6(p: Given) -> Any:
    return p.lu * p.nu + p.lc * p.nc + p.lk * p.nk


def eq8(p: Given) -> Any:
    return (p.du * p.nu + p.dc * p.nc + p.dk * p.nk) / (p.nu + p.nc + p.nk)


def eq16(p: Given, first: int = 0) -> Any:
    return p.batch * (p.mem_cycles / p.MWP * p.N + p.comp_cycles / p.no_mem_insts * (p.MWP - first))


def eq20(p: Given) -> Any:
    return sum(p.mem_ld_smem * x * n for x, n in ((p.Xu, p.nu), (p.Xc, p.nc), (p.Xk, p.nk)))


def execution(p: Given, *, printed: bool) -> Any:
    if p.CWP >= p.MWP:
        return eq16(p, 0 if printed else 1)
    if printed:
        return p.mem_l + p.comp_cycles * p.N * p.batch
    return p.batch * p.mem_l + p.batch * p.comp_cycles * p.N


def whole(p: Given) -> Any:
    """Eqs 6-8 and 12-18, one after the other."""
    step = {
        "cycles_memory": eq6(p),
        "instructions_memory": p.nu + p.nc + p.nk,
        "cycles_computation": p.inst_cycle * p.no_total_insts,
        "active_warps": p.N,
        "batch": p.no_blocks / p.B,
    }
    step["latency_mean"] = step["cycles_memory"] / step["instructions_memory"]
    step["mwp"] = min(step["latency_mean"] / eq8(p), p.N)
    step["cwp"] = min(1 + step["cycles_memory"] / step["cycles_computation"], p.N)
    return execution(Given(step), printed=False) / p.freq


ORACLE: dict[str, Callable[[Given], Any]] = {
    "access_latency_L2": eq1,
    "access_latency_dram": eq2,
    "access_latency": lambda p: eq2(p) if p.trans > 1 else eq1(p),
    "access_delay": lambda p: max(p.pw * p.dd_L2, p.trans * p.dd_dram),
    "constant_access_latency": lambda p: p.mem_ld_L2 + p.trans * p.mem_ld_dram,
    "constant_access_delay": lambda p: p.pw * p.dd_L2 + p.trans * p.dd_dram,
    "memory_instructions": lambda p: p.nc + p.nu + p.nk,
    "memory_cycles": eq6,
    "memory_latency": lambda p: p.mem_cycles / p.no_mem_insts,
    "memory_latency_weighted": lambda p: eq6(p) / (p.nc + p.nu + p.nk),
    "departure_delay": eq8,
    "simple_access_latency": lambda p: p.mem_ld_L2 * (1 - p.miss) + p.mem_ld_dram * p.miss,
    "simple_access_delay": lambda p: p.dd_L2 * (1 - p.miss) + p.dd_dram * p.miss,
    "cache_sets": lambda p: p.size / p.line / p.assoc,
    "hit": lambda p: 1 if p.assoc > p.TCS and p.j > 1 else 0,
    "computation_cycles": lambda p: p.inst_cycle * p.no_total_insts,
    "memory_warp_parallelism_full": lambda p: p.mem_l / p.departure_delay,
    "memory_warp_parallelism": lambda p: min(p.mem_l / p.departure_delay, p.N),
    "computation_warp_parallelism_full": lambda p: 1 + p.mem_cycles / p.comp_cycles,
    "computation_warp_parallelism": lambda p: min(1 + p.mem_cycles / p.comp_cycles, p.N),
    "batches": lambda p: p.no_blocks / p.B,
    "memory_bound_cycles_printed": eq16,
    "memory_bound_cycles": lambda p: eq16(p, 1),
    "computation_bound_cycles_printed": lambda p: p.comp_cycles * p.N * p.batch + p.mem_l,
    "computation_bound_cycles": lambda p: (p.comp_cycles * p.N + p.mem_l) * p.batch,
    "execution_cycles_printed": lambda p: execution(p, printed=True),
    "execution_cycles": lambda p: execution(p, printed=False),
    "period_cycles": lambda p: (
        p.mem_p + p.comp_p * p.N if p.CWP < p.MWP else p.mem_p * p.N / p.MWP + p.comp_p * p.MWP
    ),
    "time_of_cycles": lambda p: p.exec_cycles / p.freq,
    "execution_time": whole,
    "shared_load_cycles": lambda p: p.no_smem_load_inst * p.smem_load_const,
    "shared_memory_cycles": eq20,
    "memory_cycles_with_shared": lambda p: p.mem_cycles + p.smem_load_cycles,
    "computation_cycles_with_shared": lambda p: p.comp_cycles + p.smem_cycles,
    "synchronisation_cycles": lambda p: (
        p.departure_delay * (p.MWP - 1) * p.no_sync_insts * p.B * p.batch
    ),
    "execution_cycles_with_synchronisation": lambda p: p.exec_cycles + p.sync_cost,
}
"""What each formula is, but for the sums over a trace and our own corollaries."""
