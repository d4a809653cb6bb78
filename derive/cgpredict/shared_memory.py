"""CGPredict: shared memory, bank conflicts and synchronisation (eqs 19-23).

Two readings of the execution cycles stand side by side here too. Put into Eqs. 16 and 17 as the
text says, the cycles of Eqs. 21 and 22 make every warp's accesses to shared memory wait for those
of all others, and the time of a tiled kernel is about N times what Table 5 prints as estimated.
`tiled_execution_cycles` lets all warps of a batch overlap; Table 5 follows it within 1.5 %.
"""

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import CYCLES
from logca.derive.core.cgpredict_symbols import (
    active_blocks,
    bank_ways_coalesced,
    bank_ways_constant,
    bank_ways_uncoalesced,
    batch,
    cycles_computation,
    cycles_load_shared,
    cycles_memory,
    cycles_shared,
    cycles_synchronisation,
    cycles_total,
    delay_mean,
    instructions_coalesced,
    instructions_constant,
    instructions_load_shared,
    instructions_synchronisation,
    instructions_uncoalesced,
    latency_load_shared,
    latency_shared,
    mwp,
)
from logca.derive.core.formula import Formula

__all__ = [
    "COMPUTATION_CYCLES_WITH_SHARED",
    "EXECUTION_CYCLES_WITH_SYNCHRONISATION",
    "FORMULAS",
    "MEMORY_CYCLES_WITH_SHARED",
    "SHARED_LOAD_CYCLES",
    "SHARED_MEMORY_CYCLES",
    "SYNCHRONISATION_CYCLES",
    "TILED_EXECUTION_CYCLES",
]


SHARED_LOAD_CYCLES = Formula(
    name="shared_load_cycles",
    meaning="cycles of a warp's loads from main memory to shared memory",
    source="wang2017, Eq. 19",
    unit=CYCLES,
    latex=r"c_{\mathrm{load}}",
    derivation=begin(
        "every load takes a fixed latency",
        "shared_load_cycles",
        instructions_load_shared * latency_load_shared,
    ),
)

SHARED_MEMORY_CYCLES = Formula(
    name="shared_memory_cycles",
    meaning="cycles of a warp's accesses to shared memory, which alone are counted here",
    source="wang2017, Eq. 20",
    unit=CYCLES,
    latex=r"c_{\mathrm{smem}}",
    derivation=begin(
        "a bank conflict of X ways takes X times the latency",
        "shared_memory_cycles",
        latency_shared * bank_ways_uncoalesced * instructions_uncoalesced
        + latency_shared * bank_ways_coalesced * instructions_coalesced
        + latency_shared * bank_ways_constant * instructions_constant,
    ),
)

MEMORY_CYCLES_WITH_SHARED = Formula(
    name="memory_cycles_with_shared",
    meaning="memory cycles of a warp that loads to shared memory",
    source="wang2017, Eqs. 19 and 21",
    unit=CYCLES,
    latex=r"c_{\mathrm{mem}}^{\prime}",
    derivation=begin(
        "the loads are memory accesses too",
        "memory_cycles_with_shared",
        cycles_memory + cycles_load_shared,
    ),
)

COMPUTATION_CYCLES_WITH_SHARED = Formula(
    name="computation_cycles_with_shared",
    meaning="computation cycles of a warp that accesses shared memory",
    source="wang2017, Eqs. 20 and 22",
    unit=CYCLES,
    latex=r"c_{\mathrm{comp}}^{\prime}",
    derivation=begin(
        "accesses to shared memory count as computation",
        "computation_cycles_with_shared",
        cycles_computation + cycles_shared,
    ),
)

SYNCHRONISATION_CYCLES = Formula(
    name="synchronisation_cycles",
    meaning="cycles that warps wait at barriers until the others have reached them",
    source="wang2017, Eq. 23",
    unit=CYCLES,
    latex=r"c_{\mathrm{sync}}",
    derivation=begin(
        "at every barrier, block and batch the departures of all concurrent warps but one",
        "synchronisation_cycles",
        delay_mean * (mwp - 1) * instructions_synchronisation * active_blocks * batch,
    ),
)

EXECUTION_CYCLES_WITH_SYNCHRONISATION = Formula(
    name="execution_cycles_with_synchronisation",
    meaning="execution cycles of a kernel with barriers",
    source="wang2017, §3.6",
    unit=CYCLES,
    latex=r"c_{\mathrm{exec}}^{\prime}",
    derivation=begin(
        "the waiting comes on top",
        "execution_cycles_with_synchronisation",
        cycles_total + cycles_synchronisation,
    ),
)

TILED_EXECUTION_CYCLES = Formula(
    name="tiled_execution_cycles",
    meaning="execution cycles of a kernel that loads tiles to shared memory, as estimated in "
    "Table 5 of the paper",
    source="logca2026, found to follow wang2017, Table 5, within 1.5 %; the paper prints no such "
    "equation; cycles by its Eqs. 12 and 19-22",
    unit=CYCLES,
    latex=r"c_{\mathrm{tiled}}",
    derivation=begin(
        "in every batch all warps overlap, and none hides its own computation",
        "tiled_execution_cycles",
        (cycles_memory + cycles_computation) * batch,
    ),
)

FORMULAS = (
    SHARED_LOAD_CYCLES,
    SHARED_MEMORY_CYCLES,
    MEMORY_CYCLES_WITH_SHARED,
    COMPUTATION_CYCLES_WITH_SHARED,
    SYNCHRONISATION_CYCLES,
    EXECUTION_CYCLES_WITH_SYNCHRONISATION,
    TILED_EXECUTION_CYCLES,
)
