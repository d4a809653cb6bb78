"""Which loops carry dependences, found from the trace: flow, anti and output.

Two accesses to the same bytes, one of them a write, depend on each other. The loop that carries the
dependence is the outermost one in whose iterations they differ; the program's order within one
iteration keeps them apart if there is none. A loop that carries no dependence can run its
iterations side by side.

For every granule of memory the last writer and the last reader since then are kept. A later reader
hides earlier ones, which may differ from a coming write in loops further out; so a set of levels
remembers in which loops earlier readers differ from the last one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.gpu.compiling import compiled
from logca.trace.program import Access, Loop

__all__ = ["KINDS", "Carried", "Watch"]

KINDS = ("flow", "anti", "output")
"""Write then read, read then write, write then write [text]."""

_PAIRS = 1 << 14
_MAX_DEPTH = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A dependence between two static accesses, carried by a loop.

    Parameters
    ----------
    kind : str
        One of `KINDS` [text].
    loop : int
        The loop that carries it [1].
    source, sink : Access
        The earlier and the later access.
    iterations : tuple of tuple of int
        Where it was seen first: iterations of the loops around the source, and around the sink;
        the nest's outermost loop first [1].
    count : int
        How often it was seen [1].
    """

    kind: str
    loop: int
    source: Access
    sink: Access
    iterations: tuple[tuple[int, ...], tuple[int, ...]]
    count: int


