"""CGPredict: warp parallelism, execution cycles and time (eqs 12-18).

Two readings of the execution cycles stand side by side. The one printed in wang2017 has MWP where
hong2009, the model it adopts, has MWP - 1, and multiplies only the computation by the number of
batches if few warps compute; hong2009 multiplies the whole. The paper's own estimates follow from
hong2009's reading, so `execution_cycles` and `execution_time` have that one. Neither has the third
case of hong2009 (its Eq. 22, both parallelisms equal to N), which wang2017 leaves out.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin, by_cases
from logca.derive.algebra.dimension import CYCLES, ONE, SECONDS
from logca.derive.cgpredict.memory import (
    DEPARTURE_DELAY,
    MEMORY_CYCLES,
    MEMORY_INSTRUCTIONS,
    MEMORY_LATENCY_WEIGHTED,
)
from logca.derive.core.cgpredict_symbols import (
    active_blocks,
    active_warps,
    batch,
    blocks,
    cwp,
    cycles_computation,
    cycles_memory,
    cycles_per_instruction,
    cycles_total,
    delay_mean,
    frequency,
    instructions_memory,
    instructions_total,
    latency_mean,
    mwp,
    period_computation,
    period_memory,
)
from logca.derive.core.formula import Formula

__all__ = [
    "BATCHES",
    "COMPUTATION_BOUND_CYCLES",
    "COMPUTATION_BOUND_CYCLES_PRINTED",
    "COMPUTATION_CYCLES",
    "COMPUTATION_WARP_PARALLELISM",
    "COMPUTATION_WARP_PARALLELISM_FULL",
    "EXECUTION_CYCLES",
    "EXECUTION_CYCLES_PRINTED",
    "EXECUTION_TIME",
    "FORMULAS",
    "MEMORY_BOUND_CYCLES",
    "MEMORY_BOUND_CYCLES_PRINTED",
    "MEMORY_WARP_PARALLELISM",
    "MEMORY_WARP_PARALLELISM_FULL",
    "PARTS",
    "PERIOD_CYCLES",
    "TIME_OF_CYCLES",
]

_MEMORY_BOUND, _COMPUTATION_BOUND = cwp >= mwp, cwp < mwp
_EXECUTION = r"c_{\mathrm{exec}}"
_BY_PARALLELISM = "by which parallelism is the greater"
_OVER_FREQUENCY = "cycles over frequency"

COMPUTATION_CYCLES = Formula(
    name="computation_cycles",
    meaning="computation cycles of a warp",
    source="wang2017, Eq. 12",
    unit=CYCLES,
    latex=r"c_{\mathrm{comp}}",
    derivation=begin(
        "every instruction takes the mean number of cycles",
        "computation_cycles",
        cycles_per_instruction * instructions_total,
    ),
)

MEMORY_WARP_PARALLELISM_FULL = Formula(
    name="memory_warp_parallelism_full",
    meaning="warps that could access memory at once if enough of them were active",
    source="wang2017, Eq. 13",
    unit=ONE,
    latex=r"\mathrm{MWP}_{\mathrm{full}}",
    derivation=begin(
        "warps that depart during the latency of one",
        "memory_warp_parallelism_full",
        latency_mean / delay_mean,
    ),
)

MEMORY_WARP_PARALLELISM = Formula(
    name="memory_warp_parallelism",
    meaning="memory warp parallelism: warps that access memory at once",
    source="wang2017, Eq. 13 with the bound that the text below it states",
    unit=ONE,
    latex=r"\mathrm{MWP}",
    derivation=begin(
        "no more than there are active",
        "memory_warp_parallelism",
        sp.Min(MEMORY_WARP_PARALLELISM_FULL.expr, active_warps),
    ),
)

COMPUTATION_WARP_PARALLELISM_FULL = Formula(
    name="computation_warp_parallelism_full",
    meaning="warps that could compute during one memory period, plus one, if enough were active",
    source="wang2017, Eq. 14",
    unit=ONE,
    latex=r"\mathrm{CWP}_{\mathrm{full}}",
    derivation=begin(
        "warps that compute while one waits for memory, and that one",
        "computation_warp_parallelism_full",
        (cycles_memory + cycles_computation) / cycles_computation,
    ),
)

COMPUTATION_WARP_PARALLELISM = Formula(
    name="computation_warp_parallelism",
    meaning="computation warp parallelism: warps that compute during one memory period, plus one",
    source="wang2017, Eq. 14 with the bound that the text below it states",
    unit=ONE,
    latex=r"\mathrm{CWP}",
    derivation=begin(
        "no more than there are active",
        "computation_warp_parallelism",
        sp.Min(COMPUTATION_WARP_PARALLELISM_FULL.expr, active_warps),
    ),
)

BATCHES = Formula(
    name="batches",
    meaning="number of batches of active blocks, not rounded",
    source="wang2017, Eq. 15",
    unit=ONE,
    latex="R",
    derivation=begin("as many at a time as are active", "batches", blocks / active_blocks),
)

_WAITING = cycles_memory * active_warps / mwp
_COMPUTATION_PERIOD = cycles_computation / instructions_memory

MEMORY_BOUND_CYCLES_PRINTED = Formula(
    name="memory_bound_cycles_printed",
    meaning="execution cycles of a kernel where memory hides the computation, as printed",
    source="wang2017, Eq. 16 as printed; hong2009 has MWP - 1 for the last MWP",
    unit=CYCLES,
    domain=(_MEMORY_BOUND,),
    latex=_EXECUTION,
    derivation=begin(
        "memory periods of groups of MWP warps, and the computation before them",
        "memory_bound_cycles_printed",
        (_WAITING + _COMPUTATION_PERIOD * mwp) * batch,
    ),
)

MEMORY_BOUND_CYCLES = Formula(
    name="memory_bound_cycles",
    meaning="execution cycles of a kernel where memory hides the computation",
    source="hong2009, Eq. 23; wang2017, Eq. 16 with MWP - 1 for the last MWP, which reproduces "
    "its Table 4",
    unit=CYCLES,
    domain=(_MEMORY_BOUND,),
    latex=_EXECUTION,
    derivation=begin(
        "memory periods of groups of MWP warps, and the computation of all of a group but one",
        "memory_bound_cycles",
        (_WAITING + _COMPUTATION_PERIOD * (mwp - 1)) * batch,
    ),
)

COMPUTATION_BOUND_CYCLES_PRINTED = Formula(
    name="computation_bound_cycles_printed",
    meaning="execution cycles of a kernel where computation hides the memory, as printed",
    source="wang2017, Eq. 17 as printed; hong2009 counts the latency in every batch",
    unit=CYCLES,
    domain=(_COMPUTATION_BOUND,),
    latex=_EXECUTION,
    derivation=begin(
        "one latency, and the computation of all warps",
        "computation_bound_cycles_printed",
        latency_mean + cycles_computation * active_warps * batch,
    ),
)

COMPUTATION_BOUND_CYCLES = Formula(
    name="computation_bound_cycles",
    meaning="execution cycles of a kernel where computation hides the memory",
    source="hong2009, Eq. 24; wang2017, Eq. 17 with the latency in every batch",
    unit=CYCLES,
    domain=(_COMPUTATION_BOUND,),
    latex=_EXECUTION,
    derivation=begin(
        "in every batch one latency, and the computation of all warps",
        "computation_bound_cycles",
        (latency_mean + cycles_computation * active_warps) * batch,
    ),
)

EXECUTION_CYCLES_PRINTED = Formula(
    name="execution_cycles_printed",
    meaning="execution cycles of a kernel, as printed",
    source="wang2017, Eqs. 16 and 17 as printed",
    unit=CYCLES,
    latex=_EXECUTION,
    derivation=by_cases(
        _BY_PARALLELISM,
        "execution_cycles_printed",
        (MEMORY_BOUND_CYCLES_PRINTED.derivation, _MEMORY_BOUND),
        (COMPUTATION_BOUND_CYCLES_PRINTED.derivation, sp.true),
    ),
)

EXECUTION_CYCLES = Formula(
    name="execution_cycles",
    meaning="execution cycles of a kernel",
    source="hong2009, Eqs. 23 and 24, with the conditions of wang2017, Eqs. 16 and 17",
    unit=CYCLES,
    latex=_EXECUTION,
    derivation=by_cases(
        _BY_PARALLELISM,
        "execution_cycles",
        (MEMORY_BOUND_CYCLES.derivation, _MEMORY_BOUND),
        (COMPUTATION_BOUND_CYCLES.derivation, sp.true),
    ),
)

PERIOD_CYCLES = Formula(
    name="period_cycles",
    meaning="cycles of N warps with one computation and one memory period each",
    source="wang2017, §2.3, after hong2009",
    unit=CYCLES,
    latex=r"c_{\mathrm{period}}",
    derivation=begin(
        "the longer kind of period hides the other",
        "period_cycles",
        sp.Piecewise(
            (period_memory * active_warps / mwp + period_computation * mwp, _MEMORY_BOUND),
            (period_memory + period_computation * active_warps, sp.true),
        ),
    ),
)

TIME_OF_CYCLES = Formula(
    name="time_of_cycles",
    meaning="execution time of a kernel",
    source="wang2017, Eq. 18",
    unit=SECONDS,
    latex="t",
    derivation=begin(_OVER_FREQUENCY, "time_of_cycles", cycles_total / frequency),
)

_INSERTED = {
    cycles_memory: MEMORY_CYCLES.expr,
    cycles_computation: COMPUTATION_CYCLES.expr,
    instructions_memory: MEMORY_INSTRUCTIONS.expr,
    latency_mean: MEMORY_LATENCY_WEIGHTED.expr,
    delay_mean: DEPARTURE_DELAY.expr,
}

EXECUTION_TIME = Formula(
    name="execution_time",
    meaning="execution time of a kernel without shared memory, from accesses, instructions and "
    "blocks",
    source="wang2017, Eqs. 6-8 and 12-18; hong2009, Eqs. 23 and 24",
    unit=SECONDS,
    domain=(MEMORY_INSTRUCTIONS.expr > 0,),
    latex="t",
    derivation=by_cases(
        _BY_PARALLELISM,
        "execution_time",
        (MEMORY_BOUND_CYCLES.derivation.scale(_OVER_FREQUENCY, 1 / frequency), _MEMORY_BOUND),
        (COMPUTATION_BOUND_CYCLES.derivation.scale(_OVER_FREQUENCY, 1 / frequency), sp.true),
    )
    .substitute(
        "warp parallelism and batches",
        mwp=MEMORY_WARP_PARALLELISM.expr,
        cwp=COMPUTATION_WARP_PARALLELISM.expr,
        batch=BATCHES.expr,
    )
    .substitute(
        "cycles, mean latency and mean departure delay",
        **{str(symbol): value for symbol, value in _INSERTED.items()},
    ),
)

PARTS = {
    part.name: part.expr.subs(_INSERTED, simultaneous=True)
    for part in (
        MEMORY_WARP_PARALLELISM,
        COMPUTATION_WARP_PARALLELISM,
        MEMORY_CYCLES,
        MEMORY_INSTRUCTIONS,
    )
}
"""Long parts of the execution time, those that contain others first [their own units]."""

FORMULAS = (
    COMPUTATION_CYCLES,
    MEMORY_WARP_PARALLELISM_FULL,
    MEMORY_WARP_PARALLELISM,
    COMPUTATION_WARP_PARALLELISM_FULL,
    COMPUTATION_WARP_PARALLELISM,
    BATCHES,
    MEMORY_BOUND_CYCLES_PRINTED,
    MEMORY_BOUND_CYCLES,
    COMPUTATION_BOUND_CYCLES_PRINTED,
    COMPUTATION_BOUND_CYCLES,
    EXECUTION_CYCLES_PRINTED,
    EXECUTION_CYCLES,
    PERIOD_CYCLES,
    TIME_OF_CYCLES,
    EXECUTION_TIME,
)
