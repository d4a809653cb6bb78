"""Minima and maxima are opaque in identities, but their arguments are brought to one form."""

import pytest
import sympy as sp

from logca.derive.algebra import is_zero
from logca.derive.symbols import L1, A, C, N, x, y

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
