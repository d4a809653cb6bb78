"""Every source that the code names is in docs/references.bib, and every entry there is whole."""

import re

import pytest
from rooms import ROOT

BIBLIOGRAPHY = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^@\w+\{([^,\s]+),\n(.*?)^\}$", BIBLIOGRAPHY, flags=re.MULTILINE | re.DOTALL)
KEYS = [key for key, _ in ENTRIES]
KEY = re.compile(r"\b[a-z]+(?:19|18|20)\d\d[a-z]*\b")


def unknown_keys(source: str) -> list[str]:
    """What is wrong with a source: no key at its beginning, or keys nobody knows."""
    if not KEY.match(source):
        return [f"no BibTeX key at the beginning of {source!r}"]
    return [key for key in KEY.findall(source) if key not in KEYS]


def test_keys_are_unique() -> None:
    assert len(KEYS) == BIBLIOGRAPHY.count("\n@")
    assert sorted(set(KEYS)) == sorted(KEYS)


@pytest.mark.parametrize(("key", "fields"), ENTRIES, ids=KEYS)
def test_entry_is_whole(key: str, fields: str) -> None:
    assert KEY.fullmatch(key)
    for field in ("author", "title", "year"):
        assert re.search(rf"^  {field} = \{{.+\}},?$", fields, flags=re.MULTILINE), field
    assert fields.count("{") == fields.count("}")


def test_every_formula_has_a_known_source() -> None:
    from logca.derive.core.catalogue import all_formulas

    sources = {formula.name: formula.source for formula in all_formulas()}
    assert sources
    wrong = {name: bad for name, source in sources.items() if (bad := unknown_keys(source))}
    assert wrong == {}


def test_every_claim_has_a_known_source() -> None:
    from logca.proofs.claims.catalogue import all_claims

    sources = {claim.id: claim.source for claim in all_claims()}
    assert sources
    wrong = {name: bad for name, source in sources.items() if (bad := unknown_keys(source))}
    assert wrong == {}


@pytest.mark.parametrize(
    "source", ["", "this work", "Eq. 5, altaf2017", "altaf2016, Eq. 5", "altaf2017, Eq. 5; nob2001"]
)
def test_the_check_sees_a_bad_source(source: str) -> None:
    assert unknown_keys(source)


def test_the_check_lets_a_good_source_pass() -> None:
    assert not unknown_keys("altaf2017, Eq. 5, section 3 (2017); altaf2015, Eq. 3")
