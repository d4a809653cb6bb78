"""CGPredict: latency and departure delay of memory accesses (eqs 1-8, 24 and 25)."""

import sympy as sp

from logca.derive.cgpredict_symbols import (
    cycles_memory,
    delay_coalesced,
    delay_constant,
    delay_dram,
    delay_L2,
    delay_uncoalesced,
    dram_transactions,
    instructions_coalesced,
    instructions_constant,
    instructions_memory,
    instructions_uncoalesced,
    latency_coalesced,
    latency_constant,
    latency_dram,
    latency_L2,
    latency_uncoalesced,
    miss_rate,
    share_dram,
    transactions,
    transactions_hit,
)
from logca.derive.derivation import begin, by_cases
from logca.derive.dimension import ONE, Dimension
from logca.derive.formula import Formula

__all__ = [
    "ACCESS_DELAY",
    "ACCESS_LATENCY",
    "ACCESS_LATENCY_DRAM",
    "ACCESS_LATENCY_L2",
    "ACCESS_LATENCY_MEAN",
    "CONSTANT_ACCESS_DELAY",
    "CONSTANT_ACCESS_LATENCY",
    "DEPARTURE_DELAY",
    "FORMULAS",
    "MEMORY_CYCLES",
    "MEMORY_INSTRUCTIONS",
    "MEMORY_LATENCY",
    "MEMORY_LATENCY_WEIGHTED",
    "SIMPLE_ACCESS_DELAY",
    "SIMPLE_ACCESS_LATENCY",
]

_CYCLES = Dimension(cycles=sp.Integer(1))
_LATENCY = r"l_{\mathrm{access}}"

ACCESS_LATENCY_L2 = Formula(
    name="access_latency_L2",
    meaning="latency of a coalesced or uncoalesced memory instruction, at most one DRAM "
    "transaction",
    source="wang2017, Eq. 1",
    unit=_CYCLES,
    domain=(dram_transactions <= 1,),
    latex=_LATENCY,
    derivation=begin(
        "the first L2 transaction takes the latency, each further one departs a delay later",
        "access_latency_L2",
        latency_L2 + (transactions - 1) * delay_L2,
    ),
)

ACCESS_LATENCY_DRAM = Formula(
    name="access_latency_dram",
    meaning="latency of a coalesced or uncoalesced memory instruction, more than one DRAM "
    "transaction",
    source="wang2017, Eq. 2",
    unit=_CYCLES,
    domain=(dram_transactions > 1,),
    latex=_LATENCY,
    derivation=begin(
        "the first DRAM transaction takes both latencies, each further one departs a delay later",
        "access_latency_dram",
        latency_L2 + latency_dram + (dram_transactions - 1) * delay_dram,
    ),
)

ACCESS_LATENCY = Formula(
    name="access_latency",
    meaning="latency of a coalesced or uncoalesced memory instruction of a warp",
    source="wang2017, Eqs. 1 and 2",
    unit=_CYCLES,
    latex=_LATENCY,
    derivation=by_cases(
        "by the number of DRAM transactions",
        "access_latency",
        (ACCESS_LATENCY_L2.derivation, dram_transactions <= 1),
        (ACCESS_LATENCY_DRAM.derivation, sp.true),
    ),
)

ACCESS_LATENCY_MEAN = Formula(
    name="access_latency_mean",
    meaning="mean latency of the coalesced or the uncoalesced memory instructions of a warp, each "
    "by its own transactions",
    source="logca2026; wang2017, Eq. 2 for instructions with DRAM transactions, else Eq. 1",
    unit=_CYCLES,
    latex=r"\bar{l}_{\mathrm{access}}",
    derivation=begin(
        "weigh both cases by their shares",
        "access_latency_mean",
        (1 - share_dram) * ACCESS_LATENCY_L2.expr + share_dram * ACCESS_LATENCY_DRAM.expr,
    )
    .substitute(
        "each with the mean transactions of its own instructions",
        transactions=transactions_hit,
        dram_transactions=dram_transactions / share_dram,
    )
    .rewrite(
        "collect",
        rhs=latency_L2
        + (1 - share_dram) * (transactions_hit - 1) * delay_L2
        + share_dram * latency_dram
        + (dram_transactions - share_dram) * delay_dram,
    ),
)


ACCESS_DELAY = Formula(
    name="access_delay",
    meaning="departure delay of a coalesced or uncoalesced memory instruction of a warp",
    source="wang2017, Eq. 3",
    unit=_CYCLES,
    latex=r"d_{\mathrm{access}}",
    derivation=begin(
        "the transactions depart one after the other, from the L2 cache and from the DRAM at once",
        "access_delay",
        sp.Max(transactions * delay_L2, dram_transactions * delay_dram),
    ),
)

CONSTANT_ACCESS_LATENCY = Formula(
    name="constant_access_latency",
    meaning="latency of a constant memory instruction: all threads of the warp read one address",
    source="wang2017, Eq. 4",
    unit=_CYCLES,
    latex=r"l_{\mathrm{const,access}}",
    derivation=begin(
        "one access of the L2 cache, and in the share of misses one of the DRAM",
        "constant_access_latency",
        latency_L2 + dram_transactions * latency_dram,
    ),
)

