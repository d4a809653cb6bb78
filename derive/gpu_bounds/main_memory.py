"""Model of bounds: main memory, which moves what misses L2 at its sustained bandwidth."""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import ONE, SECONDS
from logca.derive.core.cgpredict_symbols import bandwidth, blocks
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    l2_sector,
    missed_sectors,
    read_bytes,
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

_MISSED_BYTES = l2_sector * missed_sectors * blocks

SHARE_OF_MAIN_MEMORY = Formula(
    name="share_of_main_memory",
    meaning="share of the sectors missed in L1 that L2 does not have either",
    source="logca2026; L2 is shared by all multiprocessors",
    unit=ONE,
    status=Exactness.APPROXIMATION,
    latex=r"s_{\mathrm{dram}}",
    derivation=begin(
        "bytes read from main memory over bytes missed in L1; all of them where more are read",
        "share_of_main_memory",
        sp.Piecewise(
            (read_bytes / _MISSED_BYTES, read_bytes < _MISSED_BYTES),
            (1, read_bytes > 0),
            (0, sp.true),
        ),
    ),
)

FORMULAS = (BOUND_MAIN_MEMORY, SHARE_OF_MAIN_MEMORY)
