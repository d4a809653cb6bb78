"""Uncertain inputs: granularity within a window, parameters known within a factor rho."""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import BYTES
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, g_high, g_low, o, rho, s
from logca.derive.logca.granularity import EQUATION
from logca.derive.logca.peak_and_existence import G_PEAK
from logca.derive.logca.speedup import SPEEDUP, T0

__all__ = [
    "BETTER_PARAMETERS",
    "FORMULAS",
    "GS_HIGH",
    "GS_LOW",
    "SPEEDUP_HIGH",
    "SPEEDUP_LOW",
    "SPEEDUP_SPREAD",
    "SPEEDUP_WINDOW",
    "SPEEDUP_WINDOW_FLOOR",
    "WINDOW_BEST",
    "WORSE_PARAMETERS",
]

_WINDOW_SOURCE = "logca2026; the plots of altaf2017, §5, end at 32 MB"
_ORDERED = g_low <= g_high

WINDOW_BEST = Formula(
    name="window_best",
    meaning="granularity with the greatest speedup in a window",
    source=_WINDOW_SOURCE,
    unit=BYTES,
    latex=r"g_{\mathrm{best}}",
    domain=(o + L0 > 0, _ORDERED),
    derivation=begin(
        "end of the rise: the peak, whose reciprocal is positive only if there is one, or the "
        "upper end",
        g,
        1 / sp.Max(1 / g_high, 1 / G_PEAK.expr),
    ).into("but not below the lower end", sp.Symbol("window_best"), sp.Max(g_low, g)),
)

SPEEDUP_WINDOW = Formula(
    name="speedup_window",
    meaning="greatest speedup in a window: targets up to it are reached there, others not",
    source=_WINDOW_SOURCE,
    latex=r"S_{\mathrm{best}}",
    domain=WINDOW_BEST.domain,
    derivation=begin("best granularity", g, WINDOW_BEST.expr).into(
        "speedup there", sp.Symbol("speedup_window"), SPEEDUP.expr
    ),
)

SPEEDUP_WINDOW_FLOOR = Formula(
    name="speedup_window_floor",
    meaning="least speedup in a window",
    source=_WINDOW_SOURCE,
    latex=r"S_{\mathrm{least}}",
    domain=(_ORDERED,),
    derivation=begin(
        "the lower of the speedups at the ends, since there is no dip between them",
        "speedup_window_floor",
        sp.Min(SPEEDUP.at(g=g_low), SPEEDUP.at(g=g_high)),
    ),
)

_WINDOW_FORMULAS = (WINDOW_BEST, SPEEDUP_WINDOW, SPEEDUP_WINDOW_FLOOR)


_ERROR_SOURCE = "logca2026; altaf2015, §5, notes that parameters may be random"
WORSE_PARAMETERS: dict[str, sp.Expr] = {
    "o": o * rho,
    "L0": L0 * rho,
    "L1": L1 * rho,
    "C": C / rho,
    "A": A / rho,
}
"""Parameters at the end of their intervals with the least speedup [unit of each]."""
BETTER_PARAMETERS: dict[str, sp.Expr] = {
    "o": o / rho,
    "L0": L0 / rho,
    "L1": L1 / rho,
    "C": C * rho,
    "A": A * rho,
}
"""Parameters at the end of their intervals with the greatest speedup [unit of each]."""
_UNCERTAIN = (rho >= 1,)
_SPEEDUP = begin("speedup", "speedup", SPEEDUP.expr)

_PREPARATION = o + L0 + L1 * g
_COMPUTATION = T0.expr / A

SPEEDUP_LOW = Formula(
    name="speedup_low",
    meaning="least speedup if o, L, C and A are known within a factor rho",
    source=_ERROR_SOURCE,
    latex="S_{-}",
    domain=_UNCERTAIN,
    derivation=_SPEEDUP.substitute("every parameter at its worse end", **WORSE_PARAMETERS)
    .rewrite(
        "the computation is off once, overhead and latency twice",
        rhs=T0.expr / (rho**2 * _PREPARATION + rho * _COMPUTATION),
    )
    .rename("name it", sp.Symbol("speedup_low")),
)

SPEEDUP_HIGH = Formula(
    name="speedup_high",
    meaning="greatest speedup if o, L, C and A are known within a factor rho",
    source=_ERROR_SOURCE,
    latex="S_{+}",
    domain=_UNCERTAIN,
    derivation=_SPEEDUP.substitute("every parameter at its better end", **BETTER_PARAMETERS)
    .rewrite(
        "the computation is off once, overhead and latency twice",
        rhs=T0.expr / (_PREPARATION / rho**2 + _COMPUTATION / rho),
    )
    .rename("name it", sp.Symbol("speedup_high")),
)

SPEEDUP_SPREAD = Formula(
    name="speedup_spread",
    meaning="greatest over least speedup: between rho**2 and rho**4",
    source=_ERROR_SOURCE,
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
        source=_ERROR_SOURCE,
        unit=BYTES,
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
    BETTER_PARAMETERS,
    C * (rho / s - 1 / A),
    s < rho * A,
)
GS_HIGH = _extreme(
    "g_s_high",
    "greatest g_s if o, L, C and A are known within a factor rho",
    r"g_{s,\max}",
    WORSE_PARAMETERS,
    C * (1 / (rho * s) - 1 / A),
    rho * s < A,
)

_UNCERTAINTY_FORMULAS = (SPEEDUP_LOW, SPEEDUP_HIGH, SPEEDUP_SPREAD, GS_LOW, GS_HIGH)


FORMULAS = (*_WINDOW_FORMULAS, *_UNCERTAINTY_FORMULAS)
