"""What is printed as the condition of a root holds exactly where brute force finds the root."""

import random
from math import exp, inf, log, log1p

import pytest
import sympy as sp
from effort import LAWS, tried

from logca.derive.algebra.trinomial import TrinomialRoot
from logca.derive.core.catalogue import LOGCA, all_formulas, formula
from logca.derive.core.symbols import FORMS, beta
from logca.derive.notation.text_latex_python import text
from logca.proofs.terms.existence import existence

WITH_ROOTS = [
    entry.name
    for entry in all_formulas(LOGCA)
    if entry.expr.atoms(TrinomialRoot) and not any(c.has(TrinomialRoot) for c in entry.domain)
]
OTHERS = ("g_s", "g_s_upper", "gA", "cutoff_L_general", "cutoff_L_from_upper", "g_s_application")
CASES = [(name, "affine") for name in (WITH_ROOTS if LAWS else OTHERS)]
CASES += [(name, "linear") for name in (WITH_ROOTS if LAWS else ("g1", "gA2", "g1_energy"))]
CASES += [(name, "constant") for name in (WITH_ROOTS if LAWS else ("g1", "g_s_upper"))]
EXPONENTS = [sp.Rational(*each) for each in ((1, 3), (1, 2), (3, 4), (1, 1), (5, 4), (2, 1))]
POINTS = 400 if LAWS else 40


def logarithm(number: sp.Expr) -> float:
    return -inf if number == 0 else log(number.p) - log(number.q)


def brute_force(root: TrinomialRoot) -> bool:
    """True if k*x**b over c + l*x comes from below 1, or goes below it, at some x = exp(t)."""
    k, c, l, b = map(sp.Rational, root.args)
    if k <= 0 or c < 0 or l < 0 or c + l == 0:
        return bool(root.upward and k > 0 and c > 0)  # a falling line starts above, ends below
    big, small, exponent = logarithm(k), logarithm(c), float(b)
    slope = logarithm(l)

    def over(t: float) -> float:
        above, below = max(small, slope + t), min(small, slope + t)
        return big + exponent * t - above - log1p(exp(below - above))

    low, high = -1000.0, 1000.0
    before, after = over(low) < 0, over(high) < 0
    for _ in range(120):
        third = (high - low) / 3
        if over(low + third) < over(high - third):
            low += third
        else:
            high -= third
    reached = max(over(-1000.0), over(low), over(1000.0)) >= 0
    return reached and (before if root.upward else after)


def point(symbols: set[sp.Symbol], random_state: random.Random) -> dict[sp.Symbol, sp.Expr]:
    """Values of symbols over some decades; what may vanish does now and then."""
    found = {}
    for symbol in sorted(symbols, key=str):
        value = sp.Rational(random_state.randint(1, 99), random_state.choice((1, 10, 100)))
        vanishes = not symbol.is_positive and random_state.random() < 0.25
        found[symbol] = sp.S.Zero if vanishes else value
    return found | {beta: random_state.choice(EXPONENTS)}


@pytest.mark.parametrize(("name", "form"), tried(CASES, 2))
def test_a_root_exists_if_and_only_if_its_condition_holds(name: str, form: str) -> None:
    entry = formula(name)
    condition = sp.And(*existence(entry.expr, entry.domain, FORMS[form]))
    (root,) = entry.expr.atoms(TrinomialRoot)
    random_state = random.Random(f"{name} {form}")
    domain = [each.subs(FORMS[form]) for each in entry.domain]
    parts = [part.subs(FORMS[form]) for part in root.args]
    symbols = {symbol for each in (*domain, *parts) for symbol in each.free_symbols}
    answers = set()
    for _ in range(POINTS):
        at = point(symbols, random_state)
        holds = all(each.subs(at) is sp.true for each in domain)
        exists = holds and brute_force(root.func(*(p.subs(at) for p in parts), evaluate=False))
        assert bool(condition.subs(at)) is exists, at
        answers.add(exists)
    assert answers == {True, False} or (name, form) == ("g_s_upper", "constant")


def test_cases_of_the_break_even_are_printed_whole() -> None:
    entry = formula("g1")
    said, cases = map(text, existence(entry.expr, entry.domain, FORMS["linear"]))
    assert said == "1 < A"
    assert cases == (
        "(β < 1 and o > 0 and β^β·(1 − β)^(1 − β)·C·(A − 1) ≥ A·o^(1 − β)·L^β)"
        " or (β = 1 and o > 0 and C·(A − 1) > A·L) or (β > 1 and o + L > 0)"
    )


@pytest.mark.parametrize(
    ("exponent", "printed"),
    [
        (sp.S.One, ["1 < A", "o > 0", "C·(A − 1) > A·L"]),
        (sp.Rational(1, 2), ["1 < A", "o > 0", "C^2·(A − 1)^2 ≥ 4·A^2·o·L"]),
        (sp.Integer(2), ["1 < A", "o + L > 0"]),
    ],
)
def test_an_exponent_leaves_its_own_case(exponent: sp.Expr, printed: list[str]) -> None:
    entry = formula("g1")
    values = FORMS["linear"] | {beta: exponent}
    assert [text(each) for each in existence(entry.expr, entry.domain, values)] == printed


def test_what_exists_nowhere_says_so() -> None:
    entry = formula("g1_upper")
    assert existence(entry.expr, entry.domain, FORMS["constant"]) == (sp.false,)
