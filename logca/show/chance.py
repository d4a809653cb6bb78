"""Decisions with uncertain parameters for terminal and programs."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.common.readable_numbers import probability, time_text
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.chance.accelerator import UncertainAccelerator
from logca.numeric.chance.decide import UncertainDecision
from logca.numeric.chance.distributions import Distribution, LogNormal
from logca.numeric.chance.quasi_monte_carlo import BoundedValue
from logca.plots.chance import chance_picture
from logca.show.results import View

__all__ = ["VIEWS", "chance_data", "chance_shown"]


def chance_shown(
    found: Sequence[UncertainDecision], name: str, form: str = ""
) -> list[RenderableType | Table]:
    """Decisions on sizes: the answers, the quantiles of one, or a row for each of several.

    `form` is the clause on the form of latency where one is due, here and below.
    """
    answers = Group(*(Text(each.answer(name), style="bold") for each in found))
    if len(found) == 1:
        return [answers, "", _quantiles(found[0], form)]
    return [answers, "", _sizes(found, form)]


def _quantiles(found: UncertainDecision, form: str = "") -> Table:
    """By probability the speedup that is exceeded, and the size from which on it pays."""
    does = "pays" if found.target == 1 else f"is above {found.target:.4g}"
    speedups = [found.speedups[_other(found, p)] for p in found.speedups]
    sizes = [*found.granularities.values()]
    columns = [
        (
            "confidence" if found.fitted else "probability",
            [f"{100 * p:g} %" for p in found.speedups],
        ),
        ("speedup at least", [f"{each.value:.4g}" for each in speedups]),
        ("within", [_within(each, "{:.4g}".format) for each in speedups]),
        (f"{does} from", [_size(each.value) for each in sizes]),
        ("within", [_within(each, _size) for each in sizes]),
    ]
    return Table.by_columns(
        ((Column.number(name), cells) for name, cells in columns if any(cells)),
        notes=("", *_notes(found, form)),
    )


def _other(found: UncertainDecision, p: float) -> float:
    """The quantile that is exceeded with a probability; one less it, but for rounding [1]."""
    return min(found.speedups, key=lambda each: abs(each - (1 - p)))


def _within(each: BoundedValue, text: Any) -> str:
    lower, upper = text(each.lower), text(each.upper)
    return "" if lower == upper else f"{lower} to {upper}"


def _size(size: float) -> str:
    if size == inf:
        return "no size"
    return format_size(size) if size > 0 else "every size"


def _sizes(found: Sequence[UncertainDecision], form: str) -> Table:
    columns = ("size", "confidence" if found[0].fitted else "probability", "speedup")
    notes = dict.fromkeys(note for each in found for note in _notes(each, form))
    return Table.by_rows(
        (*map(Column.number, columns), "90 % of speedups"),
        (
            (
                format_size(each.size),
                probability(each.probability.value),
                f"{each.speedups[0.5].value:.4g}",
                f"{each.speedups[0.05].value:.4g} to {each.speedups[0.95].value:.4g}",
            )
            for each in found
        ),
        notes=("", *notes),
    )


def _notes(found: UncertainDecision, form: str) -> tuple[str, ...]:
    basis = found.basis
    told = list(found.notes)
    if isinstance(basis, UncertainAccelerator):
        given = [f"{name} is {_distribution(basis, name)}" for name in basis.uncertain]
        told = [*filter(None, ["; ".join(given)]), *told]
    return (*told, form) if form else tuple(told)


def _distribution(basis: UncertainAccelerator, name: str) -> str:
    """A distribution in words."""
    own: Distribution = getattr(basis, name)
    if isinstance(own, LogNormal):
        median = _with_unit(basis, name, own.median)
        return f"log-normal: median {median}, two thirds within a factor of {own.factor:.4g}"
    return f"uniform: {_with_unit(basis, name, own.least)} to {_with_unit(basis, name, own.most)}"


def _with_unit(basis: UncertainAccelerator, name: str, value: float) -> str:
    if name in ("A", "beta"):
        return f"{value:.4g}"
    per_byte = "/B" if name == "L" and basis.latency == "linear" else "/B**beta" * (name == "C")
    return time_text(value, basis.unit) + per_byte


def chance_data(found: Sequence[UncertainDecision], name: str, form: str = "") -> dict[str, Any]:
    """Decisions as JSON has them; what does not exist is null."""
    return {
        "answer": " ".join(each.answer(name) for each in found),
        "accelerator": name,
        "decisions": [
            {
                "answer": each.answer(name),
                "size": each.size,
                "target": each.target,
                "probability": _bounded(each.probability),
                "reached": None if each.reached is None else _bounded(each.reached),
                "speedups": _by_probability(each.speedups.items()),
                "granularities": _by_probability(each.granularities.items()),
                "notes": _notes(each, form),
            }
            for each in found
        ],
    }


def _by_probability(quantiles: Any) -> list[dict[str, Any]]:
    return [{"probability": p, **_bounded(each)} for p, each in quantiles]


def _bounded(each: BoundedValue) -> dict[str, Any]:
    return {
        "value": each.value,
        "lower": each.lower,
        "upper": each.upper,
        "method": each.method,
    }


def _frame(found: UncertainDecision) -> Iterator[dict[str, Any]]:
    for p, speedup in found.speedups.items():
        size = found.granularities.get(p)
        yield {
            "probability": p,
            "speedup": speedup.value,
            "speedup_lower": speedup.lower,
            "speedup_upper": speedup.upper,
            "granularity": size.value if size else None,
            "granularity_lower": size.lower if size else None,
            "granularity_upper": size.upper if size else None,
        }


VIEWS = {
    "UncertainDecision": View(
        answer=lambda found: found.answer(),
        tables=lambda found: [_quantiles(found)],
        rows={"quantiles": _frame},
        picture=chance_picture,
    )
}
"""View of a decision with uncertain parameters in Python."""
