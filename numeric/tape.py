"""A generated function as a list of operations on arrays, found by running it once on symbols.

The functions of `logca.numeric.generated` are straight-line code. Run with a `Symbol` for each
argument, a function leaves behind the operations it would have done: enough to do them block by
block, or to compile them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any

__all__ = ["BINARY", "UNARY", "Operation", "Tape", "UnrecordedError", "record"]

BINARY = ("add", "subtract", "multiply", "divide", "power", "maximum", "minimum")
UNARY = ("negative", "abs", "log", "log1p", "exp", "sqrt")


class UnrecordedError(Exception):
    """The function does something that a tape cannot hold, such as a choice by condition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation.

    Parameters
    ----------
    name : str
        Name of the NumPy function [text].
    operands : tuple of int or float
        Places of earlier values, as integers, or numbers, as floats [any].
    """

    name: str
    operands: tuple[int | float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """Operations in order; values 0 to `arguments` - 1 are the arguments.

    Parameters
    ----------
    arguments : int
        How many arguments there are [1].
    operations : tuple of Operation
        The operations; the i-th yields value `arguments` + i.
    results : tuple of int
        Places of the results, all of them of operations [1].
    """

    arguments: int
    operations: tuple[Operation, ...]
    results: tuple[int, ...]

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