class Watch:
    """Looks at the trace of a nest, chunk by chunk, and collects what its loops carry.

    Parameters
    ----------
    accesses : sequence of Access
        All static accesses of the program.
    loops : sequence of Loop
        All loops of the program.
    nest : int
        The outermost loop of the nest [1].
    """

    def __init__(self, accesses: Sequence[Access], loops: Sequence[Loop], nest: int) -> None:
        self._accesses, self._loops = tuple(accesses), tuple(loops)
        chains = [_chain(access, self._loops, nest) for access in accesses]
        self._chains = np.full((len(chains), max(map(len, chains), default=0) + 1), -1, np.int32)
        self._private = np.full(len(chains), -1, np.int32)
        for access, chain in zip(accesses, chains, strict=True):
            self._chains[access.id, : len(chain)] = chain
            if access.private_to in chain:
                self._private[access.id] = chain.index(access.private_to)
        sizes = [access.size for access, chain in zip(accesses, chains, strict=True) if chain]
        whole = gcd(*sizes) if sizes and min(sizes) else 1
        self._granule = whole & -whole
        self._stores = np.array([access.store for access in accesses], np.bool_)
        self._table: tuple[NDArray[Any], ...] = ()
        self._pairs = np.zeros((_PAIRS, 2), np.int64)
        self._examples = np.zeros((0, 0), np.int32)

    def add(
        self,
        access: NDArray[np.uint32],
        address: NDArray[np.uint64],
        size: NDArray[np.uint32],
        launch: NDArray[np.int32],
        iterations: NDArray[np.int32],
    ) -> None:
        """Take in the next accesses, in program order; for the columns see `NestTrace`.

        Raises
        ------
        ValueError
            If loops are nested more than 60 deep.
        """
        if not self._table:
            depth = iterations.shape[1]
            if depth > _MAX_DEPTH:
                raise ValueError(f"loops are nested {depth} deep; at most {_MAX_DEPTH} can be told")
            missing = max(0, depth + 1 - self._chains.shape[1])
            self._chains = np.pad(self._chains, ((0, 0), (0, missing)), constant_values=-1)
            self._table = _empty(1 << 18, depth)
            self._examples = np.full((_PAIRS, 2 * depth), -1, np.int32)
        done = 0
        while done < len(access):
            rest = slice(done, None)
            done += compiled(_advance)(
                access[rest],
                address[rest],
                size[rest],
                launch[rest],
                iterations[rest],
                self._granule,
                len(self._loops),
                self._stores,
                self._chains,
                self._private,
                *self._table,
                self._pairs,
                self._examples,
            )
            if done < len(access):
                self._grow()

    def found(self) -> tuple[Carried, ...]:
        """The dependences seen so far, most frequent first."""
        depth = self._examples.shape[1] // 2
        found = []
        for place in np.flatnonzero(self._pairs[:, 1]):
            code, count = (int(each) for each in self._pairs[place])
            code, sink = divmod(code - 1, len(self._accesses))
            code, source = divmod(code, len(self._accesses))
            kind, loop = divmod(code, len(self._loops))
            ends = self._examples[place][:depth], self._examples[place][depth:]
            at = [tuple(int(number) for number in end if number >= 0) for end in ends]
            found.append(
                Carried(
                    kind=KINDS[kind],
                    loop=loop,
                    source=self._accesses[source],
                    sink=self._accesses[sink],
                    iterations=(at[0], at[1]),
                    count=count,
                )
            )
        return tuple(sorted(found, key=lambda each: (-each.count, each.source.id, each.sink.id)))

    def _grow(self) -> None:
        old = self._table
        self._table = _empty(8 * len(old[0]), (old[2].shape[1] - 4) // 2)
        compiled(_rehash)(*old, *self._table)


def _chain(access: Access, loops: Sequence[Loop], nest: int) -> list[int]:
    """Loops around an access, from the nest's outermost inwards; none if it is elsewhere."""
    chain: list[int] = []
    loop = access.loop
    while loop is not None:
        chain.append(loop)
        if loop == nest:
            return chain[::-1]
        loop = loops[loop].parent
    return []


def _empty(size: int, depth: int) -> tuple[NDArray[Any], ...]:
    """A hash table of granules: key, levels of earlier readers, and a row of numbers.

    A row holds writer, its launch, reader, its launch, the writer's iterations, the reader's; it
    says nothing before its key is there.
    """
    return (
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.empty((size, 4 + 2 * depth), np.int32),
    )


def _rehash(
    keys: NDArray[np.int64],
    levels: NDArray[np.int64],
    rows: NDArray[np.int32],
    new_keys: NDArray[np.int64],
    new_levels: NDArray[np.int64],
    new_rows: NDArray[np.int32],
) -> None:
    mask = len(new_keys) - 1
    for old in range(len(keys)):
        if keys[old] != 0:
            place = ((keys[old] * 0x9E3779B1) >> 7) & mask
            while new_keys[place] != 0:
                place = (place + 1) & mask
            new_keys[place] = keys[old]
            new_levels[place] = levels[old]
            new_rows[place] = rows[old]


def _advance(
    access: NDArray[np.uint32],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    launch: NDArray[np.int32],
    iterations: NDArray[np.int32],
    granule: int,
    loops: int,
    stores: NDArray[np.bool_],
    chains: NDArray[np.int32],
    private: NDArray[np.int32],
    keys: NDArray[np.int64],
    levels: NDArray[np.int64],
    rows: NDArray[np.int32],
    pairs: NDArray[np.int64],
    examples: NDArray[np.int32],
) -> int:
    """Take in accesses until the table is half full; how many were taken in."""
    mask = len(keys) - 1
    depth = iterations.shape[1]
    used = 0
    for place in range(len(keys)):
        used += keys[place] != 0
    for i in range(len(access)):
        site = access[i]
        first = np.int64(address[i]) // granule
        last = (np.int64(address[i]) + max(np.int64(size[i]), 1) - 1) // granule
        if 2 * (used + last - first + 1) > len(keys):
            return i
        store = stores[site]
        for unit in range(first, last + 1):
            key = unit + 1
            place = ((key * 0x9E3779B1) >> 7) & mask
            while keys[place] != 0 and keys[place] != key:
                place = (place + 1) & mask
            row = rows[place]
            if keys[place] == 0:
                keys[place] = key
                row[0] = row[2] = -1
                used += 1
            for end in range(2):  # 0: the last writer, 1: the last reader
                other = row[2 * end]
                if other < 0 or row[2 * end + 1] != launch[i]:
                    continue
                if end == 1 and not store:
                    continue
                start = 4 + end * depth
                level, carries = 0, False
                while level < depth:
                    loop = chains[site, level]
                    if loop < 0 or loop != chains[other, level]:
                        break
                    if iterations[i, level] != row[start + level]:
                        carries = True
                        break
                    level += 1
                seen = np.int64(0)
                if carries:
                    seen |= np.int64(1) << level
                if end == 1:
                    seen |= levels[place] & ((np.int64(1) << level) - 1)
                kind = 1 if end == 1 else (2 if store else 0)
                for each in range(depth):
                    if not (seen >> each) & 1:
                        continue
                    if private[site] >= each and private[other] >= each:
                        continue
                    code = (kind * loops + chains[site, each]) * len(stores) + other
                    code = code * len(stores) + site + 1
                    slot = (code * 0x9E3779B1 >> 7) & (len(pairs) - 1)
                    tried = 0
                    while pairs[slot, 0] != 0 and pairs[slot, 0] != code and tried < len(pairs):
                        slot = (slot + 1) & (len(pairs) - 1)
                        tried += 1
                    if tried == len(pairs):
                        continue
                    if pairs[slot, 0] == 0:
                        pairs[slot, 0] = code
                        for column in range(depth):
                            examples[slot, column] = row[start + column]
                            examples[slot, depth + column] = iterations[i, column]
                    pairs[slot, 1] += 1
            if store:
                row[0], row[1], row[2] = site, launch[i], -1
                levels[place] = 0
                for column in range(depth):
                    row[4 + column] = iterations[i, column]
            else:
                start = 4 + depth
                if row[2] >= 0 and row[3] == launch[i]:
                    level, carries = 0, False
                    while level < depth:
                        loop = chains[site, level]
                        if loop < 0 or loop != chains[row[2], level]:
                            break
                        if iterations[i, level] != row[start + level]:
                            carries = True
                            break
                        level += 1
                    levels[place] &= (np.int64(1) << level) - 1
                    if carries:
                        levels[place] |= np.int64(1) << level
                else:
                    levels[place] = 0
                row[2], row[3] = site, launch[i]
                for column in range(depth):
                    row[start + column] = iterations[i, column]
    return len(access)
