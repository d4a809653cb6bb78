"""Kernels of complexity log(g) and g*log(g), solved exactly by the Lambert W function.

The papers leave these out because a power of g does not describe them. The logarithm is that of
the number of bytes, natural; for one to the base 2 divide C by log(2). C is in cycles for log(g)
and in cycles/B for g*log(g), so that the power of bytes in its unit is that of no exponent beta.
"""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin
from logca.derive.algebra.dimension import BYTES, CYCLES, ONE, Dimension
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, A, C, g, o, s
from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.speedup import SPEEDUP, SPEEDUP_INFINITE, T0

__all__ = [
    "FORMULAS",
    "G_GLOG",
    "G_LOG",
    "G_LOG_PEAK",
    "G_LOG_UPPER",
    "INDEX_THRESHOLD_LOG",
    "SPEEDUP_GLOG",
    "SPEEDUP_LOG",
    "SPEEDUP_LOG_PEAK",
]

_SOURCE = "logca2026 (the limitation stated in altaf2017, §2, removed); corless1996"
_INDEX = EFFECTIVE_INDEX.expr
_COST = o + L0
_T0 = sp.Symbol("T0", positive=True)
_t, _w = sp.symbols("t w", real=True)
_a, _c, _l = sp.symbols("a c l", positive=True)
_LETTERS = {"a": _INDEX, "c": _COST, "l": L1}
_BACK = "back to the granularity"


def _with_kernel(name: str, whole: sp.Expr, kernel: sp.Expr) -> Derivation:
    """A formula of the model, with another host time than a power of the granularity."""
    return begin("in terms of the host time", name, whole.subs(T0.expr, _T0)).substitute(
        "the host time of the kernel", T0=kernel
    )


def _reaches(kernel: sp.Expr) -> Derivation:
    """The equation for speedup s with the complexity of the kernel on the left."""
    return (
        _with_kernel("speedup", SPEEDUP.expr, kernel)
        .rename("the speedup reaches the target", s)
        .invert("invert both sides")
        .scale("multiply by the host time", kernel)
        .add("subtract the accelerated computation", -kernel / A)
        .swap("exchange the sides")
        .rewrite("collect", lhs=_COST + L1 * g, rhs=_INDEX * kernel / C)
        .swap("exchange the sides")
        .substitute(
            "write a for the effective index, c for o + L0 and l for L1",
            C=_a * C / _INDEX,
            o=_c - L0,
            L1=_l,
        )
    )


def _formula(
    name: str,
    meaning: str,
    latex: str,
    derivation: Derivation,
    *domain: sp.Basic,
    unit: Dimension = ONE,
) -> Formula:
    if derivation.expr.free_symbols & {_a, _c, _l}:
        derivation = derivation.substitute("write the letters out", **_LETTERS)
    return Formula(
        name=name,
        meaning=meaning,
        source=_SOURCE,
        latex=latex,
        unit=unit,
        instance_of="bytes-as-number",
        domain=domain,
        derivation=derivation.rename("name it", sp.Symbol(name)),
    )


SPEEDUP_LOG = _formula(
    "speedup_log",
    "speedup of a kernel of logarithmic complexity, C*log(g)",
    r"S_{\log}",
    _with_kernel("speedup", SPEEDUP.expr, C * sp.log(g)),
    g > 1,
)

SPEEDUP_GLOG = _formula(
    "speedup_glog",
    "speedup of a kernel of complexity C*g*log(g)",
    r"S_{g\log}",
    _with_kernel("speedup", SPEEDUP.expr, C * g * sp.log(g)),
    g > 1,
)

_LOG_ARGUMENT = -_l / _a * sp.exp(_c / _a)
_LOG_EQUATION = (
    _reaches(C * sp.log(g))
    .substitute("by the logarithm of the granularity", g=sp.exp(_t))
    .substitute("count it downwards from what the overhead alone needs", t=_c / _a - _w)
    .add("subtract the overhead", -_c)
    .rewrite("expand", lhs=-_a * _w)
    .scale("multiply by the exponential", -sp.exp(_w) / _a)
    .rewrite("the equation of Lambert's function", rhs=_LOG_ARGUMENT)
)
_LOG_EXISTS = L1 / _INDEX * sp.exp(1 + _COST / _INDEX) <= 1

G_LOG = _formula(
    "g_log",
    "least granularity with speedup s, for complexity log(g)",
    r"g_{s,\log}",
    _LOG_EQUATION.take("the branch through 0", _w, sp.LambertW(_LOG_ARGUMENT)).into(
        _BACK, g, sp.exp(_c / _a - _w)
    ),
    s < A,
    o + L0 + L1 > 0,
    _LOG_EXISTS,
    unit=BYTES,
)

