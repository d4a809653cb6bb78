"""C++17: inline functions of a namespace, to include."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from logca.numeric.generate.codegen.language import head
from logca.numeric.generate.codegen.program import Program
from logca.numeric.generate.codegen.tree import Function
from logca.numeric.generate.languages import c

__all__ = ["LANGUAGE"]


class _Printer(c.Printer):
    prefix = ""


def _function(function: Function, lines: Sequence[str]) -> Iterator[str]:
    return c.declared("inline", function, lines, "")


def _file(program: Program, command: str, lines: Sequence[str]) -> Iterator[str]:
    yield from map(c.comment, head(program, command, c.WIDTH - 3))
    # Unlike <cmath>, <math.h> promises that the functions are outside the namespace std too.
    yield from ("", "#pragma once", "", "#include <math.h>", "")
    yield from ("namespace logca {", "", *lines, "", "}  // namespace logca")


LANGUAGE = replace(
    c.LANGUAGE, expression=_Printer({"math_macros": {}}).doprint, function=_function, file=_file
)
"""How C++ is written."""
