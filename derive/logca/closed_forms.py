"""Closed forms of the granularity with speedup s, for the exponents that have a short one.

With ``a`` the effective index, ``c = o + L0`` and ``l = L1`` the granularity solves
``a*g**beta = c + l*g``. For beta = p/q in lowest terms, ``y = g**(1/q)`` makes it a polynomial of
three terms, of degree max(p, q). Degree 1 is beta = 1 (`g_s` evaluates itself there), degree 2 is
beta = 1/2 and 2, degree 3 is beta = 1/3, 2/3, 3/2 and 3: the exponents below, and no others.
The decision record on closed forms says what is known beyond.
"""

from collections.abc import Mapping

import sympy as sp

from logca.derive.algebra.derivation import Derivation, by_cases
from logca.derive.algebra.dimension import BYTES
from logca.derive.algebra.trinomial import LowerRoot, TrinomialRoot, UpperRoot
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, o, s
from logca.derive.logca.granularity import EFFECTIVE_INDEX, EQUATION

__all__ = [
    "CLOSED_FORMS",
    "FORMULAS",
    "ROOT_HALF_LOWER",
    "ROOT_HALF_UPPER",
    "ROOT_THIRD_LOWER",
    "ROOT_THIRD_UPPER",
    "ROOT_THREE",
    "ROOT_THREE_HALVES",
    "ROOT_TWO",
    "ROOT_TWO_THIRDS_LOWER",
    "ROOT_TWO_THIRDS_UPPER",
    "closed_form",
    "with_closed_forms",
]

_LONG = 200
_a, _c, _l, _y, _w, _theta = (
    sp.Symbol(name, positive=True) for name in ("a", "c", "l", "y", "w", "theta")
)
_INDEX = EFFECTIVE_INDEX.expr
_LETTERS = {"a": _INDEX, "c": o + L0, "l": L1}
_SHORT = EQUATION.substitute(
    "write a for the effective index, c for o + L0 and l for L1",
    C=_a * C / _INDEX,
    o=_c - L0,
    L1=_l,
)
_BACK = "back to the granularity"


def _formula(
    name: str, exponent: sp.Rational, which: str, derivation: Derivation, *domain: sp.Basic
) -> Formula:
    letters = {_a: _INDEX, _c: o + L0, _l: L1}
    conditions = (condition.subs(letters, simultaneous=True) for condition in domain)
    return Formula(
        name=name,
        meaning=f"closed form of the {which}granularity with speedup s for beta = {exponent}",
        source="logca2026",
        unit=BYTES,
        latex=r"g_s^{+}" if which.startswith("upper") else "g_s",
        domain=(sp.Eq(beta, exponent), s < A, *conditions),
        derivation=derivation.substitute("write the letters out", **_LETTERS).rename(
            "name it", sp.Symbol(name)
        ),
    )


def _at(exponent: sp.Rational, **granularity: sp.Expr) -> Derivation:
    return _SHORT.substitute(f"the exponent is {exponent}", beta=exponent).substitute(
        "substitute for the granularity", **granularity
    )


def _square_root(start: Derivation, lhs: sp.Expr, rhs: sp.Expr) -> Derivation:
    """Where ``rhs - lhs`` is ``w**2`` less the discriminant: solve for ``w``."""
    return (
        start.rewrite("expand", lhs=lhs, rhs=rhs)
        .add("all but the square to the left", _w**2 - rhs)
        .swap("exchange the sides")
        .raise_to("take the positive root", sp.Rational(1, 2))
    )


_HALF = _at(sp.Rational(1, 2), g=_y**2)
_HALF_SIDES = (2 * _a**2 + 2 * _a * _w, _a**2 + 2 * _a * _w + _w**2 + 4 * _c * _l)

ROOT_HALF_LOWER = _formula(
    "root_half_lower",
    sp.Rational(1, 2),
    "least ",
    _square_root(
        _HALF.substitute("complete the square, smaller root", y=2 * _c / (_a + _w)).scale(
            "clear the denominators", (_a + _w) ** 2 / _c
        ),
        *_HALF_SIDES,
    ).into(_BACK, g, (2 * _c / (_a + _w)) ** 2),
    o + L0 > 0,
    _a**2 >= 4 * _c * _l,
)

ROOT_HALF_UPPER = _formula(
    "root_half_upper",
    sp.Rational(1, 2),
    "upper ",
    _square_root(
        _HALF.substitute("complete the square, greater root", y=(_a + _w) / (2 * _l)).scale(
            "clear the denominators", 4 * _l
        ),
        *_HALF_SIDES,
    ).into(_BACK, g, ((_a + _w) / (2 * _l)) ** 2),
    L1 > 0,
    _a**2 >= 4 * _c * _l,
)

