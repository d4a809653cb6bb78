"""Statistics of accesses that are not kept: counts, strides, footprints, reuse distances.

Memory grows with the memory that the program touches, not with the number of accesses: 136 B for
each KiB that an access touches, and what the LRU stack takes for each line.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.extras import require
from logca.trace.execute.decoding import CELLS, Chunk
from logca.trace.ir.program import Program
from logca.trace.profiling.findings import AccessFindings, Footprint, ReuseCounts, Strides
from logca.trace.profiling.reuse_distances import LruStack

__all__ = ["AccessStatistics", "loops_around"]

_PIECE = 1 << 16  # lines whose reuse distances are kept at a time
_SORTED = 1 << 16  # pages of a footprint that are united at a time
_DISTANCES = 64


def loops_around(
    program: Program, chosen: Collection[int], nests: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """The loops around each access, outermost first, from its nest or its function on."""
    found = {}
    for site in chosen:
        loops = program.chain_of(program.accesses[site].loop)
        start = next((place for place, loop in enumerate(loops) if loop in nests), 0)
        found[site] = loops[start:]
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pages:
    """A footprint: which page of which group a row of bits is, in ascending order."""

    groups: NDArray[np.int64]
    pages: NDArray[np.uint64]
    rows: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """Entries of the table of pages, access by access, and where those of each access start."""

    entries: NDArray[np.int64]
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Address differences with how often each was met, and how many met none of these."""

    common: tuple[tuple[int, int], ...]
    others: int


