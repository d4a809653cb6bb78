"""Windows of a launch at the work size, of a nest that is affine."""

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine import AffineError, AffineNest, extents_of
from logca.gpu.devices import GpuDevice
from logca.gpu.enlarging import first_threads
from logca.gpu.interchange import exchanged, with_exchanged_loops
from logca.gpu.kernel import BATCHES
from logca.gpu.nest import NestTrace
from logca.gpu.occupancy import occupancy
from logca.gpu.parts import shifted
from logca.gpu.synthesis import access_counts, synthesise
from logca.gpu.threads import Layout, layout
from logca.gpu.windows import Window, begin_of, spread_windows

__all__ = ["profile_of", "window_at", "windows_at"]

_THREADS = 128
_ACCESSES = 1 << 21
_RECORDS = 1 << 22
"""Threads of a window whose accesses are counted, how many accesses these may make at most, and how
many accesses of a window go through the stages [1]."""


def windows_at(
    nest: AffineNest, launch: int, block: tuple[int, ...] | None, device: GpuDevice
) -> tuple[Window, ...]:
    """Windows of a launch at the work size."""
    grid, blocks = _grid(nest, launch, block, device, False)
    return spread_windows(grid, blocks)


def window_at(
    nest: AffineNest,
    launch: int,
    window: Window,
    *,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    interchanged: bool = False,
    records: int | None = None,
) -> NestTrace | None:
    """Accesses of a window at the work size; of long threads only their first ones.

    For the parameters see `logca.gpu.enlarging.trace_at`; None if its threads make none.
    """
    threads, begin = _threads(nest, launch, window, block, device, interchanged)
    try:
        found = synthesise(
            nest, threads, launch=launch, limit=max(1, (records or _RECORDS) // len(threads))
        )
    except AffineError:
        return None
    found = shifted(found, begin)
    return with_exchanged_loops(found) if interchanged else found


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
    threads, _ = _threads(nest, launch, window, block, device, False)
    threads = threads[:: (len(threads) // _THREADS) | 1]
    total = access_counts(nest, threads, launch=launch).sum()
    if total > _ACCESSES:
        return None
    if not total:
        return {}
    counts = np.bincount(synthesise(nest, threads, launch=launch).access)
    return {site: count / len(threads) for site, count in enumerate(counts.tolist()) if count}


def _grid(
    nest: AffineNest,
    launch: int,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    interchanged: bool,
) -> tuple[Layout, int]:
    """The grid of a launch, and blocks of its first batches."""
    extents = extents_of(nest, launch)
    grid = layout(
        exchanged(extents) if interchanged else extents,
        block,
        max_threads_per_block=device.max_threads_per_block,
    )
    return grid, BATCHES * occupancy(grid, device).fitting_blocks * device.multiprocessors


def _threads(
    nest: AffineNest,
    launch: int,
    window: Window,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    interchanged: bool,
) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """Threads of a window and where it begins, by the nest's loops."""
    grid, blocks = _grid(nest, launch, block, device, interchanged)
    begin = begin_of(window, grid, blocks)
    threads = first_threads(grid, blocks) + np.array(begin)
    threads = threads[np.all(threads < np.array(grid.extents), axis=1)]
    if not interchanged:
        return threads, begin
    return threads[:, exchanged(range(nest.collapse))], exchanged(begin)
