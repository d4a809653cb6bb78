"""Claims of known truth: limits, cases, points, quantities inside of quantities, identities."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from logca.proofs.engine.answer import Answer
from logca.proofs.engine.ask import ask
from logca.proofs.engine.theorems import LedgerTheorem
from logca.proofs.ledger.related import related_theorems

_SPEC = importlib.util.spec_from_file_location(
    "known_truths", Path(__file__).with_name("known_truths.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
KNOWN: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(KNOWN)


class Proved(Exception):  # noqa: N818: a way out of a question that is answered
    """The first report of a question: a proof, before what it needs is looked for."""


def verdict(claim: str, given: list[str]) -> str:
    """The verdict, which is there before the hypotheses that a proof needs."""

    def stop(answer: Answer) -> None:
        raise Proved

    related = [
        LedgerTheorem(id=each["id"], asserts=tuple(each["asserts"]), given=tuple(each["given"]))
        for each in related_theorems(claim, given)
    ]
    try:
        return ask(claim, given, timeout=600, report=stop, theorems=related).verdict
    except Proved:
        return "proved"


@pytest.mark.parametrize(("claim", "given", "truth"), KNOWN.ALL)
def test_what_is_known_is_decided_rightly(claim: str, given: list[str], truth: bool) -> None:
    assert verdict(claim, given) == ("proved" if truth else "refuted")


def test_no_two_of_the_claims_are_the_same() -> None:
    assert len(KNOWN.ALL) >= 300
    assert len({(claim, *given) for claim, given, _ in KNOWN.ALL}) == len(KNOWN.ALL)
    assert min(sum(truth == each for *_, truth in KNOWN.ALL) for each in (True, False)) > 80
