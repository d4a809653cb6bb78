"""Checks of what callers give, before anything is done with it."""

import os
import re
from collections.abc import Iterable, Mapping
from numbers import Integral
from pathlib import Path
from typing import Any

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.common.real_numbers import is_real

__all__ = [
    "checked_arguments",
    "checked_folders",
    "checked_input",
    "checked_limits",
    "checked_macros",
    "checked_path",
    "checked_paths",
    "checked_sizes",
    "checked_text",
    "checked_texts",
]

LONGEST = (1 << 17) - 1
"""Longest argument that Linux lets a program have [B]."""

MACRO = re.compile(r"[^\W\d]\w*(\([\w\s,.]*\))?", re.ASCII)


def checked_text(name: str, given: Any) -> str:
    """A text that a command line can hold.

    Examples
    --------
    >>> checked_text("flags", "-lm")
    '-lm'
    """
    if not isinstance(given, str):
        fix = f": write {str(given)!r}" if isinstance(given, int | float) else ""
        raise TraceError(f"{name} must be text, not {given!r}{fix}")
    if "\0" in given:
        raise TraceError(f"{name}: {given!r} has a zero byte, which no command line can hold")
    return given


def checked_texts(name: str, given: Iterable[str]) -> tuple[str, ...]:
    """Texts, in a sequence.

    Examples
    --------
    >>> checked_texts("flags", ["-lm"])
    ('-lm',)
    """
    return tuple(checked_text(name, each) for each in several(name, given))


def several(name: str, given: Any) -> list[Any]:
    """The members of a sequence that is no text."""
    if isinstance(given, str | os.PathLike):
        raise TraceError(f"{name} must be a sequence, not {given!r}: write [{given!r}]")
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise TraceError(f"{name} must be a sequence, not {given!r}")
    return list(given)


def checked_arguments(given: Iterable[str]) -> tuple[str, ...]:
    """Arguments of a program."""
    found = checked_texts("args", given)
    for each in found:
        size = len(os.fsencode(each))
        if size > LONGEST:
            raise TraceError(
                f"args: {each[:20]!r}... has {size} bytes, and {LONGEST} is the most that an "
                "argument can have: give it by the standard input"
            )
    return found


def checked_path(name: str, given: Any) -> Path:
    """The path of a file or folder."""
    if isinstance(given, os.PathLike):
        given = os.fspath(given)
    if not isinstance(given, str):
        raise TraceError(f"{name}: {given!r} is no path, as texts and pathlib's objects are")
    return Path(checked_text(name, given))


def checked_paths(name: str, given: Any) -> list[Path]:
    """Paths: one, or several.

    Examples
    --------
    >>> [path.name for path in checked_paths("sources", "a.c")]
    ['a.c']
    """
    if isinstance(given, str | bytes | os.PathLike) or not isinstance(given, Iterable):
        given = [given]
    return [checked_path(name, each) for each in given]


def checked_folders(given: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Folders of headers, which must exist: a compiler passes over one that does not."""
    folders = [checked_path("includes", each) for each in several("includes", given)]
    for folder in folders:
        if not folder.is_dir():
            raise TraceError(f"there is no folder {folder} for headers; name one that exists")
    return tuple(map(str, folders))


def checked_macros(given: Mapping[str, object] | None) -> dict[str, object]:
    """Macros and their values.

    Examples
    --------
    >>> checked_macros({"N": 128})
    {'N': 128}
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TraceError(f"defines must be a mapping such as {{'N': 128}}, not {given!r}")
    for name, value in given.items():
        if not isinstance(name, str) or not MACRO.fullmatch(name):
            raise TraceError(f"defines: {name!r} is no name of a macro")
        checked_text("defines", str(value))
    return dict(given)


def checked_sizes(name: str, given: Any) -> dict[str, int]:
    """Macros that hold sizes.

    Examples
    --------
    >>> checked_sizes("work", {"N": 1024})
    {'N': 1024}
    """
    if not isinstance(given, Mapping):
        raise TraceError(f"{name} must be a mapping such as {{'N': 1024}}, not {given!r}")
    for macro, size in given.items():
        if not isinstance(macro, str) or not MACRO.fullmatch(macro):
            raise TraceError(f"{name}: {macro!r} is no name of a macro")
        if not is_real(size) or not isinstance(size, Integral) or size < 1:
            raise TraceError(f"{name}: {macro} = {size!r} must be a whole number from 1 on")
    return {macro: int(size) for macro, size in given.items()}


def checked_input(given: Any) -> bytes:
    """The standard input of a program."""
    if isinstance(given, str):
        raise TraceError(f"stdin must be bytes, not {given[:40]!r}: call its encode()")
    if not isinstance(given, bytes | bytearray | memoryview):
        raise TraceError(f"stdin must be bytes, not {given!r}")
    return bytes(given)


def checked_limits(given: Any) -> Limits:
    """Limits of a run."""
    if not isinstance(given, Limits):
        raise TraceError(f"limits must be logca.trace.Limits(...), not {given!r}")
    return given
