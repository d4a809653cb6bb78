"""CGPredict: latency and delay of memory accesses, hits of an LRU cache (eqs 1-11, 24, 25).

In the sums, what stands before a bracketed index is a sequence: the conflict set of each
reference to a memory block, the hits of each memory block of a cache set, the hits of each cache
set.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin, by_cases
from logca.derive.algebra.dimension import CYCLES, ONE
from logca.derive.core.cgpredict_symbols import (
    associativity,
    cache_line,
    cache_size,
    conflict_set_size,
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
    memory_blocks,
    miss_rate,
    reference,
    references,
    sets,
    share_dram,
    transactions,
    transactions_hit,
)
from logca.derive.core.formula import Formula

__all__ = [
    "ACCESS_DELAY",
    "ACCESS_LATENCY",
    "ACCESS_LATENCY_DRAM",
    "ACCESS_LATENCY_L2",
    "ACCESS_LATENCY_MEAN",
    "BLOCK_HITS",
    "CACHE_SETS",
    "CONSTANT_ACCESS_DELAY",
    "CONSTANT_ACCESS_LATENCY",
    "DEPARTURE_DELAY",
    "FORMULAS",
    "HIT",
    "MEMORY_CYCLES",
    "MEMORY_INSTRUCTIONS",
    "MEMORY_LATENCY",
    "MEMORY_LATENCY_WEIGHTED",
    "SET_HITS",
    "SIMPLE_ACCESS_DELAY",
    "SIMPLE_ACCESS_LATENCY",
    "TRACE_HITS",
]

_LATENCY = r"l_{\mathrm{access}}"

ACCESS_LATENCY_L2 = Formula(
    name="access_latency_L2",
    meaning="latency of a coalesced or uncoalesced memory instruction, at most one DRAM "
    "transaction",
    source="wang2017, Eq. 1",
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
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
    unit=CYCLES,
    latex=r"d_{\mathrm{simple}}",
    derivation=SIMPLE_ACCESS_LATENCY.derivation.substitute(
        "the same mean, of delays", latency_L2=delay_L2, latency_dram=delay_dram
    ).rename("name it", sp.Symbol("simple_access_delay")),
)

_MEMORY_FORMULAS = (
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


_i, _j, _k = (sp.Symbol(name, integer=True, positive=True) for name in "ijk")
_conflict_sets = sp.Function(conflict_set_size.name)

CACHE_SETS = Formula(
    name="cache_sets",
    meaning="number of sets of a cache",
    source="wang2017, §3.3.4",
    unit=ONE,
    latex="K",
    derivation=begin(
        "every set holds as many lines as it has ways",
        cache_size,
        sets * associativity * cache_line,
    )
    .swap("exchange the sides")
    .solve("solve for the number of sets", sets)
    .rename("name it", sp.Symbol("cache_sets")),
)

HIT = Formula(
    name="hit",
    meaning="1 if a reference to a memory block finds it in the cache, else 0",
    source="wang2017, Eq. 9, first part",
    unit=ONE,
    latex=r"h_{\mathrm{ref}}",
    derivation=begin(
        "the block is still there if fewer others than ways were referenced since",
        "hit",
        sp.Piecewise((1, sp.And(conflict_set_size < associativity, reference > 1)), (0, sp.true)),
    ),
)

BLOCK_HITS = Formula(
    name="block_hits",
    meaning="hits of all references to one memory block",
    source="wang2017, Eq. 9",
    unit=ONE,
    latex=r"h_{\mathrm{block}}",
    derivation=begin(
        "add the hits of its references",
        "block_hits",
        sp.Sum(
            HIT.expr.subs({conflict_set_size: _conflict_sets(_j), reference: _j}),
            (_j, 1, references),
        ),
    ),
)

SET_HITS = Formula(
    name="set_hits",
    meaning="hits of all memory blocks that map to one cache set",
    source="wang2017, Eq. 10",
    unit=ONE,
    latex=r"h_{\mathrm{set}}",
    derivation=begin(
        "add the hits of its memory blocks",
        "set_hits",
        sp.Sum(sp.Function(BLOCK_HITS.name)(_k), (_k, 1, memory_blocks)),
    ),
)

TRACE_HITS = Formula(
    name="trace_hits",
    meaning="hits of a whole trace",
    source="wang2017, Eq. 11",
    unit=ONE,
    latex=r"h_{\mathrm{trace}}",
    derivation=begin(
        "add the hits of the cache sets, which do not touch each other",
        "trace_hits",
        sp.Sum(sp.Function(SET_HITS.name)(_i), (_i, 1, sets)),
    ),
)

_CACHE_FORMULAS = (CACHE_SETS, HIT, BLOCK_HITS, SET_HITS, TRACE_HITS)


FORMULAS = (*_MEMORY_FORMULAS, *_CACHE_FORMULAS)
