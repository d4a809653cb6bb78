"""From small runs to the work size: executions of every block as polynomials of the program's size.

A loop nest whose bounds are affine in the sizes executes each of its blocks a polynomial number of
times. The polynomial is taken from runs at equally spaced small sizes by Newton's forward
differences, in whole numbers and so exactly; one run more than its degree needs must agree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb, gcd

import numpy as np
from numpy.typing import NDArray

__all__ = ["ScalingError", "SizePath", "extrapolated", "size_path"]

_TILE = 32


class ScalingError(ValueError):
    """Counts cannot be carried over from the traced size to the work size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizePath:
    """Equally spaced sizes, from the traced size in the direction of the work size.

    Parameters
    ----------
    sizes : tuple of mapping of str to int
        Values of the macros at each point; the traced size first [1].
    target : int
        The position of the work size, in steps from the traced size [1].
    """

    sizes: tuple[Mapping[str, int], ...]
    target: int


def size_path(trace: Mapping[str, int], work: Mapping[str, int], *, points: int) -> SizePath:
    """The sizes to run at.

    Steps are multiples of 32 where that divides the way, so that tiles stay whole, but smaller
    where they would more than double the traced size.

    Parameters
    ----------
    trace, work : mapping of str to int
        The macros that hold the sizes, at the traced and at the work size; at least 1 [1].
    points : int
        Number of sizes; at least 1 [1].

    Raises
    ------
    ScalingError
        If a macro of one size is not one of the other, or a size is not positive.

    Examples
    --------
    >>> path = size_path({"N": 128}, {"N": 1024}, points=4)
    >>> [size["N"] for size in path.sizes], path.target
    ([128, 160, 192, 224], 28)
    """
    for name in sorted({*trace, *work}):
        for kind, sizes in (("traced", trace), ("work", work)):
            if name not in sizes:
                raise ScalingError(f"macro {name} has no {kind} size; give it for both")
            if sizes[name] < 1:
                raise ScalingError(f"the {kind} size {name}={sizes[name]} must be at least 1")
    way = {name: work[name] - trace[name] for name in trace}
    whole = gcd(*way.values())
    if whole == 0:
        return SizePath(sizes=(dict(trace),), target=0)
    step = gcd(whole, _TILE)

    def at(position: int) -> dict[str, int]:
        return {name: trace[name] + position * step * (way[name] // whole) for name in trace}

    def strays() -> bool:
        last = at(points - 1)
        return any(size < 1 or size > 2 * trace[name] for name, size in last.items())

    while step > 1 and strays():
        step //= 2
    number = min(points, whole // step + 1)
    return SizePath(sizes=tuple(map(at, range(number))), target=whole // step)


def extrapolated(counts: Sequence[NDArray[np.int64]], target: int) -> list[int]:
    """Counts at the work size.

    Parameters
    ----------
    counts : sequence of array of int
        For each point of the path the counts there [1].
    target : int
        The position of the work size [1].

    Returns
    -------
    list of int
        The values of the interpolating polynomials there, exact [1].

    Raises
    ------
    ScalingError
        If a count is no polynomial of the degree that the points can settle and check.

    Examples
    --------
    >>> cubes = [np.array([n**3, 7]) for n in (4, 5, 6, 7, 8)]
    >>> extrapolated(cubes, 996)
    [1000000000, 7]
    """
    if target < len(counts):
        return [int(count) for count in counts[target]]
    row = [count.astype(object) for count in counts]
    leading = [row[0]]
    while len(row) > 1:
        row = [after - before for before, after in pairwise(row)]
        leading.append(row[0])
    if len(leading) < 2 or np.any(leading[-1] != 0):
        raise ScalingError(
            f"the program's counts are no polynomials of degree {len(counts) - 2} in its size: "
            "trace it at the work size itself"
        )
    total = sum(comb(target, order) * each for order, each in enumerate(leading))
    return [int(each) for each in np.asarray(total, dtype=object)]
