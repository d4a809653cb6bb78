"""Claims of known truth: limits, cases, points, quantities inside of quantities, identities."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from effort import LAWS

from logca.api.claims import prove

_SPEC = importlib.util.spec_from_file_location(
    "known_truths", Path(__file__).with_name("known_truths.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
KNOWN: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(KNOWN)


SHARE = 1 if LAWS else 4
"""One in so many is asked every day, all of them by `make laws`."""


@pytest.mark.parametrize(("claim", "given", "truth"), KNOWN.ALL[::SHARE])
def test_what_is_known_is_decided_rightly(claim: str, given: list[str], truth: bool) -> None:
    found = prove(claim, given)
    assert found.verdict == ("proved" if truth else "refuted"), found


def test_no_two_of_the_claims_are_the_same() -> None:
    assert len(KNOWN.ALL) >= 300
    assert len({(claim, *given) for claim, given, _ in KNOWN.ALL}) == len(KNOWN.ALL)
    assert min(sum(truth == each for *_, truth in KNOWN.ALL) for each in (True, False)) > 80
