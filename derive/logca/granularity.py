"""Granularity for a target speedup; break-even, half-peak and gA are instances (eqs 5, 6, 13)."""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import BYTES, CYCLES
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import UNITS, A, C, beta, g, s
from logca.derive.logca.speedup import SPEEDUP, SPEEDUP_INFINITE, T0

__all__ = ["EFFECTIVE_INDEX", "EQUATION", "FORMULAS", "G1", "GA", "GA2", "GS", "TRINOMIAL"]


EFFECTIVE_INDEX = Formula(
    name="effective_index",
    meaning="effective index a_s: what is left of C for a target speedup s",
    source="logca2026 (altaf2017, Eqs. 5, 6 and 13 in one)",
    unit=UNITS[C],
    domain=(s < A,),
    latex="a_s",
    derivation=begin("difference of reciprocals", "effective_index", C * (1 / s - 1 / A)),
)

EQUATION = (
    begin("the speedup reaches the target", SPEEDUP.expr, s)
    .invert("invert both sides")
    .multiply("multiply by the host time", T0.expr)
    .add("subtract the accelerated computation", -T0.expr / A)
    .swap("exchange the sides")
    .rewrite("collect the power of the granularity", lhs=EFFECTIVE_INDEX.expr * g**beta)
)

TRINOMIAL = Formula(
    name="trinomial",
    meaning="residual whose positive zeros in g are the granularities with speedup s",
    source="altaf2017, Eqs. 2 and 8 set equal to s",
    unit=CYCLES,
    latex="F",
    derivation=begin(
        "left less right side", "trinomial", EQUATION.relation.lhs - EQUATION.relation.rhs
    ),
)

GS = Formula(
    name="g_s",
    meaning="least granularity with speedup s",
    source="altaf2017, Eqs. 5 and 6, here for every target and every affine latency",
    unit=BYTES,
    domain=(s < A,),
    latex="g_s",
    derivation=EQUATION.root("the least positive root of the trinomial", g, sp.Symbol("g_s")),
)

GS_UPPER = Formula(
    name="g_s_upper",
    meaning="greatest granularity with speedup s; for beta < 1 offloading pays only up to there",
    source="altaf2017, Eq. 8 set equal to s: a root the paper does not mention",
    unit=BYTES,
    domain=(s < A,),
    latex=r"g_s^{+}",
    derivation=EQUATION.root(
        "the greatest positive root of the trinomial", g, sp.Symbol("g_s_upper"), upper=True
    ),
)


def _instance(
    name: str, meaning: str, source: str, latex: str, base: Formula, **at: object
) -> Formula:
    """A formula at a target speedup."""
    domain = tuple(condition.subs({s: at["s"]}) for condition in base.domain)
    step = "insert the target speedup " + str(at["s"])
    derivation = base.derivation.substitute(step, **at).rename("name it", sp.Symbol(name))
    return Formula(
        name=name,
        meaning=meaning,
        source=source,
        unit=BYTES,
        latex=latex,
        domain=tuple(c for c in domain if c is not sp.true),
        derivation=derivation,
    )


G1 = _instance(
    "g1",
    "break-even: least granularity with speedup 1",
    "altaf2017, Eqs. 5 and 11 (there one Newton step); altaf2015, Eqs. 5 and 11",
    "g_1",
    GS,
    s=1,
)
GA2 = _instance(
    "gA2",
    "half-peak: least granularity with half the acceleration as speedup",
    "altaf2017, Eqs. 6 and 12 (there one Newton step); altaf2015, Eqs. 6 and 12",
    r"g_{A/2}",
    GS,
    s=A / 2,
)
G1_UPPER = _instance(
    "g1_upper",
    "upper break-even: greatest granularity with speedup 1",
    "altaf2017, Eq. 8 set equal to 1",
    "g_1^{+}",
    GS_UPPER,
    s=1,
)
GA2_UPPER = _instance(
    "gA2_upper",
    "greatest granularity with half the acceleration as speedup",
    "altaf2017, Eq. 8 set equal to A/2",
    r"g_{A/2}^{+}",
    GS_UPPER,
    s=A / 2,
)

GA = Formula(
    name="gA",
    meaning="least granularity with speedup A if the accelerator computed in no time",
    source="altaf2017, Eq. 13 (there one Newton step); altaf2015, §2.3",
    unit=BYTES,
    latex="g_A",
    derivation=begin("infinite acceleration reaches A", SPEEDUP_INFINITE.expr, A)
    .invert("invert both sides")
    .multiply("multiply by the host time", T0.expr)
    .swap("exchange the sides")
    .root("the least positive root of the trinomial", g, sp.Symbol("gA")),
)

FORMULAS = (EFFECTIVE_INDEX, TRINOMIAL, GS, GS_UPPER, G1, GA2, G1_UPPER, GA2_UPPER, GA)
