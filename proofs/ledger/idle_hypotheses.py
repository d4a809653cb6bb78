"""Hypotheses that bear no load: a claim that stays proved without one has one too many.

Run as ``python -m logca.proofs.ledger.idle_hypotheses [ID ...]``; exits with 1 if a hypothesis is
idle.
"""

import sys
from collections.abc import Iterator

from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim
from logca.proofs.engine.judge import settle
from logca.proofs.language.parser import ClaimSyntaxError
from logca.proofs.ledger.check import run

__all__ = ["idle_hypotheses"]

_FORM = "latency == affine"


def idle_hypotheses(claim: Claim) -> tuple[str, ...]:
    """Hypotheses of a claim, and of its correction, that can be dropped without loss.

    "latency == affine" is no hypothesis: it names the most general form.
    """
    idle = []
    for asserts, given, touch in _true_statements(claim):
        if settle(asserts, given, touch, thorough=False)[0].status != "proved":
            continue
        for dropped in given:
            rest = tuple(hypothesis for hypothesis in given if hypothesis != dropped)
            if dropped == _FORM:
                continue
            try:
                decision, _ = settle(asserts, rest, touch, thorough=False)
            except ClaimSyntaxError:
                continue
            if decision.status == "proved":
                idle.append(dropped)
    return tuple(idle)


def _true_statements(
    claim: Claim,
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]:
    yield claim.asserts, claim.given, claim.touch
    if claim.corrected is not None:
        yield claim.corrected.asserts, claim.corrected.given, claim.corrected.touch


def _main(wanted: list[str]) -> int:
    found = 0
    chosen = [c for c in all_claims() if not wanted or c.id.startswith(tuple(wanted))]
    if not chosen:
        print(f"no claim's id begins with {', '.join(wanted)}", file=sys.stderr)
        return 2
    for number, claim in enumerate(chosen, start=1):
        if sys.stderr.isatty():
            print(f"\r{number} of {len(chosen)}", end="\r", file=sys.stderr, flush=True)
        for hypothesis in idle_hypotheses(claim):
            print(f"{claim.id}: '{hypothesis}' is not needed", flush=True)
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    run(lambda: _main(sys.argv[1:]))
