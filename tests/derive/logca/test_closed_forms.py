from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import close, downward, exact, models, upward, value
from target_models import MARGINS, index_for

from logca.derive.core.symbols import beta
from logca.derive.logca.closed_forms import (
    ROOT_HALF_LOWER,
    ROOT_HALF_UPPER,
    ROOT_THIRD_LOWER,
    ROOT_THIRD_UPPER,
    ROOT_THREE,
    ROOT_THREE_HALVES,
    ROOT_TWO,
    ROOT_TWO_THIRDS_LOWER,
    ROOT_TWO_THIRDS_UPPER,
)
from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.peak_and_existence import INDEX_THRESHOLD

LEVELS = st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)])
ROUGH = mpf(10) ** -18
PAIRS = [
    (ROOT_HALF_LOWER, ROOT_HALF_UPPER),
    (ROOT_THIRD_LOWER, ROOT_THIRD_UPPER),
    (ROOT_TWO_THIRDS_LOWER, ROOT_TWO_THIRDS_UPPER),
]


def exponent(formula) -> Fraction:
    value_ = next(c.rhs for c in formula.domain if c.lhs == beta)
    return Fraction(int(value_.p), int(value_.q))


@pytest.mark.parametrize(("lower", "upper"), PAIRS, ids=lambda formula: formula.name)
@settings(max_examples=10, deadline=None)
@given(data=st.data(), level=LEVELS, margin=MARGINS)
def test_sublinear_roots(lower, upper, data, level, margin) -> None:
    with mpmath.workdps(60):
        model = data.draw(models(beta=st.just(exponent(lower))))
        s = level * model.A
        C = index_for(model, s, margin, value(INDEX_THRESHOLD, model))
        k = value(EFFECTIVE_INDEX, model, s=s, C=C)
        parts = (k, exact(model.o + model.L0), exact(model.L1), exact(model.beta))
        assert close(value(lower, model, s=s, C=C), upward(*parts), ROUGH)
        assert close(value(upper, model, s=s, C=C), downward(*parts), ROUGH)
        names = {"L1": exact(model.L1), "C": C, "s": exact(s), "A": exact(model.A)}
        for formula in (lower, upper):
            assert holds(formula, **names, o=exact(model.o), L0=exact(model.L0))
            names_below = names | {"C": C / exact(margin) ** 2}
            assert not holds(formula, **names_below, o=exact(model.o), L0=exact(model.L0))


def holds(formula, **values) -> bool:
    """Whether the domain, but for the exponent, is satisfied."""
    numbers = {name: sp.Float(str(number), 50) for name, number in values.items()}
    conditions = [c for c in formula.domain if c.lhs != beta]
    return all(
        bool(c.subs({symbol: numbers[symbol.name] for symbol in c.free_symbols}))
        for c in conditions
    )


@pytest.mark.parametrize(
    "formula", [ROOT_THREE_HALVES, ROOT_TWO, ROOT_THREE], ids=lambda formula: formula.name
)
@settings(max_examples=20, deadline=None)
@given(data=st.data(), level=LEVELS)
def test_superlinear_roots(formula, data, level) -> None:
    with mpmath.workdps(60):
        model = data.draw(models(beta=st.just(exponent(formula))))
        s = level * model.A
        k = value(EFFECTIVE_INDEX, model, s=s)
        root = upward(k, exact(model.o + model.L0), exact(model.L1), exact(model.beta))
        assert close(value(formula, model, s=s), root, ROUGH)


def test_both_branches_for_the_cube_are_used() -> None:
    cosine, hyperbolic = ({"o": o, "L0": 0, "L1": 3, "C": 2, "A": 2, "s": 1} for o in (1, 3))
    for values in (cosine, hyperbolic):
        g = value(ROOT_THREE, **values)
        assert close(g**3, values["o"] + 3 * g, mpf(10) ** -13)


def test_edges_without_latency_or_overhead() -> None:
    with mpmath.workdps(40):
        no_latency = {"o": 5, "L0": 0, "L1": 0, "C": 3, "A": 4, "s": 2}
        k = mpf(3) / 4
        assert close(value(ROOT_HALF_LOWER, **no_latency), (5 / k) ** 2)
        assert close(value(ROOT_TWO_THIRDS_LOWER, **no_latency), (5 / k) ** mpf("1.5"))
        assert close(value(ROOT_TWO, **no_latency), (5 / k) ** mpf("0.5"))
        no_overhead = no_latency | {"o": 0, "L1": 2}
        assert close(value(ROOT_HALF_UPPER, **no_overhead), (2 / k) ** -2)
        assert close(value(ROOT_THIRD_UPPER, **no_overhead), (2 / k) ** mpf("-1.5"))
        assert close(value(ROOT_TWO, **no_overhead), 2 / k)
        assert close(value(ROOT_THREE, **no_overhead), mpmath.sqrt(2 / k))
