"""Accesses of threads of a nest that is affine, at the work size: its first batches, or a window.

A window is a part of the grid, as large as its first batches, see `logca.gpu.windows`.
"""

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine import AffineError, AffineNest, extents_of
from logca.gpu.devices import GpuDevice
from logca.gpu.interchange import exchanged, with_exchanged_loops
from logca.gpu.kernel import BATCHES
from logca.gpu.nest import NestTrace
from logca.gpu.occupancy import occupancy
from logca.gpu.parts import shifted
from logca.gpu.synthesis import access_counts, synthesise
from logca.gpu.threads import Layout, layout
from logca.gpu.windows import Window, begin_of, spread_windows

__all__ = ["first_threads", "profile_of", "trace_at", "windows_at"]

_RECORDS = 1 << 23
"""Accesses of a launch that are looked at; of every thread its first ones [1]."""

_OF_WINDOW = 1 << 22
"""The same of a window [1]."""

_THREADS = 128
_ACCESSES = 1 << 21
"""Threads of a window whose accesses are counted, and how many accesses these may make [1]."""


def trace_at(
    nest: AffineNest,
    launch: int,
    window: Window | None = None,
    *,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    interchanged: bool = False,
    records: int | None = None,
) -> NestTrace | None:
    """Accesses of some threads of a launch; of long threads only their first ones.

    Parameters
    ----------
    nest : AffineNest
        The nest at the work size.
    launch : int
        Which launch [1].
    window : Window, optional
        Whose threads are meant; the first batches if left out.
    block : tuple of int, optional
        Threads of a block along x, y and z [1].
    device : GpuDevice
        The GPU.
    interchanged : bool
        Whether the two innermost collapsed loops change places.
    records : int, optional
        Accesses that are looked at; 8 million, or 4 million of a window, if left out [1].

    Returns
    -------
    NestTrace or None
        The accesses; None if the threads of a window make none.

    Raises
    ------
    AffineError
        If the first batches make none.
    """
    grid, blocks = _grid(nest, launch, block, device, interchanged)
    threads = first_threads(grid, blocks)
    begin = (0,) * nest.collapse
    if window is not None:
        begin = begin_of(window, grid, blocks)
        threads = _moved(threads, begin, grid)
    if interchanged:
        threads, begin = threads[:, exchanged(range(nest.collapse))], exchanged(begin)
    most = records or (_RECORDS if window is None else _OF_WINDOW)
    try:
        found = synthesise(nest, threads, launch=launch, limit=max(1, most // len(threads)))
    except AffineError:
        if window is None:
            raise
        return None
    if window is not None:
        found = shifted(found, begin)
    return with_exchanged_loops(found) if interchanged else found


def windows_at(
    nest: AffineNest, launch: int, block: tuple[int, ...] | None, device: GpuDevice
) -> tuple[Window, ...]:
    """Windows of a launch at the work size."""
    grid, blocks = _grid(nest, launch, block, device)
    return spread_windows(grid, blocks)


def profile_of(
    nest: AffineNest,
    launch: int,
    window: Window,
    *,
    block: tuple[int, ...] | None,
    device: GpuDevice,
) -> dict[int, float] | None:
    """How often a thread of a window makes each static access, at the work size [1].

    Some threads are counted; None if that is too much.
    """
    grid, blocks = _grid(nest, launch, block, device)
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

    Parameters
    ----------
    grid : Layout
        The launch.
    blocks : int
        How many blocks [1].

    Examples
    --------
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


def _grid(
    nest: AffineNest,
    launch: int,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    interchanged: bool = False,
) -> tuple[Layout, int]:
    """The grid of a launch, and blocks of its first batches."""
    extents = extents_of(nest, launch)
    grid = layout(
        exchanged(extents) if interchanged else extents,
        block,
        max_threads_per_block=device.max_threads_per_block,
    )
    return grid, BATCHES * occupancy(grid, device).fitting_blocks * device.multiprocessors


def _moved(threads: NDArray[np.int64], begin: tuple[int, ...], grid: Layout) -> NDArray[np.int64]:
    """Threads from another place of the grid on, as far as it has them there."""
    moved: NDArray[np.int64] = threads + np.array(begin)
    kept: NDArray[np.int64] = moved[np.all(moved < np.array(grid.extents), axis=1)]
    return kept
