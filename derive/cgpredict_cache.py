"""CGPredict: hits of a set-associative LRU cache by temporal conflict sets (eqs 9-11).

In the sums, what stands before a bracketed index is a sequence: the conflict set of each reference
to a memory block, the hits of each memory block of a cache set, the hits of each cache set.
"""

import sympy as sp

from logca.derive.cgpredict_symbols import (
    associativity,
    cache_line,
    cache_size,
    conflict_set_size,
    memory_blocks,
    reference,
    references,
    sets,
)
from logca.derive.derivation import begin
from logca.derive.dimension import ONE
from logca.derive.formula import Formula

__all__ = ["BLOCK_HITS", "CACHE_SETS", "FORMULAS", "HIT", "SET_HITS", "TRACE_HITS"]

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

FORMULAS = (CACHE_SETS, HIT, BLOCK_HITS, SET_HITS, TRACE_HITS)
