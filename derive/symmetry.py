"""What leaves the speedup as it is: reflection and a change of the unit of granularity.

Reflection exchanges overhead and latency per byte, small and large granularities, beta and
1 - beta; it maps the lower root onto the reciprocal of the upper one. A change of unit rescales C
and L1 with the granularity; only `omega_invariant` (and A) are free of it.
"""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.formula import Formula
from logca.derive.speedup import SPEEDUP, SPEEDUP_INFINITE
from logca.derive.symbols import L0, L1, C, beta, g, o, scale

__all__ = ["FORMULAS", "OMEGA_INVARIANT", "SPEEDUP_REFLECTED", "SPEEDUP_RESCALED"]

_XI = sp.Symbol("xi", positive=True)


SPEEDUP_REFLECTED = Formula(
    name="speedup_reflected",
    meaning="speedup at 1/g with o + L0 and L1 exchanged and 1 - beta for beta: the speedup at g",
    source="logca2026 (altaf2017, Eq. 8)",
    latex=r"S(1/g;\,o + L_0 \leftrightarrow L_1,\,1 - \beta)",
    domain=(beta < 1,),
    derivation=begin("speedup", "speedup_reflected", SPEEDUP.expr)
    .substitute("reflect", g=1 / g, beta=1 - beta, o=L1, L0=0, L1=o + L0)
    .rewrite("multiply numerator and denominator by the granularity", rhs=SPEEDUP.expr),
)

SPEEDUP_RESCALED = Formula(
    name="speedup_rescaled",
    meaning="speedup with granularity, C and L1 in a new unit of granularity: as in the old one",
    source="logca2026 (altaf2017, Eq. 8)",
    latex=r"S(g/\lambda;\,\lambda^{\beta} C,\,\lambda L_1)",
    derivation=begin("speedup", "speedup_rescaled", SPEEDUP.expr)
    .substitute("another unit of granularity", g=g / scale, C=C * scale**beta, L1=L1 * scale)
    .rewrite("the new unit cancels", rhs=SPEEDUP.expr),
)

OMEGA_INVARIANT = Formula(
    name="omega_invariant",
    meaning="the one number, besides A and beta, that decides how high the speedup gets",
    source="logca2026 (altaf2017, Eq. 8, in place of C/L, which depends on the unit)",
    latex=r"\Omega",
    domain=(o + L0 > 0, L1 > 0),
    derivation=begin("infinite acceleration", sp.Symbol("speedup_infinite"), SPEEDUP_INFINITE.expr)
    .substitute("measure the granularity in units of (o + L0)/L1", g=_XI * (o + L0) / L1)
    .scale("divide by the dependence on granularity", (1 + _XI) * _XI**-beta)
    .rewrite("collect the powers", rhs=C * (o + L0) ** (beta - 1) * L1**-beta)
    .rename("name it", sp.Symbol("omega_invariant")),
)

FORMULAS = (SPEEDUP_REFLECTED, SPEEDUP_RESCALED, OMEGA_INVARIANT)
