"""Branch and prune: what it proves is true, and what is false or too close it does not prove."""

from fractions import Fraction

import pytest
import sympy as sp

from logca.derive.core.symbols import A, C, beta, g, o
from logca.proofs.numbers.branch_and_prune import ARITHMETICS, Sign, bounds, covers, truth
from logca.proofs.terms.definedness import RootExists

R = sp.Rational
FROM_ZERO = sp.Ge(A, 0, evaluate=False)
BOTH = pytest.mark.parametrize("sign", ARITHMETICS.values(), ids=ARITHMETICS.keys())


@BOTH
@pytest.mark.parametrize(
    ("hypotheses", "goal"),
    [
        ([], sp.Gt(sp.sqrt(2), R(7, 5), evaluate=False)),
        ([], sp.Lt(R(16384) ** R(101, 100), 18055, evaluate=False)),
        ([sp.Eq(g, 32768), sp.Eq(beta, R(17, 10))], g**beta > 47000000),
        ([sp.Eq(o, 2 * A), sp.Eq(A, 3)], o < 7),
        ([g >= 16, g <= 2**25], g ** R(11, 100) > R(29, 100) * sp.log(g)),
        ([g >= 16, g <= 2**25, sp.Eq(C, 2)], C * g ** R(17, 10) < 10**14),
        ([A >= 1, A <= 3, g >= 1, g <= 2], A * g < R(13, 2)),
        ([A >= 1, A <= 3, A < 2], sp.Lt(A**2, R(401, 100))),
        ([A >= 1, A <= 3], sp.Or(R(21, 10) > A, A > 2)),
    ],
)
def test_what_holds_is_proved(hypotheses: list[sp.Basic], goal: sp.Basic, sign: Sign) -> None:
    assert covers(hypotheses, goal, sign)


@BOTH
@pytest.mark.parametrize(
    ("hypotheses", "goal"),
    [
        ([], sp.Gt(sp.sqrt(2), R(3, 2), evaluate=False)),
        ([g >= 16, g <= 2**25], g ** R(11, 100) > R(3, 10) * sp.log(g)),
        ([A >= 1, A <= 3], A < 3),
        ([A >= 1], sp.Gt(A, R(1, 2))),
        ([A >= 1, A <= 3, C >= 1, C <= 2, g >= 1, g <= 2], A * C * g > R(1, 2)),
        ([sp.Eq(A, 3)], sp.Ne(A, 3)),
        ([A >= 1, A <= 3], 1 / (A - 2) < 100),
    ],
)
def test_what_fails_or_is_unbounded_is_not_proved(
    hypotheses: list[sp.Basic], goal: sp.Basic, sign: Sign
) -> None:
    assert not covers(hypotheses, goal, sign)


@BOTH
@pytest.mark.parametrize(
    ("hypotheses", "goal", "answer"),
    [
        ([FROM_ZERO, A <= 3], sp.Gt(A, R(-1, 2), evaluate=False), True),
        ([FROM_ZERO, A <= 3], sp.Gt(A * A, 0, evaluate=False), None),
        ([FROM_ZERO, A <= 3], sp.Lt(A, 2), False),
        ([sp.Eq(A, C - 2), C >= 1, C <= 3], sp.Gt(C, R(3, 2)), True),
        ([sp.Eq(A, C - 2), C >= 1, C <= 3], sp.Gt(C, R(5, 2)), False),
        ([sp.Eq(A, -3)], sp.Gt(C, R(3, 2)), None),
        ([sp.Eq(A, -3), sp.Eq(C, 1)], sp.Gt(C, R(3, 2)), True),
        ([C >= 1, C <= 3, sp.Gt(C, sp.sqrt(2))], sp.Gt(C, R(7, 5)), True),
    ],
)
def test_only_values_in_the_domain_count(
    hypotheses: list[sp.Basic], goal: sp.Basic, answer: bool | None, sign: Sign
) -> None:
    assert covers(hypotheses, goal, sign) is answer


@BOTH
def test_equality_of_rationals_is_exact(sign: Sign) -> None:
    hypotheses = [sp.Eq(A, 19), sp.Eq(C, 90)]
    assert truth(sp.Eq(A, 19), {A: (Fraction(19), Fraction(19))}, sign)
    assert not covers(hypotheses, sp.Eq(A / C, R(19, 91)), sign)


def test_integers_decide_equality_where_balls_cannot() -> None:
    hypotheses = [sp.Eq(A, 19), sp.Eq(C, 90)]
    assert covers(hypotheses, sp.Eq(A / C, R(19, 90)), ARITHMETICS["integer roots"])


@BOTH
@pytest.mark.parametrize("exponent", [R(101, 100), R(17, 10), R(2)])
def test_a_root_above_the_linear_exponent_exists(exponent: sp.Rational, sign: Sign) -> None:
    upward = RootExists(C, o, g, exponent, sp.true)
    hypotheses = [sp.Eq(C, 3), sp.Eq(o, 5), sp.Eq(g, 700)]
    assert covers(hypotheses, upward, sign)
    assert covers(hypotheses, RootExists(C, o, g, exponent, sp.false), sign) is False


def test_bounds_take_the_tightest() -> None:
    assert bounds([A > 1, A >= 2, A < 9, C > 1, sp.Lt(g, o)]) == {A: (Fraction(2), Fraction(9))}


def test_contradictory_bounds_are_not_a_box() -> None:
    assert bounds([A > 3, A < 2]) == {}
