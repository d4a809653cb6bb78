"""An affine nest extended from small sizes to the work size, and the accesses it makes there.

Coefficients, bounds and extents are polynomials of the size. Arrays are laid out anew, one after
another as `cudaMalloc` does. Accesses are those of the first batches of threads, or of a window.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine.affine_nest import (
    Affine,
    AffineError,
    AffineNest,
    AffineSite,
    extents_of,
    extremes,
)
from logca.gpu.affine.synthesis import access_counts, synthesise
from logca.gpu.nests.nest import NestTrace, exchanged, shifted, with_exchanged_loops
from logca.gpu.program.running import ALIGNMENT
from logca.gpu.program.work_size_extrapolation import ScalingError, SizeGrid, extrapolated
from logca.gpu.sampling.plan import GridWindow, begin_of, spread_windows
from logca.gpu.stages.blocks_and_occupancy import Layout, Shape

__all__ = [
    "at_work_size",
    "first_threads",
    "profile_of",
    "trace_at",
    "windows_at",
]

_HOST_ALIGNMENT = 16
_LARGEST = 2**62


def at_work_size(fits: Sequence[AffineNest], grid: SizeGrid) -> AffineNest:
    """The nest at the work size.

    Arrays begin at multiples of `ALIGNMENT`. Where the lowest address that the nest touches is not
    at a multiple of 16 bytes, which C aligns arrays to, in any of the runs, it keeps that distance.

    Notes
    -----
    What none of the sizes shows, such as a loop that stops at ``min(i, 1000)``, cannot be known.
    """
    first = fits[0]
    shapes = [_shape(nest) for nest in fits]
    if any(shape != shapes[0] for shape in shapes):
        raise AffineError(
            "the compiler makes different accesses of the nest at different sizes; "
            "trace it at the work size itself"
        )
    groups = _arrays(fits)
    sites = []
    for place, group in enumerate(groups):
        same = [nest.sites[place] for nest in fits]
        numbers = [_numbers(nest, place, groups.index(group)) for nest in fits]
        try:
            sites.append(_with_numbers(same[0], extrapolated(numbers, grid)))
        except ScalingError as error:
            access = first.accesses[same[0].access]
            raise AffineError(
                f"addresses in {access.array or 'memory'} and bounds of the loops around: {error}"
                f"{_single_trip(first, same[0])}",
                access=access,
            ) from error
    nest = _with_grid(replace(first, sites=tuple(sites)), fits, grid)
    lowest = [_lowest(each, groups) for each in fits]
    phases = [{low[group] % _HOST_ALIGNMENT for low in lowest} for group in range(max(groups) + 1)]
    return _placed(nest, groups, [min(each) if len(each) == 1 else 0 for each in phases])


def _single_trip(nest: AffineNest, site: AffineSite) -> str:
    """A hint, if a loop hides its coefficient at the smallest size by running just once."""
    for loop, low, high in zip(site.loops, site.lower, site.upper, strict=True):
        if high == (low[0] + 1, *low[1:]):
            return (
                f"; or begin at a larger size, as the loop in line {nest.loops[loop].line} runs "
                "only once at the first one"
            )
    return ""


def _shape(nest: AffineNest) -> tuple[object, ...]:
    """The nest, its loops and its accesses, which must be the same at all sizes."""
    tables = [nest.accesses[site.access] for site in nest.sites]
    return (
        nest.nest,
        nest.collapse,
        nest.depth,
        [(site.access, site.loops) for site in nest.sites],
        [(each.file, each.line, each.column, each.store, each.array) for each in tables],
    )


def _arrays(fits: Sequence[AffineNest]) -> list[int]:
    """For each site the number of its array.

    Sites reach one array if its name says so, or if the bytes from lowest to highest overlap in a
    run, as do those of two names for one array.
    """
    sites = fits[0].sites
    tables = [fits[0].accesses[site.access] for site in sites]
    names = [(each.function, each.array or place) for place, each in enumerate(tables)]
    group = list(range(len(sites)))

    def merge(one: int, other: int) -> None:
        old, new = sorted((group[one], group[other]), reverse=True)
        group[:] = [new if each == old else each for each in group]

    for place, name in enumerate(names):
        merge(place, names.index(name))
    for nest in fits:
        spans = [(*extremes(site), site.size, place) for place, site in enumerate(nest.sites)]
        end, last = -1, 0
        for low, high, size, place in sorted(spans):
            if low < end:
                merge(place, last)
            if high + size > end:
                end, last = high + size, place
    numbers = {old: new for new, old in enumerate(dict.fromkeys(group))}
    return [numbers[each] for each in group]


def _lowest(nest: AffineNest, groups: Sequence[int]) -> list[int]:
    """The lowest address that each array is touched at [B]."""
    lows = [(group, extremes(site)[0]) for group, site in zip(groups, nest.sites, strict=True)]
    return [min(low for own, low in lows if own == group) for group in range(max(groups) + 1)]


def _numbers(nest: AffineNest, place: int, reference: int) -> NDArray[np.int64]:
    """All numbers of a site in a row, its address counted from that of another site.

    Not from the lowest one: which site reaches lowest may differ between sizes.
    """
    site = nest.sites[place]
    constant, *steps = site.address
    distance = constant - nest.sites[reference].address[0]
    bounds = [number for bound in (*site.lower, *site.upper) for number in bound]
    return np.array([site.size, distance, *steps, *site.launches, *bounds], np.int64)


def _with_numbers(site: AffineSite, numbers: Sequence[int]) -> AffineSite:
    if max(map(abs, numbers)) > _LARGEST:
        raise ScalingError(f"at the work size a number is beyond 2**62: {max(map(abs, numbers))}")
    rest = iter(numbers)

    def like(old: Affine) -> Affine:
        return tuple(next(rest) for _ in old)

    (size,) = like((site.size,))
    address = like(site.address)
    first, end = like(site.launches)
    return replace(
        site,
        size=size,
        address=address,
        launches=(first, end),
        lower=tuple(map(like, site.lower)),
        upper=tuple(map(like, site.upper)),
    )


def _with_grid(nest: AffineNest, fits: Sequence[AffineNest], grid: SizeGrid) -> AffineNest:
    """The nest with launches and extents of the work size."""
    numbers = [
        np.array([*each.launches, *(part for extent in each.extents for part in extent)])
        for each in fits
    ]
    try:
        first, end, *parts = extrapolated(numbers, grid)
    except ScalingError as error:
        raise AffineError(f"launches and iterations of the collapsed loops: {error}") from error
    extents = tuple(zip(parts[::2], parts[1::2], strict=True))
    whole = replace(nest, launches=(first, end), extents=extents)
    if first >= end or not all(extents_of(whole, first)):
        raise AffineError("at the work size no iteration of the nest is left")
    return whole


def _placed(nest: AffineNest, groups: Sequence[int], phases: Sequence[int]) -> AffineNest:
    """The nest with its arrays one after another in memory."""
    spans = [
        (group, *extremes(site), site.size) for group, site in zip(groups, nest.sites, strict=True)
    ]
    free, moves = ALIGNMENT, []
    for array, phase in enumerate(phases):
        low = min(low for group, low, _, _ in spans if group == array)
        high = max(high + size for group, _, high, size in spans if group == array)
        moves.append(free + phase - low)
        free = -(-(free + phase + high - low) // ALIGNMENT) * ALIGNMENT
    sites = [
        replace(site, address=(site.address[0] + moves[group], *site.address[1:]))
        for group, site in zip(groups, nest.sites, strict=True)
    ]
    return replace(nest, sites=tuple(sites))


_RECORDS = 1 << 23
"""Recorded accesses of a launch; of every thread its first ones [1]."""

_OF_WINDOW = 1 << 22
"""Recorded accesses of a window; of every thread its first ones [1]."""

_THREADS = 128
_ACCESSES = 1 << 21
"""Threads of a window whose accesses are counted, and how many accesses these may make [1]."""


def trace_at(
    nest: AffineNest,
    launch: int,
    shape: Shape,
    *,
    window: GridWindow | None = None,
    records: int | None = None,
) -> NestTrace | None:
    """Accesses of some threads of a launch; of long threads only their first ones."""
    grid = _grid(nest, launch, shape)
    threads = first_threads(grid, shape.window_blocks)
    begin = (0,) * nest.collapse
    if window is not None:
        begin = begin_of(window, grid, shape.window_blocks)
        threads = _moved(threads, begin, grid)
    if shape.interchanged:
        threads, begin = threads[:, exchanged(range(nest.collapse))], exchanged(begin)
    most = records or (_RECORDS if window is None else _OF_WINDOW)
    try:
        trace = synthesise(nest, threads, launch=launch, limit=max(1, most // len(threads)))
    except AffineError:
        if window is None:
            raise
        return None
    if window is not None:
        trace = shifted(trace, begin)
    return with_exchanged_loops(trace) if shape.interchanged else trace


def windows_at(nest: AffineNest, launch: int, shape: Shape) -> tuple[GridWindow, ...]:
    """Windows of a launch at the work size."""
    return spread_windows(_grid(nest, launch, shape), shape.window_blocks)


def profile_of(
    nest: AffineNest, launch: int, window: GridWindow, *, shape: Shape
) -> dict[int, float] | None:
    """Executions of each static access by a thread of a window, at the work size [1].

    Some threads are counted; None if that is too much.
    """
    grid, blocks = _grid(nest, launch, shape), shape.window_blocks
    threads = _moved(first_threads(grid, blocks), begin_of(window, grid, blocks), grid)
    threads = threads[:: (len(threads) // _THREADS) | 1]
    total = access_counts(nest, threads, launch=launch).sum()
    if total > _ACCESSES:
        return None
    if not total:
        return {}
    counts = np.bincount(synthesise(nest, threads, launch=launch).access)
    return {site: count / len(threads) for site, count in enumerate(counts.tolist()) if count}


def first_threads(grid: Layout, blocks: int) -> NDArray[np.int64]:
    """Iterations of the collapsed loops of the threads of the first blocks, outermost first [1].

    Examples
    --------
    >>> from logca.gpu.stages.blocks_and_occupancy import layout
    >>> first_threads(layout((3, 40), (32, 2)), 1)[[0, 1, -1]].tolist()
    [[0, 0], [0, 1], [1, 31]]
    """
    block, thread = np.divmod(
        np.arange(min(blocks, grid.blocks) * grid.threads_per_block), grid.threads_per_block
    )
    coordinates = []
    for own, number in zip(grid.block, grid.grid, strict=True):
        block, place = np.divmod(block, number)
        thread, inside = np.divmod(thread, own)
        coordinates.append(place * own + inside)
    kept = np.all([at < end for at, end in zip(coordinates, grid.shape, strict=True)], axis=0)
    x, y, z = (column[kept] for column in coordinates)
    outer = np.unravel_index(z, grid.extents[:-2] or (1,))
    return np.stack([*outer, y, x][-len(grid.extents) :], axis=1)


def _grid(nest: AffineNest, launch: int, shape: Shape) -> Layout:
    """The grid of a launch."""
    extents = extents_of(nest, launch)
    return shape.grid(exchanged(extents) if shape.interchanged else extents)


def _moved(threads: NDArray[np.int64], begin: tuple[int, ...], grid: Layout) -> NDArray[np.int64]:
    """Threads from another place of the grid on, as far as it has them there."""
    moved: NDArray[np.int64] = threads + np.array(begin)
    kept: NDArray[np.int64] = moved[np.all(moved < np.array(grid.extents), axis=1)]
    return kept