CONSTANT_ACCESS_DELAY = Formula(
    name="constant_access_delay",
    meaning="departure delay of a constant memory instruction",
    source="wang2017, Eq. 5",
    unit=_CYCLES,
    latex=r"d_{\mathrm{const,access}}",
    derivation=begin(
        "departures from the L2 cache and from the DRAM, one after the other",
        "constant_access_delay",
        transactions * delay_L2 + dram_transactions * delay_dram,
    ),
)

MEMORY_INSTRUCTIONS = Formula(
    name="memory_instructions",
    meaning="number of memory instructions of a warp, of all classes together",
    source="wang2017, Table 3",
    unit=ONE,
    latex=r"n_{\mathrm{mem}}",
    derivation=begin(
        "add the classes",
        "memory_instructions",
        instructions_coalesced + instructions_uncoalesced + instructions_constant,
    ),
)

MEMORY_CYCLES = Formula(
    name="memory_cycles",
    meaning="memory cycles of a warp: latencies of all its memory instructions",
    source="wang2017, Eq. 6",
    unit=_CYCLES,
    latex=r"c_{\mathrm{mem}}",
    derivation=begin(
        "add the latencies, class by class",
        "memory_cycles",
        latency_coalesced * instructions_coalesced
        + latency_uncoalesced * instructions_uncoalesced
        + latency_constant * instructions_constant,
    ),
)

MEMORY_LATENCY = Formula(
    name="memory_latency",
    meaning="mean latency of a memory instruction of a warp",
    source="wang2017, Eq. 7",
    unit=_CYCLES,
    latex=r"\bar{l}",
    derivation=begin(
        "the mean over the memory instructions",
        "memory_latency",
        cycles_memory / instructions_memory,
    ),
)

MEMORY_LATENCY_WEIGHTED = Formula(
    name="memory_latency_weighted",
    meaning="mean latency of a memory instruction of a warp, weighted by class",
    source="wang2017, Eqs. 6 and 7",
    unit=_CYCLES,
    domain=(MEMORY_INSTRUCTIONS.expr > 0,),
    latex=r"\bar{l}",
    derivation=MEMORY_LATENCY.derivation.substitute(
        "insert the memory cycles and the number of instructions",
        cycles_memory=MEMORY_CYCLES.expr,
        instructions_memory=MEMORY_INSTRUCTIONS.expr,
    ).rename("name it", sp.Symbol("memory_latency_weighted")),
)

DEPARTURE_DELAY = Formula(
    name="departure_delay",
    meaning="mean departure delay of a memory instruction of a warp, weighted by class",
    source="wang2017, Eq. 8, where no_mem_insts is the sum of the three classes",
    unit=_CYCLES,
    domain=(MEMORY_INSTRUCTIONS.expr > 0,),
    latex=r"\bar{d}",
    derivation=MEMORY_LATENCY_WEIGHTED.derivation.substitute(
        "the same mean, of delays",
        latency_coalesced=delay_coalesced,
        latency_uncoalesced=delay_uncoalesced,
        latency_constant=delay_constant,
    ).rename("name it", sp.Symbol("departure_delay")),
)

SIMPLE_ACCESS_LATENCY = Formula(
    name="simple_access_latency",
    meaning="baseline without classes of accesses: latency of a memory instruction",
    source="wang2017, Eq. 24",
    unit=_CYCLES,
    latex=r"l_{\mathrm{simple}}",
    derivation=begin(
        "the mean of cache and memory, weighted by the miss rate",
        "simple_access_latency",
        latency_L2 * (1 - miss_rate) + latency_dram * miss_rate,
    ),
)

SIMPLE_ACCESS_DELAY = Formula(
    name="simple_access_delay",
    meaning="baseline without classes of accesses: departure delay of a memory instruction",
    source="wang2017, Eq. 25",
    unit=_CYCLES,
    latex=r"d_{\mathrm{simple}}",
    derivation=SIMPLE_ACCESS_LATENCY.derivation.substitute(
        "the same mean, of delays", latency_L2=delay_L2, latency_dram=delay_dram
    ).rename("name it", sp.Symbol("simple_access_delay")),
)

FORMULAS = (
    ACCESS_LATENCY_L2,
    ACCESS_LATENCY_DRAM,
    ACCESS_LATENCY,
    ACCESS_LATENCY_MEAN,
    ACCESS_DELAY,
    CONSTANT_ACCESS_LATENCY,
    CONSTANT_ACCESS_DELAY,
    MEMORY_INSTRUCTIONS,
    MEMORY_CYCLES,
    MEMORY_LATENCY,
    MEMORY_LATENCY_WEIGHTED,
    DEPARTURE_DELAY,
    SIMPLE_ACCESS_LATENCY,
    SIMPLE_ACCESS_DELAY,
)
