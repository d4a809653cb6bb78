"""TOML text, ours and users': numbers exact as written, every complaint with the file's name."""

import tomllib
from decimal import Decimal
from functools import cache
from importlib.resources import files
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any

from logca.common.errors import FileError

__all__ = ["packaged", "packaged_names", "packaged_text", "parsed", "text_of"]


@cache
def packaged(package: str, name: str) -> dict[str, Any]:
    """The contents of a file of ours, such as "table4.toml"; not to be changed.

    Examples
    --------
    >>> packaged("logca.numeric.paper", "table4.toml")["kernels"]["gemm"]["beta"]
    Decimal('1.7')
    """
    return parsed(packaged_text(package, name), name)


def packaged_text(package: str, name: str) -> str:
    """The text of a file of ours."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def packaged_names(package: str) -> tuple[str, ...]:
    """Names of the TOML files of a package, without their ending, sorted.

    Examples
    --------
    >>> packaged_names("logca.gpu.devices")
    ('jetson-tk1',)
    """
    paths = (PurePath(file.name) for file in files(package).iterdir())
    return tuple(sorted(path.stem for path in paths if path.suffix == ".toml"))


def text_of(
    path: str | PathLike[str],
    *,
    error: type[Exception] = FileError,
    not_text: str = "not TOML, because not UTF-8 text",
) -> str:
    """The text of a user's file."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise error(f"there is no file {fspath(path)!r}") from None
    except OSError as reason:
        raise error(f"cannot read {fspath(path)!r}: {reason.strerror}") from reason
    except UnicodeDecodeError as reason:
        raise error(f"{fspath(path)}: {not_text}") from reason
    except ValueError as reason:  # a name that no file can have
        raise error(f"cannot read {fspath(path)!r}: {reason}") from reason


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
        raise FileError(f"{file}: not TOML that can be read: nested too deeply") from None
    except ValueError as error:
        raise FileError(f"{file}: not TOML: {error}") from error
