"""Everything that can be generated, in every language, against the formulas as they are derived."""

import math
from collections.abc import Callable, Sequence
from functools import cache

import mpmath
import pytest
import sympy as sp
from target_functions import functions

from logca.derive.algebra.trinomial import TrinomialRoot, crossings
from logca.derive.core.catalogue import formula
from logca.derive.core.symbols import TABLE
from logca.numeric.accelerator.regions import cutoffs
from logca.numeric.generate.codegen.functions import CUTOFFS, TARGETS
from logca.numeric.generate.codegen.offers import offers
from logca.numeric.generate.extensions import GRANULARITIES
from logca.numeric.generate.quantities import MODULES, GeneratedQuantity

Row = dict[str, float]
RunGenerated = Callable[[str, Sequence[str], Sequence[Row]], dict[str, list[float]]]

LANGUAGES = ("c", "cpp", "cuda", "rust", "fortran", "javascript", "python", "julia")
TOLERANCE = 1e-10

ON_CHIP = {"g": 4096, "s": 2, "g_low": 16, "g_high": 2**25, "o": 29_000, "L": 1500, "C": 90}
ON_CHIP |= {"A": 19, "beta": 1, "r": 10, "q": 1.25, "m": 8, "n": 3, "length": 2**28, "f": 0.625}
ON_CHIP |= {"rho": 1.25, "p_host": 90, "p_overhead": 80, "p_link": 60, "p_accelerator": 150}
ON_CHIP |= {"u_host": 2, "u_link": 1.5, "u_accelerator": 2.5, "u_shared": 3, "growth": 1.2}
ON_CHIP |= {"spread_o": 0.5, "spread_L": 0.25, "spread_C": 0.125, "deviation": 0.75}
ON_A_BUS = ON_CHIP | {"g": 2**24, "o": 40_000, "L": 15, "C": 290, "A": 7}
ROWS: list[Row] = [
    ON_CHIP,
    ON_CHIP | {"L": 150_000},
    ON_CHIP | {"L": 0, "g": 100},
    ON_A_BUS | {"L": 0.25},
    ON_A_BUS | {"beta": 1, "L": 60, "length": 2**16},
    *(ON_A_BUS | {"beta": beta} for beta in (0.5, 0.75, 1 / 3, 2 / 3, 1.5, 2, 3)),
    *(ON_A_BUS | {"beta": beta, "L": 0.5, "o": 40, "g": 64} for beta in (0.5, 1 / 3, 2 / 3, 3)),
    ON_A_BUS | {"beta": 0.75, "s": 8},
]
QUANTITIES = [each for module in MODULES.values() for each in module if each.name not in TARGETS]
CONSTANT_IN_PARTS = ("limit_large_linear",)
"""Limits that are one parameter alone, or zero: the others do not matter, not even as NaN."""


def exact(value: float) -> sp.Rational:
    """Thirds are meant where thirds were rounded."""
    return (
        sp.Rational(value).limit_denominator(3) if value in (1 / 3, 2 / 3) else sp.Rational(value)
    )


CALLED = {"N": "length"}
"""Names that are others in programs."""

COLUMNS = {
    entry.symbol: column
    for name, entry in TABLE.items()
    if (column := CALLED.get(name, name)) in ON_CHIP
}


@cache
def numbers() -> list[list[mpmath.mpf]]:
    """The rows in 30 digits, in the order of the columns."""
    with mpmath.workdps(30):
        every = [[exact(row[column]) for column in COLUMNS.values()] for row in ROWS]
        return [[mpmath.mpf(each.p) / each.q for each in row] for row in every]


def expected(quantity: GeneratedQuantity, latency: str) -> list[float]:
    """The formula's value at each row, NaN where it does not hold."""
    conditions = sp.lambdify([*COLUMNS], list(quantity.conditions(latency)), modules="mpmath")
    printed = sp.lambdify([*COLUMNS], quantity.printed(latency), modules="mpmath")
    with mpmath.workdps(30):
        return [float(printed(*row)) if all(conditions(*row)) else math.nan for row in numbers()]


