"""Statements of altaf2017 on its figures against what its own Table 5 gives exactly."""

from collections.abc import Callable
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
        agreement=_RULES[fact.kind](fact, values),
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


def _of_size(fact: PrintedFact, values: list[float]) -> FigureAgreement:
    # The paper's KB are powers of two: its axes run from 16B to 32MB in octaves.
    printed = parse_size(fact.printed.replace("KB", "KiB").replace("MB", "MiB"))
    return _whether(printed / _OCTAVE < values[0] < printed * _OCTAVE)


def _of_none(fact: PrintedFact, values: list[float]) -> FigureAgreement:
    if all(map(isnan, values)):
        return FigureAgreement.AGREES
    beyond = all(isnan(value) or value > HIGH for value in values)
    return FigureAgreement.IN_RANGE if beyond else FigureAgreement.DIFFERS


def _of_count(fact: PrintedFact, values: list[float]) -> FigureAgreement:
    return _whether(values[0] == float(fact.printed))


def _all_exist(fact: PrintedFact, values: list[float]) -> FigureAgreement:
    return _whether(all(value <= HIGH for value in values))


def _ascend(fact: PrintedFact, values: list[float]) -> FigureAgreement:
    return _whether(all(low < high for low, high in pairwise(values)))


def _are_equal(fact: PrintedFact, values: list[float]) -> FigureAgreement:
    return _whether(all(low == high for low, high in pairwise(values)))


def _are_comparable(fact: PrintedFact, values: list[float]) -> FigureAgreement:
    least, greatest = min(values), max(values)
    return _whether(not any(map(isnan, values)) and greatest <= _COMPARABLE * least)


def _whether(agrees: bool) -> FigureAgreement:
    return FigureAgreement.AGREES if agrees else FigureAgreement.DIFFERS


_RULES: dict[str, Callable[[PrintedFact, list[float]], FigureAgreement]] = {
    "size": _of_size,
    "none": _of_none,
    "exists": _all_exist,
    "ascending": _ascend,
    "equal": _are_equal,
    "comparable": _are_comparable,
    "count": _of_count,
    "unknown": lambda fact, values: FigureAgreement.UNKNOWN,
}
