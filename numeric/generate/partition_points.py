"""Values for the examples of partitions' functions, with the latencies of kenter2010, Table I.

The program has three blocks; a loop in the second one executes 1000 times. Cycles are half cycles,
so that those of the accelerator are whole numbers.
"""

from fractions import Fraction

__all__ = ["POINTS", "SEQUENCES"]

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
POINTS = ({name: Fraction(value) for name, value in _LOOP.items()} | _SPEEDUPS,)
"""Values for all symbols [their units]."""

SEQUENCES = {
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
"""Terms of sums [their units]."""
