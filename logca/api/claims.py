"""Claims from Python: the ledger with its verdicts, questions of one's own, JSON and LaTeX.

Verdicts are found when they are asked for.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from logca.common import results
from logca.common.errors import ArgumentError, ArgumentTypeError
from logca.common.json_output import attributes
from logca.common.tables import Column, Styled, Table, latex
from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.engine import client
from logca.proofs.engine.answer import (
    SECONDS_PER_QUESTION,
    Answer,
    Record,
    WeakestHypothesis,
)
from logca.proofs.engine.certificate import SmtCertificate
from logca.proofs.language.syntax import ClaimSyntaxError
from logca.proofs.ledger.kernel.kernel_record import all_methods
from logca.proofs.ledger.related import related_theorems

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = [
    "Claims",
    "LedgerClaim",
    "certificate",
    "claim_data",
    "claims",
    "claims_latex",
    "prove",
    "weakest_hypothesis",
]


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
    def claim(self) -> Claim:
        """The object that the other rooms work with."""
        return self._claim

    @property
    def id(self) -> str:
        """Permanent identifier."""
        return self._claim.id

    @property
    def source(self) -> str:
        """BibTeX key and place."""
        return self._claim.source

    @property
    def statement(self) -> str:
        """The statement, paraphrased."""
        return self._claim.statement

    @property
    def given(self) -> tuple[str, ...]:
        """Hypotheses in the claim language."""
        return self._claim.given

    @property
    def asserts(self) -> tuple[str, ...]:
        """Assertions in the claim language, all of which must hold."""
        return self._claim.asserts

    @property
    def corrected(self) -> Correction | None:
        """The true statement in place of a false one, with its own `given` and `asserts`."""
        return self._claim.corrected

    @property
    def argument(self) -> str:
        """Argument why the formal assertions establish the statement, where that takes a word."""
        return self._claim.argument

    @property
    def record(self) -> "Record":
        """The verdict and what it rests on; decided at the first call, then cached."""
        if self._record is None:
            from logca.proofs.ledger.check import decided

            [(_, self._record)] = decided([self._claim])
        return self._record

    @property
    def verdict(self) -> str:
        """PROVED, CORRECTED, REFUTED, EVIDENCE or UNDECIDED."""
        return self.record.verdict

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods that confirmed the claim, or its correction, and where."""
        return all_methods(self._claim, self.record)

    @property
    def counterexample(self) -> dict[str, Fraction] | None:
        """Exact values for which the hypotheses hold and the claim does not [their units]."""
        found = self.record.counterexample
        if found is None:
            return None
        return {name: Fraction(value) for name, value in found.items() if name != "latency"}

    @property
    def latency(self) -> str:
        """The form of latency of the counterexample, or ""."""
        return (self.record.counterexample or {}).get("latency", "")

    @property
    def failing(self) -> str:
        """The assertion that the counterexample violates, or that stayed open."""
        return self.record.failing

    def __repr__(self) -> str:
        return f"<{self.id}: {self.statement}>"

    _repr_html_ = results.html

    def __rich__(self) -> "RenderableType":
        from logca.api.display import claim_details

        return claim_details(self._claim, self.record)


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

    _repr_html_ = results.html
    to_frame = results.to_frame


def claims() -> Claims:
    """The claims of the ledger; nothing is decided before a verdict is asked for.

    Examples
    --------
    >>> all(claim.id and claim.source and claim.statement for claim in claims())
    True
    """
    from logca.proofs.claims.catalogue import all_claims

    return Claims([LedgerClaim(claim) for claim in all_claims()])


def prove(
    claim: str, given: str | Iterable[str] = (), timeout: float = SECONDS_PER_QUESTION
) -> Answer:
    """Prove a claim, or find a counterexample to it.

    Quantities that the claim mentions are taken to exist; `assuming` of the answer names those
    whose existence the hypotheses do not imply.

    Parameters
    ----------
    claim : str
        A statement over symbols and quantities, such as ``"g1 < gA2"``.
    given : str or iterable of str
        Hypotheses, such as ``["A > 2", "beta > 1"]``; ``"latency == constant"`` or
        ``"latency == linear"`` fixes the form of latency, otherwise both are asked for.
    timeout : float
        The longest to wait [s]. What is tried is limited by the work that it takes, so that a
        busy machine finds the same answer later; what the clock ends is no verdict, and the
        answer's `reason` says so.

    Returns
    -------
    Answer
        With `verdict` ("proved", "refuted" or "undecided"), `counterexample` (exact rationals,
        with `latency`), `used` (hypotheses that were needed), `methods` and `assuming`.

    Raises
    ------
    ClaimSyntaxError
        If a text is not in the claim language; nothing is ever evaluated as code.
    TypeError, ValueError
        If the hypotheses are no texts, or the time limit is no positive number.
    MissingSolversError
        If the extra ``prove`` is not installed.

    Examples
    --------
    >>> answer = prove("g1 < gA2", given="beta == 1")
    >>> answer.verdict, answer.latency
    ('refuted', 'constant')
    >>> answer.counterexample["A"] <= 2
    True
    """
    texts = _asked(claim, given, timeout)
    return client.ask(claim, texts, timeout, related_theorems(claim, texts))


