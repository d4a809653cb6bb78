"""The granularity with speedup s as a power series, for every exponent, by Lagrange inversion.

Around the granularity u without latency per byte the small quantity is ``epsilon``; around the
granularity v without overhead it is ``omega``.
"""

from dataclasses import dataclass, replace
from typing import Any

import mpmath
import sympy as sp

from logca.derive.algebra.derivation import Derivation, DerivationError, Step, begin, vanishing
from logca.derive.algebra.trinomial import crossings
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, n, o, s
from logca.derive.logca.brackets import LATENCY_ROOT, OVERHEAD_ROOT
from logca.derive.logca.granularity import EFFECTIVE_INDEX, EQUATION

__all__ = [
    "EPSILON",
    "EPSILON_COEFFICIENT",
    "EPSILON_RADIUS",
    "FORMULAS",
    "OMEGA",
    "OMEGA_COEFFICIENT",
    "OMEGA_RADIUS",
    "PartialSum",
    "epsilon_series",
    "lagrange",
    "omega_series",
]

_CHECKED_ORDERS = 4


def lagrange(
    derivation: Derivation,
    name: str,
    observable: sp.Expr,
    small: sp.Symbol,
    index: sp.Symbol,
    label: sp.Expr,
) -> Derivation:
    """From ``z = small*(1 + z)**p`` to a coefficient of the series of z or of a power of 1 + z.

    The coefficient [1] of ``small**n`` in H(z) is that of ``z**(n-1)`` in ``H'(z)*(1+z)**(p*n)/n``,
    for n >= 1 (flajolet2009, appendix A.6). The step checks itself: the series up to the fourth
    order is inserted in the equation and has to solve it to that order, for symbolic p.
    """
    unknown, right = derivation.relation.args
    exponent = _exponent(right / small, unknown)
    power = None if observable == unknown else _exponent(observable, unknown)
    coefficient = _coefficient(exponent, power, index)
    step = Step(
        name=name,
        relation=sp.Eq(label, coefficient, evaluate=False),
        before=derivation.relation,
        follows=vanishing(lambda _, new: (new.rhs - coefficient, *_residuals(power is not None))),
    )
    return replace(derivation, steps=(*derivation.steps, step))


def _exponent(expr: sp.Expr, unknown: sp.Symbol) -> sp.Expr:
    exponent = sp.simplify(sp.diff(sp.log(expr), unknown) * (1 + unknown))
    if exponent.has(unknown) or sp.simplify(expr.subs(unknown, 0)) != 1:
        raise DerivationError(f"{expr} is not a power of 1 + {unknown}")
    return exponent


def _coefficient(exponent: sp.Expr, power: sp.Expr | None, number: sp.Expr) -> sp.Expr:
    if power is None:
        return sp.binomial(exponent * number, number - 1) / number
    return power * sp.binomial(exponent * number + power - 1, number - 1) / number


def _residuals(of_power: bool) -> tuple[sp.Expr, ...]:
    """Residual that the truncated series leaves, order by order, for symbolic exponents."""
    p, r = sp.symbols("p r")
    orders = range(1, _CHECKED_ORDERS + 1)
    root = [sp.S.Zero, *(_coefficient(p, None, sp.Integer(n)) for n in orders)]
    shifted = _power_series(root, p)
    residuals = [root[n] - shifted[n - 1] for n in orders]
    if of_power:
        claimed = _power_series(root, r)
        residuals += [_coefficient(p, r, sp.Integer(n)) - claimed[n] for n in orders]
    return tuple(sp.expand(residual.expand(func=True)) for residual in residuals)


def _power_series(root: list[sp.Expr], exponent: sp.Expr) -> list[sp.Expr]:
    """Coefficients of ``(1 + z)**exponent`` for a series z without constant term."""
    result = [sp.S.One] + [sp.S.Zero] * _CHECKED_ORDERS
    power = list(result)
    for k in range(1, _CHECKED_ORDERS + 1):
        power = [sp.Add(*(power[i] * root[n - i] for i in range(n + 1))) for n in range(len(root))]
        weight = sp.ff(exponent, k) / sp.factorial(k)
        result = [total + weight * term for total, term in zip(result, power, strict=True)]
    return result


_u, _v, _y, _z = (sp.Symbol(name, positive=True) for name in ("u", "v", "y", "z"))
_epsilon, _omega = (sp.Symbol(name, positive=True) for name in ("epsilon", "omega"))
_s = sp.Symbol("z", real=True)
_INDEX = EFFECTIVE_INDEX.expr
_COST = o + L0

