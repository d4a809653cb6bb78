"""Marks and colours of verdicts in the terminal: of claims of the ledger, and of answers."""

from logca.common.tables import Styled
from logca.proofs.claims.claim import Verdict

__all__ = ["ANSWERS", "VERDICTS", "mark"]

VERDICTS = {
    Verdict.PROVED: ("✓", "green"),
    Verdict.CORRECTED: ("↻", "yellow"),
    Verdict.REFUTED: ("✗", "red"),
    Verdict.EVIDENCE: ("~", "cyan"),
    Verdict.UNDECIDED: ("?", "magenta"),
}
"""Mark and colour of each verdict of the ledger."""

ANSWERS = {"proved": ("✓", "green"), "refuted": ("✗", "red"), "undecided": ("?", "magenta")}
"""Mark and colour of each answer to a question."""


def mark(verdict: str) -> Styled:
    """A verdict with its mark and colour.

    Examples
    --------
    >>> mark("PROVED")
    '✓ PROVED'
    """
    sign, colour = VERDICTS[Verdict[verdict]]
    return Styled((f"{sign} {verdict}", colour))
