"""Exact and rigorous evaluation: certain where it says so, silent otherwise."""

import pytest
import sympy as sp

from logca.derive.algebra.trinomial import LowerRoot
from logca.derive.core.symbols import A, C, L, beta, g, o
from logca.proofs.numbers.exact import Imprecise, Undefined, ball, holds

_R = sp.Rational


def test_a_ball_too_wide_for_a_division_makes_no_statement() -> None:
    tiny = A - C * g**beta / (L + o + C * g**beta / A)
    point = {A: _R(1), C: _R(1, 4), L: _R(1, 2), beta: _R(30001, 3), g: _R(2), o: _R(0)}
    assert holds(sp.Gt(1 / tiny, 0, evaluate=False), point) is None
    assert holds(sp.Not(sp.And(sp.Gt(1 / tiny, 0), sp.Gt(A, 0))), point) is None


def test_a_division_by_zero_is_undefined() -> None:
    with pytest.raises(Undefined):
        holds(sp.Gt(1 / (A - 1), 0, evaluate=False), {A: _R(1)})


def test_a_largest_of_what_has_no_real_value_makes_no_statement() -> None:
    largest = sp.Max(sp.log(A - C / 3), sp.log(o))
    with pytest.raises(ValueError, match="not comparable"):
        largest.xreplace({A: _R(1, 3), C: _R(1)})
    assert holds(sp.Gt(o, largest, evaluate=False), {A: _R(1, 3), C: _R(1), o: _R(1)}) is None


def test_a_root_at_tangency_exists_but_cannot_be_enclosed_by_a_change_of_sign() -> None:
    root = LowerRoot(C, o, L, beta)
    point = {C: _R(2), o: _R(1), L: _R(1), beta: _R(1, 2)}
    with pytest.raises(Imprecise):
        ball(root, point, 128)
    assert holds(sp.Eq(root, 2, evaluate=False), point) is None


def test_an_uncertain_condition_chooses_no_branch() -> None:
    # zero at 6, which needs the root of a sum with a root to be taken
    close = sp.sqrt(5 + 2 * sp.sqrt(A)) - sp.sqrt(2) - sp.sqrt(3)
    cases = sp.Piecewise((1, close < 0), (2, True), evaluate=False)
    assert holds(sp.Eq(cases, 2, evaluate=False), {A: _R(6)}) is None
    assert holds(sp.Eq(cases, 2, evaluate=False), {A: _R(7)}) is True
