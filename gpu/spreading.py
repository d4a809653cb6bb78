"""Accesses between the collapsed loops: every thread inside makes them for itself.

``for i { s = a[i]; for j ... }`` with both loops collapsed has a read of ``a[i]`` that is outside
the inner loop, be it written so or moved there by the compiler. A thread of the GPU has both
iterations at once, so the read is given to each thread of that row.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["spread"]

Integers = NDArray[np.int64]


def spread(
    launch: NDArray[Any], iterations: NDArray[Any], collapse: int
) -> tuple[Integers, NDArray[Any]]:
    """Rows of a trace with such accesses repeated: where each comes from, and its iterations.

    Accesses that no thread could make, because the loops inside did not run, are left out.

    Parameters
    ----------
    launch : array of int
        Launch of each access; never falls [1].
    iterations : array of int
        Iterations of the loops around it, -1 where there are fewer loops [1].
    collapse : int
        Loops that become threads [1].

    Examples
    --------
    >>> launch = np.zeros(4, int)
    >>> rows, iterations = spread(launch, np.array([[0, -1], [0, 0], [0, 1], [1, 0]]), 2)
    >>> rows.tolist()
    [0, 1, 0, 2, 3]
    >>> iterations.tolist()
    [[0, 0], [0, 0], [0, 1], [0, 1], [1, 0]]
    """
    outer = iterations[:, :collapse].astype(np.int64)
    shallow = np.flatnonzero(outer[:, -1] < 0)
    deep = np.flatnonzero(outer[:, -1] >= 0)
    extents = outer.max(axis=0, initial=0) + 1
    low = _linear(launch, np.maximum(outer, 0), extents)
    changes = np.flatnonzero(np.diff(low[deep], prepend=-1))
    threads = low[deep][changes]
    high = _linear(launch[shallow], np.where(outer < 0, extents - 1, outer)[shallow], extents)
    begin = np.searchsorted(threads, low[shallow])
    counts = np.searchsorted(threads, high, side="right") - begin
    which = np.repeat(begin - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    copies = np.repeat(shallow, counts)
    made = iterations[copies]
    made[:, :collapse] = iterations[deep][changes][which, :collapse]
    order = np.lexsort((copies, which))
    at = changes[which][order]
    return (
        np.insert(deep, at, copies[order]),
        np.insert(iterations[deep], at, made[order], axis=0),
    )


def _linear(launch: NDArray[Any], outer: Integers, extents: Integers) -> Integers:
    """One ascending number for each thread."""
    number = launch.astype(np.int64)
    for level, extent in enumerate(extents.tolist()):
        number = number * extent + outer[:, level]
    return number
