"""Julia: functions of any kind of real number, parameters by name."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

import sympy as sp
from sympy.printing.julia import JuliaCodePrinter
from sympy.printing.precedence import PRECEDENCE

from logca.numeric.generate.codegen.language import (
    Language,
    listed_parameters,
    parameter_names,
    summary,
    wrapped_notes,
)
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.source_files import WIDTHS
from logca.numeric.generate.codegen.source_program import first_and_named
from logca.numeric.generate.codegen.tree import TargetFunction

__all__ = ["LANGUAGE"]

_WIDTH = WIDTHS["julia"]


class _Printer(Operators, JuliaCodePrinter):
    """Scalar operators: with a dot after its name a function takes arrays all the same."""

    prefix = "_"
    pi = "pi"
    extrema: Mapping[str, str] = {"larger": "max", "smaller": "min"}

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> str:
        raised = self.parenthesize(base, PRECEDENCE["Pow"])
        return f"{raised}^{self.parenthesize(exponent, PRECEDENCE['Pow'])}"


def _function(function: TargetFunction, lines: Sequence[str]) -> Iterator[str]:
    first, named = first_and_named(parameter_names(function), public=function.public)
    name = function.name if function.public else f"_{function.name}"
    given = f"{', '.join(first)}{'; ' if named else ''}{', '.join(named)}"
    signature = f"{name}({given})"
    if len(f"function {signature}") > _WIDTH:
        signature = f"{name}(\n    {given}\n)"
    shown = (f"    {line}" for line in signature.splitlines())
    indented = (f"    {line}" for line in listed_parameters(function, _WIDTH - 4))
    yield from ('"""', *shown, "", *wrap(summary(function), _WIDTH), "", *indented, "")
    yield from (*wrapped_notes(function, _WIDTH), '"""')
    yield from (*f"function {signature}".splitlines(), *lines, "end")


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
    provided=frozenset({"larger", "smaller"}),
)
"""Syntax of Julia."""
