"""Operations of derivations refuse what does not follow, and their checks see a false step."""

from dataclasses import replace

import pytest
import sympy as sp

from logca.derive.algebra.derivation import DerivationError, begin, by_cases
from logca.derive.core.catalogue import all_formulas
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, g0, o
from logca.derive.core.symbols import x as x_derivation_operations
from logca.derive.core.symbols import y as y_derivation_operations

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


def test_isolate_solves_for_a_power() -> None:
    solved = begin("start", C * g**beta / A - o, x_derivation_operations).isolate("solve", g**beta)
    assert solved.relation.lhs == g**beta
    assert sp.simplify(solved.expr - A * (o + x_derivation_operations) / C) == 0
    solved.check()


def test_isolate_refuses_what_is_not_linear() -> None:
    with pytest.raises(DerivationError, match="not linear"):
        begin("start", sp.exp(g**beta), x_derivation_operations).isolate("solve", g**beta)


def test_balance_names_both_sides_of_a_zero() -> None:
    slope = begin(
        "start",
        "slope",
        C
        * (x_derivation_operations - y_derivation_operations)
        / (1 + x_derivation_operations) ** 2,
    )
    found = slope.balance("where it vanishes", x_derivation_operations, y_derivation_operations)
    assert found.relation.args == (x_derivation_operations, y_derivation_operations)
    found.check()


@pytest.mark.parametrize("rest", [x_derivation_operations - 1, sp.log(x_derivation_operations)])
def test_balance_refuses_a_further_change_of_sign(rest: sp.Expr) -> None:
    with pytest.raises(DerivationError, match="not evident"):
        begin("start", "slope", (x_derivation_operations - y_derivation_operations) * rest).balance(
            "where it vanishes", x_derivation_operations, y_derivation_operations
        )


def test_balance_refuses_what_is_no_factor() -> None:
    with pytest.raises(DerivationError, match="not evident"):
        begin("start", "slope", x_derivation_operations - 2 * y_derivation_operations).balance(
            "where it vanishes", x_derivation_operations, y_derivation_operations
        )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            C / sp.Max(x_derivation_operations, y_derivation_operations),
            sp.Min(C / x_derivation_operations, C / y_derivation_operations),
        ),
        (
            C * sp.Max(x_derivation_operations, y_derivation_operations),
            sp.Max(C * x_derivation_operations, C * y_derivation_operations),
        ),
        (
            C / sp.Min(x_derivation_operations, y_derivation_operations),
            sp.Max(C / x_derivation_operations, C / y_derivation_operations),
        ),
        (
            C * sp.Min(x_derivation_operations, y_derivation_operations),
            sp.Min(C * x_derivation_operations, C * y_derivation_operations),
        ),
    ],
)
def test_distribute(before: sp.Expr, after: sp.Expr) -> None:
    assert begin("start", "value", before).distribute("move inside").expr == after


@pytest.mark.parametrize(
    "expr",
    [
        x_derivation_operations * y_derivation_operations,
        -sp.Max(x_derivation_operations, y_derivation_operations),
        (x_derivation_operations - y_derivation_operations)
        * sp.Max(x_derivation_operations, y_derivation_operations),
        1 + sp.Max(x_derivation_operations, y_derivation_operations),
    ],
)
def test_distribute_refuses(expr: sp.Expr) -> None:
    with pytest.raises(DerivationError, match="no minimum or maximum"):
        begin("start", "value", expr).distribute("move inside")


def test_logarithms_of_factors() -> None:
    taken = begin("start", L1 + o + 1, C * g**beta).log("take logarithms")
    assert taken.expr == sp.log(C) + beta * sp.log(g)
    taken.check()


def test_scale_keeps_products() -> None:
    scaled = begin("start", x_derivation_operations, y_derivation_operations + 1).scale(
        "double", sp.Integer(2) * C
    )
    assert scaled.expr == 2 * C * (y_derivation_operations + 1)
