"""Logarithms and exponentials reach the solvers as instances of two lemmas."""

import mpmath
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from logca.derive.symbols import L, beta, g, o
from logca.proofs.abstraction import Abstraction
from logca.proofs.decide import Problem, decide
from logca.proofs.instances import Supply
from logca.proofs.log_lemmas import Logarithm, instances
from logca.proofs.smt import satisfiable

_POSITIVE = st.fractions(min_value="1/1000", max_value=1000)


def _difference(left: sp.Expr, right: sp.Expr) -> sp.Expr:
    return left - right


@given(_POSITIVE, _POSITIVE)
def test_lemmas_hold_at_numbers(u: object, w: object) -> None:
    u, w = sp.Rational(str(u)), sp.Rational(str(w))
    a, b = (Logarithm(u=value, log=sp.log(value)) for value in (u, w))
    with mpmath.workdps(50):
        assert all(
            bool(lemma.doit()) for level in (1, 3) for lemma in instances(a, b, level, _difference)
        )


@pytest.mark.parametrize(
    ("given", "goal"),
    [
        ([g > 1], sp.log(g) > 0),
        ([], sp.log(g) <= g - 1),
        ([], sp.exp(beta) >= 1 + beta),
        ([sp.Ne(g, 1)], sp.exp(sp.log(g) ** 2) > 1),
        ([], sp.LambertW(g) < g),
    ],
)
def test_true_statements_are_proved(given: list[sp.Basic], goal: sp.Basic) -> None:
    found = decide(Problem(hypotheses=tuple(("", h) for h in given), goals=(("", goal),)))
    assert found.status == "proved"


@pytest.mark.parametrize("goal", [sp.log(g) > 0, sp.log(g) < g / 3, sp.exp(beta) < 1 + 2 * beta])
def test_false_statements_are_not(goal: sp.Basic) -> None:
    assert decide(Problem(hypotheses=(), goals=(("", goal),))).status == "refuted"


def test_lemmas_on_powers_do_not_exclude_a_base_of_zero() -> None:
    work = Abstraction()
    statements = [work.statement(sp.Eq((o + L) ** beta * (g + o) ** beta, 0, evaluate=False))]
    statements += Supply(work=work).lemmas(3, alike=False)
    model = satisfiable([*statements, *work.facts, beta > 1], timeout=5.0)
    assert model.status == "sat"
