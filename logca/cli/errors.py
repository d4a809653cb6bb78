"""Which errors are the user's, in one line each, and the exit codes they lead to."""

from dataclasses import dataclass

from logca.proofs.answer import MissingSolversError
from logca.proofs.process import ContradictionError, EngineError
from logca.proofs.tree import ClaimSyntaxError

__all__ = [
    "BAD_INPUT",
    "BROKEN_PIPE",
    "CONTRADICTION",
    "FAILURE",
    "INTERRUPTED",
    "Failure",
    "UsageFailure",
    "failure",
]

BAD_INPUT = 2
CONTRADICTION = 4
FAILURE = 5
INTERRUPTED = 130
BROKEN_PIPE = 141


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
    if isinstance(error, ClaimSyntaxError | UsageFailure) or _is_formula_error(error):
        return Failure(message=str(error), code=BAD_INPUT)
    if isinstance(error, MissingSolversError):
        return Failure(message=str(error), code=FAILURE)
    if isinstance(error, ContradictionError):
        return Failure(message=f"two methods contradict each other: {error}", code=CONTRADICTION)
    if isinstance(error, EngineError | OSError):
        return Failure(message=str(error), code=FAILURE)
    return None


def _is_formula_error(error: BaseException) -> bool:
    """By name, so that nothing loads SymPy for it."""
    return type(error).__name__ == "FormulaError"
