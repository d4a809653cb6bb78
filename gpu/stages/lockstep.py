"""The order of a thread's accesses in lockstep: one number for each place in the thread's program.

All threads of a batch do the same access of the same iterations of their inner loops before any of
them goes on. Places are compared by program order, loop by loop: what stands before a loop, then
its first iteration in program order, its second one, what stands after the loop. Reserving for each
loop as many iterations as any thread makes turns that comparison into one of whole numbers that
are linear in the iterations.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.nests.trace import NestTrace

__all__ = ["Places", "numbered", "places", "ranked"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """Places of accesses in the program of a thread: ``base[a] + iterations @ stride[a]``.

    Rows are static accesses of the whole program, columns the inner loops, outermost first.
    """

    base: list[int]  # place of each static access in the first iterations [1]
    # by how much the place moves on with each iteration of the inner loops [1]
    stride: list[list[int]]
    # the same order without reserving: the first access of each loop around an access, then the
    # access itself [1]
    first: list[list[int]]
    total: int  # number of places; may be more than 64 bits hold [1]


@dataclass(slots=True, kw_only=True)
class _Node:
    """A loop, or what is inside a thread but in no loop."""

    trips: int = 1
    children: dict[int, "_Node"] = field(default_factory=dict)
    accesses: list[int] = field(default_factory=list)

    def size(self) -> int:
        return self.trips * self.body()

    def body(self) -> int:
        return len(self.accesses) + sum(child.size() for child in self.children.values())

    def first(self) -> int:
        return min([*self.accesses, *(child.first() for child in self.children.values())])


def places(trace: NestTrace) -> Places:
    """Places of the accesses of a trace.

    Accesses in functions that were called, not inlined, come in the order of their number and of
    the iterations that the trace has for them.
    """
    count, depth = len(trace.accesses), trace.iterations.shape[1]
    levels = depth - trace.collapse
    most = np.full((count, depth), -1, np.int32)
    compiled(_most_iterations)(trace.access, trace.iterations, most)
    root = _Node()
    paths: dict[int, list[_Node]] = {}
    for number in np.flatnonzero(most[:, 0] >= 0).tolist():
        chain = trace.chain_of(trace.accesses[number].loop)
        unknown = tuple(-1 - level - depth * number for level in range(levels))
        node, path = root, []
        inner = chain[trace.collapse :] if chain else unknown
        for key, last in zip(inner, most[number, trace.collapse :].tolist(), strict=False):
            node = node.children.setdefault(key, _Node())
            node.trips = max(node.trips, last + 1)
            path.append(node)
        node.accesses.append(number)
        paths[number] = path
    base = [0] * count
    _number(root, 0, base)
    stride = [[0] * levels for _ in range(count)]
    first = [[0] * (levels + 1) for _ in range(count)]
    for number, path in paths.items():
        stride[number][: len(path)] = [node.body() for node in path]
        first[number][: len(path) + 1] = [*(node.first() for node in path), number]
    return Places(base=base, stride=stride, first=first, total=root.size())


def numbered(trace: NestTrace, found: Places) -> Integers:
    """The place of each access of the trace [1]."""
    place = np.empty(len(trace.access), np.int64)
    base = np.array(found.base, np.int64)
    stride = np.array(found.stride, np.int64).reshape(len(base), -1)
    inner = trace.iterations[:, trace.collapse :]
    compiled(_fill_places)(trace.access, inner, base, stride, place)
    return place


def ranked(trace: NestTrace, found: Places) -> Integers:
    """The place of each access of the trace by sorting, for places too many to be numbered [1]."""
    first = np.array(found.first, np.int64)
    inner = np.maximum(trace.iterations[:, trace.collapse :], 0)
    digits = [first[trace.access, 0]]
    for level in range(inner.shape[1]):
        digits += [inner[:, level].astype(np.int64), first[trace.access, level + 1]]
    order = np.lexsort(digits[::-1])
    changes = np.zeros(len(order), bool)
    for digit in digits:
        ordered = digit[order]
        changes[1:] |= ordered[1:] != ordered[:-1]
    rank = np.empty(len(order), np.int64)
    rank[order] = np.cumsum(changes)
    return rank


def _number(node: _Node, start: int, base: list[int]) -> None:
    """Give the accesses of a loop's first iteration their places, in program order."""
    members: list[tuple[int, int | _Node]] = [(number, number) for number in node.accesses]
    members += [(child.first(), child) for child in node.children.values()]
    for _, member in sorted(members, key=lambda each: each[0]):
        if isinstance(member, _Node):
            _number(member, start, base)
            start += member.size()
        else:
            base[member] = start
            start += 1


def _most_iterations(
    access: NDArray[np.uint32], iterations: NDArray[np.int32], most: NDArray[np.int32]
) -> None:
    for i in range(access.shape[0]):
        for level in range(iterations.shape[1]):
            if iterations[i, level] > most[access[i], level]:
                most[access[i], level] = iterations[i, level]


def _fill_places(
    access: NDArray[np.uint32],
    inner: NDArray[np.int32],
    base: Integers,
    stride: Integers,
    place: Integers,
) -> None:
    for i in range(access.shape[0]):
        number = access[i]
        at = base[number]
        for level in range(inner.shape[1]):
            if inner[i, level] > 0:
                at += inner[i, level] * stride[number, level]
        place[i] = at
