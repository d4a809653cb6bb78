"""Model of bounds: how the blocks of a launch spread over multiprocessors and over time.

A multiprocessor takes a new block when one of its own ends. Blocks of the first few waves run in
step, so a wave that is not full takes as long as a full one: both numbers are rounded up. Later
blocks end one by one, multiprocessors come out even, and the numbers are means.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import ONE
from logca.derive.core.cgpredict_symbols import blocks
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import multiprocessors, resident_blocks

__all__ = ["BLOCKS_ON_BUSIEST", "FORMULAS", "WAVES_OF_BLOCKS"]

_IN_STEP = sp.Integer(4)  # waves; observed on the rows to which the model was fitted
_SOURCE = "logca2026; number of waves in step fitted"
_MEAN = blocks / multiprocessors
_WAVES = _MEAN / resident_blocks


def _rounded(value: sp.Expr) -> sp.Expr:
    return sp.Piecewise((sp.ceiling(value), _WAVES < _IN_STEP), (value, sp.true))


BLOCKS_ON_BUSIEST = Formula(
    name="blocks_on_busiest",
    meaning="blocks of a launch that the busiest multiprocessor runs",
    source=_SOURCE,
    unit=ONE,
    status=Exactness.APPROXIMATION,
    latex=r"\hat{b}",
    derivation=begin(
        "an equal share, rounded up while blocks run in step", "blocks_on_busiest", _rounded(_MEAN)
    ),
)

WAVES_OF_BLOCKS = Formula(
    name="waves_of_blocks",
    meaning="how often the busiest multiprocessor fills with blocks one after the other",
    source=_SOURCE,
    unit=ONE,
    status=Exactness.APPROXIMATION,
    latex=r"\hat{v}",
    derivation=begin(
        "as many at a time as it holds, rounded up while blocks run in step",
        "waves_of_blocks",
        _rounded(_WAVES),
    ),
)

FORMULAS = (BLOCKS_ON_BUSIEST, WAVES_OF_BLOCKS)