class AccessStatistics:
    """Counts that grow while a trace goes by."""

    __slots__ = (
        "_anchors",
        "_depth",
        "_distances",
        "_kinds",
        "_last",
        "_latest",
        "_latest_address",
        "_lines",
        "_loops",
        "_masks",
        "_moments",
        "_names",
        "_order",
        "_rows",
        "_stack",
        "_starts",
        "_state",
        "_table",
        "_totals",
        "_used",
    )

    def __init__(self, loops: dict[int, tuple[int, ...]], sites: int) -> None:
        """Start with nothing counted."""
        require("numba", "trace")
        self._loops = loops
        self._depth = np.full(sites, -1, dtype=np.int64)
        for site, around in loops.items():
            self._depth[site] = len(around)
        deepest = max(map(len, loops.values()), default=0)
        from logca.trace.profiling.stride_counts import LINES_OF_PAGE, NUMBERS, PLACES

        self._state = np.zeros(NUMBERS, dtype=np.int64)
        self._totals = np.zeros((sites, 2), dtype=np.int64)
        self._rows = np.full((sites, deepest + 2), -1, dtype=np.int64)
        self._moments = np.zeros((CELLS + 1, 2), dtype=np.int64)
        # where the anchors of a site are, and for how many cells there is room
        self._starts = np.zeros((sites, 2), dtype=np.int64)
        self._starts[:, 0] = np.arange(sites) * (deepest + 1)
        self._starts[:, 1] = deepest + 1
        self._anchors = np.zeros((sites * (deepest + 1), 4), dtype=np.int64)
        self._latest_address = np.zeros(sites, dtype=np.uint64)
        self._kinds = np.zeros((64, PLACES + 1, 2), dtype=np.int64)
        self._used = np.zeros(64, dtype=np.int64)
        self._latest = np.zeros(64, dtype=np.int64)
        self._table = np.zeros((1 << 10, 2), dtype=np.uint64)
        self._masks = np.zeros((1 << 9, LINES_OF_PAGE), dtype=np.uint64)
        self._last = np.full((sites, 2), -1, dtype=np.int64)
        self._stack = LruStack()
        self._distances = np.zeros((sites, 1 + _DISTANCES), dtype=np.int64)
        self._lines = np.empty(_PIECE, dtype=np.uint64)
        self._names = np.empty(_PIECE, dtype=np.uint64)
        self._order: _Order | None = None

    def push(self, chunk: Chunk) -> None:
        """Count accesses."""
        from logca.trace.profiling.stride_counts import LEFT, observe

        if chunk.records is None or chunk.sites is None:
            raise TraceError("these accesses are without their records: push what a run hands over")
        self._order = None
        self._state[LEFT] = len(chunk)
        place = 0
        while True:
            place = observe(
                chunk.records,
                place,
                chunk.sites.table,
                bool(chunk.sites.nests),
                self._depth,
                self._state,
                self._moments,
                self._starts,
                self._anchors,
                self._totals,
                self._latest_address,
                self._rows,
                self._kinds,
                self._used,
                self._latest,
                self._table,
                self._masks,
                self._last,
            )
            if place == len(chunk.records) or not self._state[LEFT]:
                break
            at = len(chunk) - int(self._state[LEFT])
            self._make_room(int(chunk.access[at]), int(chunk.size[at]), bool(chunk.sites.nests))
        self._measure_reuse(chunk.access, chunk.address, chunk.size)

    def _make_room(self, site: int, size: int, nested: bool) -> None:
        from logca.trace.profiling.stride_counts import (
            BASE_CELL,
            LINES_OF_PAGE,
            PAGES,
            PLACES,
            ROWS,
            moved,
        )

        cells = int(self._state[BASE_CELL] + self._depth[site]) + nested
        start, room = (int(number) for number in self._starts[site])
        # `resize` in place needs that nobody has a view: no array leaves this class
        if cells > room:
            end = self._anchors.shape[0]
            self._anchors.resize((end + 2 * cells, 4), refcheck=False)
            self._anchors[end : end + room] = self._anchors[start : start + room]
            self._starts[site] = end, 2 * cells
        pages, rows = int(self._state[PAGES]), int(self._state[ROWS])
        needed = pages + size // 1024 + 2
        if rows == self._used.size:
            # in place, so that old and new never stand in memory together
            self._kinds.resize((2 * rows, PLACES + 1, 2), refcheck=False)
            self._used.resize(2 * rows, refcheck=False)
            self._latest.resize(2 * rows, refcheck=False)
        if needed > self._masks.shape[0]:
            grown = max(needed, self._masks.shape[0] * 3 // 2)
            self._masks.resize((grown, LINES_OF_PAGE), refcheck=False)
        if 2 * needed > self._table.shape[0]:
            old = self._table
            self._table = np.zeros((1 << (2 * needed).bit_length(), 2), dtype=np.uint64)
            moved(old, self._table)

    def _measure_reuse(
        self,
        access: NDArray[np.uint32],
        address: NDArray[np.uint64],
        size: NDArray[np.uint32],
    ) -> None:
        from logca.trace.profiling.stride_counts import expand, spread

        at = np.zeros(2, dtype=np.int64)
        while at[0] < access.size:
            filled = expand(access, address, size, self._depth, at, self._lines, self._names)
            distances = self._stack.push(self._lines[:filled])
            spread(distances, self._names, self._distances)

    @property
    def accesses(self) -> int:
        """Accesses counted [1]."""
        return int(self._totals[:, 0].sum())

    def count(self, sites: Iterable[int]) -> int:
        """Executions of these accesses [1]."""
        return int(self._totals[list(sites), 0].sum())

    def moved(self, sites: Iterable[int]) -> int:
        """Bytes that these accesses moved [B]."""
        return int(self._totals[list(sites), 1].sum())

    def reuse(self, sites: Iterable[int]) -> ReuseCounts:
        """Reuse distances of these accesses together."""
        return self.reuses([list(sites)])[0]

    def reuses(self, groups: Sequence[Sequence[int]]) -> list[ReuseCounts]:
        """Reuse distances of each group of accesses."""
        sums = np.zeros((len(groups), self._distances.shape[1]), dtype=np.int64)
        np.add.at(sums, _numbers(groups), self._distances[_members(groups)])
        return _reuses(sums)

    def strides(self, site: int) -> tuple[Strides, ...]:
        """Address differences of an access by the loop that went on, the innermost loop first."""
        rows = self._rows[site].tolist()
        return self._strides_in(site, rows, dict(zip(rows, _kinds(self._kinds[rows]), strict=True)))

    def _strides_in(
        self, site: int, rows: list[int], kinds: Mapping[int, _Kinds]
    ) -> tuple[Strides, ...]:
        """Address differences of an access, given the rows of its loops, and what these say."""
        loops, deepest = self._loops[site], len(rows) - 2
        levels: list[tuple[int, int | None, str]] = [
            (level, loops[level], "loop") for level in reversed(range(len(loops)))
        ]
        levels += [(deepest, None, "around"), (deepest + 1, None, "again")]
        return tuple(
            Strides(
                loop=loop,
                cause=cause,
                count=sum(count for _, count in kinds[row].common) + kinds[row].others,
                common=kinds[row].common,
                others=kinds[row].others,
            )
            for level, loop, cause in levels
            if (row := rows[level]) >= 0
        )

    def footprint(self, sites: Iterable[int]) -> Footprint:
        """Distinct memory that these accesses touched together."""
        return self.footprints([list(sites)])[0]

    def footprints(self, groups: Sequence[Sequence[int]]) -> list[Footprint]:
        """Distinct memory of each group of accesses."""
        starts = self._ordered().starts
        pages = np.zeros(len(groups) + 1, dtype=np.int64)
        sites = _members(groups)
        np.add.at(pages, 1 + _numbers(groups), starts[sites + 1] - starts[sites])
        # some at a time: all accesses of a loop are in the loops around it once more
        pieces = np.cumsum(pages)[:-1] // _SORTED
        ends = [*(1 + np.flatnonzero(np.diff(pieces))).tolist(), len(groups)]
        return [
            found
            for begin, end in pairwise([0, *ends])
            for found in self._counted(groups[begin:end])
        ]

    def _counted(self, groups: Sequence[Sequence[int]]) -> list[Footprint]:
        """Distinct memory of groups whose pages are sorted together."""
        entries, counts = self._entries_of(_members(groups))
        pages = self._sorted(entries, np.repeat(_numbers(groups), counts))
        bytes_, lines = np.zeros((2, len(groups)), dtype=np.int64)
        for group, bits in self._united(pages):
            np.add.at(bytes_, group, np.bitwise_count(bits).sum(axis=1, dtype=np.int64))
            np.add.at(lines, group, np.count_nonzero(bits, axis=1))
        pairs = zip(bytes_.tolist(), lines.tolist(), strict=True)
        return [Footprint(bytes=b, lines=n) for b, n in pairs]

    def _united(self, found: _Pages) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint64]]]:
        """Pages with the bits of all accesses of a group, and the group, some at a time."""
        fresh = np.empty(found.rows.size, dtype=np.bool_)
        fresh[:1] = True
        fresh[1:] = np.diff(found.pages).astype(np.bool_) | np.diff(found.groups).astype(np.bool_)
        starts = np.flatnonzero(fresh)
        for begin in range(0, starts.size, _SORTED):
            chosen = starts[begin : begin + _SORTED]
            following = begin + _SORTED
            end = starts[following] if following < starts.size else found.rows.size
            bits = self._masks[found.rows[chosen[0] : end]]
            yield found.groups[chosen], np.bitwise_or.reduceat(bits, chosen - chosen[0], axis=0)

    def _sorted(self, entries: NDArray[np.int64], group: NDArray[np.int64]) -> _Pages:
        """The pages of entries of the table by their groups."""
        from logca.trace.profiling.stride_counts import PAGE_OF_KEY

        pages = self._table[entries, 0] & PAGE_OF_KEY
        rows = self._table[entries, 1].astype(np.int64) - 1
        order = np.lexsort((pages, group))
        return _Pages(groups=group[order], pages=pages[order], rows=rows[order])

    def _sites_of(self, entries: NDArray[np.int64]) -> NDArray[np.int64]:
        """The accesses whose pages these entries of the table are."""
        from logca.trace.profiling.stride_counts import SITE_OF_KEY

        sites: NDArray[np.uint64] = self._table[entries, 0] >> SITE_OF_KEY
        return sites.astype(np.int64)

    def _entries_of(self, sites: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The entries of the table with pages of these accesses, and how many each of them has."""
        order = self._ordered()
        begins = order.starts[sites]
        counts = order.starts[sites + 1] - begins
        steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return order.entries[np.repeat(begins, counts) + steps], counts

    def _ordered(self) -> _Order:
        """An order of the table, made once: a program has thousands of loops."""
        if self._order is None:
            entries = np.flatnonzero(self._table[:, 1])
            owners = self._sites_of(entries)
            by_site = np.argsort(owners, kind="stable")
            starts = np.zeros(self._depth.size + 1, dtype=np.int64)
            np.cumsum(np.bincount(owners, minlength=self._depth.size), out=starts[1:])
            self._order = _Order(entries=entries[by_site], starts=starts)
        return self._order

    def findings(self) -> tuple[AccessFindings, ...]:
        """Findings on every access that was executed, in the order of their numbers."""
        from logca.trace.profiling.stride_counts import ROWS

        executed = [site for site in sorted(self._loops) if self._totals[site, 0]]
        # at once: of a large program, a call of NumPy for each access takes half of a second
        totals, rows = self._totals.tolist(), self._rows.tolist()
        kinds = dict(enumerate(_kinds(self._kinds[: int(self._state[ROWS])])))
        reuses = _reuses(self._distances[executed])
        return tuple(
            AccessFindings(
                access=site,
                count=totals[site][0],
                bytes=totals[site][1],
                footprint=footprint,
                strides=self._strides_in(site, rows[site], kinds),
                reuse=reuse,
            )
            for site, footprint, reuse in zip(
                executed, self.footprints([[site] for site in executed]), reuses, strict=True
            )
        )


def _members(groups: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The accesses of all groups, one group after the other."""
    return np.fromiter(chain.from_iterable(groups), dtype=np.int64)


def _numbers(groups: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The group of each of them."""
    return np.repeat(np.arange(len(groups)), [len(each) for each in groups])


def _reuses(rows: NDArray[np.int64]) -> list[ReuseCounts]:
    """First touches, and touches by distance up to the last distance that there was, by rows."""
    ends = rows.shape[1] - (rows[:, ::-1] != 0).argmax(axis=1)
    return [
        ReuseCounts(first=row[0], powers=tuple(row[1:end] if any(row) else ()))
        for row, end in zip(rows.tolist(), ends.tolist(), strict=True)
    ]


def _kinds(rows: NDArray[np.int64]) -> Iterator[_Kinds]:
    """Address differences of each row: the most frequent first, and of those the smallest."""
    used = rows[:, :-1, 1] != 0
    pairs = rows[:, :-1][used].tolist()
    start = 0
    for length, others in zip(used.sum(axis=1).tolist(), rows[:, -1, 1].tolist(), strict=True):
        common = [(stride, count) for stride, count in pairs[start : start + length]]
        start += length
        # the order in the row decides what is left
        if length > 1:
            common.sort(key=lambda each: (-each[1], abs(each[0])))
        yield _Kinds(common=tuple(common), others=others)
