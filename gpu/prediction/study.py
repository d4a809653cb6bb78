"""A nest as it was traced, and its divergent regions: windows whose threads do other things."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from logca.gpu.affine.extrapolation import profile_of, windows_at
from logca.gpu.affine.nest import AffineNest
from logca.gpu.affine.small_runs import Enlarged
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import Nest, arguments
from logca.gpu.nests.trace import NestTrace, is_private
from logca.gpu.program.workload import Workload, innermost_blocks, launches_of
from logca.gpu.sampling.launches import LaunchClass, launch_classes, wanted_of
from logca.gpu.sampling.parts import Part, neglected, parts_of, profiles_of
from logca.gpu.sampling.sample import Sample, Wanted, sampled
from logca.gpu.sampling.traces import kept_of, trace_of
from logca.gpu.stages.grid import DIRECTIONS
from logca.gpu.stages.instructions import Instructions, instructions
from logca.gpu.stages.models import Model
from logca.gpu.tiles.tile import Tile
from logca.gpu.tiles.trace import tile_instructions, tile_trace

__all__ = [
    "Study",
    "affine_launch",
    "at_work_size",
    "in_parts",
    "looked_at_again",
    "spread_wanted",
    "study_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A nest, what its threads execute at the work size, and what was traced of it."""

    load: Workload  # the program and its counts
    device: GpuDevice  # the GPU
    model: Model  # the model
    block: tuple[int, ...] | None  # threads of a block along x, y and z [1]
    wanted: Wanted  # what was to be kept of the trace
    sample: Sample  # what was
    executed: Instructions  # what a thread executes
    trace: NestTrace | None  # its accesses to the memory of the device, less loads to shared memory
    tile: Tile | None  # how it works in tiles
    whole: NestTrace | None  # all of its accesses, if it does
    classes: tuple[LaunchClass, ...]  # the launches that were looked at
    large: Enlarged | None = None  # its accesses at the work size
    interchanged: bool = False  # whether the two innermost collapsed loops change places
    # accesses of a launch that are looked at at the work size; what is usual if None [1]
    records: int | None = None
    # parts of a launch whose threads do other things than the first ones, if there are any
    parts: tuple[Part, ...] = ()
    # what was traced of each of these parts, if they were
    windows: tuple[NestTrace | None, ...] = ()

    @property
    def nest(self) -> Nest:
        """The nest."""
        return self.wanted.nest

    @property
    def launches(self) -> int:
        """How often it is launched [1]."""
        return launches_of(self.load, self.nest)


def study_of(
    load: Workload,
    wanted: Wanted,
    sample: Sample,
    *,
    tile: Tile | None,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    model: Model,
) -> Study:
    """What was traced of a nest, and what its threads execute."""
    static, nest = load.static, wanted.nest
    if tile is None:
        whole, trace = None, trace_of(static, wanted, sample)
        executed = instructions(
            static,
            nest.loop,
            nest.collapse,
            load.work[: len(static.blocks)],
            private=set()
            if trace is None
            else {access.id for access in static.accesses if is_private(trace, access)},
            registers=arguments(static, nest.loop),
            only=innermost_blocks(static, nest) if model.innermost_only else None,
        )
    else:
        whole = trace = tile_trace(static, tile, wanted, sample)
        executed = tile_instructions(load, tile, loops_only=model.innermost_only)
    return Study(
        load=load,
        device=device,
        model=model,
        block=block,
        wanted=wanted,
        sample=sample,
        executed=executed,
        trace=kept_of(trace, executed.memory),
        tile=tile,
        whole=whole,
        classes=launch_classes(wanted, sample)
        or (LaunchClass(launch=0, share=1.0, extents=(1.0,) * nest.collapse, work=1.0),),
    )


def affine_launch(study: Study, which: LaunchClass) -> tuple[AffineNest | None, int]:
    """The nest at the work size, if it is known of this launch, and the launch's number there."""
    affine = None if study.large is None else study.large.affine
    number = study.launches
    place = min(number - 1, round(which.launch / study.wanted.number * number))
    # The affine nest is known of the first launches; one after them is that of the traced size.
    if affine is None or not affine.launches[0] <= place < affine.launches[1]:
        return None, place
    return affine, place


def looked_at_again(studies: Sequence[Study]) -> list[Study]:
    """The same; where the first threads neglect accesses, with threads from all over the grid."""
    again = {each.nest.loop: spread_wanted(each) for each in studies if _neglects(each)}
    if not again:
        return list(studies)
    samples = sampled(studies[0].load.programs[0], list(again.values()))
    return [
        in_parts(each, again[each.nest.loop], samples[each.nest.loop])
        if each.nest.loop in again
        else each
        for each in studies
    ]


def _neglects(study: Study) -> bool:
    """Whether the first threads of alike launches neglect accesses that others make."""
    wanted, sample = study.wanted, study.sample
    whole = all(own >= end for own, end in zip(wanted.window, wanted.extents, strict=True))
    if study.tile is not None or whole or len(study.classes) > 1 or not sample.complete:
        return False
    blocks = {site: study.load.static.accesses[site].block for site in study.executed.memory}
    return study.nest.collapse <= DIRECTIONS and bool(
        neglected(
            dict(enumerate(sample.executed[0].tolist())),
            {site: study.load.traced[block] for site, block in blocks.items()},
        )
    )


def spread_wanted(study: Study) -> Wanted:
    """What to keep of threads all over the grid."""
    return wanted_of(
        study.load,
        study.nest,
        study.block,
        study.device,
        interchanged=study.interchanged,
        spread=True,
    )


def in_parts(study: Study, wanted: Wanted, sample: Sample) -> Study:
    """A nest of which threads all over the grid were traced, as far as the trace went."""
    found = study_of(
        study.load,
        wanted,
        sample,
        tile=None,
        block=study.block,
        device=study.device,
        model=study.model,
    )
    found = replace(
        found, large=study.large, interchanged=study.interchanged, records=study.records
    )
    if len(found.classes) > 1:
        return found
    numbers, windows, profiles = zip(*profiles_of(wanted, sample), strict=True)
    memory = found.executed.memory
    return replace(
        found,
        parts=parts_of(windows, profiles, memory),
        windows=tuple(
            kept_of(trace_of(study.load.static, wanted, sample, number), memory)
            for number in numbers
        ),
    )


def at_work_size(study: Study, large: Enlarged | None) -> Study:
    """A nest at the work size, in parts if the first threads neglect accesses there."""
    study = replace(study, large=large)
    affine, place = affine_launch(study, study.classes[0])
    if affine is None or len(study.classes) > 1 or study.nest.collapse > DIRECTIONS:
        return study
    windows = windows_at(affine, place, study.block, study.device)
    known = partial(profile_of, affine, place, block=study.block, device=study.device)
    first = known(windows[0])
    if first is None:
        return study
    if windows[0].share == 1 or not neglected(first, study.executed.memory):
        return replace(study, parts=(), windows=())
    profiles = [each for each in map(known, windows) if each is not None]
    if len(profiles) < len(windows):
        return study
    return replace(study, parts=parts_of(windows, profiles, study.executed.memory), windows=())
