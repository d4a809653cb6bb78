"""Remedies that arrange threads anew: loops interchanged, other blocks, more work for each."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import prod

from logca.gpu.advice.arrays import Array
from logca.gpu.advice.results import RemedyCandidate
from logca.gpu.bounds.instruction_mix import VECTOR_BYTES
from logca.gpu.bounds.widened import Widened
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.prediction.nest_sampling import rearranged
from logca.gpu.stages.blocks_and_occupancy import Layout, fullest_layout
from logca.gpu.stages.launches_in_sequence import Launch
from logca.gpu.stages.transactions import Behaviour

__all__ = ["interchanged", "more_work", "other_blocks"]

_SHAPES: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((64,), (128,), (256,), (512,), (1024,)),
    2: ((32, 32), (32, 16), (32, 8), (32, 4), (16, 16), (64, 4), (128, 1), (256, 1)),
    3: ((32, 8, 4), (32, 4, 4), (32, 8, 1), (32, 4, 1), (8, 8, 4), (64, 4, 1)),
}
"""Threads of blocks along x, y and z that are tried, by the number of directions [1]."""


def interchanged() -> RemedyCandidate:
    """The loops along x and y exchanged, of a kernel with at least two loops as threads."""
    return RemedyCandidate(
        name="interchanged loops",
        array="",
        accesses=(),
        what="let the loop along y run along x, and the other way round",
        conditions=(),
        arranged=partial(rearranged, interchanged=True),
    )


def other_blocks(now: Layout, device: GpuDevice) -> Iterator[RemedyCandidate]:
    """Other shapes of blocks, among them the one that fills the device best."""
    shapes = dict.fromkeys(
        (
            *_SHAPES[min(len(now.extents), 3)],
            fullest_layout(now.extents, device).block[: min(len(now.extents), 3)],
        )
    )
    for shape in shapes:
        whole = (*shape, 1, 1)[:3]
        if whole == now.block or prod(shape) > device.max_threads_per_block:
            continue
        words = " x ".join(map(str, shape))
        yield RemedyCandidate(
            name="other blocks",
            array="",
            accesses=(),
            what=f"launch blocks of {words} threads",
            conditions=(),
            arranged=partial(rearranged, block=shape),
        )


_ELEMENTS = (2, 4, 8)
"""Elements that a thread is tried with [1]."""


def more_work(
    launch: Launch, own: Sequence[Array], behaviours: Mapping[int, Behaviour]
) -> Iterator[RemedyCandidate]:
    """Several elements along x, or along y, for each thread of a kernel that gathers nothing."""
    if launch.trace is None or launch.reductions or launch.tiled is not None:
        return
    collapse = launch.trace.collapse
    steps = {
        access: function[2 : 2 + collapse]
        for array in own
        for access, function in zip(array.accesses, array.functions, strict=True)
        if function is not None
    }
    sizes = {access: array.element for array in own for access in array.accesses}
    adjacent = {
        access: sizes[access]
        for access, step in steps.items()
        if step[-1] == sizes[access]
        and access in behaviours
        and behaviours[access].pattern == "coalesced"
    }
    for direction in range(min(collapse, 2)):
        once = frozenset(access for access, step in steps.items() if not step[-1 - direction])
        for elements in _ELEMENTS:
            if launch.grid.extents[-1 - direction] < 2 * elements:
                continue
            vector = frozenset(
                access
                for access, size in adjacent.items()
                if not direction and elements * size <= VECTOR_BYTES
            )
            if not direction and not vector:
                continue
            name = "vectorised accesses" if vector else "more work a thread"
            along = "x" if not direction else "y"
            conditions = ["a thread needs registers for the values of all of its elements"]
            if vector:
                conditions.insert(
                    0, f"rows begin at multiples of {VECTOR_BYTES} B, and their length is one"
                )
            yield RemedyCandidate(
                name=name,
                array="",
                accesses=(),
                what=f"let each thread compute {elements} elements along {along}"
                + (", loaded and stored as one vector" if vector else ""),
                conditions=tuple(conditions),
                widened=Widened(elements=elements, direction=direction, once=once, vector=vector),
            )
