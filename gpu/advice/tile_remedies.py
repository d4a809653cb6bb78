"""Remedies with shared memory: tile sizes, and longer rows of tiles that a program has itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np

from logca.gpu.advice.arrays import Array, Skew, arrays, relocated
from logca.gpu.advice.layout_remedies import padded_steps
from logca.gpu.advice.results import Candidate
from logca.gpu.advice.tiling import Tile, in_tiles, tiles
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.trace import NestTrace
from logca.gpu.prediction.tracing import Study, rearranged, variant
from logca.gpu.stages.grid import layout
from logca.gpu.stages.launch import LaunchInput, Outcome, Variant, changed

__all__ = [
    "padded_tiles",
    "tiled",
    "with_longer_rows",
]


def with_longer_rows(base: Variant, access: int) -> Variant:
    """A kernel in tiles with rows of one of them an element longer."""
    return changed(base, partial(_longer, access=access, block=base.block))


def _longer(given: LaunchInput, *, access: int, block: tuple[int, ...] | None) -> LaunchInput:
    tiled = given.tiled
    if tiled is None or tiled.shared is None or block is None:
        return given
    array = _tile(tiled.shared, access, block)
    if array is None or len(array.steps) < 2:
        return given
    steps = padded_steps(array.steps, array.element)
    more = prod(array.extents[:-1]) * array.element
    shared = relocated(tiled.shared, array, steps)
    return replace(given, tiled=replace(tiled, shared=shared, size=tiled.size + more))


def _tile(trace: NestTrace, access: int, block: tuple[int, ...]) -> Array | None:
    """The tile as the first block reaches it; all blocks have theirs at the same addresses."""
    first = np.ones(len(trace.access), bool)
    for place, threads in zip(range(trace.collapse - 1, -1, -1), block, strict=False):
        first &= trace.iterations[:, place] < threads
    part = replace(
        trace,
        access=trace.access[first],
        address=trace.address[first],
        size=trace.size[first],
        launch=trace.launch[first],
        iterations=trace.iterations[first],
        extents=(tuple(reversed(block))[-trace.collapse :],),
    )
    return next((each for each in arrays(part, {}) if access in each.accesses), None)


_STEPS = (32, 16)
"""Iterations of the innermost loop for which a tile is copied, and threads of a block along x and y
[1]."""


def tiled(study: Study, skewed: Mapping[int, tuple[Skew, ...]]) -> Iterator[Candidate]:
    """Arrays of which the threads of a block read the same elements in the course of a loop."""
    device, collapse = study.device, study.nest.collapse
    most = device.max_threads_per_block
    for step in _STEPS:
        block = study.block if collapse == 1 else (step, step)
        if collapse > 1 and step * step > most:
            continue
        base = variant(rearranged(study, block=block))
        given = base.launches[0]()
        if given.trace is None:
            return
        grid = layout(given.trace.extents[0], base.block, max_threads_per_block=most)
        found = tiles(given.trace, grid, step, skewed)
        for room in (0, 1) if any(len(tile.extents) > 1 for tile in found) else (0,):
            size = sum(tile.size(room) for tile in found)
            if not 0 < size <= device.shared_memory:
                continue
            yield Candidate(
                name="shared-memory tiles",
                array=", ".join(dict.fromkeys(_named(tile) for tile in found)),
                accesses=tuple(access for tile in found for access in tile.accesses),
                what=_words(found, room, size, () if collapse == 1 else (step, step)),
                conditions=("all threads of a block reach its barriers together",),
                made=partial(_made, block=block, step=step, skewed=skewed, room=room),
            )


def _named(tile: Tile) -> str:
    return tile.array.name or "an array"


def _words(found: Sequence[Tile], room: int, size: int, block: tuple[int, ...]) -> str:
    shapes = "; ".join(f"{_named(tile)} {' x '.join(map(str, tile.extents))}" for tile in found)
    longer = ", rows one element longer against bank conflicts" if room else ""
    blocks = f", in blocks of {' x '.join(map(str, block))}" if block else ""
    return f"copy tiles to shared memory ({shapes} elements{longer}), {size:,} B a block{blocks}"


def _made(
    study: Study,
    *,
    block: tuple[int, ...] | None,
    step: int,
    skewed: Mapping[int, tuple[Skew, ...]],
    room: int,
) -> Variant:
    base = variant(rearranged(study, block=block))
    change = partial(
        _in_tiles, step=step, skewed=skewed, room=room, block=base.block, device=study.device
    )
    return changed(base, change)


def _in_tiles(
    given: LaunchInput,
    *,
    step: int,
    skewed: Mapping[int, tuple[Skew, ...]],
    room: int,
    block: tuple[int, ...] | None,
    device: GpuDevice,
) -> LaunchInput:
    if given.trace is None:
        return given
    grid = layout(given.trace.extents[0], block, max_threads_per_block=device.max_threads_per_block)
    found = tiles(given.trace, grid, step, skewed)
    if not found:
        return given
    return in_tiles(given, grid, found, room=room, warp_size=device.warp_size)


def padded_tiles(study: Study, found: Outcome) -> Iterator[Candidate]:
    """Longer rows of tiles that the program has itself, where banks conflict."""
    worst = max(found.longest.shared, key=lambda each: each.transactions, default=None)
    if worst is None or worst.access is None or worst.transactions <= 1:
        return
    name = study.load.static.accesses[worst.access].array
    yield Candidate(
        name="longer rows",
        array=name,
        accesses=(worst.access,),
        what=f"make each row of {name or 'the tile'} one element longer in shared memory, against "
        f"{worst.transactions:.3g}-way bank conflicts",
        conditions=(),
        made=partial(_longer_tile_remedies, access=worst.access),
    )


def _longer_tile_remedies(study: Study, *, access: int) -> Variant:
    return with_longer_rows(variant(study), access)
