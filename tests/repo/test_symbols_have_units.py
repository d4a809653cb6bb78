"""Every symbol of the models is in the table, with its meaning, unit and domain."""

import re

import pytest

from logca.derive.core.symbols import TABLE

UNIT = re.compile(r"1|[0-9A-Za-z*/()+. -]*(cycles|B|W|s)\b[0-9A-Za-z*/()+. -]*")


@pytest.mark.parametrize("name", TABLE)
def test_entry_is_whole(name: str) -> None:
    entry = TABLE[name]
    assert entry.symbol.name == name
    assert len(entry.meaning) > len(name)
    assert UNIT.fullmatch(str(entry.unit))
    assert name in entry.domain
    assert entry.symbol.is_nonnegative, "the model's symbols are real and not negative"


def test_formulas_use_no_other_symbols() -> None:
    from logca.derive.core.catalogue import all_formulas

    known = {entry.symbol for entry in TABLE.values()}
    strangers = {formula.name: formula.expr.free_symbols - known for formula in all_formulas()}
    assert {name: found for name, found in strangers.items() if found} == {}


def test_every_formula_has_a_unit() -> None:
    from logca.derive.core.catalogue import all_formulas

    units = {formula.name: str(formula.unit) for formula in all_formulas()}
    assert {name: unit for name, unit in units.items() if not UNIT.fullmatch(unit)} == {}


def test_a_sign_stands_for_one_thing() -> None:
    """What shares its LaTeX is said in the same words: a symbol, and the formula that gives it."""
    from logca.derive.core.catalogue import all_formulas
    from logca.derive.notation.signs import latex_of

    meanings: dict[str, dict[str, str]] = {}
    for name, entry in TABLE.items():
        meanings.setdefault(entry.latex, {})[name] = entry.meaning
    for formula in all_formulas():
        meanings.setdefault(latex_of(formula.name), {})[formula.name] = formula.meaning
    for latex, named in meanings.items():
        shared = set.intersection(*(set(re.findall(r"\w{5,}", said)) for said in named.values()))
        assert len(named) == 1 or shared, f"{latex} stands for {', '.join(named)}"