ROOT_TWO = _formula(
    "root_two",
    sp.Integer(2),
    "",
    _square_root(
        _at(sp.Integer(2), g=(_l + _w) / (2 * _a))
        .scale("clear the denominators", 4 * _a)
        .swap("exchange the sides"),
        4 * _a * _c + 2 * _l**2 + 2 * _l * _w,
        _l**2 + 2 * _l * _w + _w**2,
    ).into(_BACK, g, (_l + _w) / (2 * _a)),
    o + L0 + L1 > 0,
)


_THREE_ANGLES = "make it the formula for three times an angle"
_LEAST, _NEXT = "the least angle", "the next angle with the same sine"


def _sine(start: Derivation, constant: sp.Expr, cubic: sp.Expr) -> tuple[Derivation, sp.Expr]:
    """Bring ``a*y = constant + cubic*y**3`` to the sine of three angles; and that sine."""
    y = 2 * sp.sqrt(_a / (3 * cubic)) * sp.sin(_theta)
    sine = 3 * constant / (2 * _a) * sp.sqrt(3 * cubic / _a)
    derivation = (
        start.substitute("substitute an angle", y=y)
        .add("the cube to the left", -cubic * y**3)
        .scale(_THREE_ANGLES, 3 * sp.sin(_theta) / (_a * y))
        .rewrite("the sine of three times the angle", lhs=sp.sin(3 * _theta), rhs=sine)
    )
    return derivation, sine


_THIRD, _THIRD_SINE = _sine(_at(sp.Rational(1, 3), g=_y**3), _c, _l)
_THIRD_BACK = (2 * sp.sqrt(_a / (3 * _l)) * sp.sin(_theta)) ** 3

ROOT_THIRD_LOWER = _formula(
    "root_third_lower",
    sp.Rational(1, 3),
    "least ",
    _THIRD.take(_LEAST, _theta, sp.asin(_THIRD_SINE) / 3).into(_BACK, g, _THIRD_BACK),
    o + L0 > 0,
    L1 > 0,
    4 * _a**3 >= 27 * _c**2 * _l,
)

ROOT_THIRD_UPPER = _formula(
    "root_third_upper",
    sp.Rational(1, 3),
    "upper ",
    _THIRD.take(_NEXT, _theta, (sp.pi - sp.asin(_THIRD_SINE)) / 3).into(_BACK, g, _THIRD_BACK),
    L1 > 0,
    4 * _a**3 >= 27 * _c**2 * _l,
)

_TWO_THIRDS, _TWO_THIRDS_SINE = _sine(
    _at(sp.Rational(2, 3), g=_y**-3).multiply(
        "multiply by the cube: the equation for 1/3 with c and l exchanged", _y**3
    ),
    _l,
    _c,
)
_TWO_THIRDS_BACK = (2 * sp.sqrt(_a / (3 * _c)) * sp.sin(_theta)) ** -3

ROOT_TWO_THIRDS_LOWER = _formula(
    "root_two_thirds_lower",
    sp.Rational(2, 3),
    "least ",
    _TWO_THIRDS.take(_NEXT, _theta, (sp.pi - sp.asin(_TWO_THIRDS_SINE)) / 3).into(
        _BACK, g, _TWO_THIRDS_BACK
    ),
    o + L0 > 0,
    4 * _a**3 >= 27 * _c * _l**2,
)

ROOT_TWO_THIRDS_UPPER = _formula(
    "root_two_thirds_upper",
    sp.Rational(2, 3),
    "upper ",
    _TWO_THIRDS.take(_LEAST, _theta, sp.asin(_TWO_THIRDS_SINE) / 3).into(
        _BACK, g, _TWO_THIRDS_BACK
    ),
    o + L0 > 0,
    L1 > 0,
    4 * _a**3 >= 27 * _c * _l**2,
)

_SINH = 3 * _a / (2 * _l) * sp.sqrt(3 * _c / _l)
_SINH_Y = 2 * sp.sqrt(_l / (3 * _c)) * sp.sinh(_theta)

ROOT_THREE_HALVES = _formula(
    "root_three_halves",
    sp.Rational(3, 2),
    "",
    _at(sp.Rational(3, 2), g=_y**-2)
    .multiply("multiply by the cube", _y**3)
    .swap("exchange the sides")
    .substitute("substitute a hyperbolic angle", y=_SINH_Y)
    .scale(_THREE_ANGLES, 3 * sp.sinh(_theta) / (_l * _SINH_Y))
    .rewrite("the hyperbolic sine of three times the angle", lhs=sp.sinh(3 * _theta), rhs=_SINH)
    .take("the only angle", _theta, sp.asinh(_SINH) / 3)
    .into(_BACK, g, _SINH_Y**-2),
    o + L0 > 0,
    L1 > 0,
)

_COSINE = 3 * _c / (2 * _l) * sp.sqrt(3 * _a / _l)


