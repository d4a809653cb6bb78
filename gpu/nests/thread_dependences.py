"""Which loops carry dependences, found from the trace: flow, anti and output.

Two accesses to the same bytes, one of them a write, depend on each other. The loop that carries the
dependence is the outermost one in whose iterations they differ; the program's order within one
iteration keeps them apart if there is none. A loop that carries no dependence can run its
iterations side by side.

For every granule of memory the last writer and the last reader since then are kept. A later reader
hides earlier ones, which may differ from a coming write in loops further out; so a set of levels
remembers in which loops earlier readers differ from the last one, and for each level one of them.
With each dependence goes in which loops further in its accesses were ever seen in different
iterations too: a loop in which no dependence differs can run its iterations side by side wherever
it stands.

What a private copy of an array needs is seen on the way: whether each read follows a write in the
same iteration of a loop, and how many granules each iteration writes (see `ReachedMemory`).

Memory is analysed in blocks of neighbouring granules. The first blocks are all kept; of the others
a share, chosen by a hash of their address, that falls as more are kept. What is found is there; a
dependence through few granules that are first reached late can be missed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.jit import compiled
from logca.gpu.nests.nest import Columns
from logca.trace.ir.program import Access, Loop, chain_of

__all__ = ["KINDS", "Carried", "ReachedMemory", "Watch"]

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
    # the loops inside the carrying one in whose iterations they were seen to differ as well [1]
    inside: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedMemory:
    """Accesses that reach the same memory, and how iterations of the loops around use it."""

    accesses: frozenset[int]  # those that were seen to reach it, directly or through others [1]
    size: int  # how much of it was written [B]
    # for each access that reads: so many of the loops around it, outermost first, were in the same
    # iteration whenever it read as when that was written [1]
    covered: dict[int, int]
    # for each access that writes, and each loop around it, outermost first: how many bytes it
    # was the first to write in an iteration of that loop, added up over all iterations [B]
    written: dict[int, tuple[int, ...]]


class Watch:
    """Looks at the trace of a nest, chunk by chunk, and collects what its loops carry."""

    def __init__(
        self,
        accesses: Sequence[Access],
        loops: Sequence[Loop],
        nest: int,
        tests: Collection[int] = (),
    ) -> None:
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
        self._pairs = np.zeros((_PAIRS, 3), np.int64)
        self._examples = np.zeros((0, 0), np.int32)
        # most, begun: most iterations of an entry of each loop, and all that made an access [1]
        # of the accesses that decide whether their loop goes on the last one is of no iteration
        self._counted = np.array(
            [
                len(chain) - (access.id in tests)
                for access, chain in zip(accesses, chains, strict=True)
            ],
            np.int64,
        )
        self._most = np.zeros(max(1, len(self._loops)), np.int64)
        self._begun = np.zeros(max(1, len(self._loops)), np.int64)
        self._family = np.arange(len(chains), dtype=np.int64)
        self._covered = np.full(len(chains), _MAX_DEPTH + 1, np.int64)
        self._fresh = np.zeros(len(chains), np.int64)
        self._written = np.zeros((len(chains), 1), np.int64)
        self._last = np.zeros(1, np.int64)

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
            self._rows = np.zeros((_BLOCK * _BLOCKS, 6 + 2 * depth + earlier), np.int32)
            self._examples = np.full((_PAIRS, 2 * depth), -1, np.int32)
            self._written = np.zeros((len(self._accesses), depth + 1), np.int64)
            self._last = np.full(2 + depth, -1, np.int64)
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
            self._counted,
            self._most,
            self._begun,
            self._family,
            self._covered,
            self._fresh,
            self._written,
            self._last,
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
            code, count, inside = (int(each) for each in self._pairs[place])
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
                    inside=tuple(
                        dict.fromkeys(
                            int(self._chains[end, level])
                            for level in range(depth)
                            if inside >> level & 1
                            for end in (source, sink)
                            if self._chains[end, level] >= 0
                        )
                    ),
                )
            )
        return tuple(sorted(found, key=lambda each: (-each.count, each.source.id, each.sink.id)))

    def most(self) -> dict[int, int]:
        """Most iterations of one entry of each loop in which an access was seen [1]."""
        return {loop: int(self._most[loop]) for loop in np.flatnonzero(self._most).tolist()}

    def begun(self) -> dict[int, int]:
        """Iterations of each loop in which an access was seen, over all entries [1]."""
        return {loop: int(self._begun[loop]) for loop in np.flatnonzero(self._begun).tolist()}

    def memories(self) -> tuple[ReachedMemory, ...]:
        """Memory by the accesses that reach it, in program order of the first."""
        families: dict[int, list[int]] = {}
        for site in range(len(self._accesses)):
            if self._chains[site, 0] >= 0:
                families.setdefault(_head(self._family, site), []).append(site)
        return tuple(
            ReachedMemory(
                accesses=frozenset(sites),
                size=int(self._fresh[sites].sum()) * self._granule,
                covered={s: int(self._covered[s]) for s in sites if not self._stores[s]},
                written={
                    s: tuple((self._written[s].cumsum() * self._granule).tolist())
                    for s in sites
                    if self._stores[s]
                },
            )
            for sites in families.values()
        )


def _head(family: NDArray[np.int64], site: int) -> int:
    """The access that stands for all that reach the same memory [1]."""
    while family[site] != site:
        site = int(family[site])
    return site


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
    counted: NDArray[np.int64],
    most: NDArray[np.int64],
    begun: NDArray[np.int64],
    family: NDArray[np.int64],
    covered: NDArray[np.int64],
    fresh: NDArray[np.int64],
    written: NDArray[np.int64],
    before: NDArray[np.int64],
) -> None:
    """Take in accesses.

    A row of a granule holds writer, its launch, reader, its launch, the levels of earlier readers,
    the writer's iterations and the reader's; then for each level that earlier reader and its
    iterations from there inwards, as those further out are the last one's; last the levels in which
    any two readers differ. Sites count from 1, so that 0 is none. Of a
    number of blocks kept, the first half are kept whatever they are, of what comes then every
    sixteenth until three quarters are full, every 256th until seven eighths, and so on.
    """
    mask = len(keys) - 1
    depth = iterations.shape[1]
    blocks = len(rows) // _BLOCK
    among = rows.shape[1] - 1
    for i in range(len(access)):
        site = access[i]
        same = before[0] == launch[i]
        alike = same and counted[before[1]] == counted[site]
        for level in range(counted[site]):
            loop = chains[site, level]
            same = same and chains[before[1], level] == loop
            same = same and before[2 + level] == iterations[i, level]
            if not same:
                alike = False
                begun[loop] += 1
                most[loop] = max(most[loop], 1 + iterations[i, level])
        if not alike:
            before[0], before[1] = launch[i], site
            for level in range(depth):
                before[2 + level] = iterations[i, level] if level < counted[site] else -1
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
            for end in range(2):
                one, another = site, np.int64(row[2 * end] - 1)
                if another < 0 or family[one] == family[another]:
                    continue
                while family[one] != one:
                    family[one] = family[family[one]]
                    one = family[one]
                while family[another] != another:
                    family[another] = family[family[another]]
                    another = family[another]
                family[max(one, another)] = min(one, another)
            apart = 0  # so many loops around are in the same iteration as the last writer was
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
                if end == 0:
                    apart = level
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
                    inside = row[among] if end == 1 else 0
                    for column in range(each + 1, depth):
                        loop, other_loop = chains[site, column], chains[source, column]
                        if loop != other_loop:  # what cannot be compared may differ
                            inside |= -1 << column
                        if loop != other_loop or loop < 0:
                            break
                        if row[own + column - each] != iterations[i, column]:
                            inside |= 1 << column
                    pairs[slot, 2] |= inside >> (each + 1) << (each + 1)
            if store:
                written[site, apart] += weights[places[place]]
                if row[0] == 0:
                    fresh[site] += weights[places[place]]
                row[0], row[1], row[2] = site + 1, launch[i], 0
                row[4], row[among] = 0, 0
                for column in range(depth):
                    row[5 + column] = iterations[i, column]
            else:
                covered[site] = min(covered[site], apart)
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
                    for column in range(level, depth):
                        loop, other_loop = chains[site, column], chains[row[2] - 1, column]
                        if loop != other_loop:
                            row[among] |= -1 << column
                        if loop != other_loop or loop < 0:
                            break
                        if iterations[i, column] != row[start + column]:
                            row[among] |= 1 << column
                    levels = np.int64(row[4]) & ((np.int64(1) << level) - 1)
                    if carries:
                        levels |= np.int64(1) << level
                        own = 6 + 2 * depth + level * (depth + 1) - level * (level - 1) // 2
                        row[own - 1] = row[2]
                        for column in range(level, depth):
                            row[own + column - level] = row[start + column]
                else:
                    row[among] = 0
                row[2], row[3], row[4] = site + 1, launch[i], levels
                for column in range(depth):
                    row[start + column] = iterations[i, column]
