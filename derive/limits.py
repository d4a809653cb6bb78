"""Speedup for very small and very large granularities, and the bounds printed beside it.

The papers print the values at g = 1 (eqs 4 and 10) as limits for g to 0; that limit is zero.
"""

import sympy as sp

from logca.derive.derivation import begin, by_cases
from logca.derive.dimension import Dimension
from logca.derive.formula import Formula, Status
from logca.derive.speedup import SPEEDUP, SPEEDUP_INFINITE, T0
from logca.derive.symbols import L0, L1, A, C, beta, g, o

__all__ = [
    "ACCELERATOR_INTENSITY",
    "COMPUTATIONAL_INTENSITY",
    "FORMULAS",
    "LATENCY_CEILING",
    "LIMIT_LARGE",
    "LIMIT_SMALL",
    "SPEEDUP_ONE",
    "SPEEDUP_ONE_BOUND",
]

_INTENSITY = Dimension(bytes=1 - beta)
_SPEEDUP = begin("speedup", "speedup", SPEEDUP.expr)
_LARGE = sp.Symbol("limit_large")


LIMIT_SMALL = Formula(
    name="limit_small",
    meaning="limit of the speedup as the granularity goes to zero",
    source="altaf2017, Eqs. 4 and 10, which print the value at g = 1 there; altaf2015, §2.1",
    status=Status.LIMIT,
    latex="S_0",
    domain=(o + L0 > 0,),
    derivation=_SPEEDUP.limit(
        "only overhead and latency per offload are left", g, sp.S.Zero, sp.Symbol("limit_small")
    ),
)

LIMIT_LARGE = Formula(
    name="limit_large",
    meaning="limit of the speedup as the granularity grows without bound",
    source="altaf2017, Eqs. 3 and 9 by cases; altaf2015, Eqs. 3 and 9",
    status=Status.LIMIT,
    latex=r"S_{\mathrm{large}}",
    derivation=by_cases(
        "by latency and exponent",
        _LARGE,
        (
            _SPEEDUP.substitute("no latency per byte", L1=0).limit(
                "the overhead is amortised", g, sp.oo, _LARGE
            ),
            sp.Eq(L1, 0),
        ),
        (
            _SPEEDUP.limit("superlinear: computation dominates", g, sp.oo, _LARGE, beta > 1),
            beta > 1,
        ),
        (
            _SPEEDUP.substitute("linear", beta=1).limit(
                "latency and computation grow alike", g, sp.oo, _LARGE
            ),
            sp.Eq(beta, 1),
        ),
        (
            _SPEEDUP.limit("sublinear: latency dominates", g, sp.oo, _LARGE, beta < 1),
            sp.true,
        ),
    ),
)

SPEEDUP_ONE = Formula(
    name="speedup_one",
    meaning="speedup for a granularity of one byte",
    source="altaf2017, Eqs. 4 and 10, printed as limits for g to 0; altaf2015, Eqs. 4 and 10",
    latex="S(1)",
    instance_of="speedup",
    derivation=_SPEEDUP.substitute("one byte", g=1).rename("name it", sp.Symbol("speedup_one")),
)

SPEEDUP_ONE_BOUND = Formula(
    name="speedup_one_bound",
    meaning="bound on the speedup for one byte, whatever the acceleration",
    source="altaf2017, right side of Eq. 4; altaf2015, right side of Eq. 4",
    status=Status.BOUND,
    latex=r"S_\infty(1)",
    instance_of="speedup",
    domain=(o + L0 + L1 > 0,),
    derivation=SPEEDUP_ONE.derivation.limit(
        "let the acceleration grow without bound", A, sp.oo, sp.Symbol("speedup_one_bound")
    ),
)

LATENCY_CEILING = Formula(
    name="latency_ceiling",
    meaning="speedup of infinite acceleration without overhead: bound set by the latency per byte",
    source="altaf2017, right side of Eq. 9; altaf2015, §2.3 (beta = 1)",
    status=Status.BOUND,
    latex=r"S_{L}",
    domain=(L1 > 0,),
    derivation=begin("infinite acceleration", "latency_ceiling", SPEEDUP_INFINITE.expr)
    .substitute("no overhead and no latency per offload", o=0, L0=0)
    .rewrite("collect the powers", rhs=C * g ** (beta - 1) / L1),
)

COMPUTATIONAL_INTENSITY = Formula(
    name="computational_intensity",
    meaning="computational intensity: host time over latency for one byte",
    source="altaf2017, §2; altaf2015, §2",
    unit=_INTENSITY,
    latex="C/L_1",
    domain=(L1 > 0,),
    derivation=begin("host time over latency", "ratio", T0.expr / (L1 * g))
    .substitute("for one byte", g=1)
    .rename("name it", sp.Symbol("computational_intensity")),
)

ACCELERATOR_INTENSITY = Formula(
    name="accelerator_intensity",
    meaning="accelerator's computational intensity: the same for the time on the accelerator",
    source="altaf2017, §2",
    unit=_INTENSITY,
    latex="C/(A L_1)",
    domain=(L1 > 0,),
    derivation=begin("accelerated computation over latency", "ratio", T0.expr / A / (L1 * g))
    .substitute("for one byte", g=1)
    .rename("name it", sp.Symbol("accelerator_intensity")),
)

FORMULAS = (
    LIMIT_SMALL,
    LIMIT_LARGE,
    SPEEDUP_ONE,
    SPEEDUP_ONE_BOUND,
    LATENCY_CEILING,
    COMPUTATIONAL_INTENSITY,
    ACCELERATOR_INTENSITY,
)
