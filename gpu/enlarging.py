"""The accesses of a nest's first batches of threads at the work size, without a run at that size.

Small runs give the nest as affine functions of its loops, these as polynomials of the size; from
there the accesses of any thread of any launch follow. What is not affine has no such trace.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import exp, log

from logca.gpu.affine import AffineError, AffineNest
from logca.gpu.affine_checks import check_compared, compared_in, rows_in
from logca.gpu.affine_fit import fit
from logca.gpu.nest import NestError, NestTrace
from logca.gpu.program_sizes import alike, told
from logca.gpu.regions import Nest
from logca.gpu.scaling import ScalingError, SizeGrid, largest_point, size_grid
from logca.gpu.whole_nests import whole_nests
from logca.gpu.work_size import at_work_size
from logca.gpu.workload import Workload
from logca.trace.errors import TraceError
from logca.trace.nesting import accesses_of

__all__ = ["Enlarged", "enlarged", "traced_there"]

_SMALL = 32
"""Sizes from which the nest is fitted: small, but several warps and lines long [1]."""

_ALL = 1 << 62
_DEGREE = 3
_LAUNCHES = 8
_FITTED = 1 << 22
"""Accesses of a nest that are looked at to fit it; of more its first launches are [1]."""

_RUN = 1 << 25
"""Accesses of a run that is made to check what was fitted, and of one at the work size [1]."""

_CHECKED = 1 << 21
"""So many of them are compared [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enlarged:
    """A nest at the work size.

    Parameters
    ----------
    affine : AffineNest or None
        The nest; None if it has no such form.
    reason : str
        Why it has none [text].
    launches : int or None
        So many launches at the small sizes it was found from; None for all of them [1].
    """

    affine: AffineNest | None
    reason: str = ""
    launches: int | None = None


def traced_there(load: Workload, nests: Sequence[Nest]) -> Workload | None:
    """The program at the work size, to be traced; None if that cannot be afforded.

    Parameters
    ----------
    load : Workload
        The program.
    nests : sequence of Nest
        The nests.
    """
    if load.large is None or _accesses(load, nests, load.work) > _RUN:
        return None
    return replace(load, traced=load.work, programs=(load.large,), trace_size=load.work_size)


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
    try:
        traces, launches = _traces(load, grid, nests, kept)
    except (TraceError, NestError, ScalingError) as error:
        return {nest.loop: Enlarged(affine=None, reason=str(error)) for nest in nests}
    found, fits = {}, {}
    for nest in nests:
        own = [each[nest.loop] for each in traces]
        try:
            fits[nest.loop] = [fit(trace) for trace in own if trace is not None]
            whole = at_work_size(fits[nest.loop], grid) if fits[nest.loop] else None
            found[nest.loop] = Enlarged(affine=whole, launches=launches)
        except AffineError as error:
            found[nest.loop] = Enlarged(affine=None, reason=str(error))
    affine = [nest for nest in nests if found[nest.loop].affine]
    return found | _refuted(load, affine, kept, fits, grid)


def _traces(
    load: Workload,
    grid: SizeGrid,
    nests: Sequence[Nest],
    kept: Mapping[int, Collection[int]],
) -> tuple[list[dict[int, NestTrace | None]], int | None]:
    """The traces of the nests at each point of the grid, and how many launches; None: all."""
    programs = [alike(load.build(sizes), load.programs[0], sizes) for sizes in grid.sizes]
    found = []
    for program in reversed(programs):
        traces, cut = whole_nests(program, nests, kept, most=_FITTED)
        if cut:
            break
        found.append(traces)
    if len(found) == len(programs):
        return found[::-1], None
    return [
        whole_nests(program, nests, kept, most=_ALL, launches=_LAUNCHES)[0] for program in programs
    ], _LAUNCHES


def _refuted(
    load: Workload,
    nests: Sequence[Nest],
    kept: Mapping[int, Collection[int]],
    fits: Mapping[int, Sequence[AffineNest]],
    grid: SizeGrid,
) -> dict[int, Enlarged]:
    """Nests of which a larger run, the largest that is affordable, shows that they are others."""
    at_trace, at_work = (_accesses(load, nests, counts) for counts in (load.traced, load.work))
    point = largest_point(
        grid, lambda each: _between(load, grid.size_at(each), at_trace, at_work), _RUN
    )
    if not nests or point is None:
        return {}
    size = grid.size_at(point)
    there = replace(grid, target=point)
    share = _CHECKED / _between(load, size, at_trace, at_work)
    found = {}
    large: dict[int, AffineNest] = {}
    for nest in nests:
        large[nest.loop] = at_work_size(fits[nest.loop], there)
    parts = {loop: compared_in(affine, min(1.0, share)) for loop, affine in large.items()}
    rows = {loop: partial(rows_in, own) for loop, own in parts.items()}
    try:
        program = alike(load.build(size), load.programs[0], size)
        traces, _ = whole_nests(program, nests, kept, most=_ALL, rows=rows)
    except TraceError:
        return {}
    except (NestError, ScalingError) as error:
        return {
            nest.loop: Enlarged(affine=None, reason=f"at {told(size)} {error}") for nest in nests
        }
    for loop, affine in large.items():
        try:
            check_compared(affine, parts[loop], traces[loop])
        except AffineError as error:
            found[loop] = Enlarged(affine=None, reason=f"at {told(size)} {error}")
    return found


def _between(load: Workload, size: Mapping[str, int], at_trace: float, at_work: float) -> float:
    """Accesses at a size, if they are a power of it as between the traced and the work size."""
    names = [name for name in size if load.trace_size[name] != load.work_size[name]]
    way = sum(log(load.work_size[name] / load.trace_size[name]) for name in names)
    here = sum(log(size[name] / load.work_size[name]) for name in names)
    if not way or not at_trace or not at_work:
        return at_work
    return float(at_work * exp(here * log(at_work / at_trace) / way))


def _accesses(load: Workload, nests: Sequence[Nest], counts: Sequence[int]) -> int:
    """Accesses of nests in a run with these counts [1]."""
    return sum(counts[each.block] for nest in nests for each in accesses_of(load.static, nest.loop))
