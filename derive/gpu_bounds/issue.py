"""Model of bounds: schedulers, which issue instructions, and the pipes that execute them."""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import SECONDS
from logca.derive.core.cgpredict_symbols import frequency, warp_threads
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    busiest_blocks,
    conversion_lanes,
    conversions,
    fp32,
    fp32_lanes,
    fp64,
    fp64_lanes,
    instructions,
    int_lanes,
    integer,
    schedulers,
    shared_issue,
    special,
    special_lanes,
)

__all__ = ["BOUND_ISSUE", "BOUND_PIPES", "FORMULAS"]

_CYCLES = "cycles over frequency"

BOUND_ISSUE = Formula(
    name="bound_issue",
    meaning="time that the schedulers of the busiest multiprocessor need at least",
    source="logca2026; schedulers by the CUDA C++ programming guide, compute capabilities",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\mathrm{issue}}",
    derivation=begin(
        "each scheduler issues an instruction of a warp a cycle",
        "bound_issue",
        instructions * busiest_blocks / schedulers,
    ).scale(_CYCLES, 1 / frequency),
)

BOUND_PIPES = Formula(
    name="bound_pipes",
    meaning="time that the busiest pipe of arithmetic of the busiest multiprocessor needs at least",
    source="logca2026; lanes by the CUDA C++ programming guide, throughput of native arithmetic "
    "instructions; lanes for both kinds by NVIDIA's white paper on GA102",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\mathrm{arith}}",
    derivation=begin(
        "pipes work side by side, each on the threads of its own instructions; where lanes of "
        "single precision take integer instructions too, they have both",
        "bound_pipes",
        warp_threads
        * busiest_blocks
        * sp.Max(
            (fp32 + shared_issue * integer) / fp32_lanes,
            integer / int_lanes,
            fp64 / fp64_lanes,
            conversions / conversion_lanes,
            special / special_lanes,
        ),
    ).scale(_CYCLES, 1 / frequency),
)

FORMULAS = (BOUND_ISSUE, BOUND_PIPES)
