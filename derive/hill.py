"""Without latency per byte the speedup is a Hill curve: half-way point gA2, steepness beta."""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import Dimension
from logca.derive.formula import Formula
from logca.derive.granularity import GA2, GS
from logca.derive.speedup import SPEEDUP
from logca.derive.symbols import L0, L1, A, beta, g, o

__all__ = ["FORMULAS", "INFLECTION", "INFLECTION_LOG", "RISE_WIDTH", "SPEEDUP_HILL"]

_BYTES = Dimension(bytes=sp.Integer(1))
_CONSTANT = (sp.Eq(L1, 0), o + L0 > 0)
_HALF = GA2.at(L1=0)
_STEPS = (GS.at(L1=0, s=A / 10), GS.at(L1=0, s=9 * A / 10))
_MIDDLE = sp.Symbol("gA2", positive=True)

SPEEDUP_HILL = Formula(
    name="speedup_hill",
    meaning="speedup without latency per byte, over the granularity of half the acceleration",
    source="logca2026; the curve of hill1910; beta = 1: that of hockney1988, n_1/2 = gA2",
    latex="S",
    domain=_CONSTANT,
    derivation=begin("speedup", "speedup", SPEEDUP.expr)
    .substitute("no latency per byte", L1=0)
    .rewrite(
        "in terms of the granularity of half the acceleration",
        rhs=A * g**beta / (g**beta + _HALF**beta),
    )
    .rename("name it", sp.Symbol("speedup_hill")),
)

_CURVE = begin("Hill curve, gA2 for short", "S", A * g**beta / (g**beta + _MIDDLE**beta))
_RISE = _CURVE.differentiate(
    "differentiate with respect to g", g, sp.Derivative(sp.Symbol("S"), g)
).simplify("collect")

INFLECTION_LOG = Formula(
    name="inflection_log",
    meaning="granularity of steepest rise over a logarithmic scale of granularity: there S is A/2",
    source="logca2026; the curve of hill1910",
    unit=_BYTES,
    latex=r"g_{\mathrm{log}}",
    domain=_CONSTANT,
    derivation=_RISE.scale("slope over ln g", g)
    .rename("call it S'", sp.Symbol("S'"))
    .differentiate("differentiate again", g, sp.Derivative(sp.Symbol("S'"), g))
    .balance("it changes sign once, from plus to minus", _MIDDLE**beta, g**beta)
    .swap("exchange the sides")
    .raise_to("take the root", 1 / beta)
    .substitute("insert gA2", gA2=_HALF)
    .rename("name it", sp.Symbol("inflection_log")),
)

INFLECTION = Formula(
    name="inflection",
    meaning="granularity of steepest rise over a linear scale of granularity, for beta > 1",
    source="logca2026; the curve of hill1910",
    unit=_BYTES,
    latex=r"g_{\mathrm{infl}}",
    domain=(*_CONSTANT, beta > 1),
    derivation=_RISE.rename("call it S'", sp.Symbol("S'"))
    .differentiate("differentiate again", g, sp.Derivative(sp.Symbol("S'"), g))
    .balance(
        "it changes sign once, from plus to minus",
        (beta - 1) * _MIDDLE**beta,
        (beta + 1) * g**beta,
    )
    .isolate("solve for the power of the granularity", g**beta)
    .raise_to("take the root", 1 / beta)
    .substitute("insert gA2", gA2=_HALF)
    .rename("name it", sp.Symbol("inflection")),
)

RISE_WIDTH = Formula(
    name="rise_width",
    meaning="factor in granularity between a tenth and nine tenths of the acceleration",
    source="logca2026; the curve of hill1910",
    latex=r"g_{0.9A}/g_{0.1A}",
    domain=_CONSTANT,
    derivation=begin("ratio of the two granularities", "rise_width", _STEPS[1] / _STEPS[0]).rewrite(
        "overhead, latency, C and A cancel", rhs=sp.Integer(81) ** (1 / beta)
    ),
)

FORMULAS = (SPEEDUP_HILL, INFLECTION_LOG, INFLECTION, RISE_WIDTH)
