"""The arrays of a kernel, found from addresses: their elements, rows and columns.

The coefficients of the iterations are an array's steps. A skew is a start of a loop that moves
with a loop further out, as in ``for (j = i + 1; j < N; j++)``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine.affine_nest import Affine, Contradiction, Points, affine_functions
from logca.gpu.nests.nest import NestTrace

__all__ = [
    "Array",
    "Skew",
    "arrays",
    "relocated",
    "skews",
    "straightened",
]

Skew = tuple[int, int, int]
"""Outer loop, inner loop, by how much the inner one starts later with each iteration of the outer
one; loops by their places, the nest's outermost first [1]."""


def skews(trace: NestTrace) -> dict[int, tuple[Skew, ...]]:
    """Skews around each static access."""
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


Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """An array as a launch reaches it."""

    name: str  # what it is called; empty if unknown
    accesses: tuple[int, ...]  # static accesses that reach it [1]
    # for each of them its address as a function of launch and iterations; None if it is none [B]
    functions: tuple[Affine | None, ...]
    stored: bool  # whether one of them writes
    # base, end: the lowest address that the launch reaches, and the one after the highest [B]
    base: int
    end: int
    # how far neighbours along each direction are apart; the innermost direction last, whose step
    # is an element [B]
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
        """The direction along which a stride goes [1]."""
        size = abs(stride)
        return next(
            (place for place, step in enumerate(self.steps) if size % step == 0),
            len(self.steps) - 1,
        )


def arrays(trace: NestTrace, skewed: Mapping[int, tuple[Skew, ...]]) -> tuple[Array, ...]:
    """The arrays of a launch whose accesses are all of one size."""
    numbers = np.unique(trace.access).tolist()
    position = np.full(len(trace.accesses), -1, np.int64)
    position[numbers] = np.arange(len(numbers))
    rows = Points(access=trace.access, launch=trace.launch, iterations=trace.iterations)
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
    """The trace with an array laid out anew, behind all that the trace reaches."""
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
    """Lowest and highest address of all threads of a launch, of which the trace has some."""
    extents = trace.extents[0]
    threads = trace.iterations[:, : trace.collapse]
    seen = zip(extents, threads.min(axis=0).tolist(), threads.max(axis=0).tolist(), strict=False)
    for coefficient, (extent, first, last) in zip(function[2:], seen, strict=False):
        moved = (-coefficient * first, coefficient * (extent - 1 - last))
        low, high = low + sum(min(0, each) for each in moved), high + sum(max(0, e) for e in moved)
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
