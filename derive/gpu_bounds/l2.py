"""Model of bounds: L2, by the ports of multiprocessors and by its slices; and stores.

A sector crosses from L2 to a multiprocessor, or back, at a rate that is measured while all of them
transfer. A slice takes a sector a cycle; what a store covers of a line in part only it must read,
merge and write. A store writes through L1, which keeps nothing of it.
"""

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import SECONDS
from logca.derive.core.cgpredict_symbols import blocks, frequency
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    busiest_blocks,
    l2_bandwidth,
    l2_sector,
    l2_slices,
    missed_sectors,
    partial_lines,
    partial_store,
    store_cycles,
    stored_sectors,
)

__all__ = ["BOUND_L2", "BOUND_L2_SLICES", "BOUND_STORES", "FORMULAS"]

_CYCLES = "cycles over frequency"

BOUND_L2 = Formula(
    name="bound_l2",
    meaning="time that the port of the busiest multiprocessor to L2 needs at least",
    source="logca2026; bandwidth of L2 by multiprocessor measured by te42kyfo, gpu-benches "
    "(gpu-l2-cache), and by Jia and others, arXiv 1804.06826 and 1903.07486",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\mathrm{port}}",
    derivation=begin(
        "loads that miss L1, and all stores, cross the port",
        "bound_l2",
        l2_sector * (missed_sectors + stored_sectors) * busiest_blocks / l2_bandwidth,
    ).scale(_CYCLES, 1 / frequency),
)

BOUND_L2_SLICES = Formula(
    name="bound_l2_slices",
    meaning="time that the slices of L2 need at least, the sectors spread evenly over them",
    source="logca2026; what a line costs that is written in part is fitted (2.3 cycles of a slice)",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\mathrm{slice}}",
    derivation=begin(
        "a sector takes a slice a cycle, and a line of which a sector is written in part several",
        "bound_l2_slices",
        blocks
        * (missed_sectors + stored_sectors + (partial_store - 1) * partial_lines)
        / l2_slices,
    ).scale(_CYCLES, 1 / frequency),
)

BOUND_STORES = Formula(
    name="bound_stores",
    meaning="time that the busiest multiprocessor needs at least to send its stores to L2",
    source="logca2026; two multiprocessors share a port (Ahn and others, MICRO 2021), which is "
    "taken to send a sector a cycle, so that each has 2 cycles for a sector",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\mathrm{store}}",
    derivation=begin(
        "sectors leave a multiprocessor one after the other",
        "bound_stores",
        stored_sectors * store_cycles * busiest_blocks,
    ).scale(_CYCLES, 1 / frequency),
)

FORMULAS = (BOUND_L2, BOUND_L2_SLICES, BOUND_STORES)