EPSILON = Formula(
    name="epsilon",
    meaning="latency per byte relative to overhead, at the granularity without latency per byte",
    source="logca2026",
    latex=r"\varepsilon",
    domain=(s < A, o + L0 > 0),
    derivation=begin("latency over overhead", "ratio", L1 * g / _COST)
    .substitute("where the target would be reached without latency per byte", g=OVERHEAD_ROOT.expr)
    .rename("name it", sp.Symbol("epsilon")),
)

OMEGA = Formula(
    name="omega",
    meaning="overhead relative to latency per byte, at the granularity without overhead",
    source="logca2026",
    latex=r"\omega",
    domain=(s < A, L1 > 0, sp.Ne(beta, 1)),
    derivation=begin("overhead over latency", "ratio", _COST / (L1 * g))
    .substitute("where the target would be reached without overhead", g=LATENCY_ROOT.expr)
    .rename("name it", sp.Symbol("omega")),
)

_EPSILON_EQUATION = (
    EQUATION.substitute("write the index by u", C=_COST * _u**-beta * C / _INDEX)
    .substitute("measure the granularity in units of u", g=_u * _y)
    .scale("divide by the overhead", 1 / _COST)
    .rewrite("collect", lhs=_y**beta, rhs=1 + L1 * _u / _COST * _y)
    .substitute("the small quantity", L1=_epsilon * _COST / _u)
    .raise_to("take the root", 1 / beta)
    .substitute("write y as z/epsilon", y=_z / _epsilon)
    .scale("multiply by epsilon", _epsilon)
)

_OMEGA_EQUATION = (
    EQUATION.substitute("write the index by v", C=L1 * _v ** (1 - beta) * C / _INDEX)
    .substitute("measure the granularity in units of v", g=_v * _y)
    .scale("divide by the latency", 1 / (L1 * _v))
    .rewrite("collect", lhs=_y**beta, rhs=_COST / (L1 * _v) + _y)
    .substitute("the small quantity", o=_omega * L1 * _v - L0)
    .substitute("write y as a power of 1 + z", y=(1 + _z) ** (1 / (beta - 1)))
    .scale("divide by that power", (1 + _z) ** (1 / (1 - beta)))
    .rewrite("collect", lhs=1 + _z, rhs=1 + _omega * (1 + _z) ** (1 / (1 - beta)))
    .add("subtract one", -sp.S.One)
)

EPSILON_COEFFICIENT = Formula(
    name="epsilon_coefficient",
    meaning="coefficient of epsilon**n in the series of the granularity over u; 1 for n = 0",
    source="logca2026; generalised binomial series as in graham1994, §5.4",
    latex=r"b_n",
    derivation=lagrange(
        _EPSILON_EQUATION, "Lagrange inversion for z", _z, _epsilon, n, sp.Symbol("z_n")
    )
    .substitute("y = z/epsilon has the coefficients one term further on", n=n + 1)
    .rename("name it", sp.Symbol("epsilon_coefficient")),
)

OMEGA_COEFFICIENT = Formula(
    name="omega_coefficient",
    meaning="coefficient of omega**n, n >= 1, in the series of the granularity over v",
    source="logca2026; generalised binomial series as in graham1994, §5.4",
    latex=r"c_n",
    domain=(sp.Ne(beta, 1),),
    derivation=lagrange(
        _OMEGA_EQUATION,
        "Lagrange inversion for y",
        (1 + _z) ** (1 / (beta - 1)),
        _omega,
        n,
        sp.Symbol("omega_coefficient"),
    ),
)

EPSILON_RADIUS = Formula(
    name="epsilon_radius",
    meaning="radius of convergence in epsilon; for beta < 1 the roots exist up to there",
    source="logca2026; saddle point as in flajolet2009, §VI.7",
    latex=r"\varepsilon_{\max}",
    domain=(sp.Ne(beta, 1),),
    derivation=begin("epsilon as a function of z", _epsilon, _s * (1 + _s) ** (-1 / beta))
    .differentiate("the inverse is singular where the derivative vanishes", _s, sp.S.Zero)
    .rewrite("collect", rhs=(1 + _s - _s / beta) * (1 + _s) ** (-1 - 1 / beta))
    .scale("divide by the power", (1 + _s) ** (1 + 1 / beta))
    .rewrite("collect", rhs=1 + _s - _s / beta)
    .solve("solve for z", _s)
    .into(
        "insert it; the modulus counts",
        sp.Symbol("epsilon_radius"),
        sp.Abs(_s) * sp.Abs(1 + _s) ** (-1 / beta),
    )
    .rewrite("collect the powers", rhs=beta * sp.Abs(1 - beta) ** ((1 - beta) / beta)),
)

