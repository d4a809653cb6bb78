"""The remedies that apply to a kernel, other shapes of blocks among them."""

from collections.abc import Iterator
from functools import partial
from math import prod

from logca.gpu.advice.arrays import arrays, skews
from logca.gpu.advice.layout_remedies import padded, transposed
from logca.gpu.advice.results import Candidate
from logca.gpu.advice.tile_remedies import padded_tiles, tiled
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.prediction.tracing import Study, rearranged, variant
from logca.gpu.stages.blocks import fullest_layout
from logca.gpu.stages.grid import Layout
from logca.gpu.stages.launch import Outcome, Variant

__all__ = [
    "candidates",
    "interchanged",
    "other_blocks",
]

_SHAPES: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((64,), (128,), (256,), (512,), (1024,)),
    2: ((32, 32), (32, 16), (32, 8), (32, 4), (16, 16), (64, 4), (128, 1), (256, 1)),
    3: ((32, 8, 4), (32, 4, 4), (32, 8, 1), (32, 4, 1), (8, 8, 4), (64, 4, 1)),
}
"""Threads of blocks along x, y and z that are tried, by the number of directions [1]."""


def interchanged() -> Candidate:
    """The loops along x and y exchanged, of a kernel with at least two loops as threads."""
    return Candidate(
        name="interchanged loops",
        array="",
        accesses=(),
        what="let the loop along y run along x, and the other way round",
        conditions=(),
        made=partial(_made, interchanged=True),
    )


def other_blocks(now: Layout, device: GpuDevice) -> Iterator[Candidate]:
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
        yield Candidate(
            name="other blocks",
            array="",
            accesses=(),
            what=f"launch blocks of {words} threads",
            conditions=(),
            made=partial(_made, block=shape),
        )


def _made(
    study: Study, *, block: tuple[int, ...] | None = None, interchanged: bool = False
) -> Variant:
    return variant(rearranged(study, block=block, interchanged=interchanged))


def candidates(study: Study, found: Outcome) -> Iterator[Candidate]:
    """The remedies that apply to a kernel; none for its memory where computation binds."""
    if study.tile is not None:
        yield from padded_tiles(study, found)
        return
    cycles = [each.timing.cycles for each in found.results]
    traced = variant(study).launches[cycles.index(max(cycles))]()
    binds = found.longest.timing.bound != "computation"
    if binds and traced.trace is not None and study.trace is not None:
        skewed = skews(study.trace)
        own = arrays(traced.trace, skewed)
        memory = found.longest.memory
        behaviours = {
            each.access: each
            for each in (memory.accesses if memory else ())
            if each.access is not None
        }
        yield from transposed(own, study.nest.collapse, behaviours, skewed)
        yield from padded(traced.trace, own, behaviours, skewed, study.device.l2_line)
        if study.nest.collapse > 1 and any(
            each.pattern == "uncoalesced" for each in behaviours.values()
        ):
            yield interchanged()
        yield from tiled(study, skewed)
    yield from other_blocks(found.longest.layout, study.device)
