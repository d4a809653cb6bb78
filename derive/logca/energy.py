"""Energy: each part of the time at its own power; the energy gain is again a LogCA model."""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import BYTES, ONE, WATTS, Dimension
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.symbols import (
    L0,
    L1,
    A,
    C,
    beta,
    g,
    o,
    p_accelerator,
    p_host,
    p_link,
    p_overhead,
)
from logca.derive.logca.speedup import SPEEDUP, T0, T1

__all__ = [
    "AVERAGE_POWER_ACCELERATED",
    "EDP_GAIN",
    "ENERGY_ACCELERATED",
    "ENERGY_CEILING",
    "ENERGY_GAIN",
    "ENERGY_HOST",
    "ENERGY_PARAMETERS",
    "FORMULAS",
    "G1_ENERGY",
]

_ENERGY = Dimension(cycles=sp.Integer(1), watts=sp.Integer(1))
_SOURCE = "logca2026; altaf2015, §5, announces energy as further work"
_LATENCY = L0 + L1 * g
ENERGY_PARAMETERS: dict[str, sp.Expr] = {
    "o": o * p_overhead / p_host,
    "L0": L0 * p_link / p_host,
    "L1": L1 * p_link / p_host,
    "A": A * p_host / p_accelerator,
}
"""Parameters with which the speedup is the energy gain [unit of each]."""

ENERGY_HOST = Formula(
    name="energy_host",
    meaning="energy of the kernel on the host",
    source=_SOURCE,
    unit=_ENERGY,
    latex="E_0",
    derivation=begin("power times time", "energy_host", p_host * T0.expr),
)

ENERGY_ACCELERATED = Formula(
    name="energy_accelerated",
    meaning="energy of the kernel when it is offloaded, each part at the power of the whole system",
    source=_SOURCE,
    unit=_ENERGY,
    latex="E_1",
    derivation=begin(
        "power times time, part by part",
        "energy_accelerated",
        p_overhead * o + p_link * _LATENCY + p_accelerator * T0.expr / A,
    ),
)

ENERGY_GAIN = Formula(
    name="energy_gain",
    meaning="energy on the host over energy when offloaded",
    source=_SOURCE,
    latex="S_E",
    derivation=begin("speedup", "speedup", SPEEDUP.expr)
    .substitute("times weighted by power, that of the host as unit", **ENERGY_PARAMETERS)
    .rewrite("host energy over accelerated energy", rhs=ENERGY_HOST.expr / ENERGY_ACCELERATED.expr)
    .rename("name it", sp.Symbol("energy_gain")),
)

ENERGY_CEILING = Formula(
    name="energy_ceiling",
    meaning="energy gain if only the computation cost energy",
    source=_SOURCE,
    unit=ONE,
    status=Exactness.BOUND,
    latex="A_E",
    derivation=ENERGY_GAIN.derivation.substitute(
        "neither overhead nor latency", o=0, L0=0, L1=0
    ).rename("name it", sp.Symbol("energy_ceiling")),
)

G1_ENERGY = Formula(
    name="g1_energy",
    meaning="least granularity from which offloading saves energy",
    source=_SOURCE,
    unit=BYTES,
    latex="g_{1,E}",
    domain=(A * p_host > p_accelerator,),
    derivation=begin("both energies are equal", ENERGY_HOST.expr, ENERGY_ACCELERATED.expr)
    .add("subtract the energy of the accelerated computation", -p_accelerator * T0.expr / A)
    .rewrite(
        "collect by powers of the granularity",
        lhs=C * (p_host - p_accelerator / A) * g**beta,
        rhs=p_overhead * o + p_link * L0 + p_link * L1 * g,
    )
    .root("where the left side rises above the right side", g, sp.Symbol("g1_energy")),
)

AVERAGE_POWER_ACCELERATED = Formula(
    name="average_power_accelerated",
    meaning="mean power of the kernel when it is offloaded",
    source=_SOURCE,
    unit=WATTS,
    latex=r"\bar p_1",
    derivation=begin(
        "energy over time", "average_power_accelerated", ENERGY_ACCELERATED.expr / T1.expr
    ),
)

EDP_GAIN = Formula(
    name="edp_gain",
    meaning="factor by which the product of energy and time falls",
    source=_SOURCE,
    latex=r"S_{E\,T}",
    derivation=begin(
        "product of energy and time, host over offloaded",
        "edp_gain",
        ENERGY_HOST.expr * T0.expr / (ENERGY_ACCELERATED.expr * T1.expr),
    ).rewrite("energy gain times speedup", rhs=ENERGY_GAIN.expr * SPEEDUP.expr),
)

FORMULAS = (
    ENERGY_HOST,
    ENERGY_ACCELERATED,
    ENERGY_GAIN,
    ENERGY_CEILING,
    G1_ENERGY,
    AVERAGE_POWER_ACCELERATED,
    EDP_GAIN,
)
