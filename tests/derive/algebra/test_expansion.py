"""Expansion: what SymPy's own gives, part by part, for polynomials and for all else."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from logca.derive.algebra.expansion import expand
from logca.derive.core.symbols import A, C, L, beta, g, o

_LEAVES = st.sampled_from([A, C, L, o]) | st.fractions(-3, 3, max_denominator=4).map(
    lambda value: sp.Rational(value.numerator, value.denominator)
)


def _combined(parts: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
    return (
        st.tuples(parts, parts).map(lambda pair: sp.Add(*pair))
        | st.tuples(parts, parts).map(lambda pair: sp.Mul(*pair, evaluate=False))
        | st.tuples(parts, st.integers(0, 3)).map(lambda pair: pair[0] ** pair[1])
    )


@given(st.recursive(_LEAVES, _combined, max_leaves=8))
def test_polynomials_become_the_same_sums_as_by_sympy(polynomial: sp.Expr) -> None:
    assert expand(polynomial) == sp.expand(polynomial)
    assert expand(polynomial).args == sp.expand(polynomial).args


@pytest.mark.parametrize(
    "expr",
    [
        g**beta * (g + o),
        (A - 1) / (C + o) * (A + 1),
        sp.log(A * C) * (A + 1),
        sp.zoo * (A + o),
        (A + 1) ** 20,
        (A + 1) ** -2,
        sp.Float(0.5) * (A + 1),
        sp.Min(A, C) * (A + 1),
    ],
    ids=str,
)
def test_what_is_no_polynomial_is_left_to_sympy(expr: sp.Expr) -> None:
    assert expand(expr) == sp.expand(expr)


def test_namesakes_are_told_apart() -> None:
    one, other = sp.Dummy("v"), sp.Dummy("v")
    assert expand((one - other) * (one + other)) == one**2 - other**2
    assert expand((one - other) ** 2 - one**2 - other**2) == -2 * one * other
