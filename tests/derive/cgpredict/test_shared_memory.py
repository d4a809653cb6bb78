"""The reading of CGPredict for kernels in tiles, against Table 5 of wang2017 by hand."""

import pytest
import sympy as sp

from logca.derive.cgpredict.execution import EXECUTION_CYCLES
from logca.derive.cgpredict.shared_memory import (
    COMPUTATION_CYCLES_WITH_SHARED,
    MEMORY_CYCLES_WITH_SHARED,
    SHARED_LOAD_CYCLES,
    TILED_EXECUTION_CYCLES,
)
from logca.derive.core.catalogue import formula
from logca.derive.core.cgpredict_symbols import (
    active_warps,
    batch,
    cwp,
    cycles_computation,
    cycles_memory,
    instructions_load_shared,
    instructions_memory,
    latency_load_shared,
    latency_mean,
    mwp,
)

TABLE = {
    "2MM": (4096, 1, 2, 2, 9, 6748.05),
    "3MM": (2048, 3, 2, 2, 9, 2530.52),
    "GEMM": (1024, 1, 2, 2, 10, 105.75),
    "SYR2K": (1024, 1, 4, 34, 18, 1445.48),
    "SYRK": (1024, 1, 2, 17, 10, 713.42),
}
"""Size, launches, tiles, sum of X over the accesses of a step, its instructions, estimate [ms]."""


@pytest.mark.parametrize("name", TABLE)
def test_table_5(name: str) -> None:
    size, launches, tiles, ways, instructions, estimate = TABLE[name]
    loads = SHARED_LOAD_CYCLES.expr.subs(
        {instructions_load_shared: sp.Integer(tiles * size // 32), latency_load_shared: 506}
    )
    values = {
        cycles_memory: loads,
        cycles_computation: size * (sp.Rational(instructions, 2) + 67 * ways),
        batch: launches * (size // 32) ** 2 / sp.Integer(2),
    }
    milliseconds = float(TILED_EXECUTION_CYCLES.expr.subs(values)) / 852e6 * 1e3
    assert milliseconds == pytest.approx(estimate, rel=0.015)
    printed = EXECUTION_CYCLES.expr.subs(
        {
            **values,
            active_warps: 64,
            mwp: 64,
            cwp: 1 + loads / values[cycles_computation],
            latency_mean: 506,
            instructions_memory: tiles * size // 32,
        }
    )
    assert 50 < float(printed) / 852e6 * 1e3 / estimate < 64


def test_it_is_eqs_16_and_17_with_one_warp_whose_memory_hides_nothing() -> None:
    one = EXECUTION_CYCLES.expr.subs(
        {active_warps: 1, mwp: 1, cwp: sp.Rational(1, 2), latency_mean: cycles_memory}
    )
    assert sp.expand(one - TILED_EXECUTION_CYCLES.expr) == 0
    assert formula("tiled_execution_cycles") is TILED_EXECUTION_CYCLES
    assert "prints no such equation" in TILED_EXECUTION_CYCLES.source
    whole = MEMORY_CYCLES_WITH_SHARED.expr + COMPUTATION_CYCLES_WITH_SHARED.expr
    assert whole.free_symbols > TILED_EXECUTION_CYCLES.expr.free_symbols - {batch}
