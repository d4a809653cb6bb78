"""The generator: its files are up to date, and what it prints means what it was given."""

import re
from collections.abc import Sequence

import mpmath
import numpy as np
import pytest
import sympy as sp
from exact_model import mp
from hypothesis import given
from hypothesis import strategies as st

from logca.derive.core.symbols import A, C, L, beta, g, o, s
from logca.numeric.generate import array_functions
from logca.numeric.generate.equations import iteration_text
from logca.numeric.generate.printer import array_code
from logca.numeric.generate.quantities import MODULES, GeneratedQuantity
from logca.numeric.generate.statements import statements
from logca.numeric.generate.write import FOLDER, files

QUANTITIES = [
    pytest.param(quantity, latency, id=f"{quantity.name}-{latency}")
    for module in MODULES.values()
    for quantity in module
    for latency in quantity.formulas
]
POINT = {
    "g": mp.mpf(4097) / 3,
    "s": mp.mpf(17) / 9,
    "g_low": mp.mpf(5) / 3,
    "g_high": mp.mpf(1000003) / 7,
    "o": mp.mpf(290) / 7,
    "L": mp.mpf(1) / 13,
    "C": mp.mpf(901) / 3,
    "A": mp.mpf(31) / 3,
    "r": mp.mpf(29) / 3,
    "q": mp.mpf(5) / 4,
    "m": mp.mpf(22) / 3,
    "n": mp.mpf(31) / 7,
    "N": mp.mpf(1000033) / 3,
    "f": mp.mpf(3) / 7,
    "rho": mp.mpf(8) / 7,
    "p_host": mp.mpf(271) / 3,
    "p_overhead": mp.mpf(251) / 3,
    "p_link": mp.mpf(151) / 3,
    "p_accelerator": mp.mpf(457) / 3,
    "u_host": mp.mpf(7) / 3,
    "u_link": mp.mpf(10) / 7,
    "u_accelerator": mp.mpf(11) / 3,
    "u_shared": mp.mpf(16) / 5,
    "growth": mp.mpf(6) / 5,
    "spread_o": mp.mpf(2) / 7,
    "spread_L": mp.mpf(5) / 11,
    "spread_C": mp.mpf(1) / 3,
    "deviation": mp.mpf(9) / 7,
}
"""Numbers that no formula treats specially."""
EXPONENTS = (mp.mpf(3) / 4, mp.mpf(17) / 10)


def exact(expr: sp.Basic, values: dict[str, object]) -> object:
    symbols = sorted(expr.free_symbols, key=str)
    function = sp.lambdify(symbols, expr, [{"Max": max, "Min": min}, "mpmath"])
    with mpmath.workdps(60):
        return function(*[values[str(symbol)] for symbol in symbols])


def same(left: object, right: object) -> bool:
    return bool(abs(left - right) <= mp.mpf(10) ** -45 * abs(right))  # type: ignore[operator]


@pytest.mark.usefixtures("same_sympy")
def test_the_generated_files_are_fresh_and_stamped() -> None:
    fresh = files()
    there = {path.name for path in FOLDER.glob("*.py")}
    assert there == set(fresh), "run `make generate`"
    stale = [name for name in sorted(fresh) if (FOLDER / name).read_text("utf-8") != fresh[name]]
    assert not stale, "run `make generate`"
    for module in MODULES:
        stamp = re.search(r"^SymPy (\S+); formulas [0-9a-f]{16}\.$", fresh[f"{module}.py"], re.M)
        assert stamp is not None, module
        assert stamp[1] == sp.__version__
        assert "edits would be lost" in fresh[f"{module}.py"]
    assert f"SymPy {sp.__version__}." in iteration_text()


def test_the_stamp_changes_with_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    def digest() -> str:
        found = re.search(r"formulas ([0-9a-f]{16})", array_functions.module_text("newton"))
        assert found is not None
        return found[1]

    before, printed = digest(), GeneratedQuantity.printed
    assert digest() == before
    monkeypatch.setattr(
        GeneratedQuantity, "printed", lambda self, latency: 2 * printed(self, latency)
    )
    assert digest() != before


@pytest.mark.parametrize("beta_", EXPONENTS, ids=str)
@pytest.mark.parametrize(("quantity", "latency"), QUANTITIES)
def test_the_form_that_is_evaluated_equals_the_formula(
    quantity: GeneratedQuantity, latency: str, beta_: object
) -> None:
    values = POINT | {"beta": beta_}
    printed = exact(quantity.printed(latency), values)
    assert same(exact(quantity.expression(latency), values), printed)


