"""Python: typed functions on the standard library, laid out as ruff formats them."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from logca.numeric.generate.codegen.language import (
    Language,
    described,
    parameter_names,
    summary,
    wrapped_notes,
)
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.source_files import WIDTHS
from logca.numeric.generate.codegen.source_program import first_and_named
from logca.numeric.generate.codegen.tree import TargetFunction

__all__ = ["LANGUAGE"]

_WIDTH = WIDTHS["python"]
_SIMPLE = re.compile(r"-?[\w.]+")
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
    first, named = first_and_named(parameter_names(function), public=function.public)
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
)
"""Syntax of Python."""
