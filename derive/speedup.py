"""Host time, accelerated time and speedup (eqs 1, 2 and 8 in one)."""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import Dimension
from logca.derive.formula import Formula
from logca.derive.symbols import L0, L1, A, C, beta, g, o

__all__ = ["FORMULAS", "SPEEDUP", "SPEEDUP_INFINITE", "T0", "T1"]

_CYCLES = Dimension(cycles=sp.Integer(1))

T0 = Formula(
    name="T0",
    meaning="time of the kernel on the host",
    source="altaf2017, §2: C0(g) = C*f(g) with f(g) = g**beta; altaf2015, §2, beta = 1",
    unit=_CYCLES,
    latex="T_0",
    derivation=begin("computation time is a power of granularity", "T0", C * g**beta),
)

T1 = Formula(
    name="T1",
    meaning="time of the kernel when it is offloaded",
    source="altaf2017, §2: O1(g) + L1(g) + C1(g) with C1 = C0/A; altaf2015, §2",
    unit=_CYCLES,
    latex="T_1",
    derivation=begin(
        "overhead, affine latency and accelerated computation, one after the other",
        "T1",
        o + L0 + L1 * g + T0.expr / A,
    ),
)

SPEEDUP = Formula(
    name="speedup",
    meaning="speedup of offloading: host time over accelerated time",
    source="altaf2017, Eqs. 1, 2 and 8; altaf2015, Eqs. 1, 2 and 8",
    latex="S",
    derivation=begin("host time over accelerated time", "speedup", T0.expr / T1.expr),
)

SPEEDUP_INFINITE = Formula(
    name="speedup_infinite",
    meaning="speedup if the accelerator computed in no time",
    source="altaf2017, §2.3, the hypothetical accelerator of Eq. 13",
    latex=r"S_\infty",
    domain=(o + L0 + L1 > 0,),
    derivation=begin("speedup", "speedup", SPEEDUP.expr).limit(
        "let the acceleration grow without bound", A, sp.oo, sp.Symbol("speedup_infinite")
    ),
)

FORMULAS = (T0, T1, SPEEDUP, SPEEDUP_INFINITE)
