"""CUDA C++: C whose functions run on the host and on the device."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from logca.numeric.generate.codegen.language import head
from logca.numeric.generate.codegen.program import Program
from logca.numeric.generate.codegen.tree import Function
from logca.numeric.generate.languages import c

__all__ = ["LANGUAGE"]


def _function(function: Function, lines: Sequence[str]) -> Iterator[str]:
    return c.declared("__host__ __device__ inline", function, lines)


def _file(program: Program, command: str, lines: Sequence[str]) -> Iterator[str]:
    yield from map(c.comment, head(program, command, c.WIDTH - 3))
    yield from ("", "#pragma once", "", "#include <math.h>", "", *lines)


LANGUAGE = replace(c.LANGUAGE, function=_function, file=_file)
"""How CUDA C++ is written."""
