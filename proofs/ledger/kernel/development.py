"""A Coq development: the library, the definitions, and the theorems with their proofs, as files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from logca.common.errors import LogcaError
from logca.common.files import write_new
from logca.proofs.claims.catalogue import CLAIM_MODULES
from logca.proofs.claims.claim import Claim
from logca.proofs.ledger.kernel.claim_text import Definition
from logca.proofs.ledger.kernel.coqc import library_texts
from logca.proofs.ledger.kernel.expressions import NotExported
from logca.proofs.ledger.kernel.search import HEADER, exported, scripts
from logca.proofs.ledger.kernel.statements import TheoremStatement, statements
from logca.proofs.ledger.kernel.tactics import candidates, filled, outline

__all__ = [
    "Development",
    "File",
    "FolderNotEmptyError",
    "Theorem",
    "check_new",
    "ledger_development",
    "question_development",
    "write",
]

_PROJECT = "-R . LogCA"


class FolderNotEmptyError(LogcaError, ValueError):
    """The folder for a development exists and is not empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """A theorem as it stands in a file."""

    claim: str  # id of the claim
    statement: TheoremStatement
    proof: str  # the script, from Proof to Qed; "" where there is none
    missing: str = ""  # what stands in the way of a proof

    def text(self) -> str:
        """The theorem in Coq; without a proof, its statement as a definition."""
        said = self.statement.text()
        if self.proof:
            return f"{said}\n{self.proof}\n"
        bare = said.split("\n", 1)[1]
        return (
            f"(* No proof yet: {self.missing}. *)\n"
            f"Definition {self.statement.name}__statement : Prop :=\n{bare}\n"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of a development: the claims of one module."""

    name: str  # without .v
    definitions: tuple[Definition, ...]
    theorems: tuple[Theorem, ...]

    def text(self, without: Mapping[str, str] | None = None) -> str:
        """The file; theorems named in `without`, with the reason, are left unproved."""
        parts = [HEADER, *(definition.text() + "\n" for definition in self.definitions)]
        for theorem in self.theorems:
            reason = (without or {}).get(theorem.statement.name)
            if reason is not None:
                theorem = Theorem(
                    claim=theorem.claim, statement=theorem.statement, proof="", missing=reason
                )
            parts.append(theorem.text())
        return "\n".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """The files of a development, and the claims that have no statement in it."""

    files: tuple[File, ...]
    left_out: Mapping[str, str]  # claims' ids, and what stands in the way

    def theorems(self) -> Iterator[Theorem]:
        """All theorems."""
        for file in self.files:
            yield from file.theorems


def _theorem(claim_id: str, statement: TheoremStatement) -> Theorem:
    script = scripts().get(statement.name)
    missing = "nobody has looked for one since the statement was last changed"
    if script is not None and script.digest == statement.digest():
        if script.missing:
            missing = "no tactic shows " + ", ".join(script.missing)
        elif len((shape := outline(statement)).goals()) == len(script.tactics):
            body = filled(statement, shape, lambda goal: script.tactics[goal.index])
            return Theorem(claim=claim_id, statement=statement, proof=f"Proof.\n{body}\nQed.")
    return Theorem(claim=claim_id, statement=statement, proof="", missing=missing)


def ledger_development(
    claims: Sequence[Claim], tell: Callable[[str], None] = lambda _: None
) -> Development:
    """The development of claims of the ledger, a file for each of their modules.

    `tell` is called with the id of each claim.
    """
    wanted = {claim.id for claim in claims}
    files = []
    left_out: dict[str, str] = {}
    for module in CLAIM_MODULES:
        definitions: dict[str, Definition] = {}
        theorems: list[Theorem] = []
        for claim in import_module(f"logca.proofs.{module}").CLAIMS:
            if claim.id not in wanted:
                continue
            try:
                found = exported(claim)
            except NotExported as error:
                left_out[claim.id] = str(error)
                found = ()
            for statement in found:
                definitions |= {each.name: each for each in statement.definitions}
                theorems.append(_theorem(claim.id, statement))
            tell(claim.id)
        if theorems:
            files.append(
                File(
                    name=file_name(module),
                    definitions=tuple(definitions.values()),
                    theorems=tuple(theorems),
                )
            )
    return Development(files=tuple(files), left_out=left_out)


def file_name(module: str) -> str:
    """The name of the file for a module of claims.

    Examples
    --------
    >>> file_name("claims.isca2017.half_peak")
    'isca2017_half_peak'
    """
    return module.removeprefix("claims.").replace(".", "_")


def question_development(claim: str, given: Sequence[str]) -> Development:
    """The development of a claim of a user's own: its statement, and tactics that may prove it.

    A `NotExported` if a part of the claim has no counterpart in Coq yet.
    """
    theorems = []
    definitions: dict[str, Definition] = {}
    for statement in statements("claim", [claim], list(given)):
        definitions |= {each.name: each for each in statement.definitions}

        def tried(goal: object, statement: TheoremStatement = statement) -> str:
            offered = candidates(statement, goal)  # type: ignore[arg-type]
            return (
                "first [ " + " | ".join(f"solve [{each}]" for each in [*offered, "finish"]) + " ]"
            )

        body = filled(statement, outline(statement), tried)
        proof = f"Proof.\n{body}\nQed."
        theorems.append(Theorem(claim="claim", statement=statement, proof=proof))
    file = File(name="claim", definitions=tuple(definitions.values()), theorems=tuple(theorems))
    return Development(files=(file,), left_out={})


def check_new(folder: Path) -> None:
    """Say at once if a folder cannot take a development.

    A `FolderNotEmptyError` if there is anything in the folder, or it is a file.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderNotEmptyError(
            f"{folder} exists and is not empty; name a new folder, or remove what is in it"
        )


def write(development: Development, folder: Path) -> None:
    """Write a development into a folder that is new or empty.

    A `FolderNotEmptyError` if there is anything in the folder.
    """
    check_new(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = library_texts() | {f"{file.name}.v": file.text() for file in development.files}
    texts["_CoqProject"] = "".join(f"{line}\n" for line in (_PROJECT, *texts))
    written = list[Path]()
    try:
        for name, text in texts.items():
            write_new(text, folder / name, force=False)
            written.append(folder / name)
    except BaseException:  # of a development cut short nothing is of use
        for file in written:
            file.unlink()
        raise
