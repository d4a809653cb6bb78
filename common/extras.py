"""Libraries that not everybody needs."""

from importlib import import_module
from typing import Any

__all__ = ["MissingLibraryError", "require"]


class MissingLibraryError(ImportError):
    """An optional library is not installed; the message says how to get it."""


def require(module: str, extra: str) -> Any:
    """Import an optional library."""
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingLibraryError(
            f"this needs {name}, which is not installed: pip install 'logca[{extra}]'"
        ) from error
