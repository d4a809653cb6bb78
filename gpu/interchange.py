"""Two directions of a grid exchanged: the loop that was along y runs along x, and the other way."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from logca.gpu.nest import NestTrace

__all__ = ["exchanged", "with_exchanged_loops"]


def exchanged(numbers: Iterable[int]) -> tuple[int, ...]:
    """Numbers of the collapsed loops, outermost first, with the last two exchanged [any].

    Parameters
    ----------
    numbers : iterable of int
        At least two [any].

    Examples
    --------
    >>> exchanged((3, 40, 64))
    (3, 64, 40)
    """
    *outer, second, first = numbers
    return (*outer, first, second)


def with_exchanged_loops(trace: NestTrace) -> NestTrace:
    """The trace with the two innermost collapsed loops exchanged.

    Parameters
    ----------
    trace : NestTrace
        The trace; at least two of its loops are threads.
    """
    depth = trace.iterations.shape[1]
    order = [*exchanged(range(trace.collapse)), *range(trace.collapse, depth)]
    return replace(
        trace,
        iterations=np.ascontiguousarray(trace.iterations[:, order]),
        extents=tuple(exchanged(each) for each in trace.extents),
    )
