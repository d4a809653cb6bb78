"""Statements of Kenter et al. on what partitions gain: sections III and IV."""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.kenter2010.table1 import ACCELERATOR_CYCLES, table1

__all__ = ["CLAIMS"]

_PARTITIONED = (
    "cycles_program == program_cycles",
    "cycles_theoretical == theoretical_cycles",
)
_GAINFUL = "cycles_program_execution_accelerator < cycles_program_execution_cpu"
_LEVELS = table1("cache_latency_L1", "cache_latency_L2", "memory_access_latency")
_SCALED = (
    "program_cycles(cycles_control_transfer=r*cycles_control_transfer,"
    " cycles_register_transfer=r*cycles_register_transfer)"
)

_GAIN = (
    "relative_speedup_of_cycles(cycles_cpu_only=q + n, cycles_theoretical=q + {r}*n,"
    " cycles_program=q + n - m + {r}*m{transfers})"
)
"""A partition that has m of the program's n operations on the accelerator, where each takes r
cycles instead of one, and q cycles of memory accesses in any case."""


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="kenter2010-sec3.a-relative",
        source="kenter2010, §III-A",
        statement="The relative speedup is the percentage of the theoretical speedup that is "
        "achieved.",
        given=("cycles_cpu_only > cycles_theoretical",),
        asserts=(
            "relative_speedup_of_cycles == partition_speedup/(cycles_cpu_only/cycles_theoretical)",
        ),
        corrected=Correction(
            statement="Of speedups less one: 0 without a gain, 1 at the theoretical speedup, and "
            "growing as the partition gets faster. The ratio of speedups itself would be above "
            "one half without any gain, where the theoretical speedup is less than two.",
            given=("cycles_cpu_only > cycles_theoretical",),
            asserts=(
                "relative_speedup_of_cycles == relative_speedup(speedup_partition="
                "partition_speedup, speedup_theoretical=cycles_cpu_only/cycles_theoretical)",
                "relative_speedup_of_cycles(cycles_program=cycles_cpu_only) == 0",
                "relative_speedup_of_cycles(cycles_program=cycles_theoretical) == 1",
                "diff(relative_speedup_of_cycles, cycles_program) < 0",
                "implies(cycles_cpu_only < 2*cycles_theoretical,"
                " cycles_theoretical/cycles_cpu_only > 1/2)",
            ),
        ),
        argument="Fig. 3 to 6 have partitions near 0 %, and speedups are printed as 0.16 to "
        "38.16 %: gains.",
    ),
    Claim(
        id="kenter2010-sec3.a-baseline",
        source="kenter2010, §III-A",
        statement="No partition is faster than the theoretical speedup, which neglects limits and "
        "latencies.",
        given=(
            *_PARTITIONED,
            "cycles_cpu_only == cpu_only_cycles",
            _GAINFUL,
            "cycles_program_execution >= cycles_program_execution_accelerator",
        ),
        asserts=("partition_speedup <= cycles_cpu_only/cycles_theoretical",),
        corrected=Correction(
            statement="None that executes no faster than the accelerator and accesses memory no "
            "faster than the CPU alone; with a cache of its own for each core memory may be faster "
            "than in the baseline.",
            given=(
                *_PARTITIONED,
                "cycles_program_execution >= cycles_program_execution_accelerator",
                "cycles_program_memory >= cycles_program_memory_cpu",
            ),
            asserts=("partition_speedup <= cycles_cpu_only/cycles_theoretical",),
        ),
        argument="The paper calls it merely a baseline.",
    ),
    Claim(
        id="kenter2010-sec3.a-twice",
        source="kenter2010, §III-A with Table I",
        statement="With the efficiencies of Table I the theoretical speedup is less than two, "
        "unless operations are free on the accelerator.",
        given=(
            "cycles_program_execution_accelerator"
            f" == {ACCELERATOR_CYCLES}*cycles_program_execution_cpu",
            "cycles_program_memory_cpu > 0",
        ),
        asserts=("theoretical_speedup < 2",),
        argument="0.5 cycles an instruction against 1.0; the speedups printed gain 38.16 % at "
        "most. Casts, free in section III, can lift it above.",
    ),
    Claim(
        id="kenter2010-sec3.a-memory",
        source="kenter2010, §III-A",
        statement="Programs suffer from a memory access time that is long against their execution "
        "time.",
        given=(_GAINFUL, "cycles_program_memory_cpu > 0"),
        asserts=(
            "diff(theoretical_speedup, cycles_program_memory_cpu) < 0",
            "limit(theoretical_speedup, cycles_program_memory_cpu, oo) == 1",
        ),
        argument="Said of AES and MD5. No accelerator shortens it.",
    ),
    Claim(
        id="kenter2010-sec3.a-range",
        source="kenter2010, §III-A and Fig. 2",
        statement="The six programs gain 0.16 to 38.16 %.",
        asserts=(),
        argument="The paper prints no numbers of its programs: neither sources, inputs, line size "
        "nor the cost of write-backs. `logca reproduce kenter` has programs of the same names.",
    ),
    Claim(
        id="kenter2010-sec3.b-shared-l1",
        source="kenter2010, §III-B with Table I",
        statement="A shared L1 cache is more sensitive to one cycle of latency than a shared L2 "
        "cache.",
        given=(
            *_LEVELS,
            *table1("shared_penalty"),
            "accesses_shared == accesses_L1 + accesses_L2 + accesses_memory",
            "accesses_L1 > 0",
        ),
        asserts=(
            "block_memory_cycles > block_memory_cycles(accesses_shared="
            "accesses_L2 + accesses_memory)",
            "block_memory_cycles <= 4/3*block_memory_cycles(accesses_shared=0)",
            "block_memory_cycles(accesses_shared=accesses_L2 + accesses_memory)"
            " <= 16/15*block_memory_cycles(accesses_shared=0)",
        ),
        argument="At the same levels. Every access goes through L1, only misses through L2: by a "
        "cycle each, at most a third of the time against a fifteenth.",
    ),
    Claim(
        id="kenter2010-sec3.b-order",
        source="kenter2010, §III-B and Fig. 3",
        statement="Shared main memory is not better than an accelerator without a cache.",
        asserts=(),
        argument="The paper prints no numbers of its programs, and of Fig. 3 none either. With "
        "programs of the same names it is an artefact of the greedy choice in part of the "
        "settings: docs/kenter-flips.md.",
    ),
    Claim(
        id="kenter2010-sec3.d-baseline-grows",
        source="kenter2010, §III-D",
        statement="The theoretical speedup grows with the accelerator's execution efficiency.",
        given=(
            "exists(theoretical_speedup)",
            "cycles_program_execution_cpu + cycles_program_memory_cpu > 0",
        ),
        asserts=("diff(theoretical_speedup, cycles_program_execution_accelerator) < 0",),
        argument="Fewer cycles an instruction are a higher efficiency.",
    ),
    Claim(
        id="kenter2010-sec3.d-casts",
        source="kenter2010, §III-D",
        statement="That JPEG's relative speedup falls as the accelerator gets more efficient "
        "results from casts, which are free there: without them a partition's does not fall.",
        given=("r < 1", "m < n", "x < m*(1 - r)"),
        asserts=(f"diff({_GAIN.format(r='r', transfers=' + x')}, r) <= 0",),
        corrected=Correction(
            statement="It falls without casts too, always if transfers take no time and an "
            "operation stays on the CPU; with transfers it may rise.",
            given=("r < 1", "m < n"),
            asserts=(
                f"diff({_GAIN.format(r='r', transfers='')}, r) > 0",
                f"{_GAIN.format(r='0.9', transfers='')} > {_GAIN.format(r='0.2', transfers='')}",
                "relative_speedup_of_cycles(cycles_cpu_only=100 + 10, cycles_theoretical=100"
                " + 0.7*10, cycles_program=100 + 10 - 9 + 0.7*9 + 2)"
                " < relative_speedup_of_cycles(cycles_cpu_only=100 + 10, cycles_theoretical=100"
                " + 0.2*10, cycles_program=100 + 10 - 9 + 0.2*9 + 2)",
            ),
        ),
        argument="Of a partition with m of n operations on the accelerator, at r cycles instead "
        "of one, q cycles of memory accesses and x of transfers; the share of the gain is then "
        "m/n times a ratio of runtimes that falls with r. x is what the statement leaves open; "
        "the counterexample has it less than the gain.",
    ),
    Claim(
        id="kenter2010-sec3.e-factor",
        source="kenter2010, §III-E with Table I",
        statement="Factors of 0.5 to 64 on the interface latency are control latencies of 1 to 128 "
        "cycles.",
        given=table1("control_latency"),
        asserts=("0.5*control_latency == 1", "64*control_latency == 128"),
    ),
    Claim(
        id="kenter2010-sec3.e-latency",
        source="kenter2010, §III-E",
        statement="A factor on all latencies of the interface lengthens a partition by as many "
        "times its transfers, and so never makes it faster.",
        asserts=(
            f"{_SCALED} - program_cycles"
            " == (r - 1)*(cycles_control_transfer + cycles_register_transfer)",
            f"diff({_SCALED}, r) >= 0",
            "pair_transfer_cycles(push_latency=r*push_latency, pull_latency=r*pull_latency)"
            " == r*pair_transfer_cycles",
        ),
        argument="Of one partition. So the best time over all partitions does not fall either.",
    ),
)
