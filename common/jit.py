"""Loops that numba compiles when they are first needed, and keeps on disk for the next time."""

from collections.abc import Callable
from functools import cache
from inspect import getfile
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from zlib import crc32

from logca.common.extras import require

__all__ = ["compiled", "njit", "register_jitable"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def njit(function: _Function) -> _Function:
    """A function that compiled ones call, by numba."""
    made: _Function = require("numba", "trace").njit(function)
    return made


def register_jitable(function: _Function) -> _Function:
    """A function that runs as it is, and is compiled where compiled ones call it, by numba."""
    made: _Function = require("numba", "trace").extending.register_jitable(function)
    return made


@cache
def compiled(function: Callable[..., Any], *uses: ModuleType) -> Callable[..., Any]:
    """The machine code of a function that is written in the part of Python that numba knows.

    What is on disk counts as long as the sources in the function's folder, and those of the modules
    named as used from elsewhere, are the same.
    """
    numba = require("numba", "trace")
    before = numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = str(_folder(Path(before) if before else None, function, *uses))
        made: Callable[..., Any] = numba.njit(nogil=True, error_model="numpy", cache=True)(function)
    except (RuntimeError, OSError):  # no folder that can be written to
        made = numba.njit(nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before
    return made


def _folder(root: Path | None, function: Callable[..., Any], *uses: ModuleType) -> Path:
    import platformdirs

    root = root or Path(platformdirs.user_cache_dir("logca", appauthor=False)) / "compiled"
    stamp = 0
    # numba pickles the types of arguments by name: what is kept must not outlive the files beside
    # a function, which define them, or loading it would fail where one was renamed
    beside = sorted(Path(getfile(function)).parent.glob("*.py"))
    for path in [*beside, *(Path(getfile(module)) for module in uses)]:
        stamp = crc32(path.read_bytes(), stamp)
    return root / f"{stamp:08x}"
