"""Model of bounds: the pipe of L1 and shared memory, which are the same banks since Volta.

An access of a warp passes over the banks once for each of the different words that one of them
has; the tags are looked up line by line. What takes longer counts, and no access takes less than
the pipe needs for 32 addresses.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import CYCLES, SECONDS
from logca.derive.core.cgpredict_symbols import frequency
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    bank_passes,
    busiest_blocks,
    line_cycles,
    lines,
    load_cycles,
    load_wavefronts,
    shared_wavefronts,
    store_wavefronts,
    wavefront_cycles,
)

__all__ = ["ACCESS_CYCLES", "BOUND_L1", "FORMULAS"]

ACCESS_CYCLES = Formula(
    name="access_cycles",
    meaning="cycles of an access of a warp in the pipe of L1 and shared memory",
    source="logca2026; line and banks as in Jia and others, arXiv 1804.06826 and 1903.07486, "
    "least cycles by te42kyfo, gpu-benches (gpu-cache); cycles of a further line fitted (0.265), "
    "least cycles on Turing too (3)",
    unit=CYCLES,
    latex=r"c_{\mathrm{pipe}}",
    derivation=begin(
        "the longest of passes over the banks, lookups of lines and the least that the pipe takes",
        "access_cycles",
        sp.Max(
            load_cycles,
            wavefront_cycles * bank_passes,
            wavefront_cycles + line_cycles * (lines - 1),
        ),
    ),
)

BOUND_L1 = Formula(
    name="bound_l1",
    meaning="time that L1 and shared memory of the busiest multiprocessor need at least",
    source="logca2026",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\mathrm{L1}}",
    derivation=begin(
        "loads, stores and accesses of shared memory go through one pipe",
        "bound_l1",
        (load_wavefronts + store_wavefronts + shared_wavefronts) * busiest_blocks,
    ).scale("cycles over frequency", 1 / frequency),
)

FORMULAS = (ACCESS_CYCLES, BOUND_L1)
