"""C99, which is C++ as well, C++17 and CUDA C++: inline functions to include."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from sympy.printing.c import C99CodePrinter

from logca.numeric.generate.codegen.language import Language, paragraphs
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.source_files import WIDTHS
from logca.numeric.generate.codegen.tree import TargetFunction

__all__ = ["CPP", "CUDA", "LANGUAGE"]

_WIDTH = WIDTHS["c"]
_PREFIX = "logca_"  # of every name, for want of modules


class _Printer(Operators, C99CodePrinter):
    """Expressions as C writes them; calls of functions that are generated begin with `prefix`."""

    whole = "{}.0"
    prefix = _PREFIX


class _PrinterInNamespace(_Printer):
    prefix = ""


def _comment(line: str) -> str:
    return f"// {line}".rstrip()


def _declared(
    qualifiers: str, prefix: str, function: TargetFunction, lines: Sequence[str]
) -> Iterator[str]:
    """A function whose type stands before its name."""
    yield from map(_comment, paragraphs(function, _WIDTH - 3))
    line = f"{qualifiers} {'bool' if function.answers else 'double'} {prefix}{function.name}("
    margin = " " * len(line)
    parameters = [f"double {parameter.name}" for parameter in function.parameters]
    for number, parameter in enumerate(parameters, start=1):
        piece = parameter + (", " if number < len(parameters) else ")")
        if len(line + piece.rstrip()) > _WIDTH:
            yield line.rstrip()
            line = margin
        line += piece
    yield line
    yield from ("{", *lines, "}")


LANGUAGE = Language(
    expression=_Printer({"math_macros": {}}).doprint,
    let="const double {name} = {value};",
    let_changing="double {name} = {value};",
    repeat="for (int i = 0; i < {times}; ++i) {{",
    fits=lambda line: len(line) <= _WIDTH,
    function=partial(_declared, "static inline", _PREFIX),
)
"""Syntax of C."""

CPP = replace(
    LANGUAGE,
    expression=_PrinterInNamespace({"math_macros": {}}).doprint,
    function=partial(_declared, "inline", ""),
)
"""Syntax of C++."""

CUDA = replace(
    LANGUAGE,
    function=partial(_declared, "__host__ __device__ inline", _PREFIX),
)
"""Syntax of CUDA C++: C whose functions run on the host and on the device."""