@pytest.mark.parametrize("beta_", EXPONENTS, ids=str)
@pytest.mark.parametrize(("quantity", "latency"), QUANTITIES)
def test_statements_put_together_are_the_expressions(
    quantity: GeneratedQuantity, latency: str, beta_: object
) -> None:
    wanted = [quantity.expression(latency), *quantity.conditions(latency)]
    straight = statements(wanted, latency)
    values: dict[str, object] = POINT | {"beta": beta_}
    for name, part in straight.assignments:
        values[name] = exact(part, values)
    for result, original in zip(straight.results, wanted, strict=True):
        found, right = exact(result, values), exact(original, values)
        assert found == right if original.is_Boolean else same(found, right)


def test_a_form_that_is_not_the_formula_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = GeneratedQuantity(
        name="speedup",
        formulas={"constant": "speedup", "linear": "speedup"},
        evaluated=lambda expr, latency: expr * (1 + sp.Rational(1, 10**9)),
    )
    monkeypatch.setitem(array_functions.MODULES, "speedup", (wrong,))
    with pytest.raises(ArithmeticError, match="speedup under constant latency"):
        array_functions.module_text("speedup")


PRINTED = [
    o / (C * g**beta) + sp.log(A),
    -(o + L) / (C * (A - s)),
    C * g ** (-beta) - A,
    (o - L) ** 2 / (s - A) ** 3,
    1 / (1 / A + 1 / s),
    -((-o / (beta - 1)) ** (1 - beta)),
    sp.sqrt(o / L) * sp.sqrt(3) / C,
    o ** sp.Rational(3, 2) / 8 * C ** sp.Rational(-1, 3),
    2 ** (1 / beta) * o,
    sp.Max(o, L / C) - sp.Min(L, C),
    sp.Piecewise((o, L > C), (L, sp.Eq(beta, 1)), (C / A, True)),
    sp.cosh(sp.acosh(1 + o) / 3) * sp.exp(-L),
    (o + L) * (C - A) / ((s + 1) * (g - o)),
    -o - L,
    sp.pi / 6 + sp.asin(1 / (1 + C)),
]


@pytest.mark.parametrize("expr", PRINTED, ids=str)
def test_printed_code_computes_the_expression(expr: sp.Expr) -> None:
    rng, compared = np.random.default_rng(1), 0
    names = sorted(map(str, expr.free_symbols))
    for _ in range(8):
        drawn = rng.choice(np.arange(1.0, 10.0), len(names), replace=False)
        point = dict(zip(names, drawn.tolist(), strict=True))
        exactly = sp.N(expr.subs({each: int(point[str(each)]) for each in expr.free_symbols}))
        if exactly.is_real:
            compared += 1
            found = evaluated(expr, point)
            assert found == pytest.approx(float(exactly), rel=1e-12, abs=1e-12)
    assert compared > 2


def evaluated(expr: sp.Basic, point: dict[str, float]) -> object:
    values = {name: np.float64(value) for name, value in point.items()}
    with np.errstate(all="ignore"):
        return eval(array_code(expr), {"xp": np}, values)  # our own printer's text


RELATIONS = st.sampled_from([o < L, o >= C, sp.Eq(beta, 1), L > A, sp.Ne(C, A), s <= o])


def _joined(parts: st.SearchStrategy[sp.Basic]) -> st.SearchStrategy[sp.Basic]:
    some = st.lists(parts, min_size=2, max_size=3)
    return some.map(lambda all_: sp.And(*all_)) | some.map(lambda all_: sp.Or(*all_))


@given(
    condition=st.recursive(RELATIONS, _joined, max_leaves=6),
    drawn=st.lists(st.integers(1, 3), min_size=6, max_size=6),
)
def test_printed_conditions_have_the_truth_value_of_the_condition(
    condition: sp.Basic, drawn: Sequence[int]
) -> None:
    """In Python `&` binds closer than `|`, so an Or within an And needs parentheses."""
    point = dict(zip(("o", "L", "C", "A", "s", "beta"), map(float, drawn), strict=True))
    truth = condition.subs({each: point[str(each)] for each in condition.free_symbols})
    if condition not in (sp.true, sp.false):
        assert bool(evaluated(condition, point)) == bool(truth)


def test_the_greatest_of_three_is_printed_with_functions_of_two() -> None:
    """The array API's `maximum` takes two; NumPy takes a third for the place of the result."""
    assert evaluated(sp.Max(o, L, C), {"o": 1.0, "L": 3.0, "C": 2.0}) == 3
