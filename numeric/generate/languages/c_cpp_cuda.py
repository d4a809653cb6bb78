"""C99, which is C++ as well, C++17 and CUDA C++: inline functions to include."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256

from sympy.printing.c import C99CodePrinter

from logca.numeric.generate.codegen.language import Language, head, paragraphs
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.program import SourceProgram
from logca.numeric.generate.codegen.tree import TargetFunction

__all__ = ["CPP", "CUDA", "LANGUAGE"]

_WIDTH = 100
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


def _file(program: SourceProgram, command: str, lines: Sequence[str]) -> Iterator[str]:
    guard = f"LOGCA_{sha256(command.encode()).hexdigest()[:8].upper()}_H"
    yield from map(_comment, head(program, command, _WIDTH - 3))
    yield from ("", f"#ifndef {guard}", f"#define {guard}", "")
    yield "#include <math.h>"
    if any(function.answers for function in program.functions):
        yield "#include <stdbool.h>"
    yield from ("", *lines, "", "#endif")


def _cpp_file(program: SourceProgram, command: str, lines: Sequence[str]) -> Iterator[str]:
    yield from map(_comment, head(program, command, _WIDTH - 3))
    # Unlike <cmath>, <math.h> promises that the functions are outside the namespace std too.
    yield from ("", "#pragma once", "", "#include <math.h>", "")
    yield from ("namespace logca {", "", *lines, "", "}  // namespace logca")


def _cuda_file(program: SourceProgram, command: str, lines: Sequence[str]) -> Iterator[str]:
    yield from map(_comment, head(program, command, _WIDTH - 3))
    yield from ("", "#pragma once", "", "#include <math.h>", "", *lines)


LANGUAGE = Language(
    expression=_Printer({"math_macros": {}}).doprint,
    let="const double {name} = {value};",
    let_changing="double {name} = {value};",
    repeat="for (int i = 0; i < {times}; ++i) {{",
    fits=lambda line: len(line) <= _WIDTH,
    function=partial(_declared, "static inline", _PREFIX),
    file=_file,
)
"""Syntax of C."""

CPP = replace(
    LANGUAGE,
    expression=_PrinterInNamespace({"math_macros": {}}).doprint,
    function=partial(_declared, "inline", ""),
    file=_cpp_file,
)
"""Syntax of C++."""

CUDA = replace(
    LANGUAGE,
    function=partial(_declared, "__host__ __device__ inline", _PREFIX),
    file=_cuda_file,
)
"""Syntax of CUDA C++: C whose functions run on the host and on the device."""
