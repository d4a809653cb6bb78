"""Which errors are the user's, in one line each, and the exit codes they lead to."""

import errno
from dataclasses import dataclass

from logca.numeric.missing import MissingLibraryError
from logca.proofs.answer import MissingSolversError
from logca.proofs.process import ContradictionError, EngineError
from logca.proofs.tree import ClaimSyntaxError
from logca.trace.errors import MissingCompilerError

__all__ = [
    "BAD_INPUT",
    "BROKEN_PIPE",
    "CONTRADICTION",
    "FAILED_PROGRAM",
    "FAILURE",
    "INTERRUPTED",
    "Failure",
    "UsageFailure",
    "failure",
]

FAILED_PROGRAM = 1
BAD_INPUT = 2
CONTRADICTION = 4
FAILURE = 5
INTERRUPTED = 130
BROKEN_PIPE = 141

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_ROOMS = ("logca.numeric.", "logca.trace.", "logca.gpu.")


class UsageFailure(ValueError):
    """Something asked of the command line that cannot be done; the message says what instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What to say, and the exit code.

    Parameters
    ----------
    message : str
        One line [text].
    code : int
        Exit code [1].
    """

    message: str
    code: int


def failure(error: BaseException) -> Failure | None:
    """How an error is told; None if it is a defect whose traceback should show."""
    if isinstance(error, ClaimSyntaxError | UsageFailure) or _is_about_input(error):
        return Failure(message=str(error), code=BAD_INPUT)
    if isinstance(error, MissingSolversError | MissingLibraryError | MissingCompilerError):
        return Failure(message=str(error), code=FAILURE)
    if isinstance(error, ContradictionError):
        return Failure(message=f"two methods contradict each other: {error}", code=CONTRADICTION)
    if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:
        return Failure(message=f"output cannot be written: {error.strerror}", code=FAILURE)
    if isinstance(error, EngineError | OSError):
        return Failure(message=str(error), code=FAILURE)
    return None


def _is_about_input(error: BaseException) -> bool:
    """Whether it is of a class of ours for bad input; told by names, so that nothing heavy loads.

    All errors in values that these rooms have classes for are: sizes, devices, files, C programs.
    """
    ours = isinstance(error, ValueError) and type(error).__module__.startswith(_ROOMS)
    return ours or type(error).__name__ == "FormulaError"
