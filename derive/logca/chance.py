"""Chance: o, L and C log-normal, and so all that is a product of their powers.

The speedup exceeds a target exactly if the speedup with infinite acceleration, C*g**beta over
overhead and latency, exceeds another one. Where overhead or latency is the only one of the two,
that is a product of powers, whose logarithm is normal; so is the peak for beta < 1. A sum of two
uncertain parts is no product: of it there is no closed form.
"""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin
from logca.derive.algebra.dimension import BYTES
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L1, A, C, beta, deviation, s, spread_C, spread_L, spread_o
from logca.derive.logca.granularity import EQUATION
from logca.derive.logca.peak_and_existence import SPEEDUP_INFINITE_PEAK
from logca.derive.logca.speedup import SPEEDUP, SPEEDUP_INFINITE

__all__ = [
    "CHANCE_REACHED",
    "CHANCE_SPEEDUP",
    "FORMULAS",
    "GS_QUANTILE",
    "MARGIN",
    "MARGIN_PEAK",
    "SPEEDUP_INFINITE_FOR",
    "SPEEDUP_QUANTILE",
    "SPREAD_INFINITE",
    "SPREAD_PEAK",
]

_SOURCE = "logca2026, chance; altaf2015, §5, notes that parameters may be random"
_PRODUCTS = "logca2026, chance; products of log-normal numbers as in aitchison1957, §2.3"
_UNCERTAIN = spread_o + spread_L + spread_C > 0

SPEEDUP_INFINITE_FOR = Formula(
    name="speedup_infinite_for",
    meaning="speedup of an infinitely fast accelerator for which the speedup is s",
    source=_SOURCE,
    latex=r"S_{\infty,s}",
    domain=(s < A,),
    derivation=begin(
        "reciprocals add up", 1 / s, 1 / A + 1 / sp.Symbol("speedup_infinite_for", positive=True)
    )
    .add("subtract the reciprocal of the acceleration", -1 / A)
    .invert("invert both sides")
    .swap("exchange the sides")
    .rewrite("difference of reciprocals", rhs=1 / (1 / s - 1 / A)),
)

MARGIN = Formula(
    name="margin",
    meaning="factor by which overhead and latency may grow, or the index may shrink, until the "
    "speedup is s",
    source=_SOURCE,
    latex="M_s",
    domain=(s < A, *SPEEDUP_INFINITE.domain),
    derivation=begin(
        "speedup with infinite acceleration over that for s",
        "margin",
        SPEEDUP_INFINITE.expr * (1 / s - 1 / A),
    ),
)

MARGIN_PEAK = Formula(
    name="margin_peak",
    meaning="the same at the best granularity, for beta < 1: s is reached if it is at least one",
    source=_SOURCE,
    latex=r"M_{s,\max}",
    domain=(s < A, *SPEEDUP_INFINITE_PEAK.domain),
    derivation=begin(
        "speedup with infinite acceleration at its peak over that for s",
        "margin_peak",
        SPEEDUP_INFINITE_PEAK.expr * (1 / s - 1 / A),
    ),
)


def _spread(name: str, why: str, variance: sp.Expr) -> Derivation:
    return begin(why, sp.Symbol(name, positive=True) ** 2, variance).raise_to(
        "take the root", sp.Rational(1, 2)
    )


SPREAD_INFINITE = Formula(
    name="spread_infinite",
    meaning="spread of the margin; of an o and a latency that are both there none may be uncertain",
    source=_PRODUCTS,
    latex=r"\tau_M",
    derivation=_spread(
        "spread_infinite",
        "the margin is a product: variances of logarithms add up",
        spread_o**2 + spread_L**2 + spread_C**2,
    ),
)

SPREAD_PEAK = Formula(
    name="spread_peak",
    meaning="spread of the margin at the best granularity, for beta < 1",
    source=_PRODUCTS,
    latex=r"\tau_{M,\max}",
    domain=(beta < 1,),
    derivation=_spread(
        "spread_peak",
        "a product of powers of o, L and C: variances of logarithms add up, times exponents "
        "squared",
        (1 - beta) ** 2 * spread_o**2 + beta**2 * spread_L**2 + spread_C**2,
    ),
)


def _chance(name: str, margin: Formula, spread: Formula) -> Derivation:
    known = {each.name: sp.Symbol(each.name, positive=True) for each in (margin, spread)}
    score = sp.log(known[margin.name]) / known[spread.name]
    return begin(
        "the margin's logarithm is normal: it is above zero with the probability of its score",
        name,
        (1 + sp.erf(score / sp.sqrt(2))) / 2,
    ).substitute("margin and spread", **{each.name: each.expr for each in (margin, spread)})


CHANCE_SPEEDUP = Formula(
    name="chance_speedup",
    meaning="probability that the speedup exceeds s, of log-normal o or L, and C",
    source=_PRODUCTS,
    latex=r"\Phi_s",
    domain=(*MARGIN.domain, _UNCERTAIN),
    derivation=_chance("chance_speedup", MARGIN, SPREAD_INFINITE),
)

CHANCE_REACHED = Formula(
    name="chance_reached",
    meaning="probability that some granularity has speedup s, of log-normal o, L and C, for "
    "beta < 1",
    source=_PRODUCTS,
    latex=r"\Phi_{s,\max}",
    domain=(*MARGIN_PEAK.domain, _UNCERTAIN),
    derivation=_chance("chance_reached", MARGIN_PEAK, SPREAD_PEAK),
)

SPEEDUP_QUANTILE = Formula(
    name="speedup_quantile",
    meaning="speedup if the margin is a factor off its median: exceeded as often as that factor",
    source=_SOURCE,
    latex=r"S_{\zeta}",
    derivation=begin("speedup", "speedup", SPEEDUP.expr)
    .substitute("an index as much larger makes the margin so", C=C * deviation)
    .rename("name it", sp.Symbol("speedup_quantile")),
)

GS_QUANTILE = Formula(
    name="g_s_quantile",
    meaning="granularity with speedup s if the margin is a factor off its median, under constant "
    "latency",
    source=_SOURCE,
    unit=BYTES,
    latex=r"g_{s,\zeta}",
    domain=(s < A, sp.Eq(L1, 0)),
    derivation=EQUATION.substitute("an index as much larger makes the margin so", C=C * deviation)
    .substitute("no latency per byte", L1=0)
    .scale("divide by the index", 1 / (C * deviation * (1 / s - 1 / A)))
    .raise_to("take the root", 1 / beta)
    .rename("name it", sp.Symbol("g_s_quantile")),
)

FORMULAS = (
    SPEEDUP_INFINITE_FOR,
    MARGIN,
    SPREAD_INFINITE,
    CHANCE_SPEEDUP,
    SPEEDUP_QUANTILE,
    GS_QUANTILE,
    MARGIN_PEAK,
    SPREAD_PEAK,
    CHANCE_REACHED,
)
