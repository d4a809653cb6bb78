"""Processes stay on one core, where the system can do that."""

import os
import sys

from logca.numeric.measuring.experiment import ExperimentError

__all__ = ["stay"]

_ALLOWED = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []


def stay(which: int, process: int = 0) -> bool:
    """Keep a process on one of the cores that this one was started with; whether that can be done.

    Parameters
    ----------
    which : int
        0 for the last core, 1 for the last but one [1].
    process : int
        Number of the process; this one if left out [1].

    Raises
    ------
    ExperimentError
        If there are fewer cores.
    """
    if sys.platform != "linux":
        return False
    if which >= len(_ALLOWED):
        raise ExperimentError(
            f"cores = {which + 1}: this process may use {len(_ALLOWED)}; run it on more, or ask "
            "for fewer"
        )
    os.sched_setaffinity(process, {_ALLOWED[-1 - which]})
    return True
