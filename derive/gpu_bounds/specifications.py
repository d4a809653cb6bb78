"""Acceleration of a GPU from specifications alone, as ISCA 2017, section 4, takes it."""

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import ONE
from logca.derive.core.cgpredict_symbols import frequency
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import host_peak_rate, multiprocessors, peak_lanes

__all__ = ["ACCELERATION_BY_PEAK_RATES", "FORMULAS"]

_OPERATIONS = 2
"""A lane multiplies and adds in one cycle, which counts as so many operations [1]."""

ACCELERATION_BY_PEAK_RATES = Formula(
    name="acceleration_by_peak_rates",
    meaning="acceleration of a GPU, taken to be the ratio of peak rates",
    source="altaf2017, §4: peak GFLOP of the GPU over peak GFLOP of the CPU",
    unit=ONE,
    status=Exactness.BOUND,
    latex=r"A_{\mathrm{peak}}",
    derivation=begin(
        "every lane multiplies and adds in every cycle",
        "acceleration_by_peak_rates",
        _OPERATIONS * multiprocessors * peak_lanes * frequency / host_peak_rate,
    ),
)

FORMULAS = (ACCELERATION_BY_PEAK_RATES,)
