"""Operations that isolate, balance, distribute: right where they apply, refused elsewhere."""

import pytest
import sympy as sp

from logca.derive.derivation import begin
from logca.derive.step import DerivationError
from logca.derive.symbols import L1, A, C, beta, g, o, x, y


def test_isolate_solves_for_a_power() -> None:
    solved = begin("start", C * g**beta / A - o, x).isolate("solve", g**beta)
    assert solved.relation.lhs == g**beta
    assert sp.simplify(solved.expr - A * (o + x) / C) == 0
    solved.check()


def test_isolate_refuses_what_is_not_linear() -> None:
    with pytest.raises(DerivationError, match="not linear"):
        begin("start", sp.exp(g**beta), x).isolate("solve", g**beta)


def test_balance_names_both_sides_of_a_zero() -> None:
    slope = begin("start", "slope", C * (x - y) / (1 + x) ** 2)
    found = slope.balance("where it vanishes", x, y)
    assert found.relation.args == (x, y)
    found.check()


@pytest.mark.parametrize("rest", [x - 1, sp.log(x)])
def test_balance_refuses_a_further_change_of_sign(rest: sp.Expr) -> None:
    with pytest.raises(DerivationError, match="not evident"):
        begin("start", "slope", (x - y) * rest).balance("where it vanishes", x, y)


def test_balance_refuses_what_is_no_factor() -> None:
    with pytest.raises(DerivationError, match="not evident"):
        begin("start", "slope", x - 2 * y).balance("where it vanishes", x, y)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (C / sp.Max(x, y), sp.Min(C / x, C / y)),
        (C * sp.Max(x, y), sp.Max(C * x, C * y)),
        (C / sp.Min(x, y), sp.Max(C / x, C / y)),
        (C * sp.Min(x, y), sp.Min(C * x, C * y)),
    ],
)
def test_distribute(before: sp.Expr, after: sp.Expr) -> None:
    assert begin("start", "value", before).distribute("move inside").expr == after


@pytest.mark.parametrize("expr", [x * y, -sp.Max(x, y), (x - y) * sp.Max(x, y), 1 + sp.Max(x, y)])
def test_distribute_refuses(expr: sp.Expr) -> None:
    with pytest.raises(DerivationError, match="no minimum or maximum"):
        begin("start", "value", expr).distribute("move inside")


def test_logarithms_of_factors() -> None:
    taken = begin("start", L1 + o + 1, C * g**beta).log("take logarithms")
    assert taken.expr == sp.log(C) + beta * sp.log(g)
    taken.check()


def test_scale_keeps_products() -> None:
    scaled = begin("start", x, y + 1).scale("double", sp.Integer(2) * C)
    assert scaled.expr == 2 * C * (y + 1)
