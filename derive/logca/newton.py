"""One Newton step on the trinomial: what eqs 11 to 13 are, and how wrong they may be.

The residual ``a_s*g**beta - (o + L0 + L1*g)`` is convex for beta > 1 and concave for beta < 1, so
its tangent lies on one side. The step is exact for beta = 1; for beta > 1 it lands above the
granularity sought, for beta < 1 below it. Taken from one byte, as the paper does, its relative
error has no bound, and it depends on the unit of granularity; `newton_unit_free` does not.
"""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin, by_cases
from logca.derive.algebra.dimension import BYTES, CYCLES
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, g0, o, s
from logca.derive.logca.brackets import LOWER_ROOT_CEILING, OVERHEAD_ROOT
from logca.derive.logca.granularity import EFFECTIVE_INDEX, EQUATION, TRINOMIAL
from logca.derive.logca.peak_and_existence import INDEX_THRESHOLD
from logca.derive.logca.speedup import SPEEDUP_INFINITE, T0

__all__ = [
    "FORMULAS",
    "G1_NEWTON",
    "GA2_NEWTON",
    "GA_NEWTON",
    "NEWTON_ERROR_BOUND",
    "NEWTON_RESIDUAL",
    "NEWTON_STEP",
    "NEWTON_UNIT_FREE",
]

_INDEX = EFFECTIVE_INDEX.expr
_OVER = _INDEX * (beta - 1) * g0**beta + o + L0
_SLOPE = beta * _INDEX * g0 ** (beta - 1) - L1


NEWTON_STEP = Formula(
    name="newton_step",
    meaning="one Newton step from g0 towards a granularity with speedup s",
    source="altaf2017, §2.3, there from one byte (Eqs. 11 to 13)",
    unit=BYTES,
    status=Exactness.APPROXIMATION,
    latex=r"g_{\mathrm{N}}",
    domain=(sp.Ne(_SLOPE, 0),),
    derivation=begin("residual of the trinomial", TRINOMIAL.symbol, TRINOMIAL.expr)
    .tangent("its tangent at the start", g, g0, sp.Symbol("tangent"))
    .rename("where the tangent vanishes", sp.S.Zero)
    .solve("solve for the granularity", g)
    .rewrite("collect", rhs=_OVER / _SLOPE)
    .rename("name it", sp.Symbol("newton_step")),
)


def _from_one_byte(
    name: str, meaning: str, source: str, latex: str, step: Derivation, rhs: sp.Expr
) -> Formula:
    return Formula(
        name=name,
        meaning=meaning,
        source=source,
        unit=BYTES,
        status=Exactness.APPROXIMATION,
        latex=latex,
        instance_of="newton_step",
        domain=(sp.Ne(sp.fraction(rhs)[1], 0),),
        derivation=step.rewrite("as printed", rhs=rhs).rename("name it", sp.Symbol(name)),
    )


_HALF_PEAK = (C * (beta - 1) + A * (o + L0)) / (C * beta - A * L1)

G1_NEWTON = _from_one_byte(
    "g1_newton",
    "one Newton step from one byte towards the break-even granularity",
    "altaf2017, Eq. 11; altaf2015, Eq. 11 (beta = 1, where it is exact)",
    r"g_{1,\mathrm{N}}",
    NEWTON_STEP.derivation.substitute("break-even, from one byte", s=1, g0=1),
    (C * (beta - 1) * (A - 1) + A * (o + L0)) / (C * beta * (A - 1) - A * L1),
)

GA2_NEWTON = _from_one_byte(
    "gA2_newton",
    "one Newton step from one byte towards the half-peak granularity",
    "altaf2017, Eq. 12; altaf2015, Eq. 12 (beta = 1, where it is exact)",
    r"g_{A/2,\mathrm{N}}",
    NEWTON_STEP.derivation.substitute("half-peak, from one byte", s=A / 2, g0=1),
    _HALF_PEAK,
)

