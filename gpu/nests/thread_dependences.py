"""Which loops carry dependences, found from the trace: flow, anti and output.

Two accesses to the same bytes, one of them a write, depend on each other. The loop that carries the
dependence is the outermost one in whose iterations they differ; the program's order within one
iteration keeps them apart if there is none. A loop that carries no dependence can run its
iterations side by side.

For every granule of memory the last writer and the last reader since then are kept. A later reader
hides earlier ones, which may differ from a coming write in loops further out; so a set of levels
remembers in which loops earlier readers differ from the last one, and for each level one of them.

Memory is analysed in blocks of neighbouring granules. The first blocks are all kept; of the others
a share, chosen by a hash of their address, that falls as more are kept. What is found is there; a
dependence through few granules that are first reached late can be missed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.jit import compiled
from logca.gpu.nests.nest import Columns
from logca.trace.ir.program import Access, Loop, chain_of

__all__ = ["KINDS", "Carried", "Watch"]

KINDS = ("flow", "anti", "output")
"""Write then read, read then write, write then write."""

_PAIRS = 1 << 14
_MAX_DEPTH = 30
_BLOCK = 64
_BLOCKS = 1 << 14
"""Blocks kept, and the granules of each [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A dependence between two static accesses, carried by a loop."""

    kind: str  # one of `KINDS`
    loop: int  # the loop that carries it [1]
    # source, sink: the earlier and the later access
    source: Access
    sink: Access
    # where it was seen first: iterations of the loops around the source, and around the sink; the
    # nest's outermost loop first [1]
    iterations: tuple[tuple[int, ...], tuple[int, ...]]
    count: int  # how often it was seen; where a share of the memory was watched, that much more [1]
    # whether only the first accesses were recorded, so that it may happen more often
    partly: bool = False


class Watch:
    """Looks at the trace of a nest, chunk by chunk, and collects what its loops carry."""

    def __init__(self, accesses: Sequence[Access], loops: Sequence[Loop], nest: int) -> None:
        self._accesses, self._loops = tuple(accesses), tuple(loops)
        chains = [chain_of(self._loops, access.loop, nest) for access in accesses]
        self._chains = np.full((len(chains), max(map(len, chains), default=0) + 1), -1, np.int32)
        self._private = np.full(len(chains), -1, np.int32)
        for access, chain in zip(accesses, chains, strict=True):
            self._chains[access.id, : len(chain)] = chain
            if access.private_to in chain:
                self._private[access.id] = chain.index(access.private_to)
        sizes = [access.size for access, chain in zip(accesses, chains, strict=True) if chain]
        whole = gcd(*sizes) if sizes and all(sizes) else 1
        self._granule = whole & -whole
        self._stores = np.array([access.store for access in accesses], np.bool_)
        self._keys = np.zeros(2 * _BLOCKS, np.int64)
        self._places = np.zeros(2 * _BLOCKS, np.int32)
        self._weights = np.zeros(_BLOCKS, np.int64)
        self._rows = np.zeros((0, 0), np.int32)
        self._used = np.zeros(1, np.int64)
        self._pairs = np.zeros((_PAIRS, 2), np.int64)
        self._examples = np.zeros((0, 0), np.int32)

    def add(self, columns: Columns) -> None:
        """Take in the next accesses, in program order."""
        depth = columns.iterations.shape[1]
        if not self._rows.size:
            if depth > _MAX_DEPTH:
                raise TraceError(
                    f"loops are nested {depth} deep; at most {_MAX_DEPTH} are supported"
                )
            missing = max(0, depth + 1 - self._chains.shape[1])
            self._chains = np.pad(self._chains, ((0, 0), (0, missing)), constant_values=-1)
            # The places of packed structures need not be multiples of their size.
            places = int(np.bitwise_or.reduce(columns.address, initial=self._granule))
            self._granule = places & -places
            earlier = depth + depth * (depth + 1) // 2
            self._rows = np.zeros((_BLOCK * _BLOCKS, 5 + 2 * depth + earlier), np.int32)
            self._examples = np.full((_PAIRS, 2 * depth), -1, np.int32)
        compiled(_advance)(
            columns.access,
            columns.address,
            columns.size,
            columns.launch,
            np.ascontiguousarray(columns.iterations),
            self._granule,
            len(self._loops),
            self._stores,
            self._chains,
            self._private,
            self._keys,
            self._places,
            self._weights,
            self._rows,
            self._used,
            self._pairs,
            self._examples,
        )

    def carriers(self) -> frozenset[int]:
        """The loops that were seen to carry something [1]."""
        codes = self._pairs[self._pairs[:, 1] > 0, 0] - 1
        loops = codes // len(self._accesses) ** 2 % max(1, len(self._loops))
        return frozenset(np.unique(loops).tolist())

    def found(self, *, partly: bool = False) -> tuple[Carried, ...]:
        """The dependences seen so far, most frequent first; `partly` if not all was recorded."""
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
                    partly=partly,
                )
            )
        return tuple(sorted(found, key=lambda each: (-each.count, each.source.id, each.sink.id)))


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
    places: NDArray[np.int32],
    weights: NDArray[np.int64],
    rows: NDArray[np.int32],
    used: NDArray[np.int64],
    pairs: NDArray[np.int64],
    examples: NDArray[np.int32],
) -> None:
    """Take in accesses.

    A row of a granule holds writer, its launch, reader, its launch, the levels of earlier readers,
    the writer's iterations and the reader's; then for each level that earlier reader and its
    iterations from there inwards, as those further out are the last one's. Sites count from 1, so
    that 0 is none. Of a number of
    blocks kept, the first half are kept whatever they are, of what comes then every sixteenth until
    three quarters are full, every 256th until seven eighths, and so on.
    """
    mask = len(keys) - 1
    depth = iterations.shape[1]
    blocks = len(rows) // _BLOCK
    for i in range(len(access)):
        site = access[i]
        first = np.int64(address[i]) // granule
        last = (np.int64(address[i]) + np.int64(max(1, size[i])) - 1) // granule
        store = stores[site]
        for unit in range(first, last + 1):
            key = unit // _BLOCK + 1
            mixed = (key * 0x9E3779B1) >> 7
            place = mixed & mask
            while keys[place] != 0 and keys[place] != key:
                place = (place + 1) & mask
            if keys[place] == 0:
                wanted, left = np.int64(0), blocks - used[0]
                while left > 0 and 2 * left <= blocks >> (wanted // 4):
                    wanted += 4
                weight = np.int64(1) << wanted
                if left <= 0 or (mixed >> 16) & (weight - 1) != 0:
                    continue
                keys[place] = key
                places[place] = used[0]
                weights[used[0]] = weight
                used[0] += 1
            row = rows[places[place] * _BLOCK + unit % _BLOCK]
            for end in range(2):  # 0: the last writer, 1: the last reader
                if row[2 * end] == 0 or row[2 * end + 1] != launch[i]:
                    continue
                if end == 1 and not store:
                    continue
                other = row[2 * end] - 1
                start = 5 + end * depth
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
                    seen |= np.int64(row[4]) & ((np.int64(1) << level) - 1)
                if seen == 0:
                    continue
                kind = 1 if end == 1 else (2 if store else 0)
                for each in range(depth):
                    if not (seen >> each) & 1:
                        continue
                    source, own = other, start + each
                    if each < level:
                        own = 6 + 2 * depth + each * (depth + 1) - each * (each - 1) // 2
                        source = row[own - 1] - 1
                    if private[site] >= each and private[source] >= each:
                        continue
                    code = (kind * loops + chains[site, each]) * len(stores) + source
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
                            place_of = start + column if column < each else own + column - each
                            examples[slot, column] = row[place_of]
                            examples[slot, depth + column] = iterations[i, column]
                    pairs[slot, 1] += weights[places[place]]
            if store:
                row[0], row[1], row[2] = site + 1, launch[i], 0
                row[4] = 0
                for column in range(depth):
                    row[5 + column] = iterations[i, column]
            else:
                start = 5 + depth
                levels = np.int64(0)
                if row[2] > 0 and row[3] == launch[i]:
                    level, carries = 0, False
                    while level < depth:
                        loop = chains[site, level]
                        if loop < 0 or loop != chains[row[2] - 1, level]:
                            break
                        if iterations[i, level] != row[start + level]:
                            carries = True
                            break
                        level += 1
                    levels = np.int64(row[4]) & ((np.int64(1) << level) - 1)
                    if carries:
                        levels |= np.int64(1) << level
                        own = 6 + 2 * depth + level * (depth + 1) - level * (level - 1) // 2
                        row[own - 1] = row[2]
                        for column in range(level, depth):
                            row[own + column - level] = row[start + column]
                row[2], row[3], row[4] = site + 1, launch[i], levels
                for column in range(depth):
                    row[start + column] = iterations[i, column]
