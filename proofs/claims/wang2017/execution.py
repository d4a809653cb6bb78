"""Statements of CGPredict on warps and execution cycles: sections 2.3 and 3.5, eqs 12 to 18.

The paper says that it adopts the model of hong2009; where its equations differ from that, both are
named.
"""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_UNBOUNDED = (
    "cycles_memory == latency_mean*instructions_memory",
    "mwp == memory_warp_parallelism_full",
)
_EQUAL = (
    "cycles_memory == cycles_computation*(mwp - 1)",
    "latency_mean == memory_latency",
)
_IN_MODEL = (
    "active_warps == 64",
    "instructions_memory >= 1",
    "mwp >= 1",
    "mwp <= active_warps",
    "cwp <= active_warps",
    "cycles_memory == cycles_computation*(cwp - 1)",
)
"""Of statements that are refuted: the counterexample is to have the 64 warps of §4.4.1, and CWP by
Eq. 14."""

_MEMORY_BOUND = ("cwp >= mwp",)
_COMPUTATION_BOUND = ("cwp < mwp",)

_PARALLELISM: tuple[Claim, ...] = (
    Claim(
        id="wang2017-sec2.3-figure3a",
        source="wang2017, §2.3 and Fig. 3 (a)",
        statement="Eight warps of which two access memory at a time take two computation periods "
        "and four memory periods.",
        asserts=(
            "period_cycles(active_warps=8, mwp=2, cwp=4) == 4*period_memory + 2*period_computation",
        ),
    ),
    Claim(
        id="wang2017-sec2.3-figure3b",
        source="wang2017, §2.3 and Fig. 3 (b)",
        statement="If all eight access memory at a time, one memory period is left, and all "
        "computation periods.",
        asserts=(
            "period_cycles(active_warps=8, mwp=8, cwp=4) == period_memory + 8*period_computation",
        ),
    ),
    Claim(
        id="wang2017-sec2.3-waits",
        source="wang2017, §2.3 with Eq. 14",
        statement="CWP is the number of warps that compute during one memory period, plus one.",
        given=(
            "period_memory == cycles_memory/instructions_memory",
            "period_computation == cycles_computation/instructions_memory",
        ),
        asserts=(
            "computation_warp_parallelism_full == period_memory/period_computation + 1",
            "computation_warp_parallelism_full > 1",
        ),
        argument="Not rounded. As many periods as memory instructions, all alike.",
    ),
    Claim(
        id="wang2017-eq12",
        source="wang2017, §3.4, Eq. 12",
        statement="A warp's computation cycles are its instructions times the cycles of one.",
        asserts=("computation_cycles == cycles_per_instruction*instructions_total",),
    ),
    Claim(
        id="wang2017-eq13",
        source="wang2017, §3.5, Eq. 13",
        statement="MWP is the latency over the departure delay, and at most the active warps.",
        asserts=(
            "memory_warp_parallelism == min(latency_mean/delay_mean, active_warps)",
            "memory_warp_parallelism(delay_mean=delay_mean + x) <= memory_warp_parallelism",
        ),
        argument="A longer departure delay, of more transactions, never raises it.",
    ),
    Claim(
        id="wang2017-eq14",
        source="wang2017, §3.5, Eq. 14",
        statement="CWP is memory and computation cycles over computation cycles, and at most the "
        "active warps.",
        asserts=(
            "computation_warp_parallelism"
            " == min((cycles_memory + cycles_computation)/cycles_computation, active_warps)",
        ),
    ),
    Claim(
        id="wang2017-eq15",
        source="wang2017, §3.5, Eq. 15",
        statement="The blocks over those that run at a time are the number of batches.",
        given=(
            "active_blocks*(n - 1) < blocks",
            "blocks <= active_blocks*n",
            "active_blocks <= blocks",
            "n == 2",
        ),
        asserts=("batches == n",),
        corrected=Correction(
            statement="They are at most that number, by less than one: the last batch counts for "
            "as much as it is full.",
            given=("active_blocks*(n - 1) < blocks", "blocks <= active_blocks*n"),
            asserts=(
                "n - 1 < batches",
                "batches <= n",
                "iff(batches == n, blocks == active_blocks*n)",
            ),
        ),
        argument="n batches hold the blocks, n - 1 do not; the counterexample has two.",
    ),
    Claim(
        id="wang2017-eq18",
        source="wang2017, §3.5, Eq. 18",
        statement="The execution time is execution cycles over frequency.",
        asserts=("time_of_cycles == cycles_total/frequency",),
    ),
)

