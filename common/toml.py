"""TOML text, ours and users': numbers exact as written, every complaint with the file's name."""

import tomllib
from decimal import Decimal
from functools import cache
from importlib.resources import files
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from logca.common.errors import LogcaError

__all__ = ["DeviceFileError", "packaged", "packaged_text", "parsed", "text_of"]


class DeviceFileError(LogcaError, ValueError):
    """A file of devices cannot be read; the message names the file and the place in it."""


@cache
def packaged(name: str) -> dict[str, Any]:
    """The contents of a table of the paper, such as "table4.toml"; not to be changed.

    Examples
    --------
    >>> packaged("table4.toml")["kernels"]["gemm"]["beta"]
    Decimal('1.7')
    """
    return parsed(packaged_text(name), name)


def packaged_text(name: str) -> str:
    """The text of a table of the paper."""
    return files("logca.numeric.paper").joinpath(name).read_text(encoding="utf-8")


def text_of(path: str | PathLike[str]) -> str:
    """The text of a user's file."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DeviceFileError(f"there is no file {fspath(path)!r}") from None
    except OSError as error:
        raise DeviceFileError(f"cannot read {fspath(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DeviceFileError(f"{fspath(path)}: not TOML, because not UTF-8 text") from error
    except ValueError as error:  # a name that no file can have
        raise DeviceFileError(f"cannot read {fspath(path)!r}: {error}") from error


def parsed(text: str, file: str) -> dict[str, Any]:
    r"""What a TOML text holds; whole numbers as int, others as Decimal.

    Examples
    --------
    >>> parsed("C = 2\nbeta = 1.7", "mine.toml")
    {'C': 2, 'beta': Decimal('1.7')}
    """
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        raise DeviceFileError(f"{file}: not TOML that can be read: nested too deeply") from None
    except ValueError as error:
        raise DeviceFileError(f"{file}: not TOML: {error}") from error
