"""Running the compiler, on sources that exist."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from logca.trace.boundary import checked_paths
from logca.trace.errors import CompileError, TraceError
from logca.trace.toolchain import Toolchain

__all__ = ["checked", "run", "without_linking"]

SECONDS_TO_COMPILE = 300
FOR_THE_LINKER = ("-l", "-L", "-Wl,", "-pthread", "-static")


def checked(sources: str | Path | Iterable[str | Path]) -> list[Path]:
    """The sources as paths of files that exist.

    Parameters
    ----------
    sources : path or iterable of paths
        C files.

    Raises
    ------
    TraceError
        If there is none, one is no file, does not end in ``.c``, or is named twice.
    """
    paths = checked_paths("sources", sources)
    if not paths:
        raise TraceError("no C source given: name at least one file")
    for path in paths:
        if path.is_dir():
            raise TraceError(f"{path} is a folder: name the C files in it")
        if not path.is_file():
            raise TraceError(f"there is no file {path}")
        if path.suffix != ".c":
            raise TraceError(
                f"{path} does not end in .c: C is read, and neither C++, CUDA, headers by"
                " themselves, nor what a preprocessor wrote; if it is C, give it that ending"
            )
    if len({path.resolve() for path in paths}) < len(paths):
        raise TraceError("a C source is named twice")
    return paths


def without_linking(flags: Iterable[str]) -> list[str]:
    """The flags that are not for the linker.

    Parameters
    ----------
    flags : iterable of str
        Options of the compiler and the linker.

    Examples
    --------
    >>> without_linking(["-O2", "-lm"])
    ['-O2']
    """
    return [flag for flag in flags if not flag.startswith(FOR_THE_LINKER)]


def run(command: list[str], tool: Toolchain) -> subprocess.CompletedProcess[str]:
    """Run the compiler.

    Parameters
    ----------
    command : list of str
        The compiler and its options.
    tool : Toolchain
        Whose command it is.

    Raises
    ------
    CompileError
        If it does not end.
    """
    try:
        return subprocess.run(
            command,
            env=tool.environment(),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS_TO_COMPILE,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"the compiler did not end within {SECONDS_TO_COMPILE} s") from error