_EXECUTION: tuple[Claim, ...] = (
    Claim(
        id="wang2017-eq16-periods",
        source="wang2017, §3.5, Eq. 16 with the total of §2.3",
        statement="Where memory binds, the execution cycles of a batch are the total of section "
        "2.3, once for each memory instruction.",
        given=(
            *_IN_MODEL,
            *_MEMORY_BOUND,
            "period_memory == cycles_memory/instructions_memory",
            "period_computation == cycles_computation/instructions_memory",
        ),
        asserts=("memory_bound_cycles_printed == instructions_memory*period_cycles*batch",),
        corrected=Correction(
            statement="Eq. 16 has the computation periods of MWP warps once in a batch, and the "
            "total of section 2.3 as often as there are memory instructions; the memory periods "
            "are the same.",
            given=(
                *_MEMORY_BOUND,
                "period_memory == cycles_memory/instructions_memory",
                "period_computation == cycles_computation/instructions_memory",
            ),
            asserts=(
                "instructions_memory*period_cycles*batch - memory_bound_cycles_printed"
                " == (instructions_memory - 1)*period_computation*mwp*batch",
            ),
        ),
        argument="From the second period on computation is hidden.",
    ),
    Claim(
        id="wang2017-eq16-adopted",
        source="wang2017, §3.5, Eq. 16; hong2009, Eq. 23",
        statement="Where memory binds, the execution cycles are those of the model that is "
        "adopted.",
        given=(*_IN_MODEL, *_MEMORY_BOUND),
        asserts=("memory_bound_cycles_printed == memory_bound_cycles",),
        corrected=Correction(
            statement="They are one computation period longer in each batch: MWP stands where "
            "hong2009 has MWP - 1.",
            given=_MEMORY_BOUND,
            asserts=(
                "memory_bound_cycles_printed - memory_bound_cycles"
                " == cycles_computation/instructions_memory*batch",
                "memory_bound_cycles == (cycles_memory*active_warps/mwp"
                " + cycles_computation/instructions_memory*(mwp - 1))*batch",
            ),
        ),
        argument="The estimates of matrix products in Table 4 follow from either within 0.03 ms.",
    ),
    Claim(
        id="wang2017-eq17-adopted",
        source="wang2017, §3.5, Eq. 17; hong2009, Eq. 24",
        statement="Where computation binds, the execution cycles are those of the model that is "
        "adopted.",
        given=(*_IN_MODEL, *_COMPUTATION_BOUND),
        asserts=("computation_bound_cycles_printed == computation_bound_cycles",),
        corrected=Correction(
            statement="They have the latency once, hong2009 in each batch; the same in a single "
            "batch only.",
            given=_COMPUTATION_BOUND,
            asserts=(
                "computation_bound_cycles - computation_bound_cycles_printed"
                " == latency_mean*(batch - 1)",
                "computation_bound_cycles"
                " == (latency_mean + cycles_computation*active_warps)*batch",
            ),
        ),
    ),
    Claim(
        id="wang2017-eq16-both-bounded",
        source="wang2017, §3.5, Eq. 16; hong2009, Eq. 22",
        statement="Where both parallelisms are the active warps, the execution cycles are those of "
        "the model that is adopted.",
        given=("active_warps == 64", "mwp == active_warps", "cwp == active_warps"),
        asserts=(
            "memory_bound_cycles == (cycles_memory + cycles_computation"
            " + cycles_computation/instructions_memory*(mwp - 1))*batch",
        ),
        corrected=Correction(
            statement="They are less by a warp's computation cycles in each batch: hong2009 has a "
            "case of its own there, which wang2017 leaves out.",
            given=("mwp == active_warps", "cwp == active_warps"),
            asserts=(
                "(cycles_memory + cycles_computation"
                " + cycles_computation/instructions_memory*(mwp - 1))*batch"
                " == memory_bound_cycles + cycles_computation*batch",
            ),
        ),
        argument="With MWP - 1 in Eq. 16; as printed the difference is a computation period less.",
    ),
    Claim(
        id="wang2017-eq16-eq17-crossing",
        source="wang2017, §3.5, Eqs. 16 and 17; with hong2009's MWP - 1 and latency in each batch",
        statement="Where the two cases meet, MWP = CWP, they give the same execution cycles.",
        given=(*_EQUAL, "active_warps == 64", "mwp <= active_warps"),
        asserts=(
            "memory_bound_cycles(cwp=mwp)"
            " == (latency_mean + cycles_computation*active_warps)*batch",
        ),
        corrected=Correction(
            statement="The cycles drop there by computation*N/MWP in each batch: where memory "
            "begins to bind, a kernel takes less.",
            given=_EQUAL,
            asserts=(
                "(latency_mean + cycles_computation*active_warps)*batch"
                " - memory_bound_cycles(cwp=mwp) == crossover_drop",
                "crossover_drop == batch*cycles_computation*active_warps/mwp",
                "computation_warp_parallelism_full == mwp",
            ),
        ),
        argument="Both parallelisms below the active warps.",
    ),
    Claim(
        id="wang2017-eq16-computation",
        source="wang2017, §2.3 with Eq. 16",
        statement="A kernel takes no less than the computation of all its warps, of which none "
        "overlaps with another.",
        given=(*_IN_MODEL, *_MEMORY_BOUND),
        asserts=("memory_bound_cycles >= cycles_computation*active_warps*batch",),
        corrected=Correction(
            statement="By Eq. 16 it may take less, down to 1 - 1/MWP of that; as much it takes if "
            "CWP exceeds MWP by one.",
            given=("mwp > 1", "cycles_memory == cycles_computation*(cwp - 1)", "cwp >= mwp"),
            asserts=(
                "memory_bound_cycles > cycles_computation*active_warps*batch*(1 - 1/mwp)",
                "implies(cwp >= mwp + 1,"
                " memory_bound_cycles > cycles_computation*active_warps*batch)",
            ),
        ),
        argument="Section 2.3: computation periods of consecutive warps do not overlap in the "
        "model. CWP below the active warps; with MWP - 1 as in hong2009.",
    ),
    Claim(
        id="wang2017-eq16-latency",
        source="wang2017, §3.5, Eqs. 6, 7, 13 and 16",
        statement="Where memory binds, the time is that of the departure delays of all memory "
        "instructions of all warps; latencies do not lengthen it but by the computation before.",
        given=(*_UNBOUNDED, *_MEMORY_BOUND, "latency_mean <= active_warps*delay_mean", "mwp >= 1"),
        asserts=(
            "memory_bound_cycles == departure_bound_cycles",
            "departure_bound_cycles - batch*instructions_memory*active_warps*delay_mean"
            " == batch*cycles_computation/instructions_memory*(mwp - 1)",
            "departure_bound_cycles >= batch*instructions_memory*active_warps*delay_mean",
        ),
        argument="MWP not bounded by the active warps. A kernel that memory binds is bound by "
        "transactions, not by latency.",
    ),
    Claim(
        id="wang2017-sec4.1-mwp",
        source="wang2017, §4.1 with Eq. 16",
        statement="A higher MWP leads to a shorter execution time.",
        given=(*_IN_MODEL, *_MEMORY_BOUND),
        asserts=("diff(memory_bound_cycles, mwp) < 0",),
        corrected=Correction(
            statement="Of the same memory and computation cycles it does exactly while MWP**2 is "
            "less than memory over computation cycles times N times the memory instructions; so, "
            "with more than two of them and MWP of at least 2, up to CWP and N.",
            given=_MEMORY_BOUND,
            asserts=(
                "iff(diff(memory_bound_cycles, mwp) < 0,"
                " mwp**2*cycles_computation < cycles_memory*active_warps*instructions_memory)",
                "implies(mwp >= 2 and instructions_memory > 2 and mwp <= active_warps"
                " and cycles_memory >= cycles_computation*(mwp - 1),"
                " diff(memory_bound_cycles, mwp) < 0)",
            ),
        ),
        argument="Said of GEMM and SYRK. Beyond that the computation of MWP warps, which comes "
        "first, outweighs it.",
    ),
    Claim(
        id="wang2017-eq17-latency",
        source="wang2017, §2.3 with Eq. 17",
        statement="Where computation binds, memory is hidden but for one latency.",
        given=_COMPUTATION_BOUND,
        asserts=(
            "computation_bound_cycles_printed - latency_mean"
            " == cycles_computation*active_warps*batch",
            "diff(computation_bound_cycles_printed, latency_mean) == 1",
        ),
        argument="So neither departure delays nor transactions count there.",
    ),
)

CLAIMS: tuple[Claim, ...] = (*_PARALLELISM, *_EXECUTION)
