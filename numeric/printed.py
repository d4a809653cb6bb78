"""What altaf2017 says of its figures: sizes read off the plots, and sentences about them."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from logca.numeric.toml_files import packaged

__all__ = ["KINDS", "PrintedFact", "printed_facts"]

KINDS = ("size", "none", "exists", "ascending", "equal", "comparable", "count", "unknown")
"""How a fact is compared: see `logca.numeric.comparisons` [text]."""

_FILES = ("figures_curves.toml", "figures_regions.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedFact:
    """One thing that the paper says of a figure.

    Parameters
    ----------
    figure, panel : str
        Name of the figure, such as "fig10", and letter of the panel or nothing [text].
    says : str
        What is said, in our words [text].
    printed : str
        Size or number as printed; nothing if it is a sentence [text].
    kind : str
        How it is compared, one of `KINDS` [text].
    terms : tuple of str
        What it is compared with, in the terms of `logca.numeric.measures` [text].
    remark : str
        Why it does or does not agree; terms stand in braces [text].
    where : str
        Place in the paper [text].
    claims : tuple of str
        Claims of the ledger that decide the same, for `logca check` [text].
    """

    figure: str
    panel: str
    says: str
    printed: str
    kind: str
    terms: tuple[str, ...]
    remark: str
    where: str
    claims: tuple[str, ...]


@cache
def printed_facts(figure: str | None = None) -> tuple[PrintedFact, ...]:
    """The facts on a figure, or on all of them, in the order of the paper.

    Parameters
    ----------
    figure : str, optional
        Name of the figure [text].

    Examples
    --------
    >>> fact = printed_facts("fig6")[2]
    >>> fact.says, fact.printed, fact.terms
    ('acceleration pays from', '2 KB', ('start A of ultrasparc-t2 aes',))
    """
    facts = (_fact(row) for name in _FILES for row in packaged(name)["facts"])
    return tuple(fact for fact in facts if figure in (None, fact.figure))


def _fact(row: dict[str, Any]) -> PrintedFact:
    return PrintedFact(
        figure=row["figure"],
        panel=row.get("panel", ""),
        says=row["says"],
        printed=row.get("printed", ""),
        kind=row["kind"],
        terms=_several(row.get("terms", ())),
        remark=row.get("remark", ""),
        where=row["where"],
        claims=_several(row.get("claims", ())),
    )


def _several(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
