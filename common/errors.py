"""The one error above all that a user can meet, and those that more than one room tells apart."""

from typing import ClassVar

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "CompileError",
    "ContradictionError",
    "FileError",
    "LogcaError",
    "RegionError",
    "TraceError",
]


class LogcaError(Exception):
    """Anything this package tells its users; the message says what would do instead.

    Each class below it has one of Python's own errors as its second base, so that those who catch
    `ValueError` or `ImportError` go on doing so.

    Attributes
    ----------
    exit_code : int or None
        Exit status of a command that ends with it [1]; None for a defect of this package, whose
        traceback is to be seen.
    """

    exit_code: ClassVar[int | None] = 2


class ArgumentError(LogcaError, ValueError):
    """An argument of a function makes no sense; the message says what would."""


class ArgumentTypeError(LogcaError, TypeError):
    """An argument of a function is of no type that it takes; the message names those it does."""


class FileError(LogcaError, ValueError):
    """A file cannot be read; the message names the file and the place in it."""


class TraceError(LogcaError, ValueError):
    """A program that cannot be traced, or a wrong argument; the message says what would do."""


class CompileError(TraceError):
    """The C compiler or the linker refused; the message is the compiler's own."""


class RegionError(TraceError):
    """There is no such function or loop, or a pragma does not stand before one."""


class ContradictionError(LogcaError, AssertionError):
    """Two methods gave contradictory answers: a defect of this package, never to be hidden."""

    exit_code = 4
