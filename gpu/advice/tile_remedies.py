"""Remedies with shared memory: tile sizes, and longer rows of tiles that a program has itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np

from logca.gpu.advice.arrays import Array, Skew, arrays, relocated
from logca.gpu.advice.layout_remedies import padded_steps
from logca.gpu.advice.results import RemedyCandidate
from logca.gpu.advice.tile_candidates import SharedTile, in_tiles, tiles
from logca.gpu.nests.nest import NestTrace
from logca.gpu.prediction.nest_samples import NestSample
from logca.gpu.prediction.nest_sampling import rearranged
from logca.gpu.prediction.resident_launches import block_launches
from logca.gpu.stages.launches_in_sequence import KernelTime, Launch

__all__ = [
    "padded_tiles",
    "tiled",
    "with_longer_rows",
]


def with_longer_rows(launch: Launch, access: int) -> Launch:
    """A launch in tiles with rows of one of them an element longer."""
    tiled = launch.tiled
    if tiled is None or tiled.shared is None:
        return launch
    array = _tile(tiled.shared, access, launch.shape.block)
    if array is None or len(array.steps) < 2:
        return launch
    steps = padded_steps(array.steps, array.element)
    more = prod(array.extents[:-1]) * array.element
    shared = relocated(tiled.shared, array, steps)
    return launch.in_tiles(replace(tiled, shared=shared, size=tiled.size + more))


def _tile(trace: NestTrace, access: int, block: tuple[int, ...]) -> Array | None:
    """The tile as the first block reaches it; all blocks have theirs at the same addresses."""
    iterations = trace.iterations.copy()
    first = np.ones(len(trace.access), bool)
    for place, threads in zip(range(trace.collapse - 1, -1, -1), block, strict=False):
        own = iterations[0, place] // threads
        first &= iterations[:, place] // threads == own
        iterations[:, place] -= own * threads
    extents = (tuple(reversed(block))[-trace.collapse :],)
    part = replace(trace, iterations=iterations).where(first)
    part = replace(part, extents=extents)
    return next((each for each in arrays(part, {}) if access in each.accesses), None)


_STEPS = (32, 16)
"""Iterations of the innermost loop for which a tile is copied, and threads of a block along x and y
[1]."""


def tiled(sample: NestSample, skewed: Mapping[int, tuple[Skew, ...]]) -> Iterator[RemedyCandidate]:
    """Arrays of which the threads of a block read the same elements in the course of a loop."""
    device, collapse = sample.device, sample.nest.collapse
    for step in _STEPS:
        block = sample.shape.block if collapse == 1 else (step, step)
        if collapse > 1 and step * step > device.max_threads_per_block:
            continue
        arranged = rearranged(sample, block=block)
        first = next(block_launches(arranged)).launch if sample.model.bounds else arranged.launch(0)
        if first.trace is None or first.traced is None:
            return
        shared = tiles(first.trace, first.traced, step, skewed)
        for room in (0, 1) if any(len(tile.extents) > 1 for tile in shared) else (0,):
            size = sum(tile.size(room) for tile in shared)
            if not 0 < size <= device.shared_memory:
                continue
            yield RemedyCandidate(
                name="shared-memory tiles",
                array=", ".join(dict.fromkeys(_named(tile) for tile in shared)),
                accesses=tuple(access for tile in shared for access in tile.accesses),
                what=_words(shared, room, size, () if collapse == 1 else (step, step)),
                conditions=("all threads of a block reach its barriers together",),
                arranged=partial(rearranged, block=block),
                change=partial(_in_tiles, step=step, skewed=skewed, room=room),
            )


def _named(tile: SharedTile) -> str:
    return tile.array.name or "an array"


def _words(shared: Sequence[SharedTile], room: int, size: int, block: tuple[int, ...]) -> str:
    shapes = "; ".join(f"{_named(tile)} {' x '.join(map(str, tile.extents))}" for tile in shared)
    longer = ", rows one element longer against bank conflicts" if room else ""
    blocks = f", in blocks of {' x '.join(map(str, block))}" if block else ""
    return f"copy tiles to shared memory ({shapes} elements{longer}), {size:,} B a block{blocks}"


def _in_tiles(
    launch: Launch, *, step: int, skewed: Mapping[int, tuple[Skew, ...]], room: int
) -> Launch:
    if launch.trace is None or launch.traced is None:
        return launch
    # Not the tiles of the first launch: other ones may have other extents and strides.
    shared = tiles(launch.trace, launch.traced, step, skewed)
    return in_tiles(launch, shared, room=room) if shared else launch


def padded_tiles(sample: NestSample, time: KernelTime) -> Iterator[RemedyCandidate]:
    """Longer rows of tiles that the program has itself, where banks conflict."""
    worst = max(time.longest.shared, key=lambda each: each.transactions, default=None)
    if worst is None or worst.access is None or worst.transactions <= 1:
        return
    name = sample.workload.static.accesses[worst.access].array
    yield RemedyCandidate(
        name="longer rows",
        array=name,
        accesses=(worst.access,),
        what=f"make each row of {name or 'the tile'} one element longer in shared memory, against "
        f"{worst.transactions:.3g}-way bank conflicts",
        conditions=(),
        change=partial(with_longer_rows, access=worst.access),
    )
