"""Which parameter matters: shares of the time, elasticities, gains from improving a parameter.

The share of a part in the accelerated time is, up to the sign, the elasticity of the speedup with
respect to its parameter; an r-fold improvement of the parameter obeys Amdahl's law for that share.
"""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, o, r, s
from logca.derive.logca.granularity import GS
from logca.derive.logca.speedup import SPEEDUP, T0, T1

__all__ = [
    "CURVATURE",
    "E_A",
    "E_BETA",
    "E_C",
    "E_G",
    "E_GS_A",
    "E_GS_C",
    "E_GS_L1",
    "E_GS_O",
    "E_L",
    "E_O",
    "FORMULAS",
    "GAIN_A",
    "GAIN_C",
    "GAIN_L",
    "GAIN_O",
    "SHARE_C",
    "SHARE_L",
    "SHARE_O",
]

_LATENCY = L0 + L1 * g
_COMPUTATION = T0.expr / A
_LOG = begin("logarithm of the speedup", sp.log(SPEEDUP.symbol), sp.log(SPEEDUP.expr)).rewrite(
    "logarithms of the factors", rhs=sp.log(C) + beta * sp.log(g) - sp.log(T1.expr)
)


def _share(name: str, meaning: str, latex: str, part: sp.Expr) -> Formula:
    return Formula(
        name=name,
        meaning=meaning,
        source="logca2026; the parts are those of altaf2017, Eq. 1",
        latex=latex,
        derivation=begin("part of the accelerated time", name, part / T1.expr),
    )


SHARE_O = _share("share_o", "share of the overhead in the accelerated time", r"\sigma_o", o)
SHARE_L = _share("share_L", "share of the latency in the accelerated time", r"\sigma_L", _LATENCY)
SHARE_C = _share(
    "share_C", "share of the computation in the accelerated time", r"\sigma_C", _COMPUTATION
)


def _relative(of: Derivation, parameter: sp.Symbol) -> Derivation:
    """Derivative with respect to the logarithm of a parameter."""
    label = sp.Derivative(of.relation.lhs, parameter)
    slope = of.differentiate(f"differentiate with respect to {parameter}", parameter, label)
    return slope.scale(f"multiply by {parameter}: relative changes", parameter)


def _elasticity(
    name: str, meaning: str, latex: str, derivation: Derivation, value: sp.Expr, step: str
) -> Formula:
    return Formula(
        name=name,
        meaning=meaning,
        source="logca2026; altaf2017, §3.2 varies the parameters tenfold instead",
        latex=latex,
        derivation=derivation.rewrite(step, rhs=value).rename("name it", sp.Symbol(name)),
    )


E_O = _elasticity(
    "e_o",
    "elasticity of the speedup with respect to the overhead",
    "e_o",
    _relative(_LOG, o),
    -SHARE_O.expr,
    "it is the share of the overhead, negative",
)

E_L = _elasticity(
    "e_L",
    "elasticity of the speedup with respect to the latency as a whole",
    "e_L",
    _relative(_LOG.substitute("divide the latency by r", L0=L0 / r, L1=L1 / r), r)
    .scale("a larger r is a smaller latency", sp.S.NegativeOne)
    .rename("call it", sp.Symbol("e_L"))
    .substitute("at the latency as it is", r=1),
    -SHARE_L.expr,
    "it is the share of the latency, negative",
)

E_C = _elasticity(
    "e_C",
    "elasticity of the speedup with respect to the computational index",
    "e_C",
    _relative(_LOG, C),
    1 - SHARE_C.expr,
    "it is what the share of the computation leaves",
)

E_A = _elasticity(
    "e_A",
    "elasticity of the speedup with respect to the acceleration",
    "e_A",
    _relative(_LOG, A),
    SHARE_C.expr,
    "it is the share of the computation",
)

E_BETA = Formula(
    name="e_beta",
    meaning="relative change of the speedup per unit of the exponent, granularity in bytes",
    source="logca2026; altaf2017, §2.2 compares exponents by examples",
    latex=r"e_\beta",
    instance_of="speedup",
    derivation=_LOG.differentiate(
        "differentiate with respect to beta", beta, sp.Derivative(sp.log(SPEEDUP.symbol), beta)
    )
    .rewrite(
        "logarithm of the granularity times what the share of the computation leaves",
        rhs=sp.log(g) * (1 - SHARE_C.expr),
    )
    .rename("name it", sp.Symbol("e_beta")),
)

_FIXED = o + L0
_MOVED = L1 * g

