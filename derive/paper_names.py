"""Formulas by the numbers that papers print beside their equations."""

__all__ = ["PAPER_NAMES"]

PAPER_NAMES = {
    "cgpredict-eq1": "access_latency_L2",
    "cgpredict-eq2": "access_latency_dram",
    "cgpredict-eq3": "access_delay",
    "cgpredict-eq4": "constant_access_latency",
    "cgpredict-eq5": "constant_access_delay",
    "cgpredict-eq6": "memory_cycles",
    "cgpredict-eq7": "memory_latency",
    "cgpredict-eq8": "departure_delay",
    "cgpredict-eq9": "block_hits",
    "cgpredict-eq10": "set_hits",
    "cgpredict-eq11": "trace_hits",
    "cgpredict-eq12": "computation_cycles",
    "cgpredict-eq13": "memory_warp_parallelism",
    "cgpredict-eq14": "computation_warp_parallelism",
    "cgpredict-eq15": "batches",
    "cgpredict-eq16": "memory_bound_cycles_printed",
    "cgpredict-eq17": "computation_bound_cycles_printed",
    "cgpredict-eq18": "time_of_cycles",
    "cgpredict-eq19": "shared_load_cycles",
    "cgpredict-eq20": "shared_memory_cycles",
    "cgpredict-eq21": "memory_cycles_with_shared",
    "cgpredict-eq22": "computation_cycles_with_shared",
    "cgpredict-eq23": "synchronisation_cycles",
    "cgpredict-eq24": "simple_access_latency",
    "cgpredict-eq25": "simple_access_delay",
    "hong2009-eq23": "memory_bound_cycles",
    "hong2009-eq24": "computation_bound_cycles",
    "kenter-t": "program_cycles",
    "kenter-te": "program_execution_cycles",
    "kenter-tm": "program_memory_cycles",
    "kenter-tc": "control_transfer_cycles",
    "kenter-tr": "pairwise_transfer_cycles",
}
"""What papers call an equation, and the name of the formula [text]."""
