"""Claims run and verdicts remembered.

``python -m logca.proofs.ledger.check [PREFIX ...]`` decides anew, without the cache, and prints
timings.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence

from logca.common.errors import ContradictionError
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine import client
from logca.proofs.engine.answer import SECONDS_PER_CLAIM, Record
from logca.proofs.ledger.cache import open_verdicts

__all__ = ["by_paper", "decided", "run"]


def run(main: Callable[[], int | None]) -> None:
    """Exit with the code that it returns; with 130 and no traceback if it is interrupted [1]."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)


_SAVE_EVERY = 2.0

PAPERS = {
    "cal2015": "LogCA, Computer Architecture Letters 2015",
    "isca2017": "LogCA, ISCA 2017",
    "ext": "Beyond the papers",
    "lemma": "Lemmas that the proofs rest on",
}
"""Titles by the first part of the claims' ids."""


def decided(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Record]]:
    """The claims with their records, from the cache where it knows them.

    Interrupted or not, what was decided is kept.
    """
    verdicts = open_verdicts()
    saved = time.monotonic()
    try:
        for claim in claims:
            record = verdicts.get(claim)
            if record is None:
                record = _decide(claim)
                if _lasts(record):
                    verdicts.put(claim, record)
                if time.monotonic() - saved > _SAVE_EVERY:
                    verdicts.save()
                    saved = time.monotonic()
            yield claim, record
    finally:
        verdicts.save()


def _lasts(record: Record) -> bool:
    """True if a record is worth keeping: not what a busy machine had no time for."""
    return record.verdict != Verdict.UNDECIDED.name or record.seconds < SECONDS_PER_CLAIM / 2


def _decide(claim: Claim) -> Record:
    try:
        return client.judge(claim.id, SECONDS_PER_CLAIM)
    except ContradictionError as error:
        raise ContradictionError(f"{claim.id}: {error}") from None


def by_paper(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Claims by paper, in their order; the title of each paper is the key."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        first = claim.id.partition("-")[0]
        groups.setdefault(PAPERS.get(first, first), []).append(claim)
    return groups


def _main() -> None:
    from logca.proofs.engine.judge import judge

    for claim in all_claims():
        if sys.argv[1:] and not claim.id.startswith(tuple(sys.argv[1:])):
            continue
        result = judge(claim)
        methods = ", ".join(f"{m.name} [{m.scope}]" for m in result.methods)
        print(
            f"{result.seconds:6.2f} s  {result.verdict.name:9} {claim.id}  {methods}  "
            f"{result.counterexample or ''} {result.failing}"
        )


if __name__ == "__main__":
    run(_main)
