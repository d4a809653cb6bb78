"""A certificate: an answer as scripts of SMT-LIB 2 that any solver can check, as plain data."""

from dataclasses import dataclass
from typing import Any

from logca.common import results
from logca.common.errors import LogcaError
from logca.proofs.engine.answer import Answer

__all__ = ["CertificatePart", "NotCertifiedError", "SmtCertificate"]


class NotCertifiedError(LogcaError, ValueError):
    """There is nothing that a solver could check."""

    exit_code = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificatePart:
    """One statement that was to be shown, and what shows it."""

    statement: str  # what is shown
    latency: str  # the form of latency
    # the solvers that the script was put to, or methods that have no script
    methods: tuple[str, ...]
    # complete by itself in SMT-LIB 2, or "" if no solver has shown the statement
    smtlib: str = ""
    alethe: str = ""  # cvc5's proof of the script in the Alethe format, or "" if it gives none

    def to_json(self) -> dict[str, Any]:
        """The part as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SmtCertificate:
    """An answer as scripts that any SMT solver can check.

    Parameters
    ----------
    answer : Answer
        What is certified.
    parts : tuple of CertificatePart
        All that was to be shown, for each form of latency; those without a script as well.
    smtlib : str
        All scripts in one, with `(reset)` between them, below a comment on how to read them.
    """

    answer: Answer
    parts: tuple[CertificatePart, ...]
    smtlib: str

    @property
    def scripts(self) -> tuple[CertificatePart, ...]:
        """The parts that have a script, in the order of `smtlib`."""
        return tuple(part for part in self.parts if part.smtlib)

    def __repr__(self) -> str:
        held, whole = len(self.scripts), len(self.parts)
        proofs = sum(bool(part.alethe) for part in self.parts)
        said = f"{held} of {whole} part{'s' * (whole != 1)} as SMT-LIB 2"
        if self.answer.verdict == "proved":
            said += f", {proofs} with a proof of cvc5"
        return f"{self.answer.verdict}: {self.answer.claim}\n  {said}"

    _repr_html_ = results.html
    to_frame = results.to_frame

    def to_json(self) -> dict[str, Any]:
        """The certificate as JSON, without the answer."""
        return {"smtlib": self.smtlib, "parts": [part.to_json() for part in self.parts]}

    @classmethod
    def from_json(cls, answer: Answer, data: dict[str, Any]) -> "SmtCertificate":
        """The certificate that `to_json` wrote, of an answer."""
        parts = tuple(
            CertificatePart(**(part | {"methods": tuple(part["methods"])}))
            for part in data["parts"]
        )
        return cls(answer=answer, parts=parts, smtlib=data["smtlib"])
