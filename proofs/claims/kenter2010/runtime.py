"""Statements of Kenter et al. on the runtime of a partition: section II, t = te + tm + tc + tr.

All but t are sums; a claim has the sum of one term, and says with it what each term is.
"""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.kenter2010.table1 import table1

__all__ = ["CLAIMS"]

_EITHER = (
    "mapped_source == 0 or mapped_source == 1",
    "mapped_target == 0 or mapped_target == 1",
)
_PAIR = "min(producer_executions*push_latency, consumer_executions*pull_latency)"
_PARTS = (
    "cycles_program_execution",
    "cycles_program_memory",
    "cycles_control_transfer",
    "cycles_register_transfer",
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="kenter2010-t",
        source="kenter2010, §II-A, t",
        statement="The runtime is the sum of execution, memory access, control transfer and "
        "register transfer: none of them hides another.",
        asserts=(
            f"program_cycles == {' + '.join(_PARTS)}",
            *(f"program_cycles({each}={each} + x) == program_cycles + x" for each in _PARTS),
        ),
    ),
    Claim(
        id="kenter2010-t-pays",
        source="kenter2010, §II-A",
        statement="A partition is faster than the CPU alone exactly if it saves more execution "
        "than its transfers, and what it adds to memory accesses, take.",
        asserts=(
            "iff(program_cycles < cpu_only_cycles,"
            " cycles_program_execution_cpu - cycles_program_execution"
            " > cycles_control_transfer + cycles_register_transfer"
            " + cycles_program_memory - cycles_program_memory_cpu)",
        ),
        argument="The CPU alone transfers nothing.",
    ),
    Claim(
        id="kenter2010-te",
        source="kenter2010, §II-A, t_e, with the classes of §III",
        statement="An operation takes the mean cycles of its class whenever its block is executed, "
        "on the core on which the block is; the execution time adds them.",
        asserts=(
            "block_execution_cycles(classes=1)"
            " == block_executions*class_operations*operation_cycles",
            "implies(mapped == 0, program_execution_cycles(basic_blocks=1) == block_cycles_cpu)",
            "implies(mapped == 1,"
            " program_execution_cycles(basic_blocks=1) == block_cycles_accelerator)",
            "iff(mapped_area(basic_blocks=1) == 0, mapped == 0 or block_area == 0)",
        ),
    ),
    Claim(
        id="kenter2010-tm",
        source="kenter2010, §II-A, t_m",
        statement="The memory access time is the latency of its level for each load and store.",
        given=("accesses_shared == 0", "write_backs == 0"),
        asserts=(
            "block_memory_cycles == accesses_L1*cache_latency_L1 + accesses_L2*cache_latency_L2"
            " + accesses_memory*memory_access_latency",
            "program_memory_cycles(basic_blocks=1) == block_memory_cycles",
        ),
        argument="Without what section III adds: write-backs, and penalties of shared caches.",
    ),
    Claim(
        id="kenter2010-tc",
        source="kenter2010, §II-A, t_c",
        statement="Passing on control costs a latency for each time, and only if the two blocks "
        "are on different cores.",
        given=_EITHER,
        asserts=(
            "iff(blocks_apart == 1, mapped_source != mapped_target)",
            "blocks_apart == 0 or blocks_apart == 1",
            "flow_transfer_cycles == flow_executions*control_latency",
            "control_transfer_cycles(flows=1) == blocks_apart*flow_transfer_cycles",
        ),
    ),
    Claim(
        id="kenter2010-tr",
        source="kenter2010, §II-A, t_r",
        statement="A register value costs the cheaper of pushing it whenever it is produced and "
        "pulling it whenever it is used.",
        asserts=(
            f"pair_transfer_cycles == {_PAIR}",
            "pair_transfer_cycles <= push_cycles",
            "pair_transfer_cycles <= use_pull_cycles",
            "pairwise_transfer_cycles(register_pairs=1) == blocks_apart*pair_transfer_cycles",
        ),
    ),
    Claim(
        id="kenter2010-tr-push",
        source="kenter2010, §II-A, t_r, with Table I",
        statement="With the latencies of Table I it is pushed unless it is produced more than "
        "three times as often as it is used.",
        given=table1("push_latency", "pull_latency"),
        asserts=(
            "iff(pair_transfer_cycles == push_cycles,"
            " producer_executions <= 3*consumer_executions)",
        ),
        argument="A value used as often as produced is pushed, for one cycle; a pull takes three.",
    ),
    Claim(
        id="kenter2010-tr-once",
        source="kenter2010, §II-A, t_r",
        statement="The sum over register values has each value once, however many blocks use it.",
        asserts=(
            "value_transfer_cycles(cycles_pull=x + y) == min(cycles_push, x) + min(cycles_push, y)",
        ),
        corrected=Correction(
            statement="The condition below the sum, which names one producer and one consumer, "
            "has it once for each consumer; if one push serves both, the value costs no more "
            "than that, and at least half.",
            given=("cycles_push > 0",),
            asserts=(
                "register_transfer_cycles(register_values=1) == value_transfer_cycles",
                "value_transfer_cycles(cycles_pull=x + y)"
                " <= min(cycles_push, x) + min(cycles_push, y)",
                "min(cycles_push, x) + min(cycles_push, y)"
                " <= 2*value_transfer_cycles(cycles_pull=x + y)",
                "iff(value_transfer_cycles(cycles_pull=x + y)"
                " == min(cycles_push, x) + min(cycles_push, y), x + y <= cycles_push)",
            ),
        ),
        argument="Two consumers on the other core, which cost x and y to pull.",
    ),
    Claim(
        id="kenter2010-sec2.b-overestimates",
        source="kenter2010, §II-B",
        statement="That the memory access time is overestimated, for CPU and accelerator alike, "
        "does not favour the accelerator.",
        asserts=(
            "partition_speedup(cycles_cpu_only=cycles_cpu_only + x,"
            " cycles_program=cycles_program + x) <= partition_speedup",
        ),
        corrected=Correction(
            statement="It draws the speedup towards 1: an accelerator that gains is put at a "
            "disadvantage, one that loses looks better than it is; never does it turn a loss into "
            "a gain.",
            asserts=(
                "iff(partition_speedup(cycles_cpu_only=cycles_cpu_only + x,"
                " cycles_program=cycles_program + x) < partition_speedup, partition_speedup > 1)",
                "iff(partition_speedup(cycles_cpu_only=cycles_cpu_only + x,"
                " cycles_program=cycles_program + x) > 1, partition_speedup > 1)",
            ),
        ),
        argument="Overestimated by the same number of cycles, x, in both.",
    ),
    Claim(
        id="kenter2010-sec2.b-greedy",
        source="kenter2010, §II-B",
        statement="Where two blocks save time only if they are moved together, a greedy choice, "
        "block by block, moves neither.",
        given=("x < y", "y < 2*x", "cycles_program_execution_cpu >= 2*x"),
        asserts=(
            "program_cycles(cycles_program_execution=cycles_program_execution_cpu - x,"
            " cycles_program_memory=cycles_program_memory_cpu, cycles_control_transfer=y,"
            " cycles_register_transfer=0) > cpu_only_cycles",
            "program_cycles(cycles_program_execution=cycles_program_execution_cpu - 2*x,"
            " cycles_program_memory=cycles_program_memory_cpu, cycles_control_transfer=y,"
            " cycles_register_transfer=0) < cpu_only_cycles",
        ),
        argument="The blocks of a loop, each of which saves x; either of them alone passes control "
        "on for y cycles, and so do both together.",
    ),
)
