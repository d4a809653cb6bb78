"""Loops that numba compiles when they are first needed, and keeps on disk for the next time."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from logca.numeric.missing import require

__all__ = ["compiled"]


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The machine code of a function that is written in the part of Python that numba knows.

    Parameters
    ----------
    function : callable
        A function of arrays and numbers that calls no other function of ours.

    Raises
    ------
    MissingLibraryError
        If numba is not installed.
    """
    numba = require("numba", "trace")
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = before or str(_folder())
    try:
        made: Callable[..., Any] = numba.njit(nogil=True, error_model="numpy", cache=True)(function)
    except (RuntimeError, OSError):  # no folder that can be written to
        made = numba.njit(nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before
    return made


def _folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("logca", appauthor=False)) / "compiled"
