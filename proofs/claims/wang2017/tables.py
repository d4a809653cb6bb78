"""CGPredict on its own tables: sections 4.1 to 4.5, Tables 4 to 7."""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.wang2017.printed import printed, rows, table3

__all__ = ["CLAIMS"]

_TABLE4, _TABLE5, _TABLE6, _TABLE7 = map(rows, ("table4", "table5", "table6", "table7"))
_CHOICES = {"MM": "GPU", "MVT": "FPGA", "GEMVER1": "GPU", "DERICHE1": "GPU", "DCT1D": "FPGA"}
_LOW, _HIGH = ("MM", "MVT", "DCT1D"), ("GEMVER1", "DERICHE1")

_LATENCY = table3("latency_L2", "latency_dram", "delay_L2", "delay_dram")
_HIT = "transactions=32, dram_transactions=0"
_MISS = "transactions=32, dram_transactions=32"


def _mean(errors: tuple[str, ...]) -> str:
    return f"({' + '.join(errors)})/{len(errors)}"


def _mwp(uncoalesced: int, at: str) -> str:
    """MWP of 2048 instructions, uncoalesced ones that hit and constant ones of some miss rate."""
    number = f"instructions_coalesced=0, instructions_uncoalesced={uncoalesced},"
    number += f" instructions_constant={2048 - uncoalesced}"
    latency = (
        f"memory_latency_weighted(latency_uncoalesced=access_latency({_LATENCY}, {_HIT}),"
        f" latency_constant=constant_access_latency({_LATENCY}, dram_transactions={at}), {number})"
    )
    delay = (
        f"departure_delay(delay_uncoalesced=access_delay({_LATENCY}, {_HIT}),"
        f" delay_constant=constant_access_delay({_LATENCY}, transactions=1,"
        f" dram_transactions={at}), {number})"
    )
    return f"memory_warp_parallelism_full(latency_mean={latency}, delay_mean={delay})"


