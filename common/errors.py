"""What can go wrong between a C source and its trace, told apart where somebody tells it apart."""

from importlib import import_module
from typing import Any

__all__ = ["CompileError", "MissingCompilerError", "RegionError", "TraceError", "require"]


class TraceError(ValueError):
    """A program that cannot be traced, or a wrong argument; the message says what would do."""


class CompileError(TraceError):
    """The C compiler or the linker refused; the message is the compiler's own."""


class RegionError(TraceError):
    """There is no such function or loop, or a pragma does not stand before one."""


class MissingCompilerError(ImportError):
    """A package of the compiler is not installed; the message says how to get it."""


def require(module: str) -> Any:
    """Import a library of the extra `trace`.

    Examples
    --------
    >>> require("string").digits
    '0123456789'
    """
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingCompilerError(
            f"this needs {name}, which is not installed: pip install 'logca[trace]'"
        ) from error
