"""Theorems of the ledger that speak of what a question speaks of."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Verdict
from logca.proofs.ledger.cache import open_verdicts

__all__ = ["related_theorems"]

_MOST = 8
_OF_THE_LANGUAGE = frozenset(
    {*("and", "or", "not", "implies", "iff", "exists", "diff", "limit", "oo", "latency", "affine")}
    | {*("constant", "linear", "log", "exp", "sqrt", "abs", "min", "max", "beta")}
)
_TRUE = (Verdict.PROVED.name, Verdict.CORRECTED.name)


@cache
def _theorems() -> tuple[tuple[dict[str, object], frozenset[str]], ...]:
    """Claims that are proved, as plain data, with the words that they are said in."""
    verdicts = open_verdicts()
    found: list[tuple[dict[str, object], frozenset[str]]] = []
    for claim in all_claims():
        record = verdicts.get(claim)
        if record is not None and record.verdict in _TRUE and claim.true.asserts:
            true = claim.true
            data: dict[str, object] = {
                "id": claim.id,
                "asserts": list(true.asserts),
                "given": list(true.given),
            }
            found.append((data, _words(true.asserts)))
    return tuple(found)


def _words(texts: Iterable[str]) -> frozenset[str]:
    """Names of quantities, which have at least two letters or a digit, among all words."""
    words = {word for text in texts for word in re.findall(r"[A-Za-z_]\w+", text)}
    return frozenset(words - _OF_THE_LANGUAGE)


def related_theorems(claim: str, given: Iterable[str] = ()) -> list[dict[str, object]]:
    """Some theorems on the quantities of a question, those on the rarest ones first.

    Examples
    --------
    >>> "ext-entropy-threshold-range" in {each["id"] for each in related_theorems("entropy < 1")}
    True
    """
    wanted = _words((claim, *given))
    often = Counter(word for _, words in _theorems() for word in words)
    scored = [
        (sum(1 / often[word] for word in words & wanted), data) for data, words in _theorems()
    ]
    scored = sorted((each for each in scored if each[0]), key=lambda each: -each[0])
    return [data for _, data in scored[:_MOST]]
