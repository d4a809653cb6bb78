"""From the trace of a nest to the affine functions that make it, checked on every access.

Iterations in which an access runs lie between affine bounds, loop by loop, without gaps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.affine.affine_nest import (
    Affine,
    AffineError,
    AffineNest,
    AffineSite,
    Contradiction,
    Points,
    affine_functions,
)
from logca.gpu.nests.nest import NestTables, NestTrace
from logca.trace.ir.program import Access

__all__ = [
    "Gap",
    "LoopBounds",
    "bounds",
    "fit",
    "loops_around",
    "program_order",
]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopBounds:
    """Where a static access runs."""

    launches: tuple[int, ...]  # all launches in which it runs [1]
    # lower, upper: first iteration of each loop, and the one after the last, as in `AffineSite`
    # [1]
    lower: tuple[Affine, ...]
    upper: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """The iterations in which a static access runs have no affine bounds."""

    row: int  # the first row that shows it [1]
    level: int  # the loop, 0 for the nest's outermost [1]
    # whether iterations are left out between others, rather than bounds being not affine
    inside: bool


def bounds(rows: Points, position: Integers, depths: Integers) -> list[LoopBounds | Gap]:
    """Bounds of all static accesses."""
    count = len(depths)
    level = depths - 1
    numbers = np.flatnonzero(position >= 0)
    inner: list[list[tuple[Affine, Affine]]] = [[] for _ in range(count)]
    found: list[LoopBounds | Gap | None] = [None] * count
    launches: list[tuple[int, ...]] = [()] * count
    origin: Integers | None = None
    while level.max() >= 0:
        begin, end, gap = _runs_of(rows, position, level)
        for place in np.flatnonzero(gap >= 0).tolist():
            row = int(gap[place] if origin is None else origin[gap[place]])
            found[place] = found[place] or Gap(row=row, level=int(level[place]), inside=True)
        places = position[rows.access[begin]]
        column = level[places]
        lower = rows.iterations[begin, column].astype(np.int64)
        upper = rows.iterations[end, column].astype(np.int64) + 1
        origin = begin if origin is None else origin[begin]
        outer = rows.iterations[begin]
        outer[np.arange(outer.shape[1]) >= column[:, None]] = 0
        rows = Points(access=rows.access[begin], launch=rows.launch[begin], iterations=outer)
        active = np.unique(places)
        dense = np.full(len(position), -1, np.int64)
        dense[numbers] = np.searchsorted(active, position[numbers])
        pairs = zip(
            affine_functions(rows, lower, dense, len(active)),
            affine_functions(rows, upper, dense, len(active)),
            strict=True,
        )
        for place, pair in zip(active.tolist(), pairs, strict=True):
            broken = [each.row for each in pair if isinstance(each, Contradiction)]
            if broken:
                row = int(origin[min(broken)])
                found[place] = found[place] or Gap(row=row, level=int(level[place]), inside=False)
                continue
            size = int(level[place]) + 2
            low, high = (tuple(each)[:size] for each in pair if not isinstance(each, Contradiction))
            inner[place].append((low, high))
            if size == 2:
                launches[place] = tuple(rows.launch[places == place].tolist())
        level = level - 1
    return [
        known
        or LoopBounds(
            launches=own,
            lower=tuple(low for low, _ in reversed(pairs)),
            upper=tuple(high for _, high in reversed(pairs)),
        )
        for known, own, pairs in zip(found, launches, inner, strict=True)
    ]


def _runs_of(
    rows: Points, position: Integers, level: Integers
) -> tuple[Integers, Integers, Integers]:
    """First and last rows of runs along the loop of each place's level; first gaps by place."""
    gap = np.full(len(level), -1, np.int64)
    columns = rows.access, position, rows.launch, rows.iterations, level
    none = np.empty(0, np.int64)
    number = compiled(_runs)(*columns, none, none, gap)
    begin, end = np.empty(number, np.int64), np.empty(number, np.int64)
    compiled(_runs)(*columns, begin, end, gap)
    return begin, end, gap


def _runs(
    access: NDArray[np.uint32],
    position: Integers,
    launch: NDArray[np.int32],
    iterations: NDArray[np.int32],
    level: Integers,
    begin: Integers,
    end: Integers,
    gap: Integers,
) -> int:
    """Count the runs, and write down where they begin and end if there is room to."""
    count = 0
    last = np.full(level.shape[0], -1, np.int64)
    current = np.full(level.shape[0], -1, np.int64)
    for row in range(access.shape[0]):
        place = position[access[row]]
        inner = level[place]
        if inner < 0:
            continue
        before = last[place]
        new = before < 0 or launch[row] != launch[before]
        if not new:
            for each in range(inner):
                if iterations[row, each] != iterations[before, each]:
                    new = True
                    break
        if new:
            if count < begin.shape[0]:
                begin[count] = row
            current[place] = count
            count += 1
        elif iterations[row, inner] != iterations[before, inner] + 1 and gap[place] < 0:
            gap[place] = row
        if current[place] < end.shape[0]:
            end[current[place]] = row
        last[place] = row
    return count


