"""Longer rows of the tiles that a program has itself, so that banks do not conflict."""

from dataclasses import replace
from functools import partial
from math import prod

import numpy as np

from logca.gpu.arrays import Array, arrays, relocated
from logca.gpu.nest import NestTrace
from logca.gpu.transposing import padded_steps
from logca.gpu.variants import LaunchInput, Variant, changed

__all__ = ["with_longer_rows"]


def with_longer_rows(base: Variant, access: int) -> Variant:
    """A kernel in tiles with rows of one of them an element longer.

    Parameters
    ----------
    base : Variant
        The kernel.
    access : int
        An access to the tile [1].
    """
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
