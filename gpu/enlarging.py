"""The accesses of a nest's first batches of threads at the work size, without a run at that size.

Small runs give the nest as affine functions of its loops, these as polynomials of the size; from
there the accesses of any thread of any launch follow. What is not affine has no such trace.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine import AffineError, AffineNest, extents_of
from logca.gpu.affine_fit import fit
from logca.gpu.devices import GpuDevice
from logca.gpu.interchange import exchanged, with_exchanged_loops
from logca.gpu.kernel import BATCHES
from logca.gpu.nest import NestError, NestTrace
from logca.gpu.occupancy import occupancy
from logca.gpu.regions import Nest
from logca.gpu.sampling import Wanted, sampled
from logca.gpu.scaling import size_grid
from logca.gpu.synthesis import synthesise
from logca.gpu.threads import Layout, layout
from logca.gpu.traces import kept_of, trace_of
from logca.gpu.work_size import at_work_size
from logca.gpu.workload import Workload
from logca.trace.errors import TraceError

__all__ = ["Enlarged", "enlarged", "first_threads", "trace_at"]

_SMALL = 32
"""Sizes from which the nest is fitted: small, but several warps and lines long [1]."""

_DEGREE = 3
_ALL = 1 << 30
_LAUNCHES = 8
_RECORDS = 1 << 23
"""Accesses of a launch that are looked at; of every thread its first ones [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enlarged:
    """A nest at the work size.

    Parameters
    ----------
    affine : AffineNest or None
        The nest; None if it has no such form.
    reason : str
        Why it has none [text].
    """

    affine: AffineNest | None
    reason: str = ""


def enlarged(
    load: Workload, nests: Sequence[Nest], kept: Mapping[int, Collection[int]]
) -> dict[int, Enlarged]:
    """Nests at the work size, by their outermost loops.

    Parameters
    ----------
    load : Workload
        The program.
    nests : sequence of Nest
        The nests.
    kept : mapping of int to collection of int
        For each nest the accesses that go to the memory of the device [1].
    """
    small = {name: min(size, _SMALL) for name, size in load.trace_size.items()}
    grid = size_grid(small, load.work_size, degree=_DEGREE)
    wanted = [
        Wanted(
            nest=nest,
            launches=frozenset(range(_LAUNCHES)),
            window=(_ALL,) * nest.collapse,
            number=_ALL,
            extents=(),
        )
        for nest in nests
    ]
    try:
        programs = [load.build(sizes) for sizes in grid.sizes]
        samples = [sampled(program, wanted) for program in programs]
    except TraceError as error:
        return {nest.loop: Enlarged(affine=None, reason=str(error)) for nest in nests}
    found = {}
    for each in wanted:
        loop = each.nest.loop
        try:
            traces = [
                kept_of(trace_of(program.compiled.program, each, sample[loop]), kept[loop])
                for program, sample in zip(programs, samples, strict=True)
            ]
            fits = [fit(trace) for trace in traces if trace is not None]
            found[loop] = Enlarged(affine=at_work_size(fits, grid) if fits else None)
        except (AffineError, NestError) as error:
            found[loop] = Enlarged(affine=None, reason=str(error))
    return found


def trace_at(
    nest: AffineNest,
    launch: int,
    *,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    interchanged: bool = False,
    records: int | None = None,
) -> NestTrace:
    """Accesses of the first batches of a launch; of long threads only their first ones.

    Parameters
    ----------
    nest : AffineNest
        The nest at the work size.
    launch : int
        Which launch [1].
    block : tuple of int, optional
        Threads of a block along x, y and z [1].
    device : GpuDevice
        The GPU.
    interchanged : bool
        Whether the two innermost collapsed loops change places.
    records : int, optional
        Accesses that are looked at; 8 million if left out [1].
    """
    extents = extents_of(nest, launch)
    grid = layout(
        exchanged(extents) if interchanged else extents,
        block,
        max_threads_per_block=device.max_threads_per_block,
    )
    full = occupancy(grid, device)
    threads = first_threads(grid, BATCHES * full.fitting_blocks * device.multiprocessors)
    if interchanged:
        threads = threads[:, exchanged(range(nest.collapse))]
    found = synthesise(
        nest, threads, launch=launch, limit=max(1, (records or _RECORDS) // len(threads))
    )
    return with_exchanged_loops(found) if interchanged else found


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
