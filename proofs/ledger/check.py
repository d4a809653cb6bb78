"""Claims run and verdicts remembered.

``python -m logca.proofs.ledger.check [PREFIX ...]`` decides anew, without the cache, and prints
timings; with ``--ship`` it decides all claims and writes the verdicts that ship with logca.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from logca.common.errors import ContradictionError
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim
from logca.proofs.engine import client
from logca.proofs.engine.answer import SECONDS_PER_CLAIM, Record
from logca.proofs.ledger.cache import SHIPPED, open_verdicts, ship

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
    "wang2017": "CGPredict, ACM TECS 2017",
    "kenter2010": "Kenter et al., WARP 2010",
    "ext": "Beyond the papers",
    "lemma": "Lemmas that the proofs rest on",
}
"""Titles by the first part of the claims' ids."""


def decided(claims: Sequence[Claim], *, anew: bool = False) -> Iterator[tuple[Claim, Record]]:
    """The claims with their records: those that are known, unless all are decided anew.

    Interrupted or not, what was decided is kept.
    """
    verdicts = open_verdicts()
    saved = time.monotonic()
    try:
        for claim in claims:
            record = None if anew else verdicts.get(claim)
            if record is None:
                record = _decide(claim)
                if not record.is_late:
                    verdicts.put(claim, record)
                if time.monotonic() - saved > _SAVE_EVERY:
                    verdicts.save()
                    saved = time.monotonic()
            yield claim, record
    finally:
        verdicts.save()


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
    if sys.argv[1:] == ["--ship"]:
        _ship()
    else:
        _time(tuple(sys.argv[1:]))


def _ship() -> None:
    records = {}
    for claim, record in decided(all_claims(), anew=True):
        records[claim] = record
        if sys.stderr.isatty():
            print(f"\r{len(records)} of {len(all_claims())}", end="", file=sys.stderr, flush=True)
    late = [claim.id for claim, record in records.items() if record.is_late]
    if late:
        sys.exit(f"nothing is shipped: there was no time for {', '.join(late)}; run it once more")
    ship(records, time.strftime("%Y-%m-%d", time.gmtime()))
    counts = Counter(record.verdict.lower() for record in records.values())
    print(f"{SHIPPED.name}:", ", ".join(f"{count} {name}" for name, count in counts.items()))


def _time(prefixes: tuple[str, ...]) -> None:
    from logca.proofs.engine.judge import judge

    for claim in all_claims():
        if prefixes and not claim.id.startswith(prefixes):
            continue
        result = judge(claim)
        methods = ", ".join(f"{m.name} [{m.scope}]" for m in result.methods)
        print(
            f"{result.seconds:6.2f} s  {result.verdict.name:9} {claim.id}  {methods}  "
            f"{result.counterexample or ''} {result.failing}"
        )


if __name__ == "__main__":
    run(_main)
