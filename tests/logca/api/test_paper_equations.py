"""Equations as printed, against numbers of the papers' own and of the numeric room."""

import json
import re
import xml.etree.ElementTree as ElementTree

import pytest

import logca
from logca.api.formulas import Quantity
from logca.api.paper_equations import equation_rows, paper_equation
from logca.derive.core.catalogue import formula
from logca.derive.core.formula import FormulaError
from logca.proofs.claims.catalogue import all_claims

NOT_EXACT = {
    "isca2017-eq4": "corrected",
    "isca2017-eq9": "corrected",
    "isca2017-eq10": "corrected",
    "isca2017-eq11": "approximation",
    "isca2017-eq12": "approximation",
    "isca2017-eq13": "approximation",
}


def test_every_numbered_equation_of_both_papers_is_shown() -> None:
    numbers = [(paper, number) for paper, last in (("cal2015", 12), ("isca2017", 13))
               for number in range(1, last + 1)]  # fmt: skip
    assert [row["name"] for row in equation_rows()] == [f"{p}-eq{n}" for p, n in numbers]
    for row in equation_rows():
        shown = paper_equation(row["name"])
        assert shown is not None
        assert shown.status == NOT_EXACT.get(shown.id, "exact")
        assert {"printed", "exact", "status"} <= json.loads(json.dumps(shown.to_json())).keys()
        for line in shown.mathml().splitlines():
            assert ElementTree.fromstring(line).tag.endswith("math")
        assert "limit(" not in shown.text()


@pytest.mark.parametrize(
    ("number", "newton"), [("eq11", "g1_newton"), ("eq12", "gA2_newton"), ("eq13", "gA_newton")]
)
def test_a_printed_approximation_is_one_newton_step(number: str, newton: str) -> None:
    found = paper_equation(f"isca2017-{number}")
    assert found is not None
    claim = next(each for each in all_claims() if each.id == found.id)
    [printed] = [text.removeprefix("x == ") for text in claim.given if text.startswith("x == ")]
    values = {"o": 29_000, "L": 1.5, "C": 90, "A": 19, "beta": 1.2}
    wanted = Quantity(newton, "linear").at(values).value
    assert eval(printed, dict(values)) == pytest.approx(wanted)
    assert found.exact.name == newton.removesuffix("_newton")
    assert formula(newton).status.value == "approximation"


@pytest.mark.parametrize("number", ["eq5", "eq6", "eq11", "eq12"])
def test_an_equation_for_linear_work_is_what_the_numeric_room_computes(number: str) -> None:
    found = paper_equation(f"cal2015-{number}")
    assert found is not None
    values = {"o": 29_000.0, "L": 2.5, "C": 90.0, "A": 19.0}
    accelerator = logca.Accelerator(**values, latency=found.exact.latency)
    wanted = accelerator.break_even() if found.exact.name == "g1" else accelerator.half_peak()
    assert eval(found.python(), dict(values)) == pytest.approx(wanted[0])


@pytest.mark.parametrize(
    "name", ["isca2017-eq11", "ISCA2017 Eq. 11", "isca2017_eq11", "altaf2017-eq11"]
)
def test_an_equation_is_found_as_people_write_it(name: str) -> None:
    found = paper_equation(name)
    assert found is not None
    assert found.id == "isca2017-eq11"
    first, second = found.text().splitlines()
    assert first == "g1 = (A·o + (β − 1)·C·(A − 1)) / (β·C·(A − 1) − A·L)"
    assert second.startswith("g1 = the rising root x of")


def test_a_number_that_no_paper_has_is_told() -> None:
    with pytest.raises(FormulaError, match="isca2017 has no equation 14: it has isca2017-eq1 to"):
        paper_equation("isca2017-eq14")
    with pytest.raises(FormulaError, match=re.escape("did you mean isca2017-eq11")):
        paper_equation("isca-eq11")
    assert paper_equation("g1") is None
    assert paper_equation("cgpredict-eq16") is None
