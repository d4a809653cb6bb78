"""The decision procedure for identities: what it proves is true, and it proves what is needed."""

import mpmath
import pytest
import sympy as sp
from mpmath import mpf

from logca.derive.algebra.identities import is_zero
from logca.derive.algebra.trinomial import LowerRoot
from logca.derive.core.symbols import L0, L1, A, C, N, beta, o, s, x, y

W, X, THETA = sp.symbols("w x theta", positive=True)
ARGUMENT = -L1 / C * sp.exp(o / C)
OTHER = sp.LambertW(ARGUMENT, -1)
TRUE = {
    "product of sums": (A**2 - A) ** (1 / beta) / A ** (1 / beta) - (A - 1) ** (1 / beta),
    "opposite sums": (1 / s - 1 / A) ** beta - ((A - s) / (A * s)) ** beta,
    "two signs at once": ((A - s) * (1 - beta)) ** (1 / beta)
    - (A - s) ** (1 / beta) * (1 - beta) ** (1 / beta),
    "power of a power": (((o + L0) / (1 - beta)) ** (1 - beta)) ** (1 / beta)
    - ((o + L0) / (1 - beta)) ** (1 / beta - 1),
    "exponential of logarithms": sp.exp(-beta * sp.log(beta)) - beta**-beta,
    "Lambert": sp.exp(o / C - sp.LambertW(ARGUMENT)) + C / L1 * sp.LambertW(ARGUMENT),
    "Lambert, other branch": sp.LambertW(ARGUMENT, -1) * sp.exp(sp.LambertW(ARGUMENT, -1))
    - ARGUMENT,
    "sine of three angles": sp.sin(3 * THETA) + 4 * sp.sin(THETA) ** 3 - 3 * sp.sin(THETA),
    "sinh of three angles": sp.sinh(3 * THETA) - 4 * sp.sinh(THETA) ** 3 - 3 * sp.sinh(THETA),
    "square root inserted": (W + sp.sqrt(W**2 + X)) ** 2 - 2 * W * (W + sp.sqrt(W**2 + X)) - X,
    "modulus": sp.Abs(beta / (1 - beta)) - beta / sp.Abs(1 - beta),
    "trinomial root": C * LowerRoot(C, o, L1, beta) ** beta - o - L1 * LowerRoot(C, o, L1, beta),
}
FALSE = {
    "square root of a square": sp.sqrt((beta - 1) ** 2) - (beta - 1),
    "square root of an expanded square": sp.sqrt(beta**2 - 2 * beta + 1) - (beta - 1),
    "Lambert, branches mixed": OTHER - sp.LambertW(ARGUMENT),
    "wrong triple angle": sp.cosh(3 * THETA) - 4 * sp.cosh(THETA) ** 3 + 4 * sp.cosh(THETA),
    "wrong exponent": (A - 1) ** beta - (A - 1) ** (1 / beta),
}


@pytest.mark.parametrize("name", TRUE)
def test_identities_are_proved(name) -> None:
    assert is_zero(TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_what_is_no_identity_is_not(name) -> None:
    assert not is_zero(FALSE[name])


@pytest.mark.parametrize("name", TRUE)
def test_what_is_proved_is_so_in_numbers(name) -> None:
    point = {
        beta: sp.Rational(2, 5), A: 7, s: 3, C: 11, o: 2, L0: 3, L1: sp.Rational(1, 9),
        W: sp.Rational(3, 2), X: 5, THETA: sp.Rational(4, 7),
    }  # fmt: skip
    with mpmath.workdps(40):
        number = complex(sp.N(TRUE[name].subs(point), 40))
        assert abs(number) < mpf(10) ** -14


GREATEST = sp.Max(1, sp.sqrt(C) * sp.sqrt(N) / sp.sqrt(A), C * N / A - L1)
SAME = sp.Max(1, sp.sqrt(C * N / A), (C * N - A * L1) / A)


@pytest.mark.parametrize(
    "difference",
    [
        GREATEST - SAME,
        (GREATEST * x + x) / x - SAME - 1,
        sp.sqrt(C) * GREATEST * sp.sqrt(C) - C * SAME,
    ],
)
def test_equal(difference: sp.Expr) -> None:
    assert is_zero(difference)


@pytest.mark.parametrize("difference", [GREATEST - SAME + 1, sp.Max(x, y) - sp.Min(x, y)])
def test_different(difference: sp.Expr) -> None:
    assert not is_zero(difference)