def certificate(answer: Answer, timeout: float = SECONDS_PER_QUESTION) -> SmtCertificate:
    """Write an answer so that any SMT solver can check it.

    A proof becomes scripts of SMT-LIB 2, one for each part of the claim and each form of latency:
    the hypotheses, the negated part, what the variables stand for, and the instances of lemmas on
    powers and logarithms that are needed, each with what it says in mathematics. Solvers answer
    "unsat". A counterexample becomes one that they answer with "sat".

    Parameters
    ----------
    answer : Answer
        What `prove` found.
    timeout : float
        The longest to wait [s].

    Returns
    -------
    SmtCertificate
        With `smtlib`, the text of a file, and `parts`, each with its script, with cvc5's proof of
        it (`alethe`) where cvc5 gives one, and with its `methods`: a part that no solver has shown
        has no script.

    Raises
    ------
    NotCertifiedError
        If the answer is undecided, or no solver can check any part of it, such as limits.
    OutOfTimeError
        If the clock ended it.
    TypeError, ValueError
        If it is no answer, or the time limit is no positive number.
    MissingSolversError
        If the extra ``prove`` is not installed.

    Examples
    --------
    >>> found = certificate(prove("speedup < A", given=["latency == constant", "o > 0"]))
    >>> found
    proved: speedup < A
      1 of 1 part as SMT-LIB 2, 1 with a proof of cvc5
    >>> found.smtlib.rstrip().endswith("(check-sat)")
    True
    """
    if not isinstance(answer, Answer):
        raise ArgumentTypeError(
            f"a certificate is of an answer, as prove() gives it, not {type(answer).__name__}"
        )
    texts = _asked(answer.claim, answer.given, timeout)
    return client.certify(answer, timeout, related_theorems(answer.claim, texts))


def weakest_hypothesis(
    claim: str, given: str | Iterable[str] = (), timeout: float = SECONDS_PER_QUESTION
) -> tuple[WeakestHypothesis, ...]:
    """Find the weakest hypothesis under which a claim holds, for each form of latency.

    What is found is proved, both that the claim holds where the hypothesis does, and (`necessary`)
    that it fails where the hypothesis does not. Candidates are comparisons that the claim itself
    suggests, up to three together.

    Parameters
    ----------
    claim : str
        A statement without limits, such as ``"exists(gA2)"``.
    given : str or iterable of str
        Hypotheses that are assumed besides.
    timeout : float
        The longest to wait [s].

    Raises
    ------
    ClaimSyntaxError
        If a text is not in the claim language, or speaks of limits.
    TypeError, ValueError
        If the hypotheses are no texts, or the time limit is no positive number.
    MissingSolversError
        If the extra ``prove`` is not installed.

    Examples
    --------
    >>> weakest_hypothesis("exists(gA2)", given=["latency == linear", "beta == 1"])
    (linear latency: exactly if o > 0 and C > A*L,)
    """
    return client.find(claim, _asked(claim, given, timeout), timeout)


def _asked(claim: str, given: str | Iterable[str], timeout: float) -> tuple[str, ...]:
    """The hypotheses, one by one, of a question that can be asked."""
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        raise ArgumentTypeError(
            f"the time limit is a number of seconds, not {type(timeout).__name__}"
        )
    if not (timeout > 0 and math.isfinite(timeout)):
        raise ArgumentError(f"the time limit must be a positive number of seconds, not {timeout}")
    if not isinstance(given, Iterable):
        raise ArgumentTypeError(
            f"hypotheses are a text or several texts, not {type(given).__name__}"
        )
    texts = (given,) if isinstance(given, str) else tuple(given)
    for kind, text in (("claim", claim), *(("hypothesis", text) for text in texts)):
        if not isinstance(text, str):
            raise ClaimSyntaxError(f"a {kind} is text, not {type(text).__name__}")
    return texts


def claim_data(claim: Claim, record: Record) -> dict[str, Any]:
    """A claim and its record as JSON data."""
    point = dict(record.counterexample or {})
    latency = point.pop("latency", "")
    true = claim.corrected
    return {
        **attributes(claim, "id source statement"),
        "given": list(claim.given),
        "asserts": list(claim.asserts),
        "argument": claim.argument,
        "verdict": record.verdict,
        "methods": list(all_methods(claim, record)),
        "counterexample": point or None,
        "latency": latency,
        "failing": record.failing,
        "corrected": None
        if true is None
        else {
            "statement": true.statement,
            "given": list(true.given),
            "asserts": list(true.asserts),
        },
        "seconds": record.seconds,
    }


def claims_latex(claims: Sequence[Claim], found: Mapping[str, Record]) -> str:
    """A `longtable` with id, statement and verdict; corrected statements below the printed ones."""
    rows = []
    for claim in claims:
        said = [(claim.statement, "")]
        verdict = found[claim.id].verdict
        if verdict == "CORRECTED" and claim.corrected is not None:
            said += [("\n", ""), (claim.corrected.statement, "italic")]
        rows.append((Styled((claim.id, "code")), Styled(*said), verdict.lower()))
    statement = Column(Styled(("statement, ", ""), ("true statement", "italic")))
    table = Table.by_rows(("claim", statement, "verdict"), rows)
    return latex(table, r">{\raggedright}p{0.3\textwidth}p{0.5\textwidth}l")
