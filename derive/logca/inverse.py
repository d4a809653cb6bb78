"""Inverse design: what one parameter must be for a target speedup at a given granularity."""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin
from logca.derive.algebra.dimension import ONE, Dimension
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, UNITS, A, C, beta, g, o, s
from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.speedup import SPEEDUP, SPEEDUP_INFINITE, T0

__all__ = ["A_FOR", "BETA_FOR", "C_FOR", "FORMULAS", "L0_FOR", "L1_FOR", "O_FOR"]

_ONCE = o + L0
_TIME = _ONCE + L1 * g
_REACHED = begin("the speedup reaches the target", SPEEDUP.expr, s).invert("invert both sides")
_INDEX = sp.Symbol("a", positive=True)
_ALLOWED = EFFECTIVE_INDEX.expr * g**beta
_BUDGET = (
    _REACHED.multiply("multiply by the host time", T0.expr)
    .add("subtract the accelerated computation", -T0.expr / A)
    .rewrite("what the target leaves for overhead and latency", rhs=_ALLOWED)
)


def _inverse(
    name: str,
    meaning: str,
    latex: str,
    unit: Dimension,
    derivation: Derivation,
    *domain: sp.Basic,
    instance_of: str = "",
) -> Formula:
    return Formula(
        name=name,
        meaning=meaning,
        source="logca2026; altaf2017, Eqs. 2 and 8, solved for each parameter",
        unit=unit,
        latex=latex,
        domain=domain,
        instance_of=instance_of,
        derivation=derivation.rename("name it", sp.Symbol(name)),
    )


A_FOR = _inverse(
    "A_for",
    "acceleration for which the speedup at granularity g is s",
    "A_s",
    ONE,
    _REACHED.isolate("solve for the reciprocal of the acceleration", 1 / A)
    .invert("invert both sides")
    .rewrite(
        "difference of reciprocals: target and infinitely fast accelerator",
        rhs=1 / (1 / s - 1 / SPEEDUP_INFINITE.expr),
    ),
    s * _TIME < T0.expr,
)
C_FOR = _inverse(
    "C_for",
    "computational index for which the speedup at granularity g is s",
    "C_s",
    UNITS[C],
    _REACHED.add("subtract the reciprocal of the acceleration", -1 / A)
    .scale("multiply by the computational index", C)
    .swap("exchange the sides")
    .solve("solve for the computational index", C)
    .rewrite("difference of reciprocals", rhs=_TIME / (g**beta * (1 / s - 1 / A))),
    s < A,
    _ONCE + L1 > 0,
)
O_FOR = _inverse(
    "o_for",
    "largest overhead for which the speedup at granularity g is still s",
    "o_s",
    UNITS[o],
    _BUDGET.solve("solve for the overhead", o).rewrite(
        "what the target leaves, less the latency", rhs=_ALLOWED - L0 - L1 * g
    ),
    s < A,
    L0 + L1 * g <= _ALLOWED,
)
L0_FOR = _inverse(
    "L0_for",
    "largest latency per offload for which the speedup at granularity g is still s",
    "L_{0,s}",
    UNITS[L0],
    _BUDGET.solve("solve for the latency per offload", L0).rewrite(
        "what the target leaves, less overhead and latency per byte", rhs=_ALLOWED - o - L1 * g
    ),
    s < A,
    o + L1 * g <= _ALLOWED,
)
L1_FOR = _inverse(
    "L1_for",
    "largest latency per byte for which the speedup at granularity g is still s",
    "L_{1,s}",
    UNITS[L1],
    _BUDGET.solve("solve for the latency per byte", L1).rewrite(
        "what the target leaves per byte, less what an offload pays once",
        rhs=(_ALLOWED - _ONCE) / g,
    ),
    s < A,
    _ALLOWED >= _ONCE,
)
BETA_FOR = _inverse(
    "beta_for",
    "exponent for which the speedup at granularity g is s; C and g in bytes",
    r"\beta_s",
    ONE,
    _BUDGET.substitute("write a for the effective index", s=1 / (_INDEX / C + 1 / A))
    .log("take logarithms")
    .solve("solve for the exponent", beta)
    .rewrite("ratio of logarithms", rhs=sp.log(_TIME / _INDEX) / sp.log(g))
    .substitute("insert the effective index", a=EFFECTIVE_INDEX.expr),
    s < A,
    _ONCE + L1 > 0,
    sp.Or(
        sp.And(g > 1, EFFECTIVE_INDEX.expr < _TIME),
        sp.And(g < 1, EFFECTIVE_INDEX.expr > _TIME),
    ),
    instance_of="speedup",
)

FORMULAS = (A_FOR, C_FOR, O_FOR, L0_FOR, L1_FOR, BETA_FOR)
