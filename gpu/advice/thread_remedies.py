"""Remedies that arrange threads anew: loops interchanged, other shapes of blocks."""

from collections.abc import Iterator
from functools import partial
from math import prod

from logca.gpu.advice.results import RemedyCandidate
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.prediction.nest_samples import NestSample, rearranged
from logca.gpu.stages.blocks_and_occupancy import Layout, fullest_layout
from logca.gpu.stages.launches_in_sequence import Launch

__all__ = ["interchanged", "other_blocks"]

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
        made=partial(_made, interchanged=True),
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
            made=partial(_made, block=shape),
        )


def _made(
    sample: NestSample, *, block: tuple[int, ...] | None = None, interchanged: bool = False
) -> Iterator[Launch]:
    return rearranged(sample, block=block, interchanged=interchanged).launches()
