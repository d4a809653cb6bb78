"""The trace of chosen threads of an affine nest, without running the program.

The loops inside the threads become a list of steps: the begin of a loop, its end, an access. Each
thread walks through them; in a loop that has only accesses inside, addresses go on by addition.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.affine.affine_nest import AffineError, AffineNest, extents_of
from logca.gpu.nests.nest import NestTrace

__all__ = ["access_counts", "synthesise"]

Integers = NDArray[np.int64]
_LOOP, _END, _ACCESS = 0, 1, 2
_NO_LIMIT = 2**62


def access_counts(affine: AffineNest, threads: NDArray[Any], *, launch: int) -> Integers:
    """Number of accesses that each thread makes [1]."""
    return _walked(affine, _checked(affine, threads, launch), launch, _NO_LIMIT, None)


def synthesise(
    affine: AffineNest, threads: NDArray[Any], *, launch: int, limit: int | None = None
) -> NestTrace:
    """The trace of some threads of a launch, one thread after another.

    It takes 20 bytes for each access and 4 more for each loop around, 8 where these have
    more than 2^31 iterations; `access_counts` tells how many accesses there will be.
    """
    at = _checked(affine, threads, launch)
    most = _NO_LIMIT if limit is None else limit
    starts = np.append(0, np.cumsum(_walked(affine, at, launch, most, None)))
    total = int(starts[-1])
    if not total:
        raise AffineError(f"the {len(at)} threads make no access in launch {launch}")
    access = np.empty(total, np.uint32)
    address = np.empty(total, np.uint64)
    size = np.empty(total, np.uint32)
    iterations = np.empty((total, affine.depth), at.dtype)
    _walked(affine, at, launch, most, (starts, access, address, size, iterations))
    return NestTrace(
        access=access,
        address=address,
        size=size,
        launch=np.full(total, launch, np.int32),
        iterations=iterations,
        accesses=affine.accesses,
        loops=affine.loops,
        nest=affine.nest,
        collapse=affine.collapse,
        launches=(launch,),
        extents=(extents_of(affine, launch),),
    )


def _checked(affine: AffineNest, threads: NDArray[Any], launch: int) -> NDArray[Any]:
    extents = extents_of(affine, launch)
    if threads.ndim != 2 or threads.shape[1] != affine.collapse:
        raise AffineError(
            f"threads must be rows of {affine.collapse} iterations, not of shape {threads.shape}"
        )
    wrong = np.flatnonzero(np.any((threads < 0) | (threads >= np.array(extents)), axis=1))
    if len(wrong):
        raise AffineError(
            f"thread {tuple(threads[wrong[0]].tolist())} is not in the launch of "
            f"{' x '.join(map(str, extents))} threads"
        )
    wide = max(extents) > np.iinfo(np.int32).max
    return np.ascontiguousarray(threads, np.int64 if wide else np.int32)


def _walked(
    affine: AffineNest,
    threads: NDArray[Any],
    launch: int,
    limit: int,
    columns: tuple[NDArray[Any], ...] | None,
) -> Integers:
    """Walk all threads, filling columns if there are any; accesses of each."""
    sites, depth = affine.sites, affine.depth
    lower = np.zeros((len(sites), depth, depth + 1), np.int64)
    upper = np.zeros((len(sites), depth, depth + 1), np.int64)
    address = np.zeros((len(sites), depth + 1), np.int64)
    for place, site in enumerate(sites):
        address[place] = _at_launch(site.address, launch, depth)
        for level, (low, high) in enumerate(zip(site.lower, site.upper, strict=True)):
            lower[place, level] = _at_launch(low, launch, depth)
            upper[place, level] = _at_launch(high, launch, depth)
    runs = [site.launches[0] <= launch < site.launches[1] for site in sites]
    counts = np.zeros(len(threads), np.int64)
    if columns is None:
        none = np.empty(0, np.uint32)
        columns = (
            np.empty(0, np.int64),
            none,
            np.empty(0, np.uint64),
            none,
            np.empty((0, 0), threads.dtype),
        )
    compiled(_walk)(
        _steps(affine),
        np.array(runs),
        np.array([[site.access, site.size] for site in sites], np.uint32),
        address,
        lower,
        upper,
        threads,
        limit,
        counts,
        *columns,
    )
    return counts


def _at_launch(function: tuple[int, ...], launch: int, depth: int) -> list[int]:
    constant, each, *steps = function
    return [constant + each * launch, *steps, *[0] * (depth - len(steps))]


def _steps(affine: AffineNest) -> Integers:
    """Rows of kind, level, first and end of the sites inside, step after the loop, innermost."""
    rows: list[list[int]] = []

    def add(first: int, end: int, level: int) -> None:
        place = first
        while place < end:
            loops = affine.sites[place].loops
            if len(loops) == level:
                rows.append([_ACCESS, level, place, place + 1, 0, 0])
                place += 1
                continue
            inside = place
            while inside < end and affine.sites[inside].loops[level : level + 1] == (loops[level],):
                inside += 1
            only = all(len(site.loops) == level + 1 for site in affine.sites[place:inside])
            row = [_LOOP, level, place, inside, 0, int(only)]
            rows.append(row)
            if not only:
                begin = len(rows)
                add(place, inside, level + 1)
                rows.append([_END, level, place, inside, begin, 0])
            row[4] = len(rows)
            place = inside

    add(0, len(affine.sites), affine.collapse)
    return np.array(rows, np.int64).reshape(-1, 6)


def _walk(
    steps: Integers,
    runs: NDArray[np.bool_],
    numbers: NDArray[np.uint32],
    address: Integers,
    lower: Integers,
    upper: Integers,
    threads: NDArray[Any],
    limit: int,
    counts: Integers,
    starts: Integers,
    out_access: NDArray[np.uint32],
    out_address: NDArray[np.uint64],
    out_size: NDArray[np.uint32],
    out_iterations: NDArray[Any],
) -> None:
    """Walk the steps for each thread.

    ``inside[s] > level`` says that the iterations down to that level are within the bounds of
    site s; bounds of a loop are known while it runs.
    """
    sites, depth = address.shape[0], address.shape[1] - 1
    collapse = threads.shape[1]
    write = starts.shape[0] > 0
    low = np.zeros((depth, sites), np.int64)
    high = np.zeros((depth, sites), np.int64)
    stop = np.zeros(depth, np.int64)
    here = np.zeros(sites, np.int64)
    inside = np.zeros(sites, np.int64)
    at = np.full(depth, -1, np.int64)
    for thread in range(threads.shape[0]):
        for level in range(depth):
            at[level] = threads[thread, level] if level < collapse else -1
        for site in range(sites):
            inside[site] = collapse if runs[site] else 0
            for level in range(collapse):
                begin, end = lower[site, level, 0], upper[site, level, 0]
                for outer in range(level):
                    begin += lower[site, level, outer + 1] * at[outer]
                    end += upper[site, level, outer + 1] * at[outer]
                if not begin <= at[level] < end:
                    inside[site] = 0
        row = starts[thread] if write else 0
        room = row + limit
        step = 0
        while step < steps.shape[0] and row < room:
            kind, level, first, last, target, only = steps[step]
            if kind == 2:
                if inside[first] >= level:
                    if write:
                        byte = address[first, 0]
                        for outer in range(level):
                            byte += address[first, outer + 1] * at[outer]
                        out_access[row] = numbers[first, 0]
                        out_size[row] = numbers[first, 1]
                        out_address[row] = byte
                        for outer in range(depth):
                            out_iterations[row, outer] = at[outer]
                    row += 1
                step += 1
                continue
            if kind == 0:
                begin, end = np.int64(2**62), np.int64(-1)
                for site in range(first, last):
                    lowest, highest = np.int64(0), np.int64(0)
                    if inside[site] >= level:
                        lowest, highest = lower[site, level, 0], upper[site, level, 0]
                        for outer in range(level):
                            lowest += lower[site, level, outer + 1] * at[outer]
                            highest += upper[site, level, outer + 1] * at[outer]
                    if lowest < highest:
                        begin, end = min(begin, lowest), max(end, highest)
                    low[level, site], high[level, site] = lowest, highest
                if only:
                    if not write:
                        for site in range(first, last):
                            row += max(np.int64(0), high[level, site] - low[level, site])
                    elif begin < end:
                        for site in range(first, last):
                            here[site] = address[site, 0] + address[site, level + 1] * begin
                            for outer in range(level):
                                here[site] += address[site, outer + 1] * at[outer]
                        at[level] = begin
                        while at[level] < end and row < room:
                            for site in range(first, last):
                                if low[level, site] <= at[level] < high[level, site] and row < room:
                                    out_access[row] = numbers[site, 0]
                                    out_size[row] = numbers[site, 1]
                                    out_address[row] = here[site]
                                    for outer in range(depth):
                                        out_iterations[row, outer] = at[outer]
                                    row += 1
                                here[site] += address[site, level + 1]
                            at[level] += 1
                        at[level] = -1
                    step = target
                    continue
                if begin >= end:
                    step = target
                    continue
                at[level], stop[level] = begin, end
                step += 1
            else:
                at[level] += 1
                if at[level] >= stop[level]:
                    at[level] = -1
                    step += 1
                    continue
                step = target
            for site in range(first, last):
                if inside[site] >= level:
                    within = low[level, site] <= at[level] < high[level, site]
                    inside[site] = level + 1 if within else level
        counts[thread] = min(row - starts[thread] if write else row, limit)
