"""Rust: free functions of a module, without crates."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

import sympy as sp
from sympy.printing.rust import RustCodePrinter

from logca.numeric.generate.codegen.language import (
    Language,
    listed_parameters,
    summary,
    wrapped_notes,
)
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.source_files import WIDTHS
from logca.numeric.generate.codegen.tree import TargetFunction

__all__ = ["LANGUAGE"]

_WIDTH = WIDTHS["rust"]
_ARGUMENTS = 60


class _Printer(Operators, RustCodePrinter):
    """Functions of one argument as methods; SymPy's own operators lose brackets of sums."""

    whole = "{}.0"
    isnan = "{}.is_nan()"
    pi = "std::f64::consts::PI"

    def _print_caller_var(self, expr: sp.Expr) -> str:
        if isinstance(expr, sp.Integer):
            return f"{self._print(expr)}_f64"
        text = str(self._print(expr))
        return text if expr.is_Atom or isinstance(expr, sp.Function) else f"({text})"

    def _root(self, base: sp.Expr) -> str:
        return f"{self._print_caller_var(base)}.sqrt()"

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> str:
        receiver = self._print_caller_var(base)
        if isinstance(exponent, sp.Integer):
            return f"{receiver}.powi({exponent})"
        return f"{receiver}.powf({self._print(exponent)})"

    def _print_NaN(self, expr: sp.Expr) -> str:
        return "f64::NAN"


def _fits(line: str) -> bool:
    """True if rustfmt would leave a line as it is: a call's arguments are to be short as well."""
    opened: list[int] = []
    for place, character in enumerate(line):
        if character == "(":
            opened.append(place)
        elif character == ")":
            begin = opened.pop()
            is_call = begin > 0 and (line[begin - 1].isalnum() or line[begin - 1] == "_")
            if is_call and place - begin - 1 > _ARGUMENTS:
                return False
    return len(line) <= _WIDTH


def _function(function: TargetFunction, lines: Sequence[str]) -> Iterator[str]:
    first = summary(function).replace("[", "`[").replace("]", "]`")
    yield from (f"/// {line}" for line in wrap(first, _WIDTH - 4))
    yield from ("///", "/// ```text")
    text = (*listed_parameters(function, _WIDTH - 4), "", *wrapped_notes(function, _WIDTH - 4))
    yield from (f"/// {line}".rstrip() for line in text)
    yield "/// ```"
    parameters = [f"{parameter.name}: f64" for parameter in function.parameters]
    begin = f"{'pub ' if function.public else ''}fn {function.name}("
    end = f") -> {'bool' if function.answers else 'f64'} {{"
    line = f"{begin}{', '.join(parameters)}{end}"
    if len(line) <= _WIDTH:
        yield line
    else:
        yield from (begin, *(f"    {parameter}," for parameter in parameters), end)
    yield from (*lines, "}")


LANGUAGE = Language(
    expression=_Printer().doprint,
    let="let {name} = {value};",
    let_changing="let mut {name} = {value};",
    when="if {condition} {{",
    unless="if !({condition}) {{",
    repeat="for _ in 0..{times} {{",
    last="{value}",
    fits=_fits,
    function=_function,
)
"""Syntax of Rust."""
