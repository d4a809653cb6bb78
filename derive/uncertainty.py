"""Parameters known within a factor rho: how far speedup and granularity may be off.

The speedup grows with C and A and falls with o and L, so its extremes are at the extremes of all
parameters at once; they are reached, not merely bounds.
"""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import Dimension
from logca.derive.formula import Formula
from logca.derive.granularity import EQUATION
from logca.derive.speedup import SPEEDUP, T0
from logca.derive.symbols import L0, L1, A, C, beta, g, o, rho, s

__all__ = [
    "FORMULAS",
    "GS_HIGH",
    "GS_LOW",
    "SPEEDUP_HIGH",
    "SPEEDUP_LOW",
    "SPEEDUP_SPREAD",
]

_SOURCE = "logca2026; altaf2015, §5, notes that parameters may be random"
_WORSE: dict[str, sp.Expr] = {
    "o": o * rho,
    "L0": L0 * rho,
    "L1": L1 * rho,
    "C": C / rho,
    "A": A / rho,
}
_BETTER: dict[str, sp.Expr] = {
    "o": o / rho,
    "L0": L0 / rho,
    "L1": L1 / rho,
    "C": C * rho,
    "A": A * rho,
}
_UNCERTAIN = (rho >= 1,)
_SPEEDUP = begin("speedup", "speedup", SPEEDUP.expr)

_PREPARATION = o + L0 + L1 * g
_COMPUTATION = T0.expr / A

SPEEDUP_LOW = Formula(
    name="speedup_low",
    meaning="least speedup if o, L, C and A are known within a factor rho",
    source=_SOURCE,
    latex="S_{-}",
    domain=_UNCERTAIN,
    derivation=_SPEEDUP.substitute("every parameter at its worse end", **_WORSE)
    .rewrite(
        "the computation is off once, overhead and latency twice",
        rhs=T0.expr / (rho**2 * _PREPARATION + rho * _COMPUTATION),
    )
    .rename("name it", sp.Symbol("speedup_low")),
)

SPEEDUP_HIGH = Formula(
    name="speedup_high",
    meaning="greatest speedup if o, L, C and A are known within a factor rho",
    source=_SOURCE,
    latex="S_{+}",
    domain=_UNCERTAIN,
    derivation=_SPEEDUP.substitute("every parameter at its better end", **_BETTER)
    .rewrite(
        "the computation is off once, overhead and latency twice",
        rhs=T0.expr / (_PREPARATION / rho**2 + _COMPUTATION / rho),
    )
    .rename("name it", sp.Symbol("speedup_high")),
)

SPEEDUP_SPREAD = Formula(
    name="speedup_spread",
    meaning="greatest over least speedup: between rho**2 and rho**4",
    source=_SOURCE,
    latex="S_{+}/S_{-}",
    domain=_UNCERTAIN,
    derivation=begin(
        "ratio of the extremes", "speedup_spread", SPEEDUP_HIGH.expr / SPEEDUP_LOW.expr
    ).rewrite(
        "the host time cancels",
        rhs=rho**3 * (rho * _PREPARATION + _COMPUTATION) / (_PREPARATION + rho * _COMPUTATION),
    ),
)


def _extreme(
    name: str, meaning: str, latex: str, ends: dict[str, sp.Expr], index: sp.Expr, below: sp.Basic
) -> Formula:
    step = "every parameter at its better or worse end"
    return Formula(
        name=name,
        meaning=meaning,
        source=_SOURCE,
        unit=Dimension(bytes=sp.Integer(1)),
        latex=latex,
        domain=(*_UNCERTAIN, below),
        derivation=EQUATION.substitute(step, **ends)
        .rewrite("collect by powers of the granularity", lhs=index * g**beta)
        .root("where the left side rises above the right side", g, sp.Symbol(name)),
    )


GS_LOW = _extreme(
    "g_s_low",
    "least g_s if o, L, C and A are known within a factor rho",
    r"g_{s,\min}",
    _BETTER,
    C * (rho / s - 1 / A),
    s < rho * A,
)
GS_HIGH = _extreme(
    "g_s_high",
    "greatest g_s if o, L, C and A are known within a factor rho",
    r"g_{s,\max}",
    _WORSE,
    C * (1 / (rho * s) - 1 / A),
    rho * s < A,
)

FORMULAS = (SPEEDUP_LOW, SPEEDUP_HIGH, SPEEDUP_SPREAD, GS_LOW, GS_HIGH)
