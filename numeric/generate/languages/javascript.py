"""JavaScript: an ES module, parameters by name."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

import sympy as sp
from sympy.printing.jscode import JavascriptCodePrinter

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

_WIDTH = WIDTHS["javascript"]


class _Printer(Operators, JavascriptCodePrinter):
    equal, unequal = "===", "!=="
    isnan, square_root = "Number.isNaN({})", "Math.sqrt({})"
    pi = "Math.PI"
    extrema: Mapping[str, str] = {"larger": "Math.max", "smaller": "Math.min"}

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> str:
        return f"Math.pow({self._print(base)}, {self._print(exponent)})"

    def _print_NaN(self, expr: sp.Expr) -> str:
        return "NaN"


def _function(function: TargetFunction, lines: Sequence[str]) -> Iterator[str]:
    first, named = first_and_named(parameter_names(function), public=function.public)
    yield "/**"
    yield from (f" * {line}".rstrip() for line in _documentation(function, named))
    yield " */"
    keyed = [f"{{ {', '.join(named)} }}"] if named else []
    export = "export " if function.public else ""
    given = ", ".join([*first, *keyed])
    line = f"{export}function {function.name}({given}) {{"
    if len(line) > _WIDTH:
        yield from (f"{export}function {function.name}(", f"  {given},", ") {")
    else:
        yield line
    yield from (*lines, "}")


def _documentation(function: TargetFunction, named: Sequence[str]) -> Iterator[str]:
    yield from wrap(summary(function), _WIDTH - 3)
    yield ""
    yield from wrapped_notes(function, _WIDTH - 3)
    yield ""
    types = ", ".join(f"{name}: number" for name in named)
    introduced = False
    for parameter in function.parameters:
        owner = ""
        if parameter.name in named:
            owner = "model."
            if not introduced:
                yield from wrap(f"@param {{{{ {types} }}}} model", _WIDTH - 3)
                introduced = True
        text = f"@param {{number}} {owner}{parameter.name} {described(parameter)}"
        yield from wrap(text, _WIDTH - 3, subsequent_indent="  ")
    unit = "" if function.answers else f" [{function.unit}]"
    yield f"@returns {{{'boolean' if function.answers else 'number'}}}{unit}"


LANGUAGE = Language(
    expression=_Printer().doprint,
    let="const {name} = {value};",
    let_changing="let {name} = {value};",
    repeat="for (let i = 0; i < {times}; i += 1) {{",
    fits=lambda line: len(line) <= _WIDTH,
    indent=2,
    step=2,
    function=_function,
    provided=frozenset({"larger", "smaller"}),
)
"""Syntax of JavaScript."""
