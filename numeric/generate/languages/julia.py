"""Julia: functions of any kind of real number, parameters by name."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

import sympy as sp
from sympy.printing.julia import JuliaCodePrinter
from sympy.printing.precedence import PRECEDENCE

from logca.numeric.generate.codegen.language import (
    Language,
    first_and_named,
    head,
    listed_parameters,
    summary,
    wrapped_notes,
)
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.program import SourceProgram
from logca.numeric.generate.codegen.tree import TargetFunction

__all__ = ["LANGUAGE"]

_WIDTH = 92


class _Printer(Operators, JuliaCodePrinter):
    """Scalar operators: with a dot after its name a function takes arrays all the same."""

    prefix = "_"
    pi = "pi"
    extrema: Mapping[str, str] = {"larger": "max", "smaller": "min"}

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> str:
        raised = self.parenthesize(base, PRECEDENCE["Pow"])
        return f"{raised}^{self.parenthesize(exponent, PRECEDENCE['Pow'])}"


def _function(function: TargetFunction, lines: Sequence[str]) -> Iterator[str]:
    first, named = first_and_named(function)
    name = function.name if function.public else f"_{function.name}"
    signature = f"{name}({', '.join(first)}{'; ' if named else ''}{', '.join(named)})"
    indented = (f"    {line}" for line in listed_parameters(function, _WIDTH - 4))
    yield from ('"""', f"    {signature}", "", *wrap(summary(function), _WIDTH), "", *indented, "")
    yield from (*wrapped_notes(function, _WIDTH), '"""')
    yield from (f"function {signature}", *lines, "end")


def _file(program: SourceProgram, command: str, lines: Sequence[str]) -> Iterator[str]:
    yield from (f"# {line}".rstrip() for line in head(program, command, _WIDTH - 2))
    yield from ("", *lines)


LANGUAGE = Language(
    expression=_Printer({"inline": True}).doprint,
    let="{name} = {value}",
    let_changing="{name} = {value}",
    set="{name} = {value}",
    when="if {condition}",
    unless="if !({condition})",
    repeat="for _ in 1:{times}",
    end="end",
    end_repeat="end",
    leave="break",
    give="return {value}",
    last="return {value}",
    fits=lambda line: len(line) <= _WIDTH,
    function=_function,
    file=_file,
    provided=frozenset({"larger", "smaller"}),
)
"""Syntax of Julia."""