_UNLIKE, _DISORDER = 1, 2


def fit(nest: NestTrace) -> AffineNest:
    """The affine functions of a nest: what they make is its trace, access for access.

    Coefficients come from a few accesses and are checked on all of them: address, first and last
    iteration of every static access, order. Loops must start at iteration 0 in steps of 1, as the
    trace counts them, but conditions may cut off iterations at either end.

    Parameters
    ----------
    nest : NestTrace
        A whole trace, of launches as far apart as one likes.

    Raises
    ------
    AffineError
        If the nest is not affine: the message names the source line, and what first contradicts.
    """
    _check_whole(nest)
    numbers = np.flatnonzero(compiled(_present)(nest.access, len(nest.accesses))).tolist()
    loops = loops_around(nest, numbers)
    ordered = program_order(nest, numbers, loops)
    position = np.full(len(nest.accesses), -1, np.int64)
    position[ordered] = np.arange(len(ordered))
    accesses = [nest.accesses[number] for number in ordered]
    chains = [loops[number] for number in ordered]
    sizes = _check_rows(nest, position, accesses, chains)
    rows = Points(access=nest.access, launch=nest.launch, iterations=nest.iterations)
    where = nest.address.view(np.int64)
    addresses = affine_functions(rows, where, position, len(ordered))
    depths = np.array([len(chain) for chain in chains], np.int64)
    domains = bounds(rows, position, depths)
    sites = []
    for access, chain, size, address, domain in zip(
        accesses, chains, sizes, addresses, domains, strict=True
    ):
        if isinstance(address, Contradiction):
            raise _not_affine_address(nest, access, address.row)
        if isinstance(domain, Gap):
            raise _not_affine_bounds(nest, access, chain, domain)
        site = AffineSite(
            access=access.id,
            size=size,
            loops=chain,
            address=address[: len(chain) + 2],
            launches=_launches(nest, access, domain),
            lower=domain.lower,
            upper=domain.upper,
        )
        sites.append(site)
    return AffineNest(
        sites=tuple(sites),
        accesses=nest.accesses,
        loops=nest.loops,
        nest=nest.nest,
        collapse=nest.collapse,
        depth=nest.iterations.shape[1],
        launches=(nest.launches[0], nest.launches[-1] + 1),
        extents=_extents(nest),
    )


def _check_whole(nest: NestTrace) -> None:
    first = np.searchsorted(nest.launch, nest.launches)
    found = np.maximum.reduceat(nest.iterations[:, : nest.collapse], first, axis=0) + 1
    for launch, own, given in zip(nest.launches, found.tolist(), nest.extents, strict=True):
        if tuple(own) != given:
            raise AffineError(
                f"the trace reaches {' x '.join(map(str, own))} of {' x '.join(map(str, given))} "
                f"threads of launch {launch}; affine functions are found from whole launches"
            )


