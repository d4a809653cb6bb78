"""Candidates in floating point: roots with a negative slope, symbols bound by an equation."""

import mpmath
import numpy as np
import pytest
import sympy as sp

from logca.derive.algebra.trinomial import LowerRoot, UpperRoot
from logca.derive.core.symbols import A, C, L, beta, g, o, x, y
from logca.proofs.numbers.counterexamples import find_counterexample, find_witness, root_values
from logca.proofs.terms.definedness import RootExists


def test_a_witness_is_found_where_only_an_equation_mentions_the_symbols() -> None:
    point = find_witness([sp.Eq(x * y, g**2, evaluate=False)])
    assert point is not None
    assert point[x] * point[y] == point[g] ** 2


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.5])
def test_roots_on_arrays_with_a_negative_slope_solve_the_equation(exponent: float) -> None:
    roots = root_values(True)(
        3.0, np.array([2.0, 700.0, -1.0]), np.array([-0.7, -5.0, -1.0]), exponent
    )
    assert np.isnan(roots[2])
    for root, constant, slope in zip(roots[:2], (2.0, 700.0), (-0.7, -5.0), strict=True):
        assert mpmath.almosteq(3 * mpmath.mpf(root) ** exponent, constant + slope * root, 1e-9)
    assert np.isnan(root_values(False)(3.0, 2.0, -0.7, exponent))


def test_with_a_negative_slope_one_root_exists_and_it_is_the_rising_one() -> None:
    exists = RootExists(C, o, -L, beta, sp.true).condition()
    assert exists == (o > 0)
    assert RootExists(C, o, -L, beta, sp.false).condition() is sp.false
    assert UpperRoot(C, o, -L, beta).func is UpperRoot


def test_a_statement_about_such_a_root_is_refuted_at_a_point() -> None:
    root = LowerRoot(C, o, -L, beta)
    point = find_counterexample([o > 0, L > 0], [sp.Lt(root, 1, evaluate=False)])
    assert point is not None
    assert point[C] <= point[o] - point[L]


def test_symbols_solved_from_an_equation_stay_in_their_domain() -> None:
    equation = sp.Eq(x, (C * (beta - 1) + A * o) / (C * beta - A * L), evaluate=False)
    reached = sp.Or(1 / beta < C / (A * L), C * (1 - beta) > A * o)
    assert find_counterexample([L > 0, equation], [reached]) is None