def expected_root(name: str, latency: str) -> list[float]:
    """The root as the derived formula evaluates, NaN where there is none."""
    stated = formula(name)
    found = []
    for row in ROWS:
        values = {TABLE[each].symbol: exact(row[each]) for each in ON_CHIP if each in TABLE}
        per = {"constant": {"L0": row["L"], "L1": 0}, "linear": {"L0": 0, "L1": row["L"]}}[latency]
        values |= {TABLE[each].symbol: exact(value) for each, value in per.items()}
        if not all(bool(each.subs(values)) for each in stated.domain):
            found.append(math.nan)
            continue
        (root,) = stated.expr.atoms(TrinomialRoot)
        k, c, l, beta = (mpmath.mpf(str(each.subs(values).evalf(40))) for each in root.args)
        with mpmath.workdps(30):
            found.append(float(crossings(k, c, l, beta)[True]))
    return found


@pytest.fixture(scope="module")
def values() -> dict[str, list[float]]:
    """What each generated function is to give."""
    found = {}
    for quantity in QUANTITIES:
        for latency, function in offers()[quantity.name].functions().items():
            found[function.name] = expected(quantity, latency)
    for name in GRANULARITIES:
        for latency, function in offers()[name].functions().items():
            found[function.name] = expected_root(name, latency)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_quantity_is_its_formula_and_nan_of_nan(
    language: str, values: dict[str, list[float]], run_generated: RunGenerated
) -> None:
    spoilt = [base | {name: math.nan} for base in (ROWS[5], ROWS[9]) for name in ON_CHIP]
    rows = [*ROWS, *spoilt] * (2 if language == "cuda" else 1)
    used = {
        function.name: {parameter.name for parameter in function.parameters}
        for function in functions(list(offers()), "both")
    }
    results = run_generated(language, list(offers()), [*ROWS, *spoilt])
    wrong = []
    for name, column in results.items():
        wanted = values.get(name, [])
        for value, exactly in zip(column, wanted, strict=False):
            same = math.isnan(value) if math.isnan(exactly) else close(value, exactly)
            wrong += [] if same else [(name, value, exactly)]
        for value, row in zip(column, rows, strict=True):
            if any(math.isnan(row[each]) for each in used[name]) and name not in CONSTANT_IN_PARTS:
                no = value == 0 if name.startswith("should_offload") else math.isnan(value)
                wrong += [] if no else [(name, value, row)]
    assert wrong == []


def close(value: float, wanted: float) -> bool:
    return math.isclose(value, wanted, rel_tol=TOLERANCE)


def test_every_quantity_has_a_value_somewhere(values: dict[str, list[float]]) -> None:
    assert [name for name, column in values.items() if all(map(math.isnan, column))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_a_cutoff_the_gain_is_the_one_asked_for(
    language: str, run_generated: RunGenerated
) -> None:
    results = run_generated(language, list(offers()), ROWS)
    rows = ROWS * (2 if language == "cuda" else 1)
    for number, row in enumerate(rows):
        model = {name: row[name] for name in ("o", "L", "C", "A", "beta")}
        pays = cutoffs(**model, latency="linear", improvement=row["r"], gain=row["q"])
        for parameter, ranges in pays.items():
            ends = sorted(
                {end for part in ranges for end in (part.start, part.end)} - {0, math.inf}
            )
            names = [name for name in CUTOFFS if name.startswith(f"cutoff_{parameter}_")]
            given = sorted(g for name in names if not math.isnan(g := results[name][number]))
            assert given == pytest.approx(ends, rel=TOLERANCE)
            for g in given:
                assert gain_of(parameter, row | {"g": g}) == pytest.approx(row["q"], rel=TOLERANCE)


def gain_of(parameter: str, row: Row) -> float:
    """Accelerated time over that with one parameter improved; the host's is improved with C."""
    o, L, C, A, r = (row[name] for name in ("o", "L", "C", "A", "r"))
    improved = {"o": o / r, "L": L / r, "C": C * r, "A": A * r}[parameter]

    def speedup(o: float, L: float, C: float, A: float) -> float:
        with mpmath.workdps(30):
            host = mpmath.mpf(C) * mpmath.mpf(row["g"]) ** mpmath.mpf(row["beta"])
            return float(host / (o + L * mpmath.mpf(row["g"]) + host / A))

    now = {"o": o, "L": L, "C": C, "A": A}
    return speedup(**now | {parameter: improved}) / speedup(**now)
