"""The command line: one module per verb, each loading no more than it needs.

Folders, lowest first: terminal, options, timings.
"""

import os
import sys
from io import TextIOWrapper

__all__ = ["main"]


def _occupy_closed_streams() -> None:
    """Where a shell closed a standard stream, as `2>&-` does, put the null device in its place.

    The next file that is opened would take its number, and what is said to the user with it.
    """
    while (null := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(null, True)
    os.close(null)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def main() -> None:
    """Run the command line; errors of the user are one sentence on stderr."""
    # A thread for each core, in NumPy's OpenBLAS and again in SciPy's, takes longer to start than
    # most answers, and none needs them. What `measure` and `tune` run inherits what the user set.
    if sys.argv[1:2] not in (["measure"], ["tune"]):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        _occupy_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        from typer.exceptions import TyperException

        from logca.cli.app import app
        from logca.cli.terminal.errors import (
            BAD_INPUT,
            BROKEN_PIPE,
            FAILURE,
            INTERRUPTED,
            as_typed,
            code_of_signal,
            end_orderly,
            failure,
            mistake,
            tell,
        )
        from logca.common.errors import LogcaError

        end_orderly()
    except KeyboardInterrupt:
        sys.exit(130)
    code: str | int | None = None
    told = ""
    try:
        if sys.stdout is None:  # a shell's `>&-`: the answer would be lost without a word
            raise LogcaError("there is no standard output to write the answer to: it is closed")
        code = app(prog_name="logca", standalone_mode=False)
    except SystemExit as end:
        # Typer makes exit code 1 of a pipe that is closed early
        code = BROKEN_PIPE if isinstance(end.__context__, BrokenPipeError) else end.code
    except TyperException as error:
        told, code = mistake(error, sys.argv[1:]), BAD_INPUT
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = BROKEN_PIPE
    except Exception as error:
        found = failure(error)
        # a module that is imported may make another error of what a signal's handler raised
        if found is None and (code := code_of_signal()):
            sys.exit(code)
        if found is None:
            import traceback

            traceback.print_exc()
        told, code = (found.message, found.code) if found else ("", FAILURE)
        if code == BAD_INPUT:
            told = as_typed(told, sys.argv[1:])
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        # otherwise the interpreter complains once more when it flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(BROKEN_PIPE)
        told, code = f"output cannot be written: {error.strerror}", FAILURE
    if told:
        tell(told)
    sys.exit(code)
