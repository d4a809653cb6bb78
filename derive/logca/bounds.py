"""What limits the speedup: ceilings, roofline, corners and slopes; the Hill curve.

The reciprocal of the speedup is the sum of the reciprocals of two ceilings, so the smaller
ceiling is a bound, missed by a factor of at most two. Without latency per byte the speedup is a
Hill curve.
"""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin
from logca.derive.algebra.dimension import BYTES
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, o
from logca.derive.logca.granularity import GA, GA2, GS
from logca.derive.logca.speedup import SPEEDUP, SPEEDUP_INFINITE

__all__ = [
    "ACCELERATION_CEILING",
    "COMPUTE_BOUND",
    "CORNER_LATENCY_ACCELERATION",
    "CORNER_OVERHEAD_ACCELERATION",
    "CORNER_OVERHEAD_LATENCY",
    "FORMULAS",
    "INFLECTION",
    "INFLECTION_LOG",
    "LATENCY_BOUND",
    "ODDS",
    "OVERHEAD_CEILING",
    "RECIPROCAL_SPEEDUP",
    "RIDGE",
    "RISE_WIDTH",
    "ROOFLINE",
    "ROOFLINE_FLOOR",
    "SLOPE_ACCELERATION",
    "SLOPE_LATENCY",
    "SLOPE_OVERHEAD",
    "SPEEDUP_HILL",
]

_ONCE = o + L0
_SOME = (_ONCE + L1 > 0,)
_SPEEDUP = begin("speedup", "speedup", SPEEDUP.expr)
_INFINITE = begin("infinitely fast accelerator", "speedup_infinite", SPEEDUP_INFINITE.expr)

RECIPROCAL_SPEEDUP = Formula(
    name="reciprocal_speedup",
    meaning="reciprocal of the speedup: accelerated time per host time, a sum over the ceilings",
    source="logca2026; altaf2017, Eq. 1, inverted",
    latex="1/S",
    derivation=_SPEEDUP.invert("invert both sides").rename(
        "name it", sp.Symbol("reciprocal_speedup")
    ),
)

ODDS = Formula(
    name="odds",
    meaning="reached part of the acceleration over the missing part, S/(A - S)",
    source="logca2026; logistic in ln g where no byte pays latency, as in hill1910",
    latex="S/(A-S)",
    domain=_SOME,
    derivation=begin("reached over missing", "odds", SPEEDUP.expr / (A - SPEEDUP.expr)).rewrite(
        "the acceleration of the missing part cancels", rhs=SPEEDUP_INFINITE.expr / A
    ),
)

OVERHEAD_CEILING = Formula(
    name="overhead_ceiling",
    meaning="speedup if only the overhead took time: bound set by the overhead",
    source="logca2026; altaf2017, right side of Eq. 4 for one byte and without latency",
    status=Exactness.BOUND,
    latex="S_o",
    domain=(o > 0,),
    derivation=_INFINITE.substitute("no latency", L0=0, L1=0).rename(
        "name it", sp.Symbol("overhead_ceiling")
    ),
)

ACCELERATION_CEILING = Formula(
    name="acceleration_ceiling",
    meaning="speedup if only the computation took time: bound set by the acceleration",
    source="altaf2017, Eq. 3; altaf2015, Eq. 3",
    status=Exactness.BOUND,
    latex="S_A",
    derivation=_SPEEDUP.substitute("neither overhead nor latency", o=0, L0=0, L1=0).rename(
        "name it", sp.Symbol("acceleration_ceiling")
    ),
)

ROOFLINE = Formula(
    name="roofline",
    meaning="smaller of the two ceilings: the speedup stays below it",
    source="logca2026; after williams2009; altaf2017, §3.1 and Fig. 4",
    status=Exactness.BOUND,
    latex=r"S_{\mathrm{roof}}",
    domain=_SOME,
    derivation=begin(
        "the smaller ceiling",
        "roofline",
        sp.Min(ACCELERATION_CEILING.expr, SPEEDUP_INFINITE.expr),
    ),
)

ROOFLINE_FLOOR = Formula(
    name="roofline_floor",
    meaning="half the roofline: the speedup is at least that",
    source="logca2026; two reciprocals add up to at most twice the larger one",
    status=Exactness.BOUND,
    latex=r"S_{\mathrm{floor}}",
    domain=_SOME,
    derivation=ROOFLINE.derivation.scale(
        "where both ceilings are equal the speedup is half of either", sp.Rational(1, 2)
    ).rename("name it", sp.Symbol("roofline_floor")),
)

RIDGE = Formula(
    name="ridge",
    meaning="granularity where the two ceilings meet; there the speedup is A/2",
    source="logca2026; after williams2009; altaf2017, Eqs. 12 and 13 (one Newton step)",
    unit=BYTES,
    latex=r"g_{\mathrm{ridge}}",
    derivation=GA.derivation.rename(
        "the infinitely fast accelerator reaches the ceiling A", sp.Symbol("ridge")
    ),
)


