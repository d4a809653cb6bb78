"""Host time, accelerated time and speedup, its limits and symmetries (eqs 1 to 4, 8 to 10).

The papers print the values at g = 1 (eqs 4 and 10) as limits for g to 0; that limit is zero.
Reflection exchanges overhead and latency per byte, small and large granularities, beta and 1 -
beta.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin, by_cases
from logca.derive.algebra.dimension import CYCLES, Dimension
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, o, scale

__all__ = [
    "ACCELERATOR_INTENSITY",
    "COMPUTATIONAL_INTENSITY",
    "FORMULAS",
    "LATENCY_CEILING",
    "LIMIT_LARGE",
    "LIMIT_SMALL",
    "OMEGA_INVARIANT",
    "SPEEDUP",
    "SPEEDUP_INFINITE",
    "SPEEDUP_ONE",
    "SPEEDUP_ONE_BOUND",
    "SPEEDUP_REFLECTED",
    "SPEEDUP_RESCALED",
    "T0",
    "T1",
]


T0 = Formula(
    name="T0",
    meaning="time of the kernel on the host",
    source="altaf2017, §2: C0(g) = C*f(g) with f(g) = g**beta; altaf2015, §2, beta = 1",
    unit=CYCLES,
    latex="T_0",
    derivation=begin("computation time is a power of granularity", "T0", C * g**beta),
)

T1 = Formula(
    name="T1",
    meaning="time of the kernel when it is offloaded",
    source="altaf2017, §2: O1(g) + L1(g) + C1(g) with C1 = C0/A; altaf2015, §2",
    unit=CYCLES,
    latex="T_1",
    derivation=begin(
        "overhead, affine latency and accelerated computation, one after the other",
        "T1",
        o + L0 + L1 * g + T0.expr / A,
    ),
)

SPEEDUP = Formula(
    name="speedup",
    meaning="speedup of offloading: host time over accelerated time",
    source="altaf2017, Eqs. 1, 2 and 8; altaf2015, Eqs. 1, 2 and 8",
    latex="S",
    derivation=begin("host time over accelerated time", "speedup", T0.expr / T1.expr),
)

SPEEDUP_INFINITE = Formula(
    name="speedup_infinite",
    meaning="speedup if the accelerator computed in no time",
    source="altaf2017, §2.3, the hypothetical accelerator of Eq. 13",
    latex=r"S_\infty",
    domain=(o + L0 + L1 > 0,),
    derivation=begin("speedup", "speedup", SPEEDUP.expr).limit(
        "let the acceleration grow without bound", A, sp.oo, sp.Symbol("speedup_infinite")
    ),
)

_SPEEDUP_FORMULAS = (T0, T1, SPEEDUP, SPEEDUP_INFINITE)


_INTENSITY = Dimension(bytes=1 - beta)
_SPEEDUP = begin("speedup", "speedup", SPEEDUP.expr)
_LARGE = sp.Symbol("limit_large")


LIMIT_SMALL = Formula(
    name="limit_small",
    meaning="limit of the speedup as the granularity goes to zero",
    source="altaf2017, Eqs. 4 and 10, which print the value at g = 1 there; altaf2015, §2.1",
    status=Exactness.LIMIT,
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
    status=Exactness.LIMIT,
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
    status=Exactness.BOUND,
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
    status=Exactness.BOUND,
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

_LIMITS_FORMULAS = (
    LIMIT_SMALL,
    LIMIT_LARGE,
    SPEEDUP_ONE,
    SPEEDUP_ONE_BOUND,
    LATENCY_CEILING,
    COMPUTATIONAL_INTENSITY,
    ACCELERATOR_INTENSITY,
)


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

_SYMMETRY_FORMULAS = (SPEEDUP_REFLECTED, SPEEDUP_RESCALED, OMEGA_INVARIANT)


FORMULAS = (*_SPEEDUP_FORMULAS, *_LIMITS_FORMULAS, *_SYMMETRY_FORMULAS)
