"""Which claims Coq's kernel accepted: the record that ships, and the method that it adds."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from logca.proofs.claims.claim import Claim
from logca.proofs.engine.answer import Record
from logca.proofs.ledger.cache import sources

__all__ = [
    "ACCEPTED",
    "KERNEL",
    "KernelRecord",
    "accepted",
    "all_methods",
    "claim_digest",
    "kernel_record",
    "save",
    "statement_sources",
    "text_digest",
]

ACCEPTED = Path(__file__).with_name("accepted.json")
"""The record of what the kernel accepted; `make coq` writes it."""

KERNEL = "Coq (kernel)"
"""The method's name in the ledger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRecord:
    """The kernel's answers, as they ship."""

    coq: str  # version of Coq
    sources: str  # what `statement_sources()` was
    # by the claims' ids: the digest of the claim's texts, and that of the statements in Coq
    accepted: Mapping[str, Sequence[str]]
    left: Mapping[str, str]  # the other claims, and what stands in the way


def claim_digest(digests: Sequence[str]) -> str:
    """One digest for the theorems of a claim."""
    return hashlib.sha256(" ".join(sorted(digests)).encode()).hexdigest()[:24]


def text_digest(claim: Claim) -> str:
    """Digest of what a claim, or its correction, says."""
    true = claim.true
    told = json.dumps([true.asserts, true.given])
    return hashlib.sha256(told.encode()).hexdigest()[:24]


@cache
def statement_sources() -> str:
    """Hash of all that statements are made from beside the claims: formulas, language, export."""
    digest = hashlib.sha256(sources().encode())
    for name in ("LogCA.v", "claim_text.py", "expressions.py", "propositions.py", "statements.py"):
        text = Path(__file__).with_name(name).read_bytes().replace(b"\r\n", b"\n")
        digest.update(text)
    return digest.hexdigest()


@cache
def kernel_record() -> KernelRecord:
    """The record that ships; empty where it cannot be read."""
    try:
        stored = json.loads(ACCEPTED.read_text(encoding="utf-8"))
        return KernelRecord(**stored)
    except (OSError, ValueError, TypeError):
        return KernelRecord(coq="", sources="", accepted={}, left={})


def save(record: KernelRecord, path: Path = ACCEPTED) -> None:
    """Write the record that ships."""
    data = {
        "coq": record.coq,
        "sources": record.sources,
        "accepted": {claim: list(both) for claim, both in sorted(record.accepted.items())},
        "left": dict(sorted(record.left.items())),
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def accepted(claim: Claim) -> bool:
    """True if the kernel accepted a claim, or its correction, in the words it has today."""
    record = kernel_record()
    said, known = record.accepted.get(claim.id, ("", ""))
    if said != text_digest(claim):
        return False
    if record.sources == statement_sources():
        return True
    from logca.proofs.ledger.kernel.expressions import NotExported
    from logca.proofs.ledger.kernel.statements import statements

    true = claim.true
    try:
        found = statements(claim.id, true.asserts, true.given, true.touch)
    except NotExported:
        return False
    return known == claim_digest([statement.digest() for statement in found])


def all_methods(claim: Claim, record: Record) -> tuple[str, ...]:
    """Methods of the ledger's record, and Coq's kernel where it accepted the claim.

    Examples
    --------
    >>> mine = Claim(id="mine", source="logca2026", statement="A", asserts=("A > 0",))
    >>> all_methods(mine, Record(verdict="PROVED", methods=("z3 (whole domain)",)))
    ('z3 (whole domain)',)
    """
    return (*record.methods, KERNEL) if accepted(claim) else record.methods
