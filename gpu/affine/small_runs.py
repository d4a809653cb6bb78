"""Nests at the work size from small runs: traced whole, fitted, extended, and checked.

The largest run that is affordable must make the accesses that were found; else the nest is
refuted.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import CompileError, TraceError
from logca.gpu.affine.accesses_at_work_size import at_work_size
from logca.gpu.affine.affine_nest import AffineError, AffineNest, extents_of
from logca.gpu.affine.fit import fit
from logca.gpu.affine.synthesis import synthesise
from logca.gpu.nests.nest import (
    Columns,
    Nest,
    NestError,
    NestTrace,
    joined,
    launches_in,
    nest_trace,
    with_only,
)
from logca.gpu.program.running import Executable, passed
from logca.gpu.program.work_size_extrapolation import (
    ScalingError,
    SizeGrid,
    largest_point,
    same_shape,
    size_grid,
    size_words,
)
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.plan import made_by_no_thread

__all__ = [
    "Compared",
    "ExtendedNest",
    "Rows",
    "check_compared",
    "compared_in",
    "extended",
    "rows_in",
    "traced_there",
    "whole_nests",
]

Rows = Callable[[Columns], NDArray[np.bool_]]


@dataclass(slots=True, kw_only=True, eq=False)
class _Kept:
    """Accesses kept of a nest so far."""

    parts: list[Columns] = field(default_factory=list)
    rows: int = 0
    cut: bool = False


def whole_nests(
    program: Executable,
    nests: Sequence[Nest],
    accesses: Mapping[int, Collection[int]],
    *,
    most: int,
    launches: int | None = None,
    rows: Mapping[int, Rows] | None = None,
) -> tuple[dict[int, NestTrace | None], bool]:
    """Run a program and keep the accesses of its nests, by their outermost loops."""
    static = program.compiled.program
    kept = {nest.loop: _Kept() for nest in nests}
    made = {nest.loop: np.ones(len(static.accesses), np.bool_) for nest in nests}
    for nest in nests:
        made[nest.loop][[*made_by_no_thread(static, nest.loop, nest.collapse)]] = False

    def look(loop: int, each: Columns) -> bool:
        own = kept[loop]
        wanted = made[loop][each.access]
        if launches is not None:
            wanted &= each.launch < launches
        if rows is not None:
            wanted &= rows[loop](each)
        own.rows += int(wanted.sum())
        own.cut |= own.rows > most
        if own.cut:
            return True
        if wanted.any():
            own.parts.append(each.where(wanted))
        return launches is not None and bool(each.launch[-1] >= launches)

    passed(program, tuple(kept), look)
    cut = any(own.cut for own in kept.values())
    if cut:
        return {}, True
    return {
        nest.loop: with_only(_trace(program, nest, kept[nest.loop].parts), accesses[nest.loop])
        for nest in nests
    }, False


def _trace(program: Executable, nest: Nest, parts: Sequence[Columns]) -> NestTrace | None:
    """The trace of all launches in which there is a thread."""
    if not parts:
        return None
    columns = joined(parts)
    launches, first = launches_in(columns.launch)
    extents = np.maximum.reduceat(columns.iterations[:, : nest.collapse], first, axis=0) + 1
    some = np.all(extents > 0, axis=1)
    if not some.any():
        return None
    if not some.all():
        columns = columns.where(np.isin(columns.launch, launches[some]))
    return nest_trace(
        columns,
        accesses=program.compiled.program.accesses,
        loops=program.compiled.program.loops,
        nest=nest.loop,
        collapse=nest.collapse,
        extents=extents[some].tolist(),
    )


Compared = Mapping[int, NDArray[np.int64]]
"""For each launch that is compared its outermost iterations that are [1]."""


def compared_in(nest: AffineNest, share: float) -> Compared:
    """Iterations to compare: of three launches outermost ones from the first to the last."""
    first, end = nest.launches
    launches = sorted({first, (first + end) // 2, end - 1})
    step = max(1, round(len(launches) / (share * (end - first))))
    compared = {}
    for launch in launches:
        last = extents_of(nest, launch)[0] - 1
        compared[launch] = np.unique(np.append(np.arange(0, last, step), last))
    return compared


def rows_in(compared: Compared, columns: Columns) -> NDArray[np.bool_]:
    """Which accesses of a run are compared."""
    found = np.zeros(len(columns.launch), np.bool_)
    for launch, outer in compared.items():
        # a place for each iteration, and one behind them for all others, -1 among these
        chosen = np.zeros(int(outer[-1]) + 2, np.bool_)
        chosen[outer] = True
        at = np.minimum(columns.iterations[:, 0], len(chosen) - 1)
        found |= (columns.launch == launch) & chosen[at]
    return found


def check_compared(nest: AffineNest, compared: Compared, real: NestTrace | None) -> None:
    """Compare access by access; arrays may lie elsewhere, each as a whole."""
    moved: dict[tuple[str, str | int], int] = {}
    for launch, outer in compared.items():
        inner = (np.arange(each) for each in extents_of(nest, launch)[1:])
        threads = np.array(list(product(outer, *inner)), np.int64)
        try:
            made = synthesise(nest, threads, launch=launch)
        except AffineError:
            made = None
        there = None if real is None else np.flatnonzero(real.launch == launch)
        count = 0 if there is None else len(there)
        if real is None or there is None or made is None or len(made.access) != count:
            number = 0 if made is None else len(made.access)
            if number != count:
                raise AffineError(
                    f"the nest makes {count:,} accesses in threads in which smaller sizes lead to "
                    f"{number:,}"
                )
            continue
        for mine, own in (
            (made.access, real.access[there]),
            (made.size, real.size[there]),
            (made.iterations, real.iterations[there]),
        ):
            if not np.array_equal(mine, own):
                raise AffineError("the nest makes other accesses than smaller sizes lead to")
        distance = real.address[there].astype(np.int64) - made.address.astype(np.int64)
        for number in np.unique(made.access).tolist():
            access = nest.accesses[number]
            own = distance[made.access == number]
            name = access.function, access.array or number
            if not np.all(own == moved.setdefault(name, int(own[0]))):
                raise AffineError(
                    f"addresses in {access.array or 'memory'} are others than smaller sizes lead "
                    "to",
                    access=access,
                )


_SMALL = 32
"""Sizes from which the nest is fitted: small, but several warps and lines long [1]."""

_ALL = 1 << 62
_DEGREE = 3
_LAUNCHES = 8
_FITTED = 1 << 22
"""Recorded accesses of a nest, to fit it; of more its first launches are [1]."""

_RUN = 1 << 25
"""Accesses of a run that is made to check what was fitted, and of one at the work size [1]."""

_CHECKED = 1 << 21
"""So many of them are compared [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedNest:
    """A nest at the work size."""

    affine: AffineNest | None  # the nest; None if it has no such form
    reason: str = ""  # why it has none
    # so many launches at the small sizes it was found from; None for all of them [1]
    launches: int | None = None


def traced_there(workload: Workload, nests: Sequence[Nest]) -> Workload | None:
    """The program at the work size, to be traced; None if that cannot be afforded."""
    if workload.large is None or _accesses(workload, nests, workload.work) > _RUN:
        return None
    return replace(
        workload,
        traced=workload.work,
        executable=workload.large,
        static=workload.large.compiled.program,
        trace_size=workload.work_size,
    )


def extended(
    workload: Workload, nests: Sequence[Nest], kept: Mapping[int, Collection[int]]
) -> dict[int, ExtendedNest]:
    """Nests at the work size, by their outermost loops."""
    grid = _grid(workload, _SMALL)
    try:
        try:
            traces, launches = _traces(workload, grid, nests, kept)
        except CompileError:  # a program in tiles may refuse sizes that are no multiples of them
            grid = _grid(workload, 2 * _SMALL, tile=_SMALL)
            traces, launches = _traces(workload, grid, nests, kept)
    except (TraceError, NestError, ScalingError) as error:
        return {nest.loop: ExtendedNest(affine=None, reason=str(error)) for nest in nests}
    found, fits = {}, {}
    for nest in nests:
        own = [each[nest.loop] for each in traces]
        try:
            fits[nest.loop] = [fit(trace) for trace in own if trace is not None]
            whole = at_work_size(fits[nest.loop], grid) if fits[nest.loop] else None
            found[nest.loop] = ExtendedNest(affine=whole, launches=launches)
        except AffineError as error:
            found[nest.loop] = ExtendedNest(affine=None, reason=str(error))
    affine = [nest for nest in nests if found[nest.loop].affine]
    return found | _refuted(workload, affine, kept, fits, grid)


def _grid(workload: Workload, least: int, *, tile: int = 0) -> SizeGrid:
    small = {name: min(size, least) for name, size in workload.trace_size.items()}
    return size_grid(small, workload.work_size, degree=_DEGREE, tile=tile)


def _traces(
    workload: Workload,
    grid: SizeGrid,
    nests: Sequence[Nest],
    kept: Mapping[int, Collection[int]],
) -> tuple[list[dict[int, NestTrace | None]], int | None]:
    """The traces of the nests at each point of the grid, and how many launches; None: all."""
    programs = [
        same_shape(workload.build(sizes), workload.executable, sizes) for sizes in grid.sizes
    ]
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
    workload: Workload,
    nests: Sequence[Nest],
    kept: Mapping[int, Collection[int]],
    fits: Mapping[int, Sequence[AffineNest]],
    grid: SizeGrid,
) -> dict[int, ExtendedNest]:
    """Nests of which a larger run, the largest that is affordable, shows that they are others."""
    at_trace, at_work = (
        _accesses(workload, nests, counts) for counts in (workload.traced, workload.work)
    )
    point = largest_point(
        grid, lambda each: _between(workload, grid.size_at(each), at_trace, at_work), _RUN
    )
    if not nests or point is None:
        return {}
    size = grid.size_at(point)
    there = replace(grid, target=point)
    share = _CHECKED / _between(workload, size, at_trace, at_work)
    found = {}
    large: dict[int, AffineNest] = {}
    for nest in nests:
        large[nest.loop] = at_work_size(fits[nest.loop], there)
    parts = {loop: compared_in(affine, min(1.0, share)) for loop, affine in large.items()}
    rows = {loop: partial(rows_in, own) for loop, own in parts.items()}
    try:
        program = same_shape(workload.build(size), workload.executable, size)
        traces, _ = whole_nests(program, nests, kept, most=_ALL, rows=rows)
    except TraceError:
        return {}
    except (NestError, ScalingError) as error:
        return {
            nest.loop: ExtendedNest(affine=None, reason=f"at {size_words(size)} {error}")
            for nest in nests
        }
    for loop, affine in large.items():
        try:
            check_compared(affine, parts[loop], traces[loop])
        except AffineError as error:
            found[loop] = ExtendedNest(affine=None, reason=f"at {size_words(size)} {error}")
    return found


def _between(workload: Workload, size: Mapping[str, int], at_trace: float, at_work: float) -> float:
    """Accesses at a size, if they are a power of it as between the traced and the work size."""
    names = [name for name in size if workload.trace_size[name] != workload.work_size[name]]
    way = sum(log(workload.work_size[name] / workload.trace_size[name]) for name in names)
    here = sum(log(size[name] / workload.work_size[name]) for name in names)
    if not way or not at_trace or not at_work:
        return at_work
    return float(at_work * exp(here * log(at_work / at_trace) / way))


def _accesses(workload: Workload, nests: Sequence[Nest], counts: Sequence[int]) -> int:
    """Accesses of nests in a run with these counts [1]."""
    return sum(
        counts[each.block] for nest in nests for each in workload.static.accesses_of[nest.loop]
    )
