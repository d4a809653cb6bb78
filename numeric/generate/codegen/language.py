"""Syntax in which languages differ, and what comments say in all of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

import sympy as sp

from logca.numeric.generate.codegen.tree import Parameter, TargetFunction

__all__ = [
    "Language",
    "described",
    "listed_parameters",
    "paragraphs",
    "parameter_names",
    "summary",
    "wrapped_notes",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Syntax of a language: its statements and functions.

    Templates have the fields `name`, `value`, `condition` or `times`; what is left out is as in C.
    """

    expression: Callable[[sp.Basic], str]  # from an expression or relation to text
    # let, let_changing, set: a new name, one whose value changes later, and its later values
    let: str
    let_changing: str
    set: str = "{name} = {value};"
    # when, unless, repeat: beginnings of blocks
    when: str = "if ({condition}) {{"
    unless: str = "if (!({condition})) {{"
    repeat: str
    # end, end_repeat: their ends; empty if indentation says it
    end: str = "}"
    end_repeat: str = "}"
    # leave, give, last: the end of a loop, a result, and a result as last statement
    leave: str = "break;"
    give: str = "return {value};"
    last: str = "return {value};"
    fits: Callable[[str], bool]  # whether a statement, with its indentation, fits into a line
    indent: int = 4  # columns of indentation of a function's statements [1]
    step: int = 4  # columns by which a block is indented further [1]
    # from a function and the lines of its statements to lines
    function: Callable[[TargetFunction, Sequence[str]], Iterator[str]]
    provided: frozenset[str] = frozenset()  # helpers that the language has itself


def summary(function: TargetFunction) -> str:
    """Meaning of the result, and its unit."""
    meaning = function.meaning[0].upper() + function.meaning[1:]
    return f"{meaning}." if function.answers else f"{meaning} [{function.unit}]."


def parameter_names(function: TargetFunction) -> list[str]:
    """Names of the arguments in order."""
    return [parameter.name for parameter in function.parameters]


def described(parameter: Parameter) -> str:
    """Meaning of a parameter, and its unit."""
    return f"{parameter.meaning} [{parameter.unit}]"


def listed_parameters(function: TargetFunction, width: int) -> Iterator[str]:
    """Names and descriptions in two columns."""
    column = max((len(each.name) for each in function.parameters), default=0) + 2
    for parameter in function.parameters:
        first, *rest = wrap(described(parameter), width - column)
        yield f"{parameter.name:{column}}{first}"
        yield from (" " * column + line for line in rest)


def paragraphs(function: TargetFunction, width: int) -> Iterator[str]:
    """Summary, parameters, formula and source."""
    yield from wrap(summary(function), width)
    yield ""
    yield from listed_parameters(function, width)
    yield ""
    yield from wrapped_notes(function, width)


def wrapped_notes(function: TargetFunction, width: int) -> Iterator[str]:
    """Formula, domain and source."""
    for note in function.notes:
        yield from wrap(note, width, break_long_words=False, break_on_hyphens=False)
