"""What the paper says of a figure against what its own Table 5 gives exactly.

The rule: the paper's figures sample powers of two, so a size read off one agrees if it is one of
the two powers of two between which the exact value lies, that is, if they are less than a factor of
two apart; a number of regions agrees if that many hold a power of two. What exists or not is said
of the measured range: 16 B to 32 MB.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import isnan

from logca.numeric.measures import HIGH, Measured, explained, measure
from logca.numeric.printed import PrintedFact, printed_facts
from logca.numeric.sizes import parse_size

__all__ = ["RULE", "Agreement", "Comparison", "compare", "comparisons"]

RULE = (
    "A printed size agrees if it is less than a factor of two from the exact one: the figures "
    "sample powers of two. A number of regions counts those that hold a power of two. What exists "
    "is judged from 16 B to 32 MiB."
)
"""The rule in one paragraph [text]."""

_OCTAVE = 2.0
_COMPARABLE = 10.0


class Agreement(StrEnum):
    """Whether the paper and its Table 5 agree."""

    AGREES = "agrees"
    IN_RANGE = "agrees up to 32 MiB"
    DIFFERS = "differs"
    UNKNOWN = "cannot be said"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A fact of the paper beside what its Table 5 gives.

    Parameters
    ----------
    fact : PrintedFact
        What the paper says.
    exact : str
        What Table 5 gives [text].
    values : tuple of float
        The same as numbers, NaN where there is none [unit of the terms].
    agreement : Agreement
        Whether they agree.
    remark : str
        Why they do or do not [text].
    """

    fact: PrintedFact
    exact: str
    values: tuple[float, ...]
    agreement: Agreement
    remark: str


def comparisons(figure: str | None = None) -> tuple[Comparison, ...]:
    """Everything that is compared for a figure, or for all.

    Parameters
    ----------
    figure : str, optional
        Name of the figure [text].

    Examples
    --------
    >>> for row in comparisons("fig6")[2:4]:
    ...     print(row.fact.says, row.fact.printed, "|", row.exact, "|", row.agreement)
    acceleration pays from 2 KB | 1.429 KiB | agrees
    overhead pays up to 32 KB | 26 KiB | agrees
    """
    return tuple(compare(fact) for fact in printed_facts(figure))


def compare(fact: PrintedFact) -> Comparison:
    """One fact against Table 5.

    Parameters
    ----------
    fact : PrintedFact
        The fact.
    """
    found = [measure(term) for term in fact.terms]
    values = [each.value for each in found]
    return Comparison(
        fact=fact,
        exact=_written(fact, found),
        values=tuple(values),
        agreement=_RULES[fact.kind](fact, values),
        remark=explained(fact.remark),
    )


def _written(fact: PrintedFact, found: list[Measured]) -> str:
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


def _of_size(fact: PrintedFact, values: list[float]) -> Agreement:
    # The paper's KB are powers of two: its axes run from 16B to 32MB in octaves.
    printed = parse_size(fact.printed.replace("KB", "KiB").replace("MB", "MiB"))
    return _whether(printed / _OCTAVE < values[0] < printed * _OCTAVE)


def _of_none(fact: PrintedFact, values: list[float]) -> Agreement:
    if all(map(isnan, values)):
        return Agreement.AGREES
    beyond = all(isnan(value) or value > HIGH for value in values)
    return Agreement.IN_RANGE if beyond else Agreement.DIFFERS


def _of_count(fact: PrintedFact, values: list[float]) -> Agreement:
    return _whether(values[0] == float(fact.printed))


def _all_exist(fact: PrintedFact, values: list[float]) -> Agreement:
    return _whether(all(value <= HIGH for value in values))


def _ascend(fact: PrintedFact, values: list[float]) -> Agreement:
    return _whether(all(low < high for low, high in pairwise(values)))


def _are_equal(fact: PrintedFact, values: list[float]) -> Agreement:
    return _whether(all(low == high for low, high in pairwise(values)))


def _are_comparable(fact: PrintedFact, values: list[float]) -> Agreement:
    least, greatest = min(values), max(values)
    return _whether(not any(map(isnan, values)) and greatest <= _COMPARABLE * least)


def _whether(agrees: bool) -> Agreement:
    return Agreement.AGREES if agrees else Agreement.DIFFERS


_RULES: dict[str, Callable[[PrintedFact, list[float]], Agreement]] = {
    "size": _of_size,
    "none": _of_none,
    "exists": _all_exist,
    "ascending": _ascend,
    "equal": _are_equal,
    "comparable": _are_comparable,
    "count": _of_count,
    "unknown": lambda fact, values: Agreement.UNKNOWN,
}
