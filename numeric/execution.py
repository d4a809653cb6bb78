"""Doing what a tape says, on NumPy arrays, without new memory."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from logca.numeric.tape import Operation, Tape

__all__ = ["Program", "do", "execute", "program"]

Values = np.ndarray[Any, np.dtype[np.float64]]
Program = tuple[tuple[Any, tuple[int | float, ...], int], ...]
"""For each operation NumPy's function, the operands, and where the value goes."""


def do(operation: Operation, values: Sequence[Any]) -> Any:
    """One operation, its value in new memory [any]."""
    operands = [values[each] if isinstance(each, int) else each for each in operation.operands]
    return getattr(np, operation.name)(*operands)


def program(tape: Tape) -> Program:
    """A tape made ready for `execute`."""
    return tuple(
        (getattr(np, operation.name), operation.operands, register)
        for operation, register in zip(tape.operations, tape.registers(), strict=True)
    )


def execute(
    steps: Program, arguments: Sequence[Values], scratch: list[Values], results: Sequence[Values]
) -> None:
    """Do all operations on arrays of one shape, or broadcast to it.

    Parameters
    ----------
    steps : Program
        The operations.
    arguments : sequence of array
        The arguments [any].
    scratch : list of array
        Memory for values on the way, one-dimensional; made where there is not enough.
    results : sequence of array
        Where the results go [any].
    """
    needed = max((register for _, _, register in steps), default=-1) + 1
    shape, size = results[0].shape, results[0].size
    if len(scratch) < needed or (needed and scratch[0].size < size):
        scratch[:] = _aligned(max(needed, len(scratch)), size)
    memory = [each[:size].reshape(shape) for each in scratch[:needed]]
    values: list[Any] = list(arguments)
    for function, operands, register in steps:
        out = memory[register] if register >= 0 else results[-1 - register]
        given = [values[each] if isinstance(each, int) else each for each in operands]
        function(*given, out=out)
        values.append(out)


def _aligned(count: int, size: int) -> list[Values]:
    """Arrays that begin at cache lines, each at another place within its page."""
    line = 8
    stride = (size + line - 1) // line * line + 3 * line
    memory = np.empty(count * stride + line)
    start = -(memory.ctypes.data // memory.itemsize) % line
    starts = range(start, start + count * stride, stride)
    return [memory[begin : begin + size] for begin in starts]
