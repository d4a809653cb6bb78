"""Statements of altaf2017 on its figures against what its own Table 5 gives exactly."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from math import isnan
from typing import Any

from logca.common.sizes import parse_size
from logca.common.toml import packaged
from logca.numeric.paper.figure_terms import HIGH, TermValue, explanation_of, value_of

__all__ = [
    "KINDS",
    "RULE",
    "Comparison",
    "FigureAgreement",
    "PrintedFact",
    "compare",
    "comparisons",
    "printed_facts",
]

KINDS = ("size", "none", "exists", "ascending", "equal", "comparable", "count", "unknown")
"""Ways to compare a fact: see `logca.numeric.paper.figures`."""

_FILES = ("figures_curves.toml", "figures_regions.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedFact:
    """One thing that the paper says of a figure."""

    # figure, panel: name of the figure, such as "fig10", and letter of the panel or nothing
    figure: str
    panel: str
    says: str  # what is said, in our words
    printed: str  # size or number as printed; nothing if it is a sentence
    kind: str  # how it is compared, one of `KINDS`
    # what it is compared with, in the terms of `logca.numeric.paper.figure_terms`
    terms: tuple[str, ...]
    remark: str  # why it does or does not agree; terms stand in braces
    where: str  # place in the paper
    claims: tuple[str, ...]  # claims of the ledger that decide the same, for `logca check`


@cache
def printed_facts(figure: str | None = None) -> tuple[PrintedFact, ...]:
    """The facts on a figure, or on all of them, in the order of the paper.

    Examples
    --------
    >>> fact = printed_facts("fig6")[2]
    >>> fact.says, fact.printed, fact.terms
    ('acceleration pays from', '2 KB', ('start A of ultrasparc-t2 aes',))
    """
    facts = (_fact(row) for name in _FILES for row in packaged(__package__, name)["facts"])
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


RULE = (
    "A printed size agrees if it is less than a factor of two from the exact one: the figures "
    "sample powers of two. A number of regions counts those that hold a power of two. What exists "
    "is judged from 16 B to 32 MiB."
)
"""The rule in one paragraph."""

_OCTAVE = 2.0
_COMPARABLE = 10.0


class FigureAgreement(StrEnum):
    """Agreement of the paper with its Table 5."""

    AGREES = "agrees"
    IN_RANGE = "agrees up to 32 MiB"
    DIFFERS = "differs"
    UNKNOWN = "cannot be said"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A fact of the paper beside what its Table 5 gives."""

    fact: PrintedFact  # what the paper says
    exact: str  # what Table 5 gives
    values: tuple[float, ...]  # the same as numbers, NaN where there is none [unit of the terms]
    agreement: FigureAgreement  # whether they agree
    remark: str  # why they do or do not


def comparisons(figure: str | None = None) -> tuple[Comparison, ...]:
    """Everything that is compared for a figure, or for all.

    Examples
    --------
    >>> for row in comparisons("fig6")[2:4]:
    ...     print(row.fact.says, row.fact.printed, "|", row.exact, "|", row.agreement)
    acceleration pays from 2 KB | 1.429 KiB | agrees
    overhead pays up to 32 KB | 26 KiB | agrees
    """
    return tuple(compare(fact) for fact in printed_facts(figure))


def compare(fact: PrintedFact) -> Comparison:
    """One fact against Table 5."""
    found = [value_of(term) for term in fact.terms]
    values = [each.value for each in found]
    return Comparison(
        fact=fact,
        exact=_written(fact, found),
        values=tuple(values),
        agreement=_agreement(fact, values),
        remark=explanation_of(fact.remark),
    )


def _written(fact: PrintedFact, found: list[TermValue]) -> str:
    if fact.kind == "unknown":
        return "no parameters are printed"
    if fact.kind not in ("ascending", "equal"):
        return ", ".join(each.text for each in found)
    text = found[0].text
    for before, after in pairwise(found):
        text += f"{_relation(before.value, after.value)}{after.text}"
    return text


def _relation(before: float, after: float) -> str:
    if isnan(before) or isnan(after):
        return ", "
    return " < " if before < after else " > " if before > after else " = "


def _agreement(fact: PrintedFact, values: list[float]) -> FigureAgreement:
    match fact.kind:
        case "size":
            # The paper's KB are powers of two: its axes run from 16B to 32MB in octaves.
            printed = parse_size(fact.printed.replace("KB", "KiB").replace("MB", "MiB"))
            agrees = printed / _OCTAVE < values[0] < printed * _OCTAVE
        case "none":
            agrees = all(isnan(value) or value > HIGH for value in values)
            if agrees and not all(map(isnan, values)):
                return FigureAgreement.IN_RANGE
        case "exists":
            agrees = all(value <= HIGH for value in values)
        case "ascending":
            agrees = all(low < high for low, high in pairwise(values))
        case "equal":
            agrees = all(low == high for low, high in pairwise(values))
        case "comparable":
            within = max(values) <= _COMPARABLE * min(values)
            agrees = within and not any(map(isnan, values))
        case "count":
            agrees = values[0] == float(fact.printed)
        case _:
            return FigureAgreement.UNKNOWN
    return FigureAgreement.AGREES if agrees else FigureAgreement.DIFFERS
