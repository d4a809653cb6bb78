"""Answers and records, as plain data that travels between processes and into a cache."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from logca.common import results
from logca.proofs.claims.claim import Verdict

__all__ = [
    "NO_QUESTION",
    "NO_VALUES",
    "OUT_OF_TIME",
    "SECONDS_PER_CLAIM",
    "SECONDS_PER_QUESTION",
    "UNTRIED",
    "Answer",
    "Record",
    "WeakestHypothesis",
    "late_answer",
]

SECONDS_PER_CLAIM = 120.0
"""The longest that is waited for a claim of the ledger, which takes a tenth of it at most [s]."""
SECONDS_PER_QUESTION = 60.0
"""The longest that is waited for an answer, unless told otherwise [s]."""
OUT_OF_TIME = "out of time, which is no verdict"
"""Words for a question that the clock ended."""
NO_VALUES = "no values of the symbols satisfy the hypotheses and let all quantities exist"
"""Words for hypotheses that contradict each other."""
NO_QUESTION = f"{NO_VALUES}: there is no question"
"""Words for a claim that holds only because there is nothing that it speaks of."""
UNTRIED = "not every hypothesis could be tried: some of those used may be needless"
"""Words for a proof whose hypotheses were not all dropped, one by one, to see."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer:
    """The answer to a question of a user's own.

    Parameters
    ----------
    claim : str
        The claim, as it was put.
    given : tuple of str
        The hypotheses.
    verdict : str
        "proved", "refuted" or "undecided".
    latency : str
        The forms of latency it was decided for; if refuted, the one of the counterexample.
    methods : tuple of str
        What confirmed it, and where.
    used : tuple of str
        Hypotheses that the proof needs: dropping any of them loses it.
    assuming : tuple of str
        What is taken for granted beyond the hypotheses: that the quantities exist.
    counterexample : dict or None
        Exact values of the symbols for which the hypotheses hold and the claim does not
        [their units].
    values : dict
        The sides of the claim's comparisons there, as decimals [their units].
    reason : str
        Why it is undecided, or what else there is to say.
    seconds : float
        Time taken [s].
    """

    claim: str
    given: tuple[str, ...] = ()
    verdict: str
    latency: str = ""
    methods: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    assuming: tuple[str, ...] = ()
    counterexample: dict[str, Fraction] | None = None
    values: dict[str, str] = field(default_factory=dict)
    reason: str = ""
    seconds: float = 0.0

    def __repr__(self) -> str:
        lines = [f"{self.verdict}: {self.claim}"]
        for heading, texts in (
            ("given", self.given),
            ("used", self.used),
            ("assuming", self.assuming),
            ("by", self.methods),
            ("at", [f"{name} = {value}" for name, value in (self.counterexample or {}).items()]),
            ("where", [f"{side} = {value}" for side, value in self.values.items()]),
            ("latency", [self.latency] * bool(self.latency)),
            ("note", [self.reason] * bool(self.reason)),
        ):
            if texts:
                lines.append(f"  {heading:9}{', '.join(texts)}")
        return "\n".join(lines)

    _repr_html_ = results.html

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON; fractions become text such as "5/27"."""
        found = {name: getattr(self, name) for name in self.__slots__}
        if self.counterexample is not None:
            found["counterexample"] = {k: str(v) for k, v in self.counterexample.items()}
        return found

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Answer":
        """The answer that `to_json` wrote.

        Examples
        --------
        >>> one = Answer(claim="A > 1", verdict="refuted", counterexample={"A": Fraction(1, 2)})
        >>> Answer.from_json(one.to_json()) == one
        True
        """
        data = _tuples(data)
        if data.get("counterexample") is not None:
            data["counterexample"] = {k: Fraction(v) for k, v in data["counterexample"].items()}
        return cls(**data)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeakestHypothesis:
    """The weakest hypothesis under which a claim holds, for one form of latency.

    Parameters
    ----------
    latency : str
        The form of latency.
    condition : str
        A statement in the claim language: "True" if the claim always holds, "False" if it
        never does, "" if none was found.
    necessary : bool
        Whether the claim was shown to fail wherever the condition does. Else the condition is
        sufficient, and a weaker one may be, too.
    reason : str
        Why nothing, or no more, is known.
    """

    latency: str
    condition: str
    necessary: bool = False
    reason: str = ""

    def __repr__(self) -> str:
        if not self.condition:
            unknown = "unknown, " * (self.reason != NO_QUESTION)
            return f"{self.latency} latency: {unknown}{self.reason}"
        if self.condition in ("True", "False"):
            return f"{self.latency} latency: {'always' if self.condition == 'True' else 'never'}"
        word = "exactly if" if self.necessary else "at least if"
        return f"{self.latency} latency: {word} {self.condition}"

    _repr_html_ = results.html

    def to_json(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def late_answer(claim: str, given: tuple[str, ...], seconds: float) -> Answer:
    """The answer to a question that the clock has ended after so many seconds."""
    reason = f"{OUT_OF_TIME}, after {seconds:g} s: allow more"
    return Answer(claim=claim, given=given, verdict="undecided", reason=reason, seconds=seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The ledger's knowledge of one of its claims."""

    verdict: str  # "PROVED", "CORRECTED", "REFUTED", "EVIDENCE" or "UNDECIDED"
    methods: tuple[str, ...] = ()  # what confirmed the claim, or its correction, and where
    # exact values of the symbols as text, and the form of latency [their units]
    counterexample: dict[str, str] | None = None
    failing: str = ""  # the assertion that the counterexample violates or that stayed open
    seconds: float = 0.0  # time taken when it was decided [s]

    @property
    def is_late(self) -> bool:
        """True if the clock ended the question: then nothing is known, and nothing kept."""
        return self.failing.startswith(OUT_OF_TIME)

    def to_json(self) -> dict[str, Any]:
        """The record as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Record":
        """The record that `to_json` wrote; a `TypeError` or `ValueError` if it is none.

        Examples
        --------
        >>> Record.from_json({"verdict": "PROVED", "methods": ["z3 (whole domain)"]}).methods
        ('z3 (whole domain)',)
        """
        record = cls(**_tuples(data))
        if not isinstance(record.methods, tuple):
            raise TypeError("methods are a list")
        point = record.counterexample or {}
        texts = (record.verdict, record.failing, *record.methods, *point, *point.values())
        if (
            not all(isinstance(text, str) for text in texts)
            or record.verdict not in Verdict.__members__
        ):
            raise ValueError("not a record")
        return record


def _tuples(data: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
