"""Lagrange inversion: the power series of the solution of ``z = small*(1 + z)**p``."""

from dataclasses import replace

import sympy as sp

from logca.derive.derivation import Derivation
from logca.derive.step import DerivationError, Step, vanishing

__all__ = ["lagrange"]

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

    Parameters
    ----------
    derivation : Derivation
        Ends with the equation [1].
    name : str
        What is done [text].
    observable : sympy.Expr
        H(z): z itself, or a power of 1 + z [1].
    small : sympy.Symbol
        The variable of the series [1].
    index : sympy.Symbol
        n, the number of the term [1].
    label : sympy.Expr
        Name of the coefficient [1].

    Raises
    ------
    DerivationError
        If the equation or the observable does not have this form.
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
    """What the truncated series leaves, order by order, for symbolic exponents."""
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
