"""A program in no particular language: functions of assignments, branches and bounded loops."""

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.core.function import AppliedUndef

__all__ = [
    "Function",
    "Give",
    "Leave",
    "Let",
    "Parameter",
    "Repeat",
    "Set",
    "Statement",
    "Unless",
    "When",
    "called",
    "statements_in",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Let:
    """A new name for a value.

    Parameters
    ----------
    name : str
        The name [text].
    value : sympy.Expr
        What it stands for [any].
    changes : bool
        Whether it gets other values later [1].
    """

    name: str
    value: sp.Expr
    changes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """Another value for a name that may change.

    Parameters
    ----------
    name : str
        The name [text].
    value : sympy.Expr
        What it stands for from now on [any].
    """

    name: str
    value: sp.Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """Statements that are carried out if a condition holds.

    Parameters
    ----------
    condition : sympy.Basic
        A relation, or several joined [1].
    body : tuple of Statement
        What is carried out [text].
    """

    condition: sp.Basic
    body: tuple["Statement", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unless:
    """Statements that are carried out if a condition does not hold.

    With NaN a relation and its converse are both false, so this is not `When` of the converse.

    Parameters
    ----------
    condition : sympy.Basic
        A relation, or several joined [1].
    body : tuple of Statement
        What is carried out [text].
    """

    condition: sp.Basic
    body: tuple["Statement", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Statements that are repeated until one of them leaves, but not for ever.

    Parameters
    ----------
    times : int
        How often at most [1].
    body : tuple of Statement
        What is repeated [text].
    """

    times: int
    body: tuple["Statement", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """The end of the loop around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Give:
    """The function's result.

    Parameters
    ----------
    value : sympy.Basic
        An expression; a relation or a truth value if the function answers a question [any].
    """

    value: sp.Basic


Statement = Let | Set | When | Unless | Repeat | Leave | Give


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument of a function.

    Parameters
    ----------
    name : str
        The name [text].
    meaning : str
        What it stands for [text].
    unit : str
        Its unit [text].
    """

    name: str
    meaning: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function of numbers.

    Parameters
    ----------
    name : str
        The name, without what a language puts before it [text].
    meaning : str
        What the result is [text].
    unit : str
        Unit of the result; empty for a function that answers a question [text].
    parameters : tuple of Parameter
        Arguments in order [text].
    body : tuple of Statement
        What is computed; the last one gives the result [text].
    notes : tuple of str
        Paragraphs on formula, domain and source [text].
    public : bool
        Whether it was asked for, not only needed [1].
    """

    name: str
    meaning: str
    unit: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    notes: tuple[str, ...]
    public: bool = True

    @property
    def answers(self) -> bool:
        """Whether the result is a truth value."""
        return not self.unit


def statements_in(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """All statements, with those inside others."""
    for statement in body:
        yield statement
        if isinstance(statement, When | Unless | Repeat):
            yield from statements_in(statement.body)


def called(function: Function) -> set[str]:
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
