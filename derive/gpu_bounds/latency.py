"""Model of bounds: waiting, which nothing hides once all warps that fit wait at the same time.

A warp cannot go on before the loads of a group have come, the slowest of them last; then its
arithmetic depends on them. However many warps run beside it, a block takes no less than one of its
warps, and the next wave of blocks begins after it. This is Hong and Kim's latency without their
departure delays, which are bounds of their own here.
"""

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import CYCLES, SECONDS
from logca.derive.core.cgpredict_symbols import frequency, latency_dram, latency_L2
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    barrier_cycles,
    barriers,
    dependent_cycles,
    latency_L1,
    load_groups,
    main_memory_share,
    missed_groups,
    warps_of_block,
    waves,
)

__all__ = ["BOUND_LATENCY", "EXPOSED_LATENCY", "FORMULAS", "MISS_LATENCY"]

MISS_LATENCY = Formula(
    name="miss_latency",
    meaning="mean latency of a load that misses L1",
    source="logca2026; latencies measured by te42kyfo, gpu-benches (gpu-latency), and by Jia and "
    "others, arXiv 1804.06826 and 1903.07486",
    unit=CYCLES,
    latex=r"l_{\mathrm{miss}}",
    derivation=begin(
        "that of L2, and where L2 misses too that of main memory beyond it",
        "miss_latency",
        latency_L2 + main_memory_share * latency_dram,
    ),
)

_LOADS = (load_groups - missed_groups) * latency_L1 + missed_groups * MISS_LATENCY.expr

EXPOSED_LATENCY = Formula(
    name="exposed_latency",
    meaning="time that blocks wait for loads and at barriers, where their threads wait together",
    source="logca2026; cycles of a barrier fitted (0)",
    unit=SECONDS,
    latex=r"t_{\mathrm{exposed}}",
    derivation=begin(
        "between barriers all warps of a block wait for the same loads; arithmetic of one hides "
        "behind that of another",
        "exposed_latency",
        waves * (_LOADS + barriers * barrier_cycles) / warps_of_block,
    ).scale("cycles over frequency", 1 / frequency),
)

BOUND_LATENCY = Formula(
    name="bound_latency",
    meaning="time that waiting for loads, arithmetic and barriers takes at least",
    source="logca2026; after the latency of Hong and Kim (hong2009); cycles of a barrier fitted "
    "(0)",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\mathrm{wait}}",
    derivation=begin(
        "a mean warp waits for its groups of loads one after the other, for arithmetic and at "
        "barriers, in each wave of blocks",
        "bound_latency",
        waves * (_LOADS + dependent_cycles + barriers * barrier_cycles) / warps_of_block,
    ).scale("cycles over frequency", 1 / frequency),
)

FORMULAS = (MISS_LATENCY, EXPOSED_LATENCY, BOUND_LATENCY)