_EACH = 4096
_GESUMMV_NUMBERS = (
    f"instructions_coalesced={4 * _EACH}, instructions_uncoalesced={2 * _EACH},"
    f" instructions_constant={2 * _EACH}"
)
_COALESCED_MISS = "transactions=2, dram_transactions=2"
_GESUMMV = (
    f"memory_latency_weighted(latency_coalesced=access_latency({_LATENCY}, {_COALESCED_MISS}),"
    f" latency_uncoalesced=access_latency({_LATENCY}, {_MISS}),"
    f" latency_constant=constant_access_latency({_LATENCY}, dram_transactions=1),"
    f" {_GESUMMV_NUMBERS})",
    f"departure_delay(delay_coalesced=access_delay({_LATENCY}, {_COALESCED_MISS}),"
    f" delay_uncoalesced=access_delay({_LATENCY}, {_MISS}),"
    f" delay_constant=constant_access_delay({_LATENCY}, transactions=1, dram_transactions=1),"
    f" {_GESUMMV_NUMBERS})",
)
_GESUMMV_TIME = (
    "1000*time_of_cycles(cycles_total=departure_bound_cycles("
    f"latency_mean={_GESUMMV[0]}, delay_mean={_GESUMMV[1]}, active_warps=64,"
    f" batch=batches(blocks=16, active_blocks=8), instructions_memory={8 * _EACH}),"
    f" {table3('frequency')})"
)
_GESUMMV_COMPUTATION = f"cycles_computation <= 506*{8 * _EACH}"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="wang2017-table4-errors",
        source="wang2017, Tables 4, 5 and 6",
        statement="Estimation errors are the difference of estimated and measured time over the "
        "measured one; their mean over the 15 rows of Table 4 is 9.00 %.",
        asserts=(
            *(row.error_as_printed() for row in (*_TABLE4, *_TABLE5, *_TABLE6)),
            f"8.995 <= {_mean(tuple(row.others['error'] for row in _TABLE4))} < 9.005",
        ),
        argument="Within what times and errors are rounded by.",
    ),
    Claim(
        id="wang2017-abstract-error",
        source="wang2017, abstract, with Tables 4 and 5",
        statement="The estimation error is 2.66 % at the least and 9 % on average.",
        asserts=tuple(f"{row.others['error']} >= 2.66" for row in (*_TABLE4, *_TABLE5)),
        corrected=Correction(
            statement="In Table 4. With shared memory, Table 5, it is 0.33 % at the least and "
            "2.58 % on average.",
            asserts=(
                *(f"{row.others['error']} >= 2.66" for row in _TABLE4),
                *(f"{row.others['error']} >= 0.33" for row in _TABLE5),
                f"2.575 < {_mean(tuple(row.others['error'] for row in _TABLE5))} < 2.585",
            ),
        ),
    ),
    Claim(
        id="wang2017-table4-gesummv",
        source="wang2017, Table 4, GESUMMV, with Eqs. 2 to 8, 13, 15, 16 and 18",
        statement="The estimate of GESUMMV, 769.69 ms, follows from the equations.",
        given=(_GESUMMV_COMPUTATION,),
        asserts=(f"{_GESUMMV_TIME} >= {printed('table4', 'GESUMMV').estimate}",),
        corrected=Correction(
            statement="If every transaction misses, and both sums are kept in memory, it is at "
            "most 458 ms.",
            given=(_GESUMMV_COMPUTATION,),
            asserts=(f"{_GESUMMV_TIME} <= 458",),
        ),
        argument="Two rows of matrices, uncoalesced, and two reads of the vector in each of 4096 "
        "iterations, and a read and a write of each of the two sums; 4096 threads in blocks of "
        "256, 64 warps at a time. Memory binds, so that computation, here as much as 506 cycles "
        "for each memory instruction, hardly counts.",
    ),
    Claim(
        id="wang2017-table6-gain",
        source="wang2017, §4.4 and Table 6",
        statement="Coalescing makes SYRK about 11 times as fast, shared memory GEMM about twice.",
        asserts=tuple(
            f"{row.others['improvement']} - 1/2 < {row.others['before']}/{row.actual}"
            f" < {row.others['improvement']} + 1/2"
            for row in _TABLE6
        ),
        argument="Measured times; about: rounded.",
    ),
    Claim(
        id="wang2017-sec4.4.1-uncoalesced",
        source="wang2017, §4.4.1 with §4.1",
        statement="Half of SYRK's memory instructions are uncoalesced: 2014 of 2048 in each "
        "thread.",
        asserts=("2014 == 2048/2",),
        corrected=Correction(
            statement="Half are 1024. Where the uncoalesced ones hit, 1024 give MWP as printed, "
            "5.97, if 1.5 % of the constant ones miss, and 2014 less than 3.7 whatever misses.",
            given=("miss_rate <= 1",),
            asserts=(
                "1024 == 2048/2",
                f"5.965 < {_mwp(1024, '0.0148')} < 5.975",
                f"{_mwp(2014, 'miss_rate')} < 3.7",
            ),
        ),
    ),
    Claim(
        id="wang2017-table7-choice",
        source="wang2017, §4.5 and Table 7",
        statement="Estimated times choose GPU or FPGA as measured ones do.",
        asserts=tuple(
            f"{row.actual} {sign} {row.others['fpga_actual']}"
            f" and {row.estimate} {sign} {row.others['fpga_estimate']}"
            for row in _TABLE7
            for sign in ("<" if _CHOICES[row.name] == "GPU" else ">",)
        ),
    ),
    Claim(
        id="wang2017-sec4.5-errors-low",
        source="wang2017, §4.5 on Table 7",
        statement="The errors of MM, MVT and DCT1D are quite low.",
        asserts=tuple(f"{row.error} <= 0.09" for row in _TABLE7 if row.name in _LOW),
        corrected=Correction(
            statement="Those of MM and DCT1D are 3.1 and 0.5 %; that of MVT is 14.0 %, more than "
            "those of 12 of the 15 rows of Table 4.",
            asserts=(
                f"0.030 < {printed('table7', 'MM').error} < 0.0315",
                f"0.004 < {printed('table7', 'DCT1D').error} < 0.005",
                f"0.140 < {printed('table7', 'MVT').error} < 0.1405",
                *(
                    f"{row.others['error']}/100 < {printed('table7', 'MVT').error}"
                    for row in _TABLE4
                    if row.name not in ("3DCONV", "BICG", "FDTD-2D")
                ),
            ),
        ),
        argument="Low: no more than the paper's mean error, 9 %.",
    ),
    Claim(
        id="wang2017-sec4.5-errors-high",
        source="wang2017, §4.5 on Table 7",
        statement="The errors of GEMVER1 and DERICHE1 are higher, and their times the shortest.",
        asserts=tuple(
            text
            for high in (row for row in _TABLE7 if row.name in _HIGH)
            for low in (row for row in _TABLE7 if row.name in _LOW)
            for text in (f"{high.error} > {low.error}", f"{high.actual} < {low.actual}")
        ),
        argument="43 and 38 %.",
    ),
)
