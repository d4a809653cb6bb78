"""Numerator and denominator, against values and SymPy's own cancellation."""

import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from logca.derive.algebra.fractions import as_fraction

X, Y, Z = sp.symbols("x y z", positive=True)
_LEAVES = st.sampled_from([X, Y, Z, sp.Integer(2), sp.Rational(-3, 4), sp.Integer(1)])
EXPRESSIONS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, st.integers(1, 2)).map(lambda pair: pair[0] ** pair[1]),
        inner.map(lambda part: 1 / (part + 7 * X + 11 * Y * Z)),
    ),
    max_leaves=9,
)


@given(EXPRESSIONS)
def test_it_is_the_same_number(expr: sp.Expr) -> None:
    over, under = as_fraction(expr)
    point = {X: sp.Rational(3, 2), Y: sp.Rational(5, 7), Z: sp.Integer(4)}
    assert under.xreplace(point) * expr.xreplace(point) == over.xreplace(point)


@given(EXPRESSIONS)
def test_both_parts_are_polynomials(expr: sp.Expr) -> None:
    for part in as_fraction(expr):
        assert sp.expand(part).is_polynomial(X, Y, Z)


def test_a_factor_below_a_sum_is_cancelled() -> None:
    over, under = as_fraction((X / Y + 1) * Y)
    assert (sp.expand(over), under) == (X + Y, 1)