G_LOG_UPPER = _formula(
    "g_log_upper",
    "greatest granularity with speedup s, for complexity log(g)",
    r"g_{s,\log}^{+}",
    _LOG_EQUATION.take("the other real branch", _w, sp.LambertW(_LOG_ARGUMENT, -1)).into(
        _BACK, g, sp.exp(_c / _a - _w)
    ),
    s < A,
    L1 > 0,
    _LOG_EXISTS,
    unit=BYTES,
)

_PEAK_ARGUMENT = _c / (sp.E * _l)

G_LOG_PEAK = _formula(
    "g_log_peak",
    "granularity of the greatest speedup, for complexity log(g); the same for every C and A",
    r"g_{\log}^{*}",
    _with_kernel("speedup", SPEEDUP_INFINITE.expr, C * sp.log(g))
    .substitute("write c for o + L0 and l for L1", o=_c - L0, L1=_l)
    .invert("its reciprocal is least where the speedup is greatest")
    .differentiate("where the derivative by granularity vanishes", g, sp.S.Zero)
    .rewrite(
        "the derivative is negative below one granularity and positive above",
        rhs=(_l * g * (sp.log(g) - 1) - _c) / (C * g * sp.log(g) ** 2),
    )
    .scale("multiply by the positive denominator", C * g * sp.log(g) ** 2)
    .add("bring the overhead to the left", _c)
    .substitute("by the logarithm of the granularity", g=sp.exp(1 + _w))
    .scale("divide by the latency", 1 / (sp.E * _l))
    .swap("exchange the sides")
    .rewrite("the equation of Lambert's function", lhs=_w * sp.exp(_w), rhs=_PEAK_ARGUMENT)
    .take("the only solution", _w, sp.LambertW(_PEAK_ARGUMENT))
    .into(_BACK, g, sp.exp(1 + _w)),
    L1 > 0,
    unit=BYTES,
)

_AT_PEAK = (
    _with_kernel("speedup", SPEEDUP_INFINITE.expr, C * sp.log(g))
    .substitute("at the peak overhead is a multiple of latency", o=L1 * g * (sp.log(g) - 1) - L0)
    .rewrite("collect", rhs=C / (L1 * g))
)

INDEX_THRESHOLD_LOG = _formula(
    "index_threshold_log",
    "least effective index with which a target is reached, for complexity log(g)",
    r"a_{\min,\log}",
    _AT_PEAK.rename("the peak reaches what the target needs", C / _a)
    .invert("invert both sides")
    .scale("multiply by the index", C)
    .substitute("insert the granularity of the peak", g=G_LOG_PEAK.expr),
    L1 > 0,
    unit=CYCLES,
)

SPEEDUP_LOG_PEAK = _formula(
    "speedup_log_peak",
    "greatest speedup over all granularities, for complexity log(g)",
    r"S_{\max,\log}",
    _AT_PEAK.invert("invert both sides")
    .add("the accelerated computation adds the reciprocal of A", 1 / A)
    .invert("invert again")
    .rewrite("collect", rhs=A * C / (C + A * L1 * g))
    .substitute("insert the granularity of the peak", g=G_LOG_PEAK.expr),
    L1 > 0,
)

_GLOG_ARGUMENT = _c / _a * sp.exp(-_l / _a)

G_GLOG = _formula(
    "g_glog",
    "granularity with speedup s, for complexity g*log(g); it always exists",
    r"g_{s,g\log}",
    _reaches(C * g * sp.log(g))
    .multiply("divide by the granularity", 1 / g)
    .substitute("by the logarithm of the granularity", g=sp.exp(_t))
    .substitute("count it from what the latency alone needs", t=_l / _a + _w)
    .add("subtract the latency", -_l)
    .rewrite("expand", lhs=_a * _w)
    .scale("multiply by the exponential", sp.exp(_w) / _a)
    .rewrite("the equation of Lambert's function", rhs=_GLOG_ARGUMENT)
    .take("the only solution", _w, sp.LambertW(_GLOG_ARGUMENT))
    .into(_BACK, g, sp.exp(_l / _a + _w)),
    s < A,
    o + L0 + L1 > 0,
    unit=BYTES,
)

FORMULAS = (
    SPEEDUP_LOG,
    SPEEDUP_GLOG,
    G_LOG,
    G_LOG_UPPER,
    G_LOG_PEAK,
    SPEEDUP_LOG_PEAK,
    INDEX_THRESHOLD_LOG,
    G_GLOG,
)
