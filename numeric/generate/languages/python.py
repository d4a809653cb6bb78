"""Python: typed functions on the standard library, laid out as ruff formats them."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from logca.numeric.generate.array_functions import like_ruff
from logca.numeric.generate.codegen.language import (
    Language,
    described,
    first_and_named,
    head,
    summary,
    wrapped_notes,
)
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.program import SourceProgram
from logca.numeric.generate.codegen.tree import TargetFunction

__all__ = ["LANGUAGE"]

_WIDTH = 88
_SIMPLE = re.compile(r"-?[\w.]+")
_RAISED = (
    "Where a result or a step towards it is out of range of floating-point numbers, Python raises"
    " OverflowError or ZeroDivisionError."
)


_LEADING_POWER = re.compile(r"-([\w.]+\*\*-?[\w.]+)")


class _Printer(Operators, PythonCodePrinter):
    conjunction, disjunction = "and", "or"
    true, false = "True", "False"
    prefix = "_"
    isnan, square_root = "math.isnan({})", "math.sqrt({})"
    pi = "math.pi"

    def _print_Mul(self, expr: sp.Mul) -> str:
        return _LEADING_POWER.sub(r"-(\1)", super()._print_Mul(expr), count=1)

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> str:
        raised = self.parenthesize(base, PRECEDENCE["Pow"])
        power = self.parenthesize(exponent, PRECEDENCE["Pow"])
        simple = _SIMPLE.fullmatch(raised) and _SIMPLE.fullmatch(power)
        return f"{raised}**{power}" if simple else f"{raised} ** {power}"


def _function(function: TargetFunction, lines: Sequence[str]) -> Iterator[str]:
    first, named = first_and_named(function)
    result = "bool" if function.answers else "float"
    yield f"def {'' if function.public else '_'}{function.name}("
    yield from (f"    {name}: float," for name in first)
    yield from ("    *,", *(f"    {name}: float," for name in named)) if named else ()
    yield f") -> {result}:"
    yield from (f"    {line}".rstrip() for line in _docstring(function, result))
    yield from (*lines, "")


def _docstring(function: TargetFunction, result: str) -> Iterator[str]:
    first, *rest = wrap(f'"""{summary(function)}', _WIDTH - 4)
    yield from (first, *rest, "", "Parameters", "----------")
    for parameter in function.parameters:
        yield f"{parameter.name} : float"
        text = described(parameter)
        yield from (f"    {line}" for line in wrap(f"{text[0].upper()}{text[1:]}.", _WIDTH - 8))
    yield from ("", "Notes", "-----", *wrapped_notes(function, _WIDTH - 4), '"""')


def _file(program: SourceProgram, command: str, lines: Sequence[str]) -> Iterator[str]:
    text = head(program, command, _WIDTH - 3)
    yield f'"""{next(text)}'
    yield from (*text, *wrap(_RAISED, _WIDTH), '"""', "")
    if any("math." in line for line in lines):
        yield from ("import math", "")
    yield "__all__ = ["
    names = (function.name for function in program.functions if function.public)
    yield from (f'    "{name}",' for name in sorted(names, key=like_ruff))
    yield from ("]", "", "", *lines[:-1])


LANGUAGE = Language(
    expression=_Printer({"fully_qualified_modules": True}).doprint,
    let="{name} = {value}",
    let_changing="{name} = {value}",
    set="{name} = {value}",
    when="if {condition}:",
    unless="if not ({condition}):",
    repeat="for _ in range({times}):",
    end="",
    end_repeat="",
    leave="break",
    give="return {value}",
    last="return {value}",
    fits=lambda line: len(line) <= _WIDTH,
    function=_function,
    file=_file,
)
"""Syntax of Python."""
