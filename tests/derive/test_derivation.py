"""Operations of derivations refuse what does not follow, and their checks see a false step."""

from dataclasses import replace

import pytest
import sympy as sp

from logca.derive.catalogue import all_formulas
from logca.derive.derivation import begin, by_cases
from logca.derive.formula import Formula
from logca.derive.step import DerivationError
from logca.derive.symbols import L0, A, beta, g, g0, o

x, y = sp.symbols("x y", positive=True)


def test_a_solution_is_verified() -> None:
    quadratic = begin("", x**2, A)
    assert quadratic.take("", x, sp.sqrt(A)).expr == sp.sqrt(A)
    with pytest.raises(DerivationError, match="residual"):
        quadratic.take("", x, A)


def test_solving_refuses_what_is_not_linear() -> None:
    with pytest.raises(DerivationError):
        begin("", x**2, A).solve("", x)
    hidden = (((o + L0) / (1 - beta)) ** (1 - beta)) ** (1 / (1 - beta))
    with pytest.raises(DerivationError, match="linear"):
        begin("", hidden, y).solve("", o)


def test_rewriting_refuses_another_expression() -> None:
    with pytest.raises(DerivationError, match="differ"):
        begin("", x, g**beta).rewrite("", rhs=g ** (beta + 1))


def test_tangent_touches() -> None:
    line = begin("", y, g**beta).tangent("", g, g0, x)
    assert sp.simplify(line.expr.subs(g, g0) - g0**beta) == 0
    assert sp.simplify(sp.diff(line.expr, g) - beta * g0 ** (beta - 1)) == 0
    line.check()


def test_cases_keep_the_steps_of_each() -> None:
    one, other = begin("one", "x", sp.S.Zero), begin("other", "x", A).rewrite("same", rhs=A)
    joined = by_cases("both", "x", (one, beta < 1), (other, sp.true))
    assert [step.name for step in joined.steps] == ["one", "other", "same", "both"]
    assert joined.expr == sp.Piecewise((0, beta < 1), (A, True))


def test_nothing_follows_from_a_factor_zero() -> None:
    for operation in ("multiply", "scale"):
        with pytest.raises(DerivationError, match="nothing would be left"):
            getattr(begin("", x, A), operation)("", g - g)


def test_a_false_step_is_named() -> None:
    right = begin("start", x, g**beta).rewrite("same", rhs=g * g ** (beta - 1))
    right.check()
    false = replace(right.steps[-1], relation=sp.Eq(x, g ** (beta + 1), evaluate=False))
    with pytest.raises(DerivationError, match="same"):
        replace(right, steps=(right.steps[0], false)).check()


def test_a_step_follows_from_an_equation_before_it() -> None:
    right = begin("start", x, g**beta).scale("twice", sp.Integer(2)).scale("again", sp.Integer(2))
    right.check()
    with pytest.raises(DerivationError, match="again"):
        replace(right, steps=(right.steps[0], right.steps[2])).check()


@pytest.mark.parametrize("entry", [*all_formulas()], ids=lambda entry: entry.name)
def test_no_step_holds_with_another_right_hand_side(entry: Formula) -> None:
    for step in entry.derivation.steps:
        other = sp.Eq(step.relation.lhs, step.relation.rhs + 1, evaluate=False)
        assert step.posed or not replace(step, relation=other).check(), step.name


def test_a_false_limit_is_named() -> None:
    limit = begin("start", x, g / (g + A)).limit("far out", g, sp.oo, y)
    limit.check()
    false = replace(limit.steps[-1], relation=sp.Eq(y, sp.Integer(2), evaluate=False))
    with pytest.raises(DerivationError, match="far out"):
        replace(limit, steps=(limit.steps[0], false)).check()
