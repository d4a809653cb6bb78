"""C99, which is C++ as well: static inline functions to include."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from sympy.printing.c import C99CodePrinter

from logca.numeric.generate.codegen.language import Language, head, paragraphs
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.program import Program
from logca.numeric.generate.codegen.tree import Function

__all__ = ["LANGUAGE", "PREFIX", "WIDTH", "Printer", "comment", "declared", "expression"]

WIDTH = 100
"""Columns of a line [1]."""

PREFIX = "logca_"
"""What every name begins with, for want of modules."""


class Printer(Operators, C99CodePrinter):
    """Expressions as C writes them; calls of functions that are generated begin with `prefix`."""

    whole = "{}.0"
    prefix = PREFIX


expression = Printer({"math_macros": {}}).doprint
"""From an expression to text."""


def comment(line: str) -> str:
    """A line of a comment."""
    return f"// {line}".rstrip()


def declared(
    qualifiers: str, function: Function, lines: Sequence[str], prefix: str = PREFIX
) -> Iterator[str]:
    """A function whose type stands before its name."""
    yield from map(comment, paragraphs(function, WIDTH - 3))
    line = f"{qualifiers} {'bool' if function.answers else 'double'} {prefix}{function.name}("
    margin = " " * len(line)
    parameters = [f"double {parameter.name}" for parameter in function.parameters]
    for number, parameter in enumerate(parameters, start=1):
        piece = parameter + (", " if number < len(parameters) else ")")
        if len(line + piece.rstrip()) > WIDTH:
            yield line.rstrip()
            line = margin
        line += piece
    yield line
    yield from ("{", *lines, "}")


def _function(function: Function, lines: Sequence[str]) -> Iterator[str]:
    return declared("static inline", function, lines)


def _file(program: Program, command: str, lines: Sequence[str]) -> Iterator[str]:
    guard = f"LOGCA_{sha256(command.encode()).hexdigest()[:8].upper()}_H"
    yield from map(comment, head(program, command, WIDTH - 3))
    yield from ("", f"#ifndef {guard}", f"#define {guard}", "")
    yield "#include <math.h>"
    if any(function.answers for function in program.functions):
        yield "#include <stdbool.h>"
    yield from ("", *lines, "", "#endif")


LANGUAGE = Language(
    expression=expression,
    let="const double {name} = {value};",
    let_changing="double {name} = {value};",
    set="{name} = {value};",
    when="if ({condition}) {{",
    unless="if (!({condition})) {{",
    repeat="for (int i = 0; i < {times}; ++i) {{",
    end="}",
    end_repeat="}",
    leave="break;",
    give="return {value};",
    last="return {value};",
    fits=lambda line: len(line) <= WIDTH,
    indent=4,
    step=4,
    function=_function,
    file=_file,
)
"""How C is written."""
