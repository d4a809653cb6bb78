"""All accesses of nests, or those of some launches and outer iterations, as their traces."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from logca.gpu.nest import NestTrace, made_by_no_thread, nest_trace
from logca.gpu.regions import Nest
from logca.gpu.running import Columns, Program, passed
from logca.gpu.traces import kept_of

__all__ = ["Rows", "whole_nests"]

Rows = Callable[[Columns], NDArray[np.bool_]]


@dataclass(slots=True, kw_only=True, eq=False)
class _Kept:
    """What was kept of a nest so far."""

    parts: list[Columns] = field(default_factory=list)
    rows: int = 0
    cut: bool = False


def whole_nests(
    program: Program,
    nests: Sequence[Nest],
    accesses: Mapping[int, Collection[int]],
    *,
    most: int,
    launches: int | None = None,
    rows: Mapping[int, Rows] | None = None,
) -> tuple[dict[int, NestTrace | None], bool]:
    """Run a program and keep the accesses of its nests, by their outermost loops.

    Parameters
    ----------
    program : Program
        The program.
    nests : sequence of Nest
        The nests.
    accesses : mapping of int to collection of int
        For each nest the static accesses that are meant [1].
    most : int
        Accesses of a nest that are kept [1].
    launches : int, optional
        Only the first ones [1].
    rows : mapping of int to callable, optional
        For each nest what says which accesses are kept [1].

    Returns
    -------
    tuple
        The traces, None where there are no such accesses; and whether some have more accesses
        than may be kept.

    Raises
    ------
    TraceError
        If the program did not come to its end.
    NestError
        If a nest does not map to threads.
    """
    static = program.compiled.program
    kept = {nest.loop: _Kept() for nest in nests}
    unmade = {
        nest.loop: np.array(sorted(made_by_no_thread(static, nest.loop, nest.collapse)), np.uint32)
        for nest in nests
    }

    def look(loop: int, each: Columns) -> bool:
        own = kept[loop]
        wanted = ~np.isin(each.access, unmade[loop])
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
        nest.loop: kept_of(_trace(program, nest, kept[nest.loop].parts), accesses[nest.loop])
        for nest in nests
    }, False


def _trace(program: Program, nest: Nest, parts: Sequence[Columns]) -> NestTrace | None:
    """The trace of all launches in which there is a thread."""
    if not parts:
        return None
    names = ("access", "address", "size", "launch", "iterations")
    columns = Columns(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    )
    launches, first = np.unique(columns.launch, return_index=True)
    extents = np.maximum.reduceat(columns.iterations[:, : nest.collapse], first, axis=0) + 1
    some = np.all(extents > 0, axis=1)
    if not some.any():
        return None
    columns = columns.where(np.isin(columns.launch, launches[some]))
    return nest_trace(
        access=columns.access,
        address=columns.address,
        launch=columns.launch,
        iterations=columns.iterations,
        size=columns.size,
        accesses=program.compiled.program.accesses,
        loops=program.compiled.program.loops,
        nest=nest.loop,
        collapse=nest.collapse,
        extents=extents[some].tolist(),
    )
