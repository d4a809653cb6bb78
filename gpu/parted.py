"""Nests whose later threads do other things than the first ones."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from logca.gpu.affine_traces import profile_of, windows_at
from logca.gpu.enlarging import Enlarged
from logca.gpu.launches import wanted_of
from logca.gpu.parts import neglected, parts_of, profiles_of
from logca.gpu.sampling import Sample, Wanted, sampled
from logca.gpu.study import Study, affine_launch, study_of
from logca.gpu.traces import kept_of, trace_of
from logca.gpu.windows import DIRECTIONS

__all__ = ["at_work_size", "in_parts", "looked_at_again", "spread_wanted"]


def looked_at_again(studies: Sequence[Study]) -> list[Study]:
    """The same; where the first threads neglect accesses, with threads from all over the grid.

    Parameters
    ----------
    studies : sequence of Study
        Nests of one program.
    """
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
    """What to keep of threads all over the grid.

    Parameters
    ----------
    study : Study
        The nest.
    """
    return wanted_of(
        study.load,
        study.nest,
        study.block,
        study.device,
        interchanged=study.interchanged,
        spread=True,
    )


def in_parts(study: Study, wanted: Wanted, sample: Sample) -> Study:
    """A nest of which threads all over the grid were traced, as far as the trace went.

    Parameters
    ----------
    study : Study
        The nest.
    wanted : Wanted
        What was to be kept, of threads all over the grid.
    sample : Sample
        What was.
    """
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
    """A nest at the work size, in parts if the first threads neglect accesses there.

    Parameters
    ----------
    study : Study
        The nest, as traced.
    large : Enlarged or None
        Its accesses at the work size.
    """
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
