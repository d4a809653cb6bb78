"""Imports when they are needed: names of packages, and libraries that not everybody has."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
        with _own_settings():
            return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise _ERRORS.get(extra, MissingLibraryError)(
            f"this needs {name}, which is not installed: pip install 'logca[{extra}]'"
        ) from error


_SETTINGS = frozenset({".numba_config.yaml", "matplotlibrc"})
"""Files of settings that libraries read from the working folder, whoever put them there."""


@contextmanager
def _own_settings() -> Iterator[None]:
    """Import numba and matplotlib in here without the settings that the working folder may hold.

    Those of numba may name a folder of machine code, which is pickled, and thereby run; those of
    matplotlib change pictures, and stop it if they are malformed.
    """
    exists, there = os.path.exists, "numba" in sys.modules

    def but_for_settings(path: Any) -> bool:
        return path not in _SETTINGS and exists(path)

    # Both ask for the file by its bare name when they are imported. Other threads ask meanwhile for
    # files of their own, and get the same answers as ever.
    os.path.exists = but_for_settings
    try:
        yield
    finally:
        os.path.exists = exists
    numba: Any = sys.modules.get("numba.core.config")
    if numba is not None and not there:  # else a program of the user's has imported it as it likes
        # it looks again whenever it compiles
        numba._config_fname = os.path.join(os.devnull, "none")


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