GA_NEWTON = _from_one_byte(
    "gA_newton",
    "one Newton step from one byte towards speedup A if the accelerator computed in no time",
    "altaf2017, Eq. 13; altaf2015, §2.3",
    r"g_{A,\mathrm{N}}",
    begin("infinite acceleration reaches A", SPEEDUP_INFINITE.expr, A)
    .invert("invert both sides")
    .multiply("multiply by the host time", T0.expr)
    .swap("exchange the sides")
    .add("bring all to one side", -(o + L0 + L1 * g))
    .swap("exchange the sides")
    .tangent("where the tangent at the start vanishes", g, g0, sp.S.Zero)
    .substitute("from one byte", g0=1)
    .solve("solve for the granularity", g),
    _HALF_PEAK,
)

NEWTON_RESIDUAL = Formula(
    name="newton_residual",
    meaning="residual that one Newton step leaves; it has the sign of beta - 1",
    source="logca2026; Bernoulli's inequality as in hardy1934, §2.15",
    unit=CYCLES,
    latex=r"F(g_{\mathrm{N}})",
    domain=(_SLOPE > 0, _OVER > 0),
    derivation=begin("residual of the trinomial", TRINOMIAL.symbol, TRINOMIAL.expr)
    .substitute("after the step", g=NEWTON_STEP.expr)
    .rewrite(
        "power less its tangent: what Taylor's formula leaves",
        rhs=_INDEX
        * (NEWTON_STEP.expr**beta - g0**beta - beta * g0 ** (beta - 1) * (NEWTON_STEP.expr - g0)),
    )
    .rename("name it", sp.Symbol("newton_residual")),
)

_RATE = sp.Symbol("slope")
_SLOPE_AT_ROOT = (
    begin("residual of the trinomial", TRINOMIAL.symbol, TRINOMIAL.expr)
    .differentiate("its slope", g, _RATE)
    .substitute("the index for which g is the root", C=EQUATION.solve("solve for C", C).expr)
    .rewrite("collect", rhs=beta * (o + L0) / g + (beta - 1) * L1)
)
_ERROR = sp.Symbol("newton_error_bound")

NEWTON_ERROR_BOUND = Formula(
    name="newton_error_bound",
    meaning="bound on the distance of one Newton step from the least granularity with speedup s",
    source="logca2026; mean value theorem",
    unit=BYTES,
    status=Exactness.BOUND,
    latex=r"\Delta_{\mathrm{N}}",
    domain=(
        s < A,
        o + L0 > 0,
        _SLOPE > 0,
        _OVER > 0,
        sp.Or(beta >= 1, EFFECTIVE_INDEX.expr > INDEX_THRESHOLD.expr),
    ),
    derivation=by_cases(
        "by exponent",
        _ERROR,
        (
            _SLOPE_AT_ROOT.substitute(
                "sublinear: the slope falls; beyond the root it is smaller",
                g=LOWER_ROOT_CEILING.expr,
            ).into(
                "the step is below the root, by at most the negative residual over that slope",
                _ERROR,
                -NEWTON_RESIDUAL.expr / _RATE,
            ),
            beta < 1,
        ),
        (
            _SLOPE_AT_ROOT.substitute(
                "superlinear: the root is below the step, the slope larger than this",
                g=NEWTON_STEP.expr,
            ).into(
                "the step is above the root, by at most the residual over that slope",
                _ERROR,
                NEWTON_RESIDUAL.expr / _RATE,
            ),
            sp.true,
        ),
    ),
)

NEWTON_UNIT_FREE = Formula(
    name="newton_unit_free",
    meaning="one Newton step from the granularity without latency per byte; free of units",
    source="logca2026 (in place of altaf2017, Eqs. 11 to 13)",
    unit=BYTES,
    status=Exactness.APPROXIMATION,
    latex=r"\tilde g_{\mathrm{N}}",
    domain=(s < A, beta * (o + L0) > L1 * OVERHEAD_ROOT.expr),
    derivation=NEWTON_STEP.derivation.substitute(
        "start where the target would be reached without latency per byte", g0=OVERHEAD_ROOT.expr
    )
    .rewrite(
        "collect",
        rhs=OVERHEAD_ROOT.expr * beta / (beta - L1 * OVERHEAD_ROOT.expr / (o + L0)),
    )
    .rename("name it", sp.Symbol("newton_unit_free")),
)

FORMULAS = (
    NEWTON_STEP,
    G1_NEWTON,
    GA2_NEWTON,
    GA_NEWTON,
    NEWTON_RESIDUAL,
    NEWTON_ERROR_BOUND,
    NEWTON_UNIT_FREE,
)
