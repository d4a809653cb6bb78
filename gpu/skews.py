"""Loops whose start moves with a loop further out, as in ``for (j = i + 1; j < N; j++)``.

The trace counts every loop's iterations from 0, so that ``A[i][j]`` seems to step by a row and an
element with each i. That a loop runs one iteration fewer each time is how such a start shows.
"""

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine import Affine
from logca.gpu.nest import NestTrace

__all__ = ["Skew", "skews", "straightened"]

Skew = tuple[int, int, int]
"""Outer loop, inner loop, by how much the inner one starts later with each iteration of the outer
one; loops by their places, the nest's outermost first [1]."""


def skews(trace: NestTrace) -> dict[int, tuple[Skew, ...]]:
    """Skews around each static access.

    Parameters
    ----------
    trace : NestTrace
        Accesses of whole threads.
    """
    found: dict[int, tuple[Skew, ...]] = {}
    for access in np.unique(trace.access).tolist():
        columns = trace.iterations[trace.access == access]
        inside = [level for level in range(columns.shape[1]) if columns[0, level] >= 0]
        own = []
        for inner in inside:
            for outer in inside[: inside.index(inner)]:
                later = _later(columns[:, outer], columns[:, inner])
                if later:
                    own.append((outer, inner, later))
        if own:
            found[access] = tuple(own)
    return found


def straightened(function: Affine, skewed: tuple[Skew, ...]) -> Affine:
    """An address as a function of loop variables rather than of iterations [B].

    Parameters
    ----------
    function : Affine
        The address by launch and iterations [B].
    skewed : tuple of Skew
        Skews of the loops around the access.

    Examples
    --------
    >>> straightened((0, 0, 516, 4), ((0, 1, 1),))
    (0, 0, 512, 4)
    """
    steps = list(function)
    for outer, inner, later in sorted(skewed, key=lambda each: -each[1]):
        steps[2 + outer] -= later * steps[2 + inner]
    return tuple(steps)


def _later(outer: NDArray[np.int32], inner: NDArray[np.int32]) -> int:
    """By how many iterations the inner loop gets shorter with each of the outer one; 0 if not so.

    Traces may have only the first iterations of loops, so that long ones seem to be of one length.
    """
    last = np.full(int(outer.max()) + 1, -1, np.int64)
    np.maximum.at(last, outer, inner)
    last = last[last >= 0]
    longest = np.flatnonzero(last == last.max())
    falls = np.unique(np.diff(last[longest[-1] :]))
    together = longest[-1] == len(longest) - 1
    return -int(falls[0]) if together and len(falls) == 1 else 0
