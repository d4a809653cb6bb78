"""The development of the whole ledger compiled, its axioms read, what was accepted counted.

``python -m logca.proofs.ledger.kernel.check FOLDER [JOBS]`` is what `make coq` runs.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from logca.common.errors import LogcaError
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Verdict
from logca.proofs.ledger.cache import open_verdicts
from logca.proofs.ledger.kernel.coqc import LIBRARY, compile_file, compiler_version
from logca.proofs.ledger.kernel.development import (
    Development,
    File,
    ledger_development,
    write,
)
from logca.proofs.ledger.kernel.kernel_record import (
    KernelRecord,
    claim_digest,
    save,
    statement_sources,
    text_digest,
)

__all__ = ["ALLOWED_AXIOMS", "KernelError", "Verified", "check_development", "foreign_axioms"]

ALLOWED_AXIOMS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
        "Eqdep.Eq_rect_eq.eq_rect_eq",
    }
)
"""Axioms that Coq's real numbers and Coquelicot rest on; nothing else may be assumed."""

_FORBIDDEN = re.compile(r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort)\b")


class KernelError(LogcaError, RuntimeError):
    """The development is not what it should be: something is assumed, or does not compile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """The answer of the kernel to one file."""

    accepted: frozenset[str]  # names of theorems
    refused: Mapping[str, str]  # the others that had a proof, with coqc's message


def foreign_axioms(output: str) -> list[str]:
    r"""Names in what `Print Assumptions` printed that are not axioms of the real numbers.

    Examples
    --------
    >>> foreign_axioms("Axioms:\nmine : 0 = 1\nClassical_Prop.classic : forall P : Prop, P")
    ['mine']
    """
    if "Closed under the global context" in output and "Axioms:" not in output:
        return []
    names = re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", output, re.M)
    short = {name.rpartition(".")[2] for name in ALLOWED_AXIOMS}
    return [
        name
        for name in names
        if name != "Axioms" and name not in ALLOWED_AXIOMS and name not in short
    ]


def verify_file(folder: Path, file: File) -> Verified:
    """Compile one file of a development; theorems whose proofs fail are left out one by one.

    A `KernelError` if the file says something else than was exported, or a theorem rests on an
    axiom beyond the real numbers.
    """
    path = folder / f"{file.name}.v"
    if path.read_text(encoding="utf-8") != file.text():
        raise KernelError(f"{path} is not what was exported; export it again")
    refused: dict[str, str] = {}
    while True:
        text = file.text(refused)
        if forbidden := _FORBIDDEN.search(_without_comments(text)):
            raise KernelError(f"{path} has '{forbidden[0]}' in it: nothing may be assumed")
        proved = [t for t in file.theorems if t.proof and t.statement.name not in refused]
        names = [theorem.statement.name for theorem in proved]
        path.write_text(f"{text}\n{_question(names)}", encoding="utf-8")
        done = compile_file(folder, file.name)
        if done.succeeded:
            break
        at = _theorem_at(text, done.line, names)
        if at is None:
            raise KernelError(f"{path}, line {done.line}: {done.error[:400]}")
        refused[at] = " ".join(done.error.split())[:200] or "its proof fails"
    if foreign := foreign_axioms(done.output):
        raise KernelError(f"{path} rests on {', '.join(dict.fromkeys(foreign))}")
    return Verified(accepted=frozenset(names), refused=refused)


def _question(names: Sequence[str]) -> str:
    """Ask what all theorems together rest on: what one rests on is among it."""
    if not names:
        return ""
    together = " ".join(f"({name}," for name in names) + " I" + ")" * len(names)
    return f"Definition all_theorems :=\n  {together}.\nPrint Assumptions all_theorems.\n"


def _without_comments(text: str) -> str:
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)


def _theorem_at(text: str, line: int, names: Iterable[str]) -> str | None:
    """The theorem whose proof a line belongs to."""
    known = set(names)
    for before in reversed(text.split("\n")[:line]):
        found = re.match(r"Theorem (\w+) :", before)
        if found:
            return found[1] if found[1] in known else None
    return None


def check_development(folder: Path, development: Development, jobs: int = 2) -> dict[str, Verified]:
    """Compile a development that was written into a folder; what was accepted, by file."""
    for name in LIBRARY:
        done = compile_file(folder, name)
        if not done.succeeded:
            raise KernelError(f"{name}.v, line {done.line}: {done.error[:400]}")
    biggest = sorted(development.files, key=lambda file: -len(file.text()))
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        found = pool.map(lambda file: verify_file(folder, file), biggest)
        return {file.name: verified for file, verified in zip(biggest, found, strict=True)}


def record_of(development: Development, verified: Mapping[str, Verified]) -> KernelRecord:
    """The record of a development that was checked."""
    accepted: dict[str, tuple[str, str]] = {}
    claims = {claim.id: claim for claim in all_claims()}
    left = dict(development.left_out)
    by_claim: dict[str, list[tuple[str, str, str]]] = {}
    for file in development.files:
        answer = verified[file.name]
        for theorem in file.theorems:
            name = theorem.statement.name
            reason = "" if name in answer.accepted else answer.refused.get(name, theorem.missing)
            by_claim.setdefault(theorem.claim, []).append(
                (theorem.statement.digest(), name, reason)
            )
    for claim_id, theorems in by_claim.items():
        reasons = list(dict.fromkeys(reason for _, _, reason in theorems if reason))
        if reasons:
            left[claim_id] = "; ".join(reasons)
        else:
            digest = claim_digest([each for each, _, _ in theorems])
            accepted[claim_id] = (text_digest(claims[claim_id]), digest)
    return KernelRecord(
        coq=compiler_version(), sources=statement_sources(), accepted=accepted, left=left
    )


def summary(record: KernelRecord) -> str:
    """Counts of the claims that the kernel accepted, and the reasons of the others."""
    verdicts = open_verdicts()
    lines = []
    for verdict, what in (
        (Verdict.PROVED, "PROVED claims"),
        (Verdict.CORRECTED, "true statements of the CORRECTED claims"),
    ):
        ids = [
            claim.id
            for claim in all_claims()
            if (known := verdicts.get(claim)) is not None and known.verdict == verdict.name
        ]
        count = sum(claim_id in record.accepted for claim_id in ids)
        lines.append(f"{count} of {len(ids)} {what} accepted by the kernel of Coq {record.coq}")
    reasons = Counter(record.left.values())
    lines.append(f"{sum(reasons.values())} claims are left, for these reasons:")
    for reason, count in reasons.most_common():
        ids = [claim_id for claim_id, why in record.left.items() if why == reason]
        lines.append(f"  {count:3}  {reason}: {', '.join(ids)}")
    return "\n".join(lines)


def _main() -> None:
    folder = Path(sys.argv[1])
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    try:
        development = ledger_development(all_claims())
        write(development, folder)
        verified = check_development(folder, development, jobs)
    except LogcaError as error:
        sys.exit(str(error))
    record = record_of(development, verified)
    save(record)
    print(summary(record))
    refused = [name for each in verified.values() for name in each.refused]
    if refused:
        sys.exit(f"recorded proofs that fail: {', '.join(refused)}")


if __name__ == "__main__":
    _main()
