"""Which claims Coq's kernel accepted: the record that ships, and the method that it adds."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from logca.proofs.claims.claim import Claim

__all__ = ["ACCEPTED", "KERNEL", "KernelRecord", "accepted", "claim_digest", "kernel_record", "save"]

ACCEPTED = Path(__file__).with_name("accepted.json")
"""What the kernel accepted; `make coq` writes it."""

KERNEL = "Coq (kernel)"
"""The method's name in the ledger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRecord:
    """What ships of the kernel's answers."""

    coq: str  # version of Coq
    accepted: Mapping[str, str]  # digests of the statements by the claims' ids
    left: Mapping[str, str]  # the other claims, and what stands in the way


def claim_digest(digests: Sequence[str]) -> str:
    """One digest for the theorems of a claim."""
    return hashlib.sha256(" ".join(sorted(digests)).encode()).hexdigest()[:24]


@cache
def kernel_record() -> KernelRecord:
    """The record that ships; empty where it cannot be read."""
    try:
        stored = json.loads(ACCEPTED.read_text(encoding="utf-8"))
        return KernelRecord(**stored)
    except (OSError, ValueError, TypeError):
        return KernelRecord(coq="", accepted={}, left={})


def save(record: KernelRecord, path: Path = ACCEPTED) -> None:
    """Write the record that ships."""
    data = {
        "coq": record.coq,
        "accepted": dict(sorted(record.accepted.items())),
        "left": dict(sorted(record.left.items())),
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def accepted(claim: Claim) -> bool:
    """True if the kernel accepted a claim, or its correction, in the words it has today."""
    known = kernel_record().accepted.get(claim.id)
    if known is None:
        return False
    from logca.proofs.ledger.kernel.expressions import NotExported
    from logca.proofs.ledger.kernel.statements import statements

    true = claim.true
    try:
        found = statements(claim.id, true.asserts, true.given, true.touch)
    except NotExported:
        return False
    return known == claim_digest([statement.digest() for statement in found])
