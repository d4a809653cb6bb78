"""Imports when they are needed: names of packages, and libraries that not everybody has."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from logca.common.errors import LogcaError

__all__ = [
    "MissingCompilerError",
    "MissingLibraryError",
    "MissingSolversError",
    "attach",
    "require",
]


class MissingLibraryError(LogcaError, ImportError):
    """An optional library is not installed; the message says how to get it."""

    exit_code = 5


class MissingCompilerError(MissingLibraryError):
    """A package of the compiler is not installed; the message says how to get it."""


class MissingSolversError(MissingLibraryError):
    """The extra `prove` is not installed."""


_ERRORS = {"prove": MissingSolversError, "trace": MissingCompilerError}


def require(module: str, extra: str) -> Any:
    """An optional library, imported; without it, an error that names the extra it comes with.

    Examples
    --------
    >>> require("string", "trace").digits
    '0123456789'
    """
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise _ERRORS.get(extra, MissingLibraryError)(
            f"this needs {name}, which is not installed: pip install 'logca[{extra}]'"
        ) from error


def attach(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose public names live in these modules.

    Examples
    --------
    >>> load, names = attach("logca.common", {"digits": "string"})
    >>> load("digits")
    '0123456789'
    """
    module = sys.modules[package]

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(import_module(homes[name]), name)
        setattr(module, name, value)
        return value

    return load, lambda: sorted({*vars(module), *homes})
