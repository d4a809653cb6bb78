"""A program in no particular language: functions of assignments, branches and bounded loops."""

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.core.function import AppliedUndef

__all__ = [
    "Give",
    "Leave",
    "Let",
    "Parameter",
    "Repeat",
    "Set",
    "Statement",
    "TargetFunction",
    "Unless",
    "When",
    "called",
    "statements_in",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Let:
    """A new name for a value."""

    name: str  # the name
    value: sp.Expr  # what it stands for [any]
    changes: bool = False  # whether it gets other values later [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """Another value for a name that may change."""

    name: str  # the name
    value: sp.Expr  # what it stands for from now on [any]


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """Statements that are carried out if a condition holds."""

    condition: sp.Basic  # a relation, or several joined [1]
    body: tuple["Statement", ...]  # what is carried out


@dataclass(frozen=True, slots=True, kw_only=True)
class Unless:
    """Statements that are carried out if a condition does not hold.

    With NaN a relation and its converse are both false, so this is not `When` of the converse.
    """

    condition: sp.Basic  # a relation, or several joined [1]
    body: tuple["Statement", ...]  # what is carried out


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Statements that are repeated until one of them leaves, but not for ever."""

    times: int  # how often at most [1]
    body: tuple["Statement", ...]  # what is repeated


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """The end of the loop around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Give:
    """The function's result."""

    # an expression; a relation or a truth value if the function answers a question [any]
    value: sp.Basic


Statement = Let | Set | When | Unless | Repeat | Leave | Give


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument of a function."""

    name: str  # the name
    meaning: str  # what it stands for
    unit: str  # its unit


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetFunction:
    """A function of numbers."""

    name: str  # the name, without what a language puts before it
    meaning: str  # what the result is
    unit: str  # unit of the result; empty for a function that answers a question
    parameters: tuple[Parameter, ...]  # arguments in order
    body: tuple[Statement, ...]  # what is computed; the last one gives the result
    notes: tuple[str, ...]  # paragraphs on formula, domain and source
    public: bool = True  # whether it was asked for, not only needed [1]

    @property
    def answers(self) -> bool:
        """True if the result is a truth value."""
        return not self.unit


def statements_in(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """All statements, with those inside others."""
    for statement in body:
        yield statement
        if isinstance(statement, When | Unless | Repeat):
            yield from statements_in(statement.body)


def called(function: TargetFunction) -> set[str]:
    """Names of the functions that a function calls."""
    values = [
        each.condition if isinstance(each, When | Unless) else each.value
        for each in statements_in(function.body)
        if not isinstance(each, Repeat | Leave)
    ]
    found = {call.func.__name__ for value in values for call in value.atoms(AppliedUndef)}
    found.discard("isnan")
    extrema = {"larger": sp.Max, "smaller": sp.Min}
    return found | {name for name, kind in extrema.items() if any(v.has(kind) for v in values)}
