"""Formulas with numbers, against the numeric room; conditions broken into lines."""

import json
from typing import Any

import mpmath
import pytest
import sympy as sp

import logca
from logca.api.inserted_numbers import broken
from logca.derive.core.formula import FormulaError
from logca.derive.core.symbols import FORMS
from logca.derive.notation.text_latex_python import text
from logca.numeric.accelerator.parameter_ranges import MODEL
from logca.proofs.terms.existence import existence

AES = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("name", ["g1", "gA2"])
def test_a_value_is_the_one_that_is_computed(name: str, latency: str) -> None:
    for entry in (each for each in logca.devices() if each.beta in (1, 1.2)):
        accelerator = entry.accelerator(latency=latency)
        numbers = {each: getattr(accelerator, each) for each in MODEL}
        inserted = logca.formula(name, latency).at(numbers, time=accelerator.unit)
        wanted = accelerator.break_even() if name == "g1" else accelerator.half_peak()
        assert inserted.value == (pytest.approx(wanted[0], rel=1e-12) if wanted else None)
        assert bool(inserted.reason) == (not wanted)


@pytest.mark.parametrize("beta", [1 / 3, 0.5, 2 / 3, 1, 1.5, 2, 3])
@pytest.mark.parametrize("overhead", [0, 10])
@pytest.mark.parametrize("latency", [0, 0.5])
def test_a_closed_form_comes_to_the_same(beta: float, overhead: float, latency: float) -> None:
    numbers = {"o": overhead, "L": latency, "C": 50, "A": 3, "beta": beta}
    accelerator = logca.Accelerator(**numbers, latency="linear")
    inserted = logca.formula("g1", "linear").at(numbers)
    [*wanted] = accelerator.break_even()
    if not wanted or accelerator.break_even().status.name == "UPPER_ONLY":
        assert inserted.value is None
        return
    assert inserted.value == pytest.approx(wanted[0], rel=1e-9)
    figures = inserted.numbers()
    exact = {s: sp.Rational(s.digits) for s in figures.free_symbols if hasattr(s, "digits")}
    assert float(figures.subs(exact, simultaneous=True)) == pytest.approx(wanted[0], rel=1e-9)


def test_numbers_in_seconds_have_their_unit() -> None:
    times = {name: AES[name] * 1e-9 for name in ("o", "L", "C")}
    inserted = logca.formula("T1", "constant").at({**AES, **times, "g": 4096}, time="seconds")
    assert inserted.unit == "s"
    assert inserted.latex().endswith(r"4.99021 \cdot 10^{-5}\,\mathrm{s}")
    assert r"2.9 \cdot 10^{-5}" in inserted.latex()


def test_what_is_missing_or_does_not_exist_is_told() -> None:
    speedup = logca.formula("speedup", "constant").at(AES)
    assert (speedup.value, speedup.missing, speedup.reason) == (None, ["g"], "")
    never = logca.formula("g1", "linear").at({**AES, "L": 85.5})
    assert never.reason == "none for these numbers: it needs C·(A − 1) > A·L"
    assert json.loads(json.dumps(never.to_json()))["value"] is None
    with pytest.raises(FormulaError, match=r"under linear latency at β = 1: it needs β < 1"):
        logca.formula("g1_upper", "linear").at({"beta": 1})
    with pytest.raises(FormulaError, match=r"not exist under constant latency: it needs L₁ > 0"):
        logca.formula("g1_upper", "constant")


def conditions_of(name: str, latency: str) -> Any:
    entry = logca.formula(name, latency).entry
    return existence(entry.expr, entry.domain, FORMS[latency])


@pytest.mark.parametrize(
    ("name", "latency"), [("g1", "affine"), ("g1_energy", "linear"), ("cutoff_L_general", "affine")]
)
@pytest.mark.parametrize("width", [40, 67, 90])
def test_conditions_are_broken_between_their_parts(name: str, latency: str, width: int) -> None:
    conditions = conditions_of(name, latency)
    lines = broken(conditions, width).splitlines()
    assert max(map(len, lines)) <= width
    said = "".join("".join(lines).split())
    for relation in sp.And(*conditions).atoms(sp.core.relational.Relational):
        assert "".join(text(relation).split()) in said


def test_conditions_on_lines_of_eighty_columns() -> None:
    assert (
        broken(conditions_of("g1", "affine"), 67)
        == """\
1 < A and either
  β < 1 and o + L₀ > 0 and
    β^β·(1 − β)^(1 − β)·C·(A − 1) ≥ A·L₁^β·(o + L₀)^(1 − β)
  or β = 1 and o + L₀ > 0 and C·(A − 1) > A·L₁
  or β > 1 and o + L₀ + L₁ > 0"""
    )
    assert broken(conditions_of("cutoff_L_general", "affine"), 67).endswith(
        "or β > 1 and (L₁ > 0 or o < L₀·(r − q) / (r·(q − 1)))"
    )


def test_formulas_that_never_exist_are_not_listed() -> None:
    from logca.api.formulas import formulas_json

    listed = {row["name"] for row in formulas_json("constant")}
    assert "g1" in listed
    assert not {"g1_upper", "gA2_upper", "g_s_upper"} & listed


# as fits have them; and fractions that SymPy would take apart into primes, with the other numbers
@pytest.mark.parametrize("beta", [1.0093161770869483, 0.9848048480226418, 0.97, 0.99, 0.75, 2, 99])
@pytest.mark.parametrize("latency", ["constant", "linear"])
def test_numbers_with_many_digits_are_computed_with(beta: float, latency: str) -> None:
    values = {
        "o": 2.0123456789012345e-06,
        "L": 1.2345678901234567e-12,
        "C": 9.371234567890123e-10,
        "A": 10.161234567890123,
        "beta": beta,
    }
    found = logca.formula("g1", latency=latency).at(values, time="seconds")
    g = mpmath.mpf(found.value)
    moved = values["L"] * (g if latency == "linear" else 1)
    work = values["C"] * g**beta
    assert float(values["o"] + moved + work / values["A"]) == pytest.approx(float(work), rel=1e-12)
    assert len(found.text()) < 300


def reason(name: str, values: dict[str, float]) -> str:
    try:
        return logca.formula(name, latency="linear").at(values).reason
    except FormulaError as error:
        return str(error)


@pytest.mark.parametrize("beta", [1.5, 2, 2.5, 1.0093161770869483])
@pytest.mark.parametrize("name", ["g1_upper", "gA2_upper", "g_s_upper"])
def test_what_does_not_exist_for_an_exponent_is_told(name: str, beta: float) -> None:
    values = {"o": 3, "L": 2, "C": 5, "A": 3, "s": 1.5, "beta": beta}
    assert "it needs β < 1" in reason(name, values)
