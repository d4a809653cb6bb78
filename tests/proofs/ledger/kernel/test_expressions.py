"""Terms mean what the expressions mean: read again by an evaluator that shares nothing with us."""

import random

import mpmath
import pytest
import sympy as sp
from coq_terms import evaluate
from sympy.core.function import AppliedUndef

from logca.derive.algebra.trinomial import TrinomialRoot
from logca.derive.core.catalogue import LOGCA, formula
from logca.derive.core.symbols import FORMS, A, beta, g, o
from logca.proofs.ledger.kernel.expressions import NotExported, as_proposition, as_term, number
from logca.proofs.terms.definedness import Defined, definedness

_EXPORTED = [
    name
    for names in LOGCA.values()
    for name in names
    if not formula(name).expr.has(TrinomialRoot, AppliedUndef, sp.Piecewise, sp.binomial)
]


@pytest.mark.parametrize("name", _EXPORTED)
@pytest.mark.parametrize("latency", ["constant", "affine"])
def test_terms_of_formulas_have_the_values_of_the_formulas(name: str, latency: str) -> None:
    expr = formula(name).expr.subs(FORMS[latency], simultaneous=True)
    try:
        text = as_term(expr)
    except NotExported:
        pytest.skip("not defined in the development")
    chance = random.Random(name)
    for _ in range(3):
        values = {
            symbol: sp.Rational(chance.randint(1, 400), chance.randint(1, 40))
            for symbol in sorted(expr.free_symbols, key=str)
        }
        with mpmath.workdps(40):
            try:
                here = [condition.subs(values) for condition in definedness(expr)]
            except TypeError:  # a comparison of what is not real
                continue
            if any(condition is not sp.true for condition in here):
                continue
            try:
                expected = sp.N(expr.subs(values, simultaneous=True), 30)
            except ValueError:  # a maximum of numbers that are not real
                continue
            if not expected.is_real or not expected.is_finite:
                continue
            numbers = {s.name: mpmath.mpf(v.p) / v.q for s, v in values.items()}
            found = evaluate(text, numbers)
            assert mpmath.almosteq(found, mpmath.mpf(expected), rel_eps=mpmath.mpf(10) ** -20)


def test_a_base_that_may_be_zero_is_no_power_of_the_standard_library() -> None:
    assert as_term(o**beta) == "(power o beta)"
    assert as_term(g**beta) == "(Rpower g beta)"


def test_numbers_keep_their_sign_and_their_denominator() -> None:
    assert number(sp.Rational(-6, 5)) == "(- (6 / 5))"
    assert evaluate(as_term(sp.Rational(-6, 5) * g), {"g": mpmath.mpf(5)}) == -6


def test_a_case_of_several_comparisons_is_decided_by_one_after_the_other() -> None:
    x, y = sp.symbols("x y", positive=True)
    both = sp.Piecewise((1, (x > 1) & (y > 2)), (2, sp.Eq(x, 3) | (y > 4)), (3, True))
    for at, value in (((2, 3), 1), ((3, 1), 2), ((1, 5), 2), ((1, 3), 3), ((2, 2), 3)):
        numbers = dict(zip(("x", "y"), map(mpmath.mpf, at), strict=True))
        assert evaluate(as_term(both), numbers) == value == both.subs({x: at[0], y: at[1]})


def test_what_exists_by_conditions_exists_only_where_these_do() -> None:
    condition = Defined(sp.Gt(sp.log(A - 1), 2, evaluate=False), evaluate=False)
    assert "ln (A - 1)" in as_proposition(condition).text()
    assert "(A - 1) > 0" in as_proposition(condition).text()


def test_functions_without_a_counterpart_are_refused() -> None:
    with pytest.raises(NotExported, match="LambertW"):
        as_term(sp.LambertW(g))
