"""Model of bounds: main memory, which moves what misses L2 at its sustained bandwidth."""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import ONE, SECONDS
from logca.derive.core.cgpredict_symbols import bandwidth, blocks
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    first_bytes,
    fresh_sectors,
    missed_sectors,
    multiprocessors,
    read_bytes,
    resident_blocks,
    wave_bytes,
    waves,
    written_bytes,
)

__all__ = ["BOUND_MAIN_MEMORY", "FORMULAS", "SHARE_OF_MAIN_MEMORY"]

BOUND_MAIN_MEMORY = Formula(
    name="bound_main_memory",
    meaning="time that main memory needs at least for the bytes of a launch",
    source="logca2026; the memory roof of Williams and others, Roofline (CACM 2009), at the "
    "bandwidth that a stream measures",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\mathrm{dram}}",
    derivation=begin(
        "reads and writes share the same wires",
        "bound_main_memory",
        (read_bytes + written_bytes) / bandwidth,
    ),
)

_WAVES = blocks / (multiprocessors * resident_blocks)
_LATER_BYTES = sp.Max(0, read_bytes - first_bytes) / (_WAVES - 1)

SHARE_OF_MAIN_MEMORY = Formula(
    name="share_of_main_memory",
    meaning="share of the sectors missed in L1 that main memory is waited for",
    source="logca2026; a sector on its way is waited for like one that nobody asked for yet, as by "
    "the miss registers of Kroft (ISCA 1981)",
    unit=ONE,
    status=Exactness.APPROXIMATION,
    latex=r"s_{\mathrm{dram}}",
    derivation=begin(
        "blocks that run at a time ask for what they share at the same time, and all wait for it: "
        "of what a wave reads, main memory delivers a part, the first time that a multiprocessor "
        "asks; the first wave may find less in L2 than those behind it",
        "share_of_main_memory",
        sp.Piecewise(
            (0, missed_sectors * wave_bytes <= 0),
            (
                fresh_sectors
                / missed_sectors
                * (first_bytes + (waves - 1) * sp.Min(wave_bytes, _LATER_BYTES))
                / (waves * wave_bytes),
                _WAVES > 1,
            ),
            (fresh_sectors * first_bytes / (missed_sectors * wave_bytes), sp.true),
        ),
    ),
)

FORMULAS = (BOUND_MAIN_MEMORY, SHARE_OF_MAIN_MEMORY)
