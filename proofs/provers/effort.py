"""Work that a question may take, counted so that an answer does not depend on a busy machine.

Z3 counts what it does, in units of its own; a search tries so many points, an enclosure so many
boxes. The clock is a fuse only: what it ends is out of time, which is no verdict.
"""

import time
from dataclasses import dataclass

from logca.common.errors import LogcaError

__all__ = ["Effort", "OutOfTimeError"]

UNITS = 50_000_000
"""Work of Z3 on one question, 5 to 15 seconds of an idle core [units of Z3]."""


class OutOfTimeError(LogcaError, TimeoutError):
    """The clock ended a question before its work was done."""

    exit_code = 3


@dataclass(slots=True, kw_only=True)
class Effort:
    """Work that is left for a question."""

    until: float  # when the fuse blows, by the monotonic clock [s]
    units: int = UNITS  # left for Z3 [units of Z3]

    def check(self) -> None:
        """Raise an OutOfTimeError if the fuse has blown."""
        if time.monotonic() > self.until:
            raise OutOfTimeError("out of time")

    def seconds_left(self) -> float:
        """Time until the fuse blows, not less than a solver can be told, and not more [s]."""
        return min(1e6, max(1e-3, self.until - time.monotonic()))

    def part(self, units: int) -> "Effort":
        """Work for a part of the question, which is not taken from what is left for others."""
        return Effort(until=self.until, units=units)
