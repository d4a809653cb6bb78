"""The arrays of a kernel: their elements, rows and columns, found from the addresses.

Where addresses are affine in the iterations, an array's steps are the coefficients: in ``A[i][k]``
of ``float A[R][C]`` 4 bytes for k and 4*C bytes for i. Each larger step that is a multiple of the
ones below begins another direction. Elements are counted from the lowest address that is reached.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine import Affine
from logca.gpu.affine_functions import Contradiction, Rows, affine_functions
from logca.gpu.nest import NestTrace
from logca.gpu.skews import Skew, straightened

__all__ = ["Array", "arrays", "relocated"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """An array as a launch reaches it.

    Parameters
    ----------
    name : str
        What it is called; empty if unknown [text].
    accesses : tuple of int
        Static accesses that reach it [1].
    functions : tuple of Affine or None
        For each of them its address as a function of launch and iterations; None if it is none [B].
    stored : bool
        Whether one of them writes.
    base, end : int
        The lowest address that the launch reaches, and the one after the highest [B].
    steps : tuple of int
        How far neighbours along each direction are apart; the innermost direction last, whose step
        is an element [B].
    """

    name: str
    accesses: tuple[int, ...]
    functions: tuple[Affine | None, ...]
    stored: bool
    base: int
    end: int
    steps: tuple[int, ...]

    @property
    def element(self) -> int:
        """Size of an element [B]."""
        return self.steps[-1]

    @property
    def extents(self) -> tuple[int, ...]:
        """Elements along each direction, outermost first [1]."""
        outermost = -(-(self.end - self.base) // self.steps[0])
        inner = zip(self.steps, self.steps[1:], strict=False)
        return (outermost, *(step // below for step, below in inner))

    def direction(self, stride: int) -> int:
        """The direction along which a stride goes [1].

        Parameters
        ----------
        stride : int
            Other than 0 [B].
        """
        size = abs(stride)
        return next(
            (place for place, step in enumerate(self.steps) if size % step == 0),
            len(self.steps) - 1,
        )


def arrays(trace: NestTrace, skewed: Mapping[int, tuple[Skew, ...]]) -> tuple[Array, ...]:
    """The arrays of a launch whose accesses are all of one size.

    Parameters
    ----------
    trace : NestTrace
        Accesses of one launch.
    skewed : mapping of int to tuple of Skew
        Skews of the loops around static accesses, see `logca.gpu.skews`.
    """
    numbers = np.unique(trace.access).tolist()
    position = np.full(len(trace.accesses), -1, np.int64)
    position[numbers] = np.arange(len(numbers))
    rows = Rows(access=trace.access, launch=trace.launch, iterations=trace.iterations)
    addresses = trace.address.view(np.int64)
    functions = [
        None if isinstance(each, Contradiction) else each
        for each in affine_functions(rows, addresses, position, len(numbers))
    ]
    straight = [
        None if function is None else straightened(function, skewed.get(number, ()))
        for number, function in zip(numbers, functions, strict=True)
    ]
    low, high, sizes = _seen(trace, position, len(numbers))
    groups = _alike(trace, numbers, low, high)
    for place, function in enumerate(straight):
        if function is not None:
            low[place], high[place] = _reached(trace, function, low[place], high[place])
    found = []
    for places in groups:
        size = {tuple(sizes[place]) for place in places}
        element = sizes[places[0]][0]
        if len(size) > 1 or sizes[places[0]][0] != sizes[places[0]][1] or not element:
            continue
        found.append(
            Array(
                name=trace.accesses[numbers[places[0]]].array,
                accesses=tuple(numbers[place] for place in places),
                functions=tuple(functions[place] for place in places),
                stored=any(trace.accesses[numbers[place]].store for place in places),
                base=min(low[place] for place in places),
                end=max(high[place] for place in places) + element,
                steps=_steps([straight[place] for place in places], element),
            )
        )
    return tuple(found)


def relocated(
    trace: NestTrace, array: Array, steps: Sequence[int], accesses: Sequence[int] | None = None
) -> NestTrace:
    """The trace with an array laid out anew, behind all that the trace reaches.

    Parameters
    ----------
    trace : NestTrace
        Accesses of one launch.
    array : Array
        One of its arrays.
    steps : sequence of int
        For each direction how far neighbours are apart then [B].
    accesses : sequence of int, optional
        Accesses that reach the new array; all of the old one's if left out [1].
    """
    which = np.isin(trace.access, array.accesses if accesses is None else accesses)
    if not which.any():
        return trace
    rest = trace.address[which].view(np.int64) - array.base
    place = np.zeros(len(rest), np.int64)
    for old, new in zip(array.steps, steps, strict=True):
        index, rest = np.divmod(rest, old)
        place += index * new
    page = 4096
    top = int(trace.address.max()) + int(trace.size.max(initial=1))
    start = -(-max(top, array.end) // page) * page + array.base % page
    address = trace.address.copy()
    address[which] = (place + rest + start).astype(np.uint64)
    return replace(trace, address=address)


def _seen(
    trace: NestTrace, position: Integers, count: int
) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    """Lowest and highest address of each access, smallest and largest size."""
    place = position[trace.access]
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(count))
    address, size = trace.address.view(np.int64)[order], trace.size[order]
    low = np.minimum.reduceat(address, starts).tolist()
    high = np.maximum.reduceat(address, starts).tolist()
    least = np.minimum.reduceat(size, starts).tolist()
    most = np.maximum.reduceat(size, starts).tolist()
    return low, high, list(zip(least, most, strict=True))


def _reached(trace: NestTrace, function: Affine, low: int, high: int) -> tuple[int, int]:
    """The same for all threads of the launch, of which the trace has the first."""
    extents = trace.extents[0]
    seen = trace.iterations[:, : trace.collapse].max(axis=0).tolist()
    for coefficient, extent, last in zip(function[2:], extents, seen, strict=False):
        beyond = coefficient * (extent - 1 - last)
        low, high = low + min(0, beyond), high + max(0, beyond)
    return low, high


def _alike(
    trace: NestTrace, numbers: Sequence[int], low: Sequence[int], high: Sequence[int]
) -> list[list[int]]:
    """Places of accesses that reach the same array: by its name, or because they overlap."""
    group = list(range(len(numbers)))

    def join(one: int, other: int) -> None:
        old, new = group[one], group[other]
        group[:] = [new if each == old else each for each in group]

    for one in range(len(numbers)):
        for other in range(one):
            first, second = (trace.accesses[numbers[each]] for each in (one, other))
            named = first.array and (first.function, first.array) == (second.function, second.array)
            if named or (low[one] <= high[other] and low[other] <= high[one]):
                join(one, other)
    return [
        [place for place, own in enumerate(group) if own == each] for each in dict.fromkeys(group)
    ]


def _steps(functions: Sequence[Affine | None], element: int) -> tuple[int, ...]:
    """Steps of the directions, the longest first."""
    found = {
        abs(coefficient)
        for function in functions
        if function is not None
        for coefficient in function[2:]
    }
    steps = [element]
    for size in sorted(found):
        if size > steps[-1] and size % steps[-1] == 0:
            steps.append(size)
    return tuple(reversed(steps))
