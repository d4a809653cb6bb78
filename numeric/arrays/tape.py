"""A generated function as a list of operations on arrays, its tape, and doing what a tape says.

The tape is found by running the function once on symbols. On large arrays it is done without new
memory; for numbers and small arrays it is written out as plain Python, which asks nothing twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any

import numpy as np

__all__ = [
    "BINARY",
    "OPERATORS",
    "PLAIN",
    "UNARY",
    "WHOLE",
    "Operation",
    "Program",
    "Tape",
    "UnrecordedError",
    "Values",
    "do",
    "execute",
    "program",
    "record",
    "straight",
]

BINARY = ("add", "subtract", "multiply", "divide", "power", "maximum", "minimum")
UNARY = ("negative", "abs", "log", "log1p", "exp", "sqrt")

OPERATORS = {
    "add": "{} + {}",
    "subtract": "{} - {}",
    "multiply": "{} * {}",
    "divide": "{} / {}",
    "negative": "-{}",
}
"""Operations that IEEE 754 rounds correctly, as Python and C write them: equal bits everywhere."""

Values = np.ndarray[Any, np.dtype[np.float64]]
"""A NumPy array in double precision."""


class UnrecordedError(Exception):
    """The function does something that a tape cannot hold, such as a choice by condition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation."""

    name: str  # name of the NumPy function
    # places of earlier values, as integers, or numbers, as floats [any]
    operands: tuple[int | float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """Operations in order; values 0 to `arguments` - 1 are the arguments."""

    arguments: int  # how many arguments there are [1]
    operations: tuple[Operation, ...]  # the operations; the i-th yields value `arguments` + i
    results: tuple[int, ...]  # places of the results, all of them of operations [1]

    def registers(self) -> tuple[int, ...]:
        """For each operation the scratch array for its value; for results -1, -2 and so on [1].

        A scratch array is free again for the last operation that reads it.
        """
        last_use = {
            place: step
            for step, operation in enumerate(self.operations)
            for place in operation.operands
            if isinstance(place, int)
        }
        found: list[int] = []
        free: list[int] = []
        for step, operation in enumerate(self.operations):
            read = {each for each in operation.operands if isinstance(each, int)}
            free += [
                found[place - self.arguments]
                for place in sorted(read, reverse=True)
                if place >= self.arguments and last_use[place] == step and place not in self.results
            ]
            if step + self.arguments in self.results:
                found.append(-1 - self.results.index(step + self.arguments))
            else:
                found.append(free.pop() if free else max((*found, -1)) + 1)
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recorder:
    """The namespace that a recorded function sees, and what it has done so far."""

    arguments: int
    operations: list[Operation] = field(default_factory=list)
    known: dict[Operation, int] = field(default_factory=dict)

    def do(self, name: str, *operands: Any) -> "_Symbol":
        places: list[int | float] = []
        for operand in operands:
            if isinstance(operand, _Symbol):
                places.append(operand.place)
            elif isinstance(operand, int | float):
                places.append(float(operand))
            else:
                raise UnrecordedError(name)
        operation = Operation(name=name, operands=tuple(places))
        if operation not in self.known:
            self.known[operation] = self.arguments + len(self.operations)
            self.operations.append(operation)
        return _Symbol(recorder=self, place=self.known[operation])

    def __getattr__(self, name: str) -> Any:
        if name not in (*BINARY, *UNARY):
            raise UnrecordedError(name)
        return lambda *operands: self.do(name, *operands)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Symbol:
    """A value that is not there yet."""

    recorder: _Recorder
    place: int

    def __add__(self, other: Any) -> "_Symbol":
        return self.recorder.do("add", self, other)

    def __radd__(self, other: Any) -> "_Symbol":
        return self.recorder.do("add", other, self)

    def __sub__(self, other: Any) -> "_Symbol":
        return self.recorder.do("subtract", self, other)

    def __rsub__(self, other: Any) -> "_Symbol":
        return self.recorder.do("subtract", other, self)

    def __mul__(self, other: Any) -> "_Symbol":
        return self.recorder.do("multiply", self, other)

    def __rmul__(self, other: Any) -> "_Symbol":
        return self.recorder.do("multiply", other, self)

    def __truediv__(self, other: Any) -> "_Symbol":
        return self.recorder.do("divide", self, other)

    def __rtruediv__(self, other: Any) -> "_Symbol":
        return self.recorder.do("divide", other, self)

    def __pow__(self, other: Any) -> "_Symbol":
        if isinstance(other, int | float) and other == 2:
            return self.recorder.do("multiply", self, self)
        return self.recorder.do("power", self, other)

    def __rpow__(self, other: Any) -> "_Symbol":
        return self.recorder.do("power", other, self)

    def __abs__(self) -> "_Symbol":
        return self.recorder.do("abs", self)

    def __neg__(self) -> "_Symbol":
        return self.recorder.do("negative", self)

    def _unrecorded(self, other: Any) -> Any:
        raise UnrecordedError("a comparison")

    __lt__ = __le__ = __gt__ = __ge__ = _unrecorded


@cache
def record(function: Callable[..., Any]) -> Tape | None:
    """The tape of a generated function; None if it does what a tape cannot hold."""
    arguments = len(signature(function).parameters) - 1
    recorder = _Recorder(arguments=arguments)
    symbols = [_Symbol(recorder=recorder, place=place) for place in range(arguments)]
    try:
        found = function(recorder, *symbols)
    except UnrecordedError:
        return None
    results = found if isinstance(found, tuple) else (found,)
    if not all(isinstance(each, _Symbol) and each.place >= arguments for each in results):
        return None
    return Tape(
        arguments=arguments,
        operations=tuple(recorder.operations),
        results=tuple(each.place for each in results),
    )


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
    """Do all operations on arrays of one shape, or broadcast to it."""
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


PLAIN = frozenset({float, int, np.float64, np.ndarray})
"""Types of arguments for which a tape can be written out."""

WHOLE = 1 << 63
"""NumPy takes whole numbers below this for 64-bit integers, and no larger ones for numbers [1]."""


def straight(
    tape: Tape, kinds: Sequence[type], most: int = 0, *, by_element: bool = False
) -> Callable[..., Any]:
    """A tape as a Python function of `PLAIN` kinds: numbers, and arrays of one shape.

    Bits are those of NumPy: its own functions are called where rounding is up to them, and of
    numbers alone Python does the arithmetic, so that a division by zero is an error. The function
    returns None where an array has no axis, more elements than `most`, another shape or type of
    numbers than the first one, or is not needed at all.

    NumPy squares, and takes a square root, where one exponent for all elements asks for that. The
    exponents of numbers count as such, or, if `by_element`, as elements of an array of exponents.

    Examples
    --------
    >>> half = record(lambda xp, x, y: xp.exp(x) / (y * y))
    >>> print(_text(half, (float, np.ndarray)))
    def straight(v0, v1):
        if v1.dtype is not double or not v1.ndim or v1.size > most:
            return None
        v2 = float(exp(v0))
        v3 = v1 * v1
        v4 = asarray(v2) / v3
        return v4
    """
    scope = {name: getattr(np, name) for name in (*BINARY, *UNARY, "array", "asarray")}
    scope |= {"double": np.dtype(np.float64), "most": most}
    exec(_text(tape, kinds, by_element), scope)  # our own text, from a tape of our own
    made: Callable[..., Any] = np.errstate(all="ignore")(scope["straight"])
    return made


def _text(tape: Tape, kinds: Sequence[type], by_element: bool = False) -> str:
    lines = [f"def straight({', '.join(f'v{place}' for place in range(tape.arguments))}):"]
    arrays = [place for place, kind in enumerate(kinds) if kind is np.ndarray]
    for place, kind in enumerate(kinds):
        if kind is np.ndarray:
            other = f"v{place}.shape != v{arrays[0]}.shape"
            size = f"not v{place}.ndim or v{place}.size > most" if place == arrays[0] else other
            lines += [f"    if v{place}.dtype is not double or {size}:", "        return None"]
        elif kind is int:
            lines += [f"    if not {-WHOLE} < v{place} < {WHOLE}:", "        return None"]
        if kind in (int, np.float64):
            lines.append(f"    v{place} = float(v{place})")
    varies = [kind is np.ndarray for kind in kinds]
    for place, operation in enumerate(tape.operations, start=tape.arguments):
        varies.append(any(varies[each] for each in operation.operands if isinstance(each, int)))
        lines.append(f"    v{place} = {_value(operation, varies, by_element)}")
    if arrays and not all(varies[place] for place in tape.results):
        lines.append("    return None")
    results = ", ".join(f"v{place}" for place in tape.results)
    return "\n".join([*lines, f"    return {results}"])


def _value(operation: Operation, varies: Sequence[bool], by_element: bool) -> str:
    """One operation; NumPy takes an array without axes sooner than a number."""
    names = [f"v{each}" if isinstance(each, int) else repr(each) for each in operation.operands]
    number = [not (isinstance(each, int) and varies[each]) for each in operation.operands]
    if operation.name in OPERATORS and all(number):
        return OPERATORS[operation.name].format(*names)
    if operation.name == "power" and all(number) and by_element:
        return "power(asarray({}), array(({},))).item()".format(*names)
    if len(names) > 1:
        names = [f"asarray({name})" if no else name for name, no in zip(names, number, strict=True)]
    if operation.name in OPERATORS:
        return OPERATORS[operation.name].format(*names)
    text = f"{operation.name}({', '.join(names)})"
    return f"float({text})" if all(number) else text