OMEGA_RADIUS = Formula(
    name="omega_radius",
    meaning="radius of convergence in omega; for beta < 1 the roots exist up to there",
    source="logca2026; saddle point as in flajolet2009, §VI.7",
    latex=r"\omega_{\max}",
    domain=(sp.Ne(beta, 1),),
    derivation=begin("omega as a function of z", _omega, _s * (1 + _s) ** (1 / (beta - 1)))
    .differentiate("the inverse is singular where the derivative vanishes", _s, sp.S.Zero)
    .rewrite("collect", rhs=(1 + _s + _s / (beta - 1)) * (1 + _s) ** (1 / (beta - 1) - 1))
    .scale("divide by the power", (1 + _s) ** (1 - 1 / (beta - 1)))
    .rewrite("collect", rhs=1 + _s + _s / (beta - 1))
    .solve("solve for z", _s)
    .into(
        "insert it; the modulus counts",
        sp.Symbol("omega_radius"),
        sp.Abs(_s) * sp.Abs(1 + _s) ** (1 / (beta - 1)),
    )
    .rewrite("collect the powers", rhs=sp.Abs(1 - beta) * beta ** (beta / (1 - beta))),
)

FORMULAS = (
    EPSILON,
    OMEGA,
    EPSILON_COEFFICIENT,
    OMEGA_COEFFICIENT,
    EPSILON_RADIUS,
    OMEGA_RADIUS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialSum:
    """The first terms of a series for a granularity, and a bound on what they leave."""

    value: Any  # sum of the terms [B]
    remainder: Any  # at least the modulus of all terms left out, but for rounding [B]


def epsilon_series(
    index: Any, overhead: Any, latency: Any, exponent: Any, terms: int
) -> PartialSum:
    """Sum the series in epsilon for the solution of ``index*g**exponent = overhead + latency*g``.

    For exponents below 1 all coefficients are positive, so that the remainder is at most the share
    ``(epsilon/radius)**terms`` of the sum on the circle of convergence, ``(1 - beta)**(-1/beta)``.
    Above 1 it is bounded by Cauchy's estimate with the largest modulus that
    ``y**beta = 1 + epsilon*y`` allows on that circle.

    Examples
    --------
    >>> epsilon_series(2, 3, 1, 1, terms=60).value  # 3/(2 - 1)
    mpf('3.0')
    """
    k, c, l, b = (mpmath.mpf(value) for value in (index, overhead, latency, exponent))
    start = (c / k) ** (1 / b)
    small = l * start / c
    radius = mpmath.mpf(1) if b == 1 else b * abs(1 - b) ** ((1 - b) / b)
    share = _share(small, radius, b < 1)
    total = mpmath.fsum(mpmath.binomial((i + 1) / b, i) / (i + 1) * small**i for i in range(terms))
    if b < 1:
        largest = (1 - b) ** (-1 / b)
    else:
        modulus = (
            mpmath.mpf(1) if b == 1 else crossings(mpmath.mpf(1), mpmath.mpf(1), radius, b)[True]
        )
        largest = modulus / (1 - share)
    return PartialSum(value=start * total, remainder=start * largest * share**terms)


def omega_series(index: Any, overhead: Any, latency: Any, exponent: Any, terms: int) -> PartialSum:
    """Sum the series in omega for the solution of ``index*g**exponent = overhead + latency*g``.

    Up to the sign of omega all coefficients after the first have the same sign, so that the
    remainder is at most the share ``(omega/radius)**terms`` of their sum on the circle of
    convergence, ``1 - beta**(1/(1 - beta))``.

    Examples
    --------
    >>> omega_series(1, 0, 2, 2, terms=1)
    PartialSum(value=mpf('2.0'), remainder=mpf('0.0'))
    """
    k, c, l, b = (mpmath.mpf(value) for value in (index, overhead, latency, exponent))
    start = (l / k) ** (1 / (b - 1))
    small = c / (l * start)
    share = _share(small, abs(1 - b) * b ** (b / (1 - b)), True)
    power = 1 / (b - 1)
    total = 1 + mpmath.fsum(
        power / i * mpmath.binomial(power * (1 - i) - 1, i - 1) * small**i for i in range(1, terms)
    )
    largest = 1 - b ** (1 / (1 - b))
    return PartialSum(value=start * total, remainder=start * largest * share**terms)


def _share(small: Any, radius: Any, closed: bool) -> Any:
    if small > radius or (small == radius and not closed):
        raise ValueError(
            f"{mpmath.nstr(small, 6)} is beyond the radius of convergence {mpmath.nstr(radius, 6)}"
        )
    return small / radius
