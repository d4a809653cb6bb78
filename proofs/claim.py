"""Claims as data, and what can be said of them."""

from dataclasses import dataclass
from enum import Enum

__all__ = ["Claim", "Correction", "Verdict"]


class Verdict(Enum):
    """What is known of a claim; sampling is never more than evidence."""

    PROVED = "proved"
    CORRECTED = "corrected"
    REFUTED = "refuted"
    EVIDENCE = "evidence"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The true statement in place of a false one.

    Parameters
    ----------
    statement : str
        In words [text].
    asserts, given : tuple of str
        In the claim language [text].
    touch : tuple of str
        Granularities [B] at which the lemmas on real powers are instantiated as well [text].
    """

    statement: str
    asserts: tuple[str, ...]
    given: tuple[str, ...] = ()
    touch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of a paper, or a theorem of ours, in words and in the claim language.

    Parameters
    ----------
    id : str
        Permanent identifier [text].
    source : str
        BibTeX key and place [text].
    statement : str
        The statement, paraphrased [text].
    asserts : tuple of str
        What must hold, all of it, for all values in the domains under `given`; none if the
        statement rests on numbers that its source does not print [text].
    given : tuple of str
        Hypotheses; each is needed [text].
    corrected : Correction or None
        The true statement, if `asserts` is false [text].
    argument : str
        How `asserts` establishes the statement, where that takes a word: an intermediate value,
        a convergence theorem, a reading of the sentence [text].
    touch : tuple of str
        Granularities [B] at which the lemmas on real powers are instantiated as well [text].

    Examples
    --------
    >>> Claim(id="example", source="logca2026", statement="x", asserts=("A > 0",)).given
    ()
    """

    id: str
    source: str
    statement: str
    asserts: tuple[str, ...]
    given: tuple[str, ...] = ()
    corrected: Correction | None = None
    argument: str = ""
    touch: tuple[str, ...] = ()

    @property
    def true(self) -> Correction:
        """The correction, or the claim itself where nothing is corrected [text]."""
        return self.corrected or Correction(
            statement=self.statement, asserts=self.asserts, given=self.given, touch=self.touch
        )