def _slope(name: str, meaning: str, latex: str, ceiling: sp.Expr, domain: sp.Basic) -> Formula:
    symbol = sp.Symbol("ceiling", positive=True)
    return Formula(
        name=name,
        meaning=meaning,
        source="logca2026; altaf2017, §2.3 and Fig. 4 show the bounds on logarithmic scales",
        latex=latex,
        domain=(domain,) if domain is not sp.true else (),
        derivation=begin("logarithm of the ceiling", sp.log(symbol), sp.expand_log(sp.log(ceiling)))
        .differentiate("differentiate with respect to g", g, sp.Derivative(sp.log(symbol), g))
        .scale("multiply by g: slope over ln g", g)
        .simplify("the slope does not depend on g")
        .rename("name it", sp.Symbol(name)),
    )


_LATENCY_ONLY = SPEEDUP_INFINITE.at(o=0, L0=0)

SLOPE_OVERHEAD = _slope(
    "slope_overhead",
    "slope, on logarithmic scales, of the ceiling set by what an offload pays once",
    "m_o",
    SPEEDUP_INFINITE.at(L0=0, L1=0),
    o > 0,
)
SLOPE_LATENCY = _slope(
    "slope_latency",
    "slope, on logarithmic scales, of the ceiling set by the latency per byte",
    "m_L",
    _LATENCY_ONLY,
    L1 > 0,
)
SLOPE_ACCELERATION = _slope(
    "slope_acceleration",
    "slope, on logarithmic scales, of the ceiling set by the acceleration",
    "m_A",
    ACCELERATION_CEILING.expr,
    sp.true,
)


def _corner(
    name: str, meaning: str, latex: str, derivation: Derivation, *domain: sp.Basic
) -> Formula:
    return Formula(
        name=name,
        meaning=meaning,
        source="logca2026; altaf2017, Fig. 4",
        unit=BYTES,
        latex=latex,
        domain=domain,
        derivation=derivation.rename("name it", sp.Symbol(name)),
    )


_ONCE_ONLY = SPEEDUP_INFINITE.at(L1=0)

CORNER_OVERHEAD_LATENCY = _corner(
    "corner_overhead_latency",
    "granularity from which the latency per byte limits more than what an offload pays once",
    r"g_{oL}",
    begin("the two ceilings meet", _ONCE_ONLY, _LATENCY_ONLY)
    .invert("invert both sides")
    .scale("multiply by the host time", C * g**beta)
    .solve("solve for the granularity", g),
    _ONCE > 0,
    L1 > 0,
)
CORNER_OVERHEAD_ACCELERATION = _corner(
    "corner_overhead_acceleration",
    "granularity from which the acceleration limits more than what an offload pays once",
    r"g_{oA}",
    begin("the two ceilings meet", _ONCE_ONLY, A)
    .isolate("solve for the power of the granularity", g**beta)
    .raise_to("take the root", 1 / beta),
    _ONCE > 0,
)
CORNER_LATENCY_ACCELERATION = _corner(
    "corner_latency_acceleration",
    "granularity where the ceilings set by the latency per byte and by the acceleration meet",
    r"g_{LA}",
    begin("the two ceilings meet", _LATENCY_ONLY, A)
    .scale("multiply by the latency over C", L1 / C)
    .rewrite("collect the power", lhs=g ** (beta - 1))
    .raise_to("take the root", 1 / (beta - 1)),
    L1 > 0,
    sp.Ne(beta, 1),
)

COMPUTE_BOUND = Formula(
    name="compute_bound",
    meaning="limit of the speedup of a compute-bound kernel: superlinear, or no latency per byte",
    source="altaf2017, §3.1",
    status=Exactness.LIMIT,
    latex=r"S_{\mathrm{compute}}",
    domain=(sp.Or(beta > 1, sp.Eq(L1, 0)),),
    derivation=_SPEEDUP.limit(
        "superlinear: the computation outgrows the latency",
        g,
        sp.oo,
        sp.Symbol("compute_bound"),
        beta > 1,
    ),
)

LATENCY_BOUND = Formula(
    name="latency_bound",
    meaning="bound and asymptote of the speedup of a latency-bound kernel: at most linear, with "
    "latency per byte",
    source="altaf2017, §3.1 and Eq. 9, whose bound leaves out the acceleration; altaf2015, Eq. 9",
    status=Exactness.BOUND,
    latex=r"S_{\mathrm{latency}}",
    domain=(beta <= 1, L1 > 0),
    derivation=_SPEEDUP.substitute(
        "what an offload pays once does not count for large granularities", o=0, L0=0
    ).rename("name it", sp.Symbol("latency_bound")),
)

_BOUNDS_FORMULAS = (
    RECIPROCAL_SPEEDUP,
    ODDS,
    OVERHEAD_CEILING,
    ACCELERATION_CEILING,
    ROOFLINE,
    ROOFLINE_FLOOR,
    RIDGE,
    SLOPE_OVERHEAD,
    SLOPE_LATENCY,
    SLOPE_ACCELERATION,
    CORNER_OVERHEAD_LATENCY,
    CORNER_OVERHEAD_ACCELERATION,
    CORNER_LATENCY_ACCELERATION,
    COMPUTE_BOUND,
    LATENCY_BOUND,
)


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
    unit=BYTES,
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
    unit=BYTES,
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

_HILL_FORMULAS = (SPEEDUP_HILL, INFLECTION_LOG, INFLECTION, RISE_WIDTH)


FORMULAS = (*_BOUNDS_FORMULAS, *_HILL_FORMULAS)
