"""Statements of CGPredict on shared memory and barriers: sections 2.5 and 3.6, eqs 19 to 23."""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.wang2017.printed import rows, table3

__all__ = ["CLAIMS"]

_TILES, _INNER, _WARPS = 32, 1024, 64
"""GEMM at the work size of Table 5: tiles of a row of the result, iterations of its innermost loop,
and warps that run at a time [1]."""

_TILED = {row.name: row for row in rows("table5")}
_GEMM = _TILED["GEMM"].estimate
_SMEM = (
    "shared_memory_cycles(bank_ways_coalesced=1, bank_ways_constant=1, bank_ways_uncoalesced=16,"
)
_SMEM += f" instructions_coalesced={_INNER}, instructions_constant={_INNER},"
_SMEM += f" instructions_uncoalesced=0, {table3('latency_shared')})"
_LOADS = (
    f"shared_load_cycles(instructions_load_shared={2 * _TILES}, {table3('latency_load_shared')})"
)
_BATCHES = "batches(blocks=1024, active_blocks=2)"
_BY_EQUATIONS = (
    "computation_bound_cycles_printed(cwp=1, mwp=2, latency_mean=506,"
    f" cycles_computation={_SMEM}, active_warps={_WARPS}, batch={_BATCHES})"
)
_OVERLAPPED = (
    f"tiled_execution_cycles(cycles_memory={_LOADS}, cycles_computation={_SMEM}, batch={_BATCHES})"
)


def _ms(cycles: str) -> str:
    return f"1000*time_of_cycles(cycles_total={cycles}, {table3('frequency')})"


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="wang2017-table3-load",
        source="wang2017, Table 3 with Eq. 2",
        statement="The latency of a load to shared memory, 506 cycles, is that of a coalesced "
        "access of which both transactions miss.",
        given=(table3("latency_load_shared").replace("latency_load_shared=", "x == "),),
        asserts=(
            "access_latency(dram_transactions=2, transactions=2,"
            f" {table3('latency_L2', 'latency_dram', 'delay_L2', 'delay_dram')})"
            " == x",
        ),
        argument="The table does not say so; the number follows from the others by Eq. 2.",
    ),
    Claim(
        id="wang2017-eq19",
        source="wang2017, §3.6, Eq. 19",
        statement="Loads to shared memory take a fixed latency each.",
        asserts=("shared_load_cycles == instructions_load_shared*latency_load_shared",),
    ),
    Claim(
        id="wang2017-eq20",
        source="wang2017, §2.5 and §3.6, Eq. 20",
        statement="A bank conflict of X ways makes accesses of a class X times as long: the "
        "instruction is replayed X - 1 times.",
        asserts=(
            "shared_memory_cycles == latency_shared*(bank_ways_uncoalesced*instructions_uncoalesced"
            " + bank_ways_coalesced*instructions_coalesced"
            " + bank_ways_constant*instructions_constant)",
            "shared_memory_cycles(bank_ways_uncoalesced=1 + x)"
            " - shared_memory_cycles(bank_ways_uncoalesced=1)"
            " == x*shared_memory_cycles(bank_ways_uncoalesced=1, instructions_coalesced=0,"
            " instructions_constant=0)",
        ),
    ),
    Claim(
        id="wang2017-eq21-eq22",
        source="wang2017, §3.6, Eqs. 21 and 22",
        statement="Loads to shared memory add to the memory cycles, accesses to it to the "
        "computation cycles: both as equations, which give a name a new value.",
        asserts=(
            "memory_cycles_with_shared == cycles_memory + cycles_load_shared",
            "computation_cycles_with_shared == cycles_computation + cycles_shared",
        ),
        argument="Read literally, mem_cycles = mem_cycles + smem_load_cycles, they would hold "
        "without shared memory only.",
    ),
    Claim(
        id="wang2017-eq23",
        source="wang2017, §3.6, Eq. 23 with the text above it",
        statement="The cost of synchronisation is departure delay times concurrent warps times "
        "barriers times active blocks.",
        given=("mwp >= 1",),
        asserts=(
            "synchronisation_cycles == delay_mean*mwp*instructions_synchronisation*active_blocks",
        ),
        corrected=Correction(
            statement="So the text; Eq. 23 has that in each batch, with one warp less: a warp does "
            "not wait for itself.",
            asserts=(
                "synchronisation_cycles"
                " == delay_mean*mwp*instructions_synchronisation*active_blocks*batch*(1 - 1/mwp)",
                "synchronisation_cycles(mwp=1) == 0",
            ),
        ),
    ),
    Claim(
        id="wang2017-table5-gemm",
        source="wang2017, Table 5 with Eqs. 15, 17, 18, 20 and 22",
        statement="The estimate of tiled GEMM, 105.75 ms, follows from the equations for kernels "
        "that computation binds.",
        asserts=(f"{_ms(_BY_EQUATIONS)} <= {_GEMM}",),
        corrected=Correction(
            statement="By them accesses to shared memory alone take 5277 ms, as all warps of a "
            "batch wait for each other's; the estimate follows if they overlap.",
            asserts=(
                f"5277 < {_ms(_BY_EQUATIONS)} < 5278",
                f"101 < {_ms(_OVERLAPPED)} < {_GEMM}",
            ),
        ),
        argument="1024 blocks of 32 x 32 threads, two at a time, of 64 warps. A thread reads two "
        "elements for each of its 1024 products, without a bank conflict (X of coalesced and "
        "constant accesses is 1), and loads two for each of 32 tiles. 3.8 ms are left for its "
        "instructions, 12 for each product.",
    ),
    Claim(
        id="wang2017-sec4.3-gain",
        source="wang2017, §4.3, with Tables 4 and 5",
        statement="Shared memory makes the kernels two to four times as fast.",
        asserts=tuple(
            f"2 < {row.actual}/{_TILED[row.name].actual} < 4"
            for row in rows("table4")
            if row.name in _TILED
        ),
        argument="Measured times.",
    ),
)
