"""Barriers that a kernel in tiles lacks: threads of a block that exchange data without waiting.

The C program does one step of a block after the other; on a GPU only a barrier keeps them apart.
Accesses to shared memory of different threads, one of them a write, conflict if no barrier was
passed between them. One block is sampled.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from logca.gpu.nests.nest import NestTrace
from logca.gpu.tiles.tile import Tile
from logca.trace.ir.program import Program

__all__ = ["missing_barriers"]

_Stage = tuple[int, tuple[int, ...]]


def missing_barriers(static: Program, tile: Tile, trace: NestTrace) -> tuple[str, ...]:
    """Where a barrier is missing, one sentence for each array."""
    own = np.array(tuple(reversed(tile.block)))
    outer = trace.iterations[:, : tile.directions]
    first = trace.launch == trace.launches[0]
    first &= np.all(outer < own, axis=1)
    first &= np.isin(trace.access, sorted(tile.arrays.shared))
    rows = np.flatnonzero(first)
    if not len(rows):
        return ()
    epoch = _epochs(static, tile, trace, rows)
    thread = np.zeros(len(rows), np.int64)
    for column, extent in zip(outer[rows].T, own.tolist(), strict=True):
        thread = thread * extent + column
    stores = np.array([access.store for access in static.accesses])[trace.access[rows]]
    order = np.lexsort((thread, epoch, trace.address[rows]))
    keys = np.stack([trace.address[rows].view(np.int64), epoch])[:, order]
    start = np.flatnonzero(np.append(True, np.any(np.diff(keys) != 0, axis=0)))
    several = np.minimum.reduceat(thread[order], start) < np.maximum.reduceat(thread[order], start)
    written = np.logical_or.reduceat(stores[order], start)
    found: dict[str, str] = {}
    for group in np.flatnonzero(several & written).tolist():
        end = start[group + 1] if group + 1 < len(start) else len(order)
        members = order[start[group] : end]
        writer = next(each for each in members.tolist() if stores[each])
        other = next(each for each in members.tolist() if thread[each] != thread[writer])
        one, two = (static.accesses[int(trace.access[rows[each]])] for each in (writer, other))
        found.setdefault(
            one.array,
            f"no barrier between line {one.line}, where a thread writes an element of {one.array}, "
            f"and line {two.line}, where another thread {'writes' if two.store else 'reads'} it",
        )
    return tuple(found.values())


def _epochs(
    static: Program, tile: Tile, trace: NestTrace, rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Barriers that may have been passed before each access, at least as far as they matter."""
    depth = trace.iterations.shape[1] - tile.directions
    around = {step: _own_loops(static, tile, step[0]) for step in tile.threads}
    width = np.zeros(len(static.accesses), np.int64)
    place = np.full(len(static.accesses), -1, np.int64)
    for access in np.unique(trace.access[rows]).tolist():
        chain = static.chain_of(static.accesses[access].loop, tile.nest.loop)
        inside = [number for number, step in enumerate(tile.threads) if step[0] in chain]
        place[access] = inside[0] if inside else -1 - access
        loops = around[tile.threads[inside[0]]] if inside else _own_loops(static, tile, chain[-1])
        width[access] = len(loops)
    access = trace.access[rows]
    stage = np.empty((len(rows), 1 + depth), np.int64)
    stage[:, 0] = place[access]
    stage[:, 1:] = trace.iterations[rows, tile.directions :]
    stage[:, 1:][np.arange(depth) >= width[access][:, None]] = -1
    changes = np.flatnonzero(np.any(np.diff(stage, axis=0) != 0, axis=1)) + 1
    step = np.zeros(len(rows), np.int64)
    for change in changes.tolist():
        before, after = (
            (int(each[0]), tuple(each[1:][each[1:] >= 0].tolist()))
            for each in stage[change - 1 : change + 1]
        )
        step[change] = _barrier_between(static, tile, before, after)
    return np.cumsum(step)


def _barrier_between(static: Program, tile: Tile, before: _Stage, after: _Stage) -> bool:
    """True if a barrier stands on the way from one step of a block to the next."""
    ends = [_line_and_loops(static, tile, stage[0]) for stage in (before, after)]
    (line, loops), (other, others) = ends
    same = 0
    while (
        same < min(len(loops), len(others))
        and loops[same] == others[same]
        and before[1][same] == after[1][same]
    ):
        same += 1
    innermost = loops[same - 1] if same else tile.blocks[-1]
    for barrier, at in zip(tile.barriers, tile.barrier_lines, strict=True):
        if barrier == innermost and line < at < other:
            return True
        if barrier in loops[same:] and at > line:
            return True
        if barrier in others[same:] and at < other:
            return True
    return False


def _line_and_loops(static: Program, tile: Tile, place: int) -> tuple[int, Sequence[int]]:
    """The line of a step, or of an access in none, and the loops around it in a block."""
    if place >= 0:
        head = tile.threads[place][0]
        return static.loops[head].line, _own_loops(static, tile, head)
    access = static.accesses[-1 - place]
    return access.line, _own_loops(static, tile, access.loop)


def _own_loops(static: Program, tile: Tile, loop: int | None) -> list[int]:
    """Loops around a place that are neither blocks nor threads, outermost first."""
    others = tile.thread_loops.union(tile.blocks)
    head = next((step[0] for step in tile.threads if loop in step), None)
    inner = loop if head is None else static.loops[head].parent
    around = static.chain_of(inner, tile.nest.loop)
    return [each for each in around if each not in others]
