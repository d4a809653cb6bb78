"""Equations among hypotheses are solved only where that loses nothing."""

import math

import sympy as sp

from logca.derive.core.symbols import A, C, beta, o, r, s, x, y
from logca.proofs.provers import symbolic
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_or_refutation import decide
from logca.proofs.terms.elimination import eliminate


def _eq(left: sp.Expr, right: sp.Expr) -> sp.Basic:
    return sp.Eq(left, right, evaluate=False)


def test_a_coefficient_that_may_vanish_is_not_divided_by() -> None:
    product = _eq((x - y) * (A - r), sp.S.Zero)
    assert eliminate([product])[0] == {}
    assert not symbolic.proves([product], _eq(A, r))
    found = decide(
        ProofProblem(hypotheses=(("", product),), goals=(("", _eq(A, r)),)), Effort(until=math.inf)
    )
    assert found.status == "refuted"


def test_a_hypothesis_may_say_that_it_does_not_vanish() -> None:
    product = _eq((x - y) * (A - r), sp.S.Zero)
    for apart in (sp.Ne(x, y), x > y, x < y):
        assert eliminate([product, apart])[0] == {A: r}


def test_coefficients_of_one_sign_are_divided_by() -> None:
    assert eliminate([_eq(C * x**beta * A, C * x**beta * r)])[0] == {A: r}
    assert eliminate([_eq((1 + o + C) * A, s)])[0] == {A: s / (1 + o + C)}
    assert eliminate([_eq((o + C - s) * A, x), o + C > s])[0] != {}


def test_a_search_may_look_only_where_it_does_not_vanish() -> None:
    assert eliminate([_eq((x - y) * A, (x - y) * r)], everywhere=False)[0] == {A: r}