def _cosine(function: sp.FunctionClass, inverse: sp.FunctionClass, kind: str) -> Derivation:
    """The root for beta = 3 by the cosine or the hyperbolic cosine of three times an angle."""
    granularity = 2 * sp.sqrt(_l / (3 * _a)) * function(_theta)
    return (
        _at(sp.Integer(3), g=granularity)
        .add("the linear term to the left", -_l * granularity)
        .scale(_THREE_ANGLES, 3 * function(_theta) / (_l * granularity))
        .rewrite(f"the {kind} of three times the angle", lhs=function(3 * _theta), rhs=_COSINE)
        .take("the least angle", _theta, inverse(_COSINE) / 3)
        .into(_BACK, g, granularity)
    )


ROOT_THREE = _formula(
    "root_three",
    sp.Integer(3),
    "",
    by_cases(
        "a cosine is at most 1, a hyperbolic cosine at least 1",
        g,
        (_cosine(sp.cos, sp.acos, "cosine"), 27 * _a * _c**2 < 4 * _l**3),
        (_cosine(sp.cosh, sp.acosh, "hyperbolic cosine"), sp.true),
    ),
    L1 > 0,
)

CLOSED_FORMS: dict[tuple[type[TrinomialRoot], sp.Rational], Formula] = {
    (LowerRoot, sp.Rational(1, 2)): ROOT_HALF_LOWER,
    (UpperRoot, sp.Rational(1, 2)): ROOT_HALF_UPPER,
    (LowerRoot, sp.Integer(2)): ROOT_TWO,
    (LowerRoot, sp.Rational(1, 3)): ROOT_THIRD_LOWER,
    (UpperRoot, sp.Rational(1, 3)): ROOT_THIRD_UPPER,
    (LowerRoot, sp.Rational(2, 3)): ROOT_TWO_THIRDS_LOWER,
    (UpperRoot, sp.Rational(2, 3)): ROOT_TWO_THIRDS_UPPER,
    (LowerRoot, sp.Rational(3, 2)): ROOT_THREE_HALVES,
    (LowerRoot, sp.Integer(3)): ROOT_THREE,
}
"""Closed forms by kind of root and exponent."""


def closed_form(root: TrinomialRoot) -> tuple[sp.Expr, tuple[sp.Basic, ...]]:
    """A root [B] in closed form, where it has a short one, and what that needs besides [1].

    Examples
    --------
    >>> closed_form(LowerRoot(C * (A - 1) / A, o, L1, sp.S.One, evaluate=False))
    (A*o/(-A*L1 + C*(A - 1)), ())
    """
    k, c, l, exponent = root.args
    k, divisor = sp.fraction(_upright(sp.factor(k)))
    c, l = divisor * c, divisor * l
    if exponent == 1 and root.upward:
        return c / (k - l), ()
    if l == 0:
        return root.func(k, c, l, exponent), ()
    entry = CLOSED_FORMS.get((type(root), exponent))
    if entry is None:
        return root, ()
    letters = {s: sp.S.One, A: sp.Integer(2), C: 2 * k, o: c, L0: sp.S.Zero, L1: l}
    needed = [each.subs(letters, simultaneous=True) for each in entry.domain]
    if sp.false in needed:
        return root, ()
    needed = [each for each in needed if each.free_symbols - {beta}]
    return entry.expr.subs(letters, simultaneous=True), tuple(needed)


def _upright(product: sp.Expr) -> sp.Expr:
    """Without a minus sign before it where one of the sums in it can take it."""
    sums = [factor for factor in sp.Mul.make_args(product) if factor.is_Add]
    if not sums or not product.as_coeff_Mul()[0].is_negative:
        return product
    others = [factor for factor in sp.Mul.make_args(product) if factor != sums[0]]
    return sp.Mul(-sp.Mul(*others), -sums[0])


def with_closed_forms(
    expr: sp.Expr, values: Mapping[sp.Symbol, sp.Expr]
) -> tuple[sp.Expr, tuple[sp.Basic, ...]]:
    """An expression with values for symbols [its unit], and what its closed forms need besides [1].

    Examples
    --------
    >>> from logca.derive.logca.granularity import G1
    >>> with_closed_forms(G1.in_form("linear"), {beta: sp.S.One})
    (A*o/(-A*L + C*(A - 1)), ())
    """
    closed: dict[sp.Basic, sp.Expr] = {}
    needed: list[sp.Basic] = []
    for root in expr.atoms(TrinomialRoot):
        parts = (part.subs(values, simultaneous=True) for part in root.args)
        closed[root], conditions = closed_form(root.func(*parts, evaluate=False))
        needed += conditions
    inserted = expr.xreplace(closed).subs(values, simultaneous=True)
    written = [inserted, sp.factor_terms(inserted)]
    if sp.count_ops(inserted) < _LONG:
        written.append(sp.together(inserted))
    return min(written, key=sp.count_ops), tuple(needed)


FORMULAS = (
    ROOT_HALF_LOWER,
    ROOT_HALF_UPPER,
    ROOT_TWO,
    ROOT_THIRD_LOWER,
    ROOT_THIRD_UPPER,
    ROOT_TWO_THIRDS_LOWER,
    ROOT_TWO_THIRDS_UPPER,
    ROOT_THREE_HALVES,
    ROOT_THREE,
)
