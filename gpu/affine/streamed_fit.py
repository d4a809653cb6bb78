"""The affine functions of launches, found while their trace goes by, without keeping it.

Of each access its address, and of each loop around it the first iteration and the one after the
last, are functions of the iterations further out. A function is solved from the few points that
span all others, and every value is compared with it, so that what is found makes exactly the trace
that went by. Where the trace of a launch ends early, what its accesses were counted to be in all
tells how far its outermost loop takes each.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.affine.affine_nest import (
    Affine,
    AffineError,
    AffineNest,
    AffineSite,
    unspanned,
    with_value,
)
from logca.gpu.affine.domain_counts import corners, end_of_outermost
from logca.gpu.affine.fit import loops_around, program_order
from logca.gpu.affine.streamed_rows import ADDRESS, BOUNDS, DISORDER, FINE, GAP, UNLIKE, pass_rows
from logca.gpu.nests.nest import Columns, NestTables, launches_in

__all__ = ["StreamedFit"]

Integers = NDArray[np.int64]

_OUTER = 2
"""Outermost iterations that must have ended in a launch whose trace was cut off [1]."""

_REASONS = {
    UNLIKE: "size or nesting of the access to {array} changes while the program runs",
    DISORDER: "the access to {array} comes out of the order of the source",
    ADDRESS: "the address in {array} is no affine function of the iterations",
    BOUNDS: "the loops around the access to {array} do not begin and end at affine functions of "
    "the iterations further out",
    GAP: "a condition leaves out iterations of the loops around the access to {array}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sites:
    """The accesses whose functions are searched for, in program order."""

    numbers: tuple[int, ...]  # static accesses [1]
    chains: tuple[tuple[int, ...], ...]  # loops around each, collapsed ones in any case [1]
    depths: Integers  # loops that are really around each [1]
    thread: NDArray[np.bool_]  # whether all loops that become threads are among them
    position: Integers  # place of each static access of the program; -1 for others [1]
    common: Integers  # for each two of them how many loops they have in common [1]


class StreamedFit:
    """The affine functions of some launches of a nest."""

    def __init__(
        self, tables: NestTables, accesses: Collection[int], launches: Collection[int]
    ) -> None:
        self.tables = tables
        self.last = -1  # the last launch that was seen [1]
        self._accesses = frozenset(accesses)
        self._launches = frozenset(launches)
        self._reason: AffineError | None = None
        self._sites: _Sites | None = None
        self._fits: dict[int, _LaunchFit] = {}
        try:
            self._sites = _sites(tables, accesses)
        except AffineError as error:
            self._reason = error

    def add(self, columns: Columns) -> None:
        """Take in the next accesses, in program order."""
        numbers, _ = launches_in(columns.launch)
        self.last = max(self.last, int(numbers[-1]))
        if self._sites is None:
            return
        for launch in sorted(self._launches.intersection(numbers.tolist())):
            if launch not in self._fits:
                width = 1 + columns.iterations.shape[1]
                self._fits[launch] = _LaunchFit(sites=self._sites, width=width)
            own = columns if len(numbers) == 1 else columns.where(columns.launch == launch)
            self._fits[launch].add(own)

    @property
    def launches(self) -> tuple[int, ...]:
        """The launches of which something was seen [1]."""
        return tuple(sorted(self._fits))

    @property
    def irregular(self) -> frozenset[int]:
        """Accesses whose addresses were seen not to be affine functions of the iterations [1]."""
        sites = self._sites
        if sites is None:
            return frozenset()
        return frozenset(
            sites.numbers[place]
            for own in self._fits.values()
            for place in np.flatnonzero(own.status == ADDRESS).tolist()
        )

    def nest_of(
        self, launch: int, extents: Sequence[int], counted: Mapping[int, float] | None
    ) -> AffineNest:
        """The affine nest of one of the launches, of which it knows no other.

        `extents` are the iterations of its collapsed loops. If its trace ended before it did,
        `counted` is how often all its threads make each access. It is an error if the launch is
        not affine, or too little of it was seen; the message says which access.
        """
        if self._reason is not None:
            raise self._reason
        own, sites = self._fits.get(launch), self._sites
        if own is None or sites is None:
            raise AffineError(f"launch {launch} was not seen")
        found: list[AffineSite] = []
        outer = int(own.last[:, 0].max(initial=-1))
        for place in np.flatnonzero(own.seen).tolist():
            self._check(own, place)
        if counted is not None:
            for number in sorted(self._accesses - {sites.numbers[at] for at in own.places()}):
                if counted.get(number, 0.0):
                    raise self._error(number, "the access to {array} comes late in the launch")
            if outer < min(_OUTER, extents[0] - 1):
                raise AffineError("the trace ended in the first iterations of the outermost loop")
        for place in own.places():
            if counted is None:
                own.close(place)
                self._check(own, place)
            found.append(self._site(own, place, launch, outer, extents[0], counted))
        if not found:
            raise AffineError(f"launch {launch} makes none of the accesses")
        return AffineNest(
            sites=tuple(_with_all_threads(found, sites, self.tables.collapse)),
            accesses=self.tables.accesses,
            loops=self.tables.loops,
            nest=self.tables.nest,
            collapse=self.tables.collapse,
            depth=own.width - 1,
            launches=(launch, launch + 1),
            extents=tuple((extent, 0) for extent in extents),
        )

    def _check(self, own: "_LaunchFit", place: int) -> None:
        status, number = int(own.status[place]), own.sites.numbers[place]
        if status != FINE:
            raise self._error(number, _REASONS[status])

    def _error(self, number: int, reason: str) -> AffineError:
        access = self.tables.accesses[number]
        return AffineError(reason.format(array=access.array or "memory"), access=access)

    def _site(
        self,
        own: "_LaunchFit",
        place: int,
        launch: int,
        outer: int,
        extent: int,
        counted: Mapping[int, float] | None,
    ) -> AffineSite:
        """An access with the loops that are really around it."""
        number, depth = own.sites.numbers[place], int(own.sites.depths[place])
        slots = [own.slot(place, level, upper) for upper in (0, 1) for level in range(depth)]
        if counted is not None:
            slots.remove(own.slot(place, 0, 1))
        if any(own.denominators[slot] != 1 for slot in (own.slot(place), *slots)):
            raise self._error(number, "of the access to {array} too little was seen")
        lower = [own.function(own.slot(place, level, 0), level) for level in range(depth)]
        upper = [own.function(own.slot(place, level, 1), level) for level in range(1, depth)]
        if counted is None:
            upper.insert(0, own.function(own.slot(place, 0, 1), 0))
        else:
            last, often = int(own.last[place, 0]), counted.get(number, 0.0)
            end = end_of_outermost(lower, upper, round(often)) if often == round(often) else None
            if end is None or end > extent or end <= last or (last < outer - 1 and end > last + 1):
                raise self._error(
                    number, "the access to {array} is made otherwise after the trace ended"
                )
            upper.insert(0, (end, 0))
            ends = corners(lower, upper)
            for slot in (own.slot(place), *slots):
                known = own.nulls[slot, : own.null_count[slot]]
                level = own.level(place, slot)
                if np.any(ends[level] @ known[:, : level + 1].T):
                    raise self._error(number, "of the access to {array} too little was seen")
        return AffineSite(
            access=number,
            size=int(own.sizes[place]),
            loops=own.sites.chains[place],
            address=own.function(own.slot(place), depth),
            launches=(launch, launch + 1),
            lower=tuple(lower),
            upper=tuple(upper),
        )


def _with_all_threads(
    found: Sequence[AffineSite], sites: _Sites, collapse: int
) -> list[AffineSite]:
    """The accesses, those between the collapsed loops made by every thread of their row."""
    depth = {number: int(own) for number, own in zip(sites.numbers, sites.depths, strict=True)}
    whole = [site for site in found if depth[site.access] >= collapse]
    if not whole:
        raise AffineError("no access is made in the innermost of the collapsed loops")
    made = []
    for site in found:
        own = depth[site.access]
        rows = {(each.lower[own:collapse], each.upper[own:collapse]) for each in whole}
        if own < collapse and len(rows) > 1:
            raise AffineError("the rows of threads of an access between loops are not known")
        lower, upper = next(iter(rows)) if own < collapse else ((), ())
        more = (0,) * (len(site.loops) - own)
        made.append(
            AffineSite(
                access=site.access,
                size=site.size,
                loops=site.loops,
                address=(*site.address, *more),
                launches=site.launches,
                lower=(*site.lower, *lower),
                upper=(*site.upper, *upper),
            )
        )
    return made


def _sites(tables: NestTables, accesses: Collection[int]) -> _Sites:
    numbers = sorted(accesses)
    if not numbers:
        raise AffineError("the nest makes no accesses")
    chains = loops_around(tables, numbers)
    ordered = program_order(tables, numbers, chains)
    position = np.full(len(tables.accesses), -1, np.int64)
    position[ordered] = np.arange(len(ordered))
    really = [tables.chain_of(tables.accesses[number].loop) for number in ordered]
    common = np.array([[_common(one, other) for other in really] for one in really], np.int64)
    depths = np.array([len(chain) for chain in really], np.int64)
    return _Sites(
        numbers=tuple(ordered),
        chains=tuple(chains[number] for number in ordered),
        depths=depths,
        thread=depths >= tables.collapse,
        position=position,
        common=common,
    )


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return same


@dataclass(slots=True, kw_only=True, eq=False)
class _LaunchFit:
    """The functions of one launch so far.

    Each access has a slot for its address, and for each loop around it two: where it begins, and
    where it ends. `nulls` are vectors that are 0 times all points of a slot so far: one that is not
    0 times another point says that the point tells something new.
    """

    sites: _Sites
    width: int  # iteration columns, and one for the constant [1]
    status: Integers = field(init=False)  # what an access was seen to be, see `streamed_rows` [1]
    seen: NDArray[np.bool_] = field(init=False)
    sizes: Integers = field(init=False)
    last: Integers = field(init=False)  # the iterations in which each was seen last [1]
    before: Integers = field(init=False)  # the last access within all loops that are threads [1]
    numerators: Integers = field(init=False)
    denominators: Integers = field(init=False)
    nulls: Integers = field(init=False)
    null_count: Integers = field(init=False)
    points: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Know nothing."""
        count, width = len(self.sites.numbers), self.width
        slots = count * (2 * width - 1)
        self.status, self.seen = np.full(count, FINE, np.int64), np.zeros(count, np.bool_)
        self.sizes, self.before = np.full(count, -1, np.int64), np.full(1, -1, np.int64)
        self.last = np.full((count, width - 1), -1, np.int64)
        self.numerators = np.zeros((slots, width), np.int64)
        self.numerators[:, 0] = 1  # no value is 1 over 0: the first one is new
        self.denominators = np.zeros(slots, np.int64)
        self.nulls = np.zeros((slots, width, width), np.int64)
        self.null_count = np.zeros(slots, np.int64)

    def places(self) -> list[int]:
        """The accesses that were seen, in program order [1]."""
        return [int(place) for place in np.flatnonzero(self.seen)]

    def slot(self, place: int, level: int = -1, upper: int = 0) -> int:
        """The slot of an access's address, or of where one of its loops begins or ends [1]."""
        return place * (2 * self.width - 1) + (0 if level < 0 else 1 + 2 * level + upper)

    def level(self, place: int, slot: int) -> int:
        """Iterations that the function of a slot depends on [1]."""
        rest = slot - self.slot(place)
        return (rest - 1) // 2 if rest else int(self.sites.depths[place])

    def function(self, slot: int, level: int) -> Affine:
        """The function of a slot, of no launch and so many iterations."""
        constant, *steps = self.numerators[slot, : level + 1].tolist()
        return (constant, 0, *steps)

    def add(self, columns: Columns) -> None:
        """Take in the next accesses."""
        iterations = np.ascontiguousarray(columns.iterations)
        row, point = 0, np.zeros(self.width + 1, np.int64)
        while True:
            row, slot = compiled(pass_rows)(
                row,
                columns.access,
                columns.address,
                columns.size,
                iterations,
                self.sites.position,
                self.sites.depths,
                self.sites.common,
                self.sites.thread,
                self.status,
                self.seen,
                self.sizes,
                self.last,
                self.before,
                self.numerators,
                self.denominators,
                self.nulls,
                self.null_count,
                point,
            )
            if slot < 0:
                return
            place = slot // (2 * self.width - 1)
            level = self.level(place, slot)
            self._learn(place, slot, (*point[: level + 1].tolist(), int(point[-1])))

    def close(self, place: int) -> None:
        """End the loops around an access, as the launch did."""
        last = self.last[place].tolist()
        for level in range(int(self.sites.depths[place])):
            slot, point = self.slot(place, level, 1), [1, *last[:level]]
            value = sum(a * b for a, b in zip(self.numerators[slot].tolist(), point, strict=False))
            known = self.nulls[slot, : self.null_count[slot], : level + 1]
            if np.any(known @ np.array(point)) or value != self.denominators[slot] * (
                last[level] + 1
            ):
                self._learn(place, slot, (*point, last[level] + 1))

    def _learn(self, place: int, slot: int, point: tuple[int, ...]) -> None:
        """Solve a function anew from its points and another one."""
        points = self.points.setdefault(slot, [])
        points.append(point)
        found = with_value(points)
        # products of larger numbers with addresses and iterations would not fit into 64 bits
        if found is None or max(map(abs, found[0])) >> 61 or found[1] >> 14:
            self.status[place] = BOUNDS if slot - self.slot(place) else ADDRESS
            return
        width = len(point) - 1
        self.numerators[slot, :width], self.denominators[slot] = found
        nulls = unspanned([each[:-1] for each in points])
        self.null_count[slot] = len(nulls)
        self.nulls[slot, : len(nulls), :width] = np.reshape(nulls, (len(nulls), width))
