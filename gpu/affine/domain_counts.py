"""Counts of an access in loops with affine bounds, without running them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine.affine_nest import Affine, AffineError

__all__ = ["corners", "end_of_outermost", "outermost_counts"]

Integers = NDArray[np.int64]

_POINTS = 1 << 23
"""Iterations that are gone through one by one where loops further in depend on them [1]."""


def outermost_counts(
    lower: Sequence[Affine], upper: Sequence[Affine], outermost: Integers
) -> Integers:
    """Executions of an access in iterations of the outermost loop [1].

    Bounds are those of the loops inside it, as in `AffineSite`, in a launch 0.

    Examples
    --------
    >>> outermost_counts([(0, 0, 1)], [(8, 0, 0)], np.arange(6, 10)).tolist()
    [2, 1, 0, 0]
    """
    at, owner = outermost[:, None], np.arange(len(outermost))
    weight = np.ones(len(owner), np.int64)
    for level, (low, high) in enumerate(zip(lower, upper, strict=True), start=1):
        first, end = _values(low, at), _values(high, at)
        trips = np.maximum(end - first, 0)
        deeper = (*lower[level:], *upper[level:])
        if not any(bound[level + 2] for bound in deeper):
            weight, at = weight * trips, np.column_stack((at, first))
            continue
        total = int(trips.sum())
        if total > _POINTS:
            raise AffineError("there are too many iterations whose inner loops differ")
        rows = np.repeat(np.arange(len(at)), trips)
        step = np.arange(total) - np.repeat(np.cumsum(trips) - trips, trips)
        owner, weight = owner[rows], weight[rows]
        at = np.column_stack((at[rows], first[rows] + step))
    found = np.zeros(len(outermost), np.int64)
    np.add.at(found, owner, weight)
    return found


def _values(function: Affine, at: Integers) -> Integers:
    constant, _, *steps = function
    return constant + at @ np.array(steps, np.int64)


def end_of_outermost(lower: Sequence[Affine], upper: Sequence[Affine], often: int) -> int | None:
    """The iteration after the last of the outermost loop, if an access is made so often [1].

    `upper` lacks the bound of that loop. None if no number of iterations makes that many.

    Examples
    --------
    >>> end_of_outermost([(2, 0)], [], 5)
    7
    >>> triangle = [(0, 0), (0, 0, 0)], [(0, 0, 1)]
    >>> end_of_outermost(*triangle, 45), end_of_outermost(*triangle, 46)
    (10, None)
    """
    first, inner = lower[0][0], lower[1:]
    if not any(bound[2] for bound in (*inner, *upper)):
        (each,) = outermost_counts(inner, upper, np.array([first])).tolist()
        return first + often // each if each and often % each == 0 else None
    made, chunk = 0, 64
    while True:
        counts = outermost_counts(inner, upper, np.arange(first, first + chunk))
        reached = made + np.cumsum(counts)
        place = int(np.searchsorted(reached, often))
        if place < chunk:
            return first + place + 1 if reached[place] == often else None
        if not counts.any():
            return None
        made, first, chunk = int(reached[-1]), first + chunk, 2 * chunk


def corners(lower: Sequence[Affine], upper: Sequence[Affine]) -> list[Integers]:
    """Iterations, after a 1, that span all of an access: none of a loop, of one, and so on."""
    at = np.ones((1, 1), np.int64)
    found = [at]
    for low, high in zip(lower, upper, strict=True):
        first, end = (bound[0] + at[:, 1:] @ np.array(bound[2:], np.int64) for bound in (low, high))
        some = first < end
        at = np.concatenate(
            [np.column_stack((at[some], each[some])) for each in (first, end - 1)]
        ).astype(np.int64)
        found.append(at)
    return found