def loops_around(
    nest: NestTables | NestTrace, numbers: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    """Loops around each static access, those that became threads among them in any case."""
    chains = {}
    for number in numbers:
        access = nest.accesses[number]
        chain = nest.chain_of(access.loop)
        if not chain:
            raise AffineError(
                f"{access.source_function} is called in the nest and was not inlined, so its "
                "accesses are no affine functions of the nest's loops",
                access=access,
            )
        chains[number] = chain
    threads = max(chains.values(), key=len)[: nest.collapse]
    for number, chain in chains.items():
        outer = chain[: nest.collapse]
        if outer != threads[: len(outer)]:
            raise AffineError(
                f"of the {nest.collapse} collapsed loops one has several loops inside it; "
                "collapse fewer loops",
                access=nest.accesses[number],
            )
        chains[number] = threads + chain[nest.collapse :]
    return chains


def program_order(
    nest: NestTables | NestTrace, numbers: Sequence[int], loops: Mapping[int, tuple[int, ...]]
) -> list[int]:
    """Static accesses in the order in which one iteration of all loops makes them.

    Those outside of a collapsed loop come first, as `logca.gpu.nests.nest` puts them.
    """
    innermost = loops[numbers[0]][nest.collapse - 1]
    first: dict[int, int] = {}
    for number in numbers:
        for loop in loops[number]:
            first[loop] = min(first.get(loop, number), number)

    def key(number: int) -> tuple[int, ...]:
        chain = nest.chain_of(nest.accesses[number].loop)
        return innermost in chain, *(first[loop] for loop in loops[number]), number

    return sorted(numbers, key=key)


def _check_rows(
    nest: NestTrace,
    position: Integers,
    accesses: Sequence[Access],
    chains: Sequence[tuple[int, ...]],
) -> list[int]:
    """Sizes of the accesses, after a check that sizes, loops and order are what they must be."""
    sizes = np.full(len(accesses), -1, np.int64)
    common = np.array(
        [[_common(one, other) for other in chains] for one in chains], np.int64
    )  # of an access with itself: the loops around it
    kind, row = compiled(_first_fault)(
        nest.access, position, nest.size, nest.launch, nest.iterations, sizes, common
    )
    if kind == _UNLIKE:
        access = nest.accesses[nest.access[row]]
        raise AffineError(
            f"size or nesting of the access to {access.array or 'memory'} changes "
            f"while the program runs ({_told(nest, row)})",
            access=access,
            record=row,
        )
    if kind == _DISORDER:
        access = nest.accesses[nest.access[row]]
        raise AffineError(
            f"the access to {access.array or 'memory'} comes out of the order of the source "
            f"({_told(nest, row)})",
            access=access,
            record=row,
        )
    return [int(size) for size in sizes]


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _launches(nest: NestTrace, access: Access, domain: LoopBounds) -> tuple[int, int]:
    start = nest.launches.index(domain.launches[0])
    if nest.launches[start : start + len(domain.launches)] != domain.launches:
        raise AffineError(
            f"launches with an access to {access.array or 'memory'} alternate with others without",
            access=access,
        )
    return domain.launches[0], domain.launches[-1] + 1


def _extents(nest: NestTrace) -> tuple[Affine, ...]:
    count = len(nest.launches)
    rows = Points(
        access=np.repeat(np.arange(nest.collapse, dtype=np.uint32), count),
        launch=np.tile(np.array(nest.launches, np.int32), nest.collapse),
        iterations=np.empty((count * nest.collapse, 0), np.int32),
    )
    values = np.array(nest.extents, np.int64).T.ravel()
    position = np.arange(nest.collapse, dtype=np.int64)
    found = affine_functions(rows, values, position, nest.collapse)
    if any(isinstance(each, Contradiction) for each in found):
        raise AffineError(
            f"the iterations {list(nest.extents)} of the collapsed loops are no affine function of "
            "the launch"
        )
    return tuple(each for each in found if not isinstance(each, Contradiction))


def _told(nest: NestTrace, row: int) -> str:
    at = [each for each in nest.iterations[row].tolist() if each >= 0]
    return f"access {row} of the trace, launch {nest.launch[row]}, iterations {tuple(at)}"


def _not_affine_address(nest: NestTrace, access: Access, row: int) -> AffineError:
    return AffineError(
        f"the address in {access.array or 'memory'} is no affine function of launch and iterations;"
        f" the accesses before it do not lead to that of {_told(nest, row)}",
        access=access,
        record=row,
    )


def _not_affine_bounds(
    nest: NestTrace, access: Access, chain: Sequence[int], gap: Gap
) -> AffineError:
    loop = nest.loops[chain[gap.level]]
    what = (
        f"a condition leaves out iterations of the loop in line {loop.line}"
        if gap.inside
        else f"the iterations of the loop in line {loop.line} do not begin and end at affine "
        "functions of launch and iterations further out"
    )
    return AffineError(
        f"{what}; the first access to {access.array or 'memory'} that shows it is "
        f"{_told(nest, gap.row)}",
        access=access,
        record=gap.row,
    )


def _present(access: NDArray[np.uint32], count: int) -> NDArray[np.bool_]:
    found = np.zeros(count, np.bool_)
    for row in range(access.shape[0]):
        found[access[row]] = True
    return found


def _first_fault(
    access: NDArray[np.uint32],
    position: Integers,
    size: NDArray[np.uint32],
    launch: NDArray[np.int32],
    iterations: NDArray[np.int32],
    sizes: Integers,
    common: Integers,
) -> tuple[int, int]:
    """The first row of another size or depth than its static access has, or out of order."""
    width = iterations.shape[1]
    before = np.int64(-1)
    for row in range(access.shape[0]):
        place = position[access[row]]
        depth = common[place, place]
        if sizes[place] < 0:
            sizes[place] = size[row]
        if size[row] != sizes[place]:
            return 1, row
        for level in range(width):
            if (iterations[row, level] >= 0) != (level < depth):
                return 1, row
        if before >= 0:
            later = launch[row] - launch[row - 1]
            shared = common[before, place]
            level = 0
            while later == 0 and level < shared:
                later = iterations[row, level] - iterations[row - 1, level]
                level += 1
            if later < 0 or (later == 0 and place <= before):
                return 2, row
        before = place
    return 0, -1
