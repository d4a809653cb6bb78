"""A program as lines of text."""

from collections.abc import Iterator, Sequence

import sympy as sp

from logca.numeric.generate.codegen.language import Language
from logca.numeric.generate.codegen.program import Program
from logca.numeric.generate.codegen.shorten import shortened
from logca.numeric.generate.codegen.tree import (
    Give,
    Leave,
    Let,
    Repeat,
    Set,
    Statement,
    Unless,
    When,
)

__all__ = ["text_of"]


def text_of(program: Program, command: str, language: Language) -> str:
    """A program in a language.

    Parameters
    ----------
    program : Program
        What is written.
    command : str
        How it was asked for, for the head of the file [text].
    language : Language
        How it is written.
    """
    lines: list[str] = []
    for function in program.functions:
        fitted = shortened(function, lambda statement, depth: _fits(statement, depth, language))
        body = list(_block(fitted.body, language, language.indent, last=True))
        lines += ["", *language.function(fitted, body)]
    return "\n".join(language.file(program, command, lines[1:])) + "\n"


def _fits(statement: Statement, depth: int, language: Language) -> bool:
    column = language.indent + depth * language.step
    return language.fits(next(_lines(statement, language, column, last=False)))


def _block(
    body: Sequence[Statement], language: Language, column: int, *, last: bool
) -> Iterator[str]:
    for number, statement in enumerate(body, start=1):
        yield from _lines(statement, language, column, last=last and number == len(body))


def _lines(statement: Statement, language: Language, column: int, *, last: bool) -> Iterator[str]:
    """The lines of a statement; `last` if the function ends with it."""
    margin, end = " " * column, language.end
    match statement:
        case Let(name=name, value=value, changes=changes):
            template = language.let_changing if changes else language.let
            yield margin + template.format(name=name, value=language.expression(value))
        case Set(name=name, value=value):
            yield margin + language.set.format(name=name, value=language.expression(value))
        case Give(value=value):
            template = language.last if last else language.give
            text = template.format(value=language.expression(value))
            yield from (margin + line for line in text.splitlines())
        case Leave():
            yield margin + language.leave
        case Unless(condition=sp.Eq() | sp.Ne() as relation):
            # Unlike an inequality, this has a converse that holds where it does not, with NaN too.
            opposite = sp.Not(relation)
            yield margin + language.when.format(condition=language.expression(opposite))
        case When(condition=condition) | Unless(condition=condition):
            template = language.when if isinstance(statement, When) else language.unless
            yield margin + template.format(condition=language.expression(condition))
        case Repeat(times=times):
            yield margin + language.repeat.format(times=times)
            end = language.end_repeat
    if isinstance(statement, When | Unless | Repeat):
        yield from _block(statement.body, language, column + language.step, last=False)
        if end:
            yield margin + end
