"""Names mean one thing each: ids of claims, names of formulas, names of symbols."""

import keyword
import re
from collections import Counter


def repeated(names: list[str]) -> list[str]:
    """Names that occur more than once."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


def test_claim_ids_are_unique() -> None:
    from logca.proofs.claims.catalogue import all_claims

    ids = [claim.id for claim in all_claims()]
    assert ids
    assert repeated(ids) == []


def test_claim_ids_survive_shells_urls_and_cases() -> None:
    from logca.proofs.claims.catalogue import all_claims

    ids = [claim.id for claim in all_claims()]
    assert [
        name for name in ids if not re.fullmatch(r"[A-Za-z0-9]+([-.][A-Za-z0-9]+)*", name)
    ] == []
    assert repeated([name.casefold() for name in ids]) == []


def test_names_in_claims_are_unambiguous() -> None:
    from logca.derive.core.catalogue import all_formulas
    from logca.derive.core.symbols import TABLE

    names = [formula.name for formula in all_formulas()] + list(TABLE)
    assert repeated(names) == []
    assert [name for name in names if not name.isidentifier() or keyword.iskeyword(name)] == []