E_G = _elasticity(
    "e_g",
    "slope of the speedup over granularity, both on logarithmic scales",
    "e_g",
    _relative(_LOG, g),
    (beta * _FIXED + (beta - 1) * _MOVED) / T1.expr,
    "exponents beta, beta - 1 and 0 of the parts, weighted by their shares",
)

CURVATURE = _elasticity(
    "curvature",
    "curvature of the speedup over granularity, both on logarithmic scales: never positive",
    r"e_g^{\prime}",
    _relative(E_G.derivation, g),
    -(_FIXED * _MOVED + beta**2 * _FIXED * _COMPUTATION + (beta - 1) ** 2 * _MOVED * _COMPUTATION)
    / T1.expr**2,
    "minus the variance of the exponents 0, 1 and beta of the parts under their shares",
)


def _gain(name: str, meaning: str, latex: str, step: str, **improved: sp.Expr) -> Formula:
    start = begin("speedup", SPEEDUP.symbol, SPEEDUP.expr)
    return Formula(
        name=name,
        meaning=meaning,
        source="logca2026; altaf2017, §3.2 with a tenfold improvement",
        latex=latex,
        derivation=start.substitute(step, **improved)
        .scale("over the speedup as it is", 1 / SPEEDUP.expr)
        .rename("name it", sp.Symbol(name)),
    )


GAIN_O = _gain(
    "gain_o",
    "factor by which the speedup grows if the overhead falls r-fold",
    r"\Gamma_o",
    "divide the overhead by r",
    o=o / r,
)
GAIN_L = _gain(
    "gain_L",
    "factor by which the speedup grows if the latency falls r-fold",
    r"\Gamma_L",
    "divide the latency by r",
    L0=L0 / r,
    L1=L1 / r,
)
GAIN_C = _gain(
    "gain_C",
    "factor by which the speedup grows if the computational index grows r-fold",
    r"\Gamma_C",
    "multiply the computational index by r",
    C=C * r,
)
GAIN_A = _gain(
    "gain_A",
    "factor by which the speedup grows if the acceleration grows r-fold",
    r"\Gamma_A",
    "multiply the acceleration by r",
    A=A * r,
)


_SLOPE_AT_ROOT = beta * _FIXED + (beta - 1) * L1 * GS.expr
_LOG_ROOT = begin("logarithm of the granularity", sp.log(GS.symbol), sp.log(GS.expr))


def _root_elasticity(
    name: str, meaning: str, latex: str, derivation: Derivation, value: sp.Expr
) -> Formula:
    return Formula(
        name=name,
        meaning=meaning,
        source="logca2026; altaf2017, Implications 1 to 3 double a parameter instead",
        latex=latex,
        domain=(s < A, _SLOPE_AT_ROOT > 0),
        derivation=derivation.rewrite("by the implicit function theorem", rhs=value).rename(
            "name it", sp.Symbol(name)
        ),
    )


E_GS_O = _root_elasticity(
    "e_gs_o",
    "elasticity of g_s with respect to what an offload pays once, o + L0",
    "e_o(g_s)",
    _LOG_ROOT.differentiate(
        "differentiate with respect to o", o, sp.Derivative(sp.log(GS.symbol), o)
    ).scale("multiply by o + L0: relative changes", _FIXED),
    _FIXED / _SLOPE_AT_ROOT,
)
E_GS_L1 = _root_elasticity(
    "e_gs_L1",
    "elasticity of g_s with respect to the latency per byte",
    "e_{L_1}(g_s)",
    _relative(_LOG_ROOT, L1),
    L1 * GS.expr / _SLOPE_AT_ROOT,
)
E_GS_C = _root_elasticity(
    "e_gs_C",
    "elasticity of g_s with respect to the computational index",
    "e_C(g_s)",
    _relative(_LOG_ROOT, C),
    -(_FIXED + L1 * GS.expr) / _SLOPE_AT_ROOT,
)
E_GS_A = _root_elasticity(
    "e_gs_A",
    "elasticity of g_s with respect to the acceleration",
    "e_A(g_s)",
    _relative(_LOG_ROOT, A),
    -s / (A - s) * (_FIXED + L1 * GS.expr) / _SLOPE_AT_ROOT,
)

FORMULAS = (
    SHARE_O,
    SHARE_L,
    SHARE_C,
    E_O,
    E_L,
    E_C,
    E_A,
    E_BETA,
    E_G,
    CURVATURE,
    GAIN_O,
    GAIN_L,
    GAIN_C,
    GAIN_A,
    E_GS_O,
    E_GS_L1,
    E_GS_C,
    E_GS_A,
)
