"""Claims as data, and what can be said of them."""

from dataclasses import dataclass
from enum import Enum

__all__ = ["Claim", "Correction", "Verdict"]


class Verdict(Enum):
    """The state of knowledge of a claim; sampling is never more than evidence."""

    PROVED = "proved"
    CORRECTED = "corrected"
    REFUTED = "refuted"
    EVIDENCE = "evidence"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The true statement in place of a false one."""

    statement: str  # in words
    # asserts, given: in the claim language
    asserts: tuple[str, ...]
    given: tuple[str, ...] = ()
    # granularities [B] at which the lemmas on real powers are instantiated as well
    touch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of a paper, or a theorem of ours, in words and in the claim language.

    Examples
    --------
    >>> Claim(id="example", source="logca2026", statement="x", asserts=("A > 0",)).given
    ()
    """

    id: str  # permanent identifier
    source: str  # BibTeX key and place
    statement: str  # the statement, paraphrased
    # what must hold, all of it, for all values in the domains under `given`; none if the
    # statement rests on numbers that its source does not print
    asserts: tuple[str, ...]
    given: tuple[str, ...] = ()  # hypotheses; each is needed
    corrected: Correction | None = None  # the true statement, if `asserts` is false
    # how `asserts` establishes the statement, where that takes a word: an intermediate value, a
    # convergence theorem, a reading of the sentence
    argument: str = ""
    # granularities [B] at which the lemmas on real powers are instantiated as well
    touch: tuple[str, ...] = ()

    @property
    def true(self) -> Correction:
        """The correction, or the claim itself where nothing is corrected."""
        return self.corrected or Correction(
            statement=self.statement, asserts=self.asserts, given=self.given, touch=self.touch
        )
