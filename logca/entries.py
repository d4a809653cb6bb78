"""The ledger from Python: claims with verdicts that are found when they are asked for."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, overload

from logca.proofs.claim import Claim, Correction

if TYPE_CHECKING:
    from rich.console import RenderableType

    from logca.proofs.answer import Record

__all__ = ["Claims", "LedgerClaim", "claims"]


class LedgerClaim:
    """A statement of a paper, or a theorem of ours, and what is known of it.

    Parameters
    ----------
    claim : Claim
        The statement in words and in the claim language.
    record : Record or None
        What is known already.
    """

    __slots__ = ("_claim", "_record")

    def __init__(self, claim: Claim, record: "Record | None" = None) -> None:
        self._claim = claim
        self._record = record

    @property
    def id(self) -> str:
        """Permanent identifier [text]."""
        return self._claim.id

    @property
    def source(self) -> str:
        """BibTeX key and place [text]."""
        return self._claim.source

    @property
    def statement(self) -> str:
        """The statement, paraphrased [text]."""
        return self._claim.statement

    @property
    def given(self) -> tuple[str, ...]:
        """Hypotheses in the claim language [text]."""
        return self._claim.given

    @property
    def asserts(self) -> tuple[str, ...]:
        """What must hold, in the claim language [text]."""
        return self._claim.asserts

    @property
    def corrected(self) -> Correction | None:
        """The true statement in place of a false one, with its own `given` and `asserts`."""
        return self._claim.corrected

    @property
    def argument(self) -> str:
        """How the formal assertions establish the statement, where that takes a word [text]."""
        return self._claim.argument

    @property
    def record(self) -> "Record":
        """The verdict and what it rests on; decided at the first call, then cached."""
        if self._record is None:
            from logca.proofs.ledger import decided

            [(_, self._record)] = decided([self._claim])
        return self._record

    @property
    def verdict(self) -> str:
        """PROVED, CORRECTED, REFUTED, EVIDENCE or UNDECIDED [text]."""
        return self.record.verdict

    @property
    def methods(self) -> tuple[str, ...]:
        """What confirmed the claim, or its correction, and where [text]."""
        return self.record.methods

    @property
    def counterexample(self) -> dict[str, Fraction] | None:
        """Exact values for which the hypotheses hold and the claim does not [their units]."""
        found = self.record.counterexample
        if found is None:
            return None
        return {name: Fraction(value) for name, value in found.items() if name != "latency"}

    @property
    def latency(self) -> str:
        """The form of latency of the counterexample, or "" [text]."""
        return (self.record.counterexample or {}).get("latency", "")

    @property
    def failing(self) -> str:
        """The assertion that the counterexample violates, or that stayed open [text]."""
        return self.record.failing

    def __repr__(self) -> str:
        return f"<{self.id}: {self.statement}>"

    def __rich__(self) -> "RenderableType":
        from logca.tables import claim_details

        return claim_details(self)


class Claims(Sequence[LedgerClaim]):
    """All claims in the order of the papers; also by id, as in ``claims()["isca2017-eq5"]``."""

    def __init__(self, entries: Sequence[LedgerClaim]) -> None:
        self._entries = tuple(entries)

    @overload
    def __getitem__(self, key: int | str) -> LedgerClaim: ...

    @overload
    def __getitem__(self, key: slice) -> "Claims": ...

    def __getitem__(self, key: int | str | slice) -> "LedgerClaim | Claims":
        if isinstance(key, str):
            for entry in self._entries:
                if entry.id == key:
                    return entry
            raise KeyError(key)
        return Claims(self._entries[key]) if isinstance(key, slice) else self._entries[key]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[LedgerClaim]:
        return iter(self._entries)

    def __repr__(self) -> str:
        return f"<{len(self)} claims>"


def claims() -> Claims:
    """The claims of the ledger; nothing is decided before a verdict is asked for.

    Examples
    --------
    >>> all(claim.id and claim.source and claim.statement for claim in claims())
    True
    """
    from logca.proofs.claims import all_claims

    return Claims([LedgerClaim(claim) for claim in all_claims()])
