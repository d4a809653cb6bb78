"""Kernels in tiles: loops under ``offload`` that are blocks, because loops inside are the threads.

``#pragma logca threads [collapse(n)]`` marks the threads of a block, once for each step that all
of them do; ``shared``, ``private`` and ``barrier`` say what CUDA's ``__shared__``, registers and
``__syncthreads()`` would (wang2017, section 3.6).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.regions import Nest
from logca.gpu.tile_arrays import TileArrays, tile_arrays
from logca.gpu.tile_errors import TileError
from logca.gpu.trips import Trips
from logca.gpu.workload import Workload, collapsed_loops
from logca.trace.nesting import chain_of, loops_of
from logca.trace.program import Directive, Loop, Program

__all__ = ["Tile", "tiles_of"]

_DIRECTIONS = 3
_IN_A_TILE = ("shared", "private", "barrier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """How a nest works in tiles.

    Parameters
    ----------
    nest : Nest
        The nest; its loops are blocks.
    blocks : tuple of int
        The loops that are blocks, outermost first [1].
    threads : tuple of tuple of int
        For each step of a block the loops that are its threads, outermost first [1].
    extents : tuple of int
        Threads of a block along these loops, outermost first [1].
    arrays : TileArrays
        What memory the accesses of the nest go to.
    barriers, barrier_lines : tuple of int
        For each barrier the loop in whose body it stands, and its line [1].
    """

    nest: Nest
    blocks: tuple[int, ...]
    threads: tuple[tuple[int, ...], ...]
    extents: tuple[int, ...]
    arrays: TileArrays
    barriers: tuple[int, ...]
    barrier_lines: tuple[int, ...]

    @property
    def directions(self) -> int:
        """Loops that a grid of threads would have [1]."""
        return max(len(self.blocks), len(self.extents))

    @property
    def block(self) -> tuple[int, ...]:
        """Threads of a block along x, y and z, as many as there are directions [1]."""
        ones = (1,) * (self.directions - len(self.extents))
        return tuple(reversed((*ones, *self.extents)))

    def checked_block(self, block: object = None, grid: object = None) -> tuple[int, ...]:
        """Threads of a block along x, y and z, as many as there are directions [1].

        Parameters
        ----------
        block, grid : object, optional
            What somebody asked for; the source alone decides.

        Raises
        ------
        TileError
            If something else was asked for.
        """
        if grid is not None or block not in (None, self.block):
            raise TileError(
                f"the threads of a block are those of the source, {_times(self.block)}: leave out "
                "block and grid, or change the loops that `#pragma logca threads` marks"
            )
        return self.block

    @property
    def thread_loops(self) -> frozenset[int]:
        """All loops that are threads of a block [1]."""
        return frozenset(loop for loops in self.threads for loop in loops)

    def merged(self, blocks: Sequence[int]) -> tuple[int, ...]:
        """Threads of a grid along its directions, outermost first [1].

        Parameters
        ----------
        blocks : sequence of int
            Blocks along the loops that are blocks, outermost first [1].
        """
        grid = (*(1,) * (self.directions - len(blocks)), *blocks)
        own = tuple(reversed(self.block))
        return tuple(number * each for number, each in zip(grid, own, strict=True))


def tiles_of(load: Workload, nests: Sequence[Nest]) -> dict[int, Tile]:
    """The nests that work in tiles, by their outermost loops.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    nests : sequence of Nest
        The nests that are predicted.

    Raises
    ------
    TileError
        If what the directives say does not fit together.
    """
    static = load.static
    for loop in static.loops:
        around = chain_of(static.loops, loop.parent)
        if loop.threads and not any(static.loops[each].offload for each in around):
            raise TileError(
                f"{loop.file}:{loop.line}: threads of no block: put `#pragma logca offload` before "
                "the loop around it whose iterations are the blocks"
            )
    for each in static.directives:
        if each.name == "threads" and not each.loops:
            raise TileError(f"{_place(each)}: `threads` stands before no loop")
        if each.name in _IN_A_TILE and not any(
            static.loops[around].offload
            for loop in each.loops
            for around in chain_of(static.loops, loop)
        ):
            raise TileError(
                f"{_place(each)}: `{each.name}` must stand in the body of the loops under "
                "`#pragma logca offload`, in the function where these are"
            )
    found = {nest.loop: _tile(load, nest) for nest in nests}
    return {loop: tile for loop, tile in found.items() if tile is not None}


def _tile(load: Workload, nest: Nest) -> Tile | None:
    static = load.static
    inside = [loop.id for loop in loops_of(static, nest.loop)]
    own = [
        each
        for each in static.directives
        if each.name in _IN_A_TILE and not set(inside).isdisjoint(each.loops)
    ]
    heads = [static.loops[loop] for loop in inside if static.loops[loop].threads]
    if not heads:
        if own:
            raise TileError(
                f"{_place(own[0])}: `{own[0].name}` in a nest without threads of a block: put "
                "`#pragma logca threads` before the loops that are"
            )
        return None
    blocks = collapsed_loops(static, nest)
    threads = tuple(_threads(static, blocks, head) for head in heads)
    extents = _extents(load, threads)
    if max(len(blocks), len(extents)) > _DIRECTIONS:
        raise TileError(
            f"{heads[0].file}:{heads[0].line}: a grid has {_DIRECTIONS} directions, not "
            f"{max(len(blocks), len(extents))}"
        )
    arrays = tile_arrays(
        load.programs[0].compiled,
        blocks,
        threads,
        {kind: [each for each in own if each.name == kind] for kind in ("shared", "private")},
    )
    barriers = [
        (_barrier(static, each, loop, blocks, threads), each.line)
        for each in own
        if each.name == "barrier"
        for loop in each.loops
        if loop in inside
    ]
    return Tile(
        nest=nest,
        blocks=blocks,
        threads=threads,
        extents=extents,
        arrays=arrays,
        barriers=tuple(loop for loop, _ in barriers),
        barrier_lines=tuple(line for _, line in barriers),
    )


def _threads(static: Program, blocks: Sequence[int], head: Loop) -> tuple[int, ...]:
    """The loops of a step of a block."""
    around = chain_of(static.loops, head.parent)
    where = f"{head.file}:{head.line}"
    if blocks[-1] not in around:
        raise TileError(f"{where}: threads must stand inside all loops that are blocks")
    if any(static.loops[loop].threads for loop in around):
        raise TileError(f"{where}: threads inside threads")
    loops = [head.id]
    while len(loops) < head.threads:
        below = [loop for loop in static.loops if loop.parent == loops[-1]]
        if len(below) != 1 or below[0].threads:
            raise TileError(
                f"{where}: threads collapse({head.threads}) needs {head.threads} loops one in the "
                f"other, but the loop at line {static.loops[loops[-1]].line} has "
                f"{len(below) or 'none'} in it"
            )
        loops.append(below[0].id)
    return tuple(loops)


def _extents(load: Workload, threads: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Threads of a block, the same in all of its steps."""
    loops = load.static.loops
    found: dict[tuple[int, ...], int] = {}
    for step in threads:
        line = f"{loops[step[0]].file}:{loops[step[0]].line}"
        runs: Mapping[bool, list[Trips]] = {
            large: [load.trips(loop, at_work_size=large) for loop in step]
            for large in (False, True)
        }
        if not runs[True][0].entries:
            continue
        sizes = {large: tuple(each.mean for each in runs[large]) for large in runs}
        if any(each != int(each) or each < 1 for each in sizes[True]):
            raise TileError(
                f"{line}: a block has the same threads every time, but these loops run "
                f"{_times(sizes[True])} times on average: let the body skip what is too much"
            )
        if sizes[False] != sizes[True]:
            raise TileError(
                f"{line}: a block must have as many threads at the work size "
                f"({_times(sizes[True])}) as where it is traced ({_times(sizes[False])})"
            )
        found[tuple(map(int, sizes[True]))] = step[0]
    if not found:
        first = loops[threads[0][0]]
        raise TileError(f"{first.file}:{first.line}: no thread of a block ran")
    if len(found) > 1:
        (one, at), (other, beside) = list(found.items())[:2]
        raise TileError(
            f"{loops[beside].file}:{loops[beside].line}: {_times(other)} threads, but those of "
            f"the same block at line {loops[at].line} are {_times(one)}: all steps of a block are "
            "done by the same threads"
        )
    return next(iter(found))


def _barrier(
    static: Program,
    directive: Directive,
    loop: int,
    blocks: Sequence[int],
    threads: Sequence[Sequence[int]],
) -> int:
    """The loop in whose body a barrier stands, checked."""
    around = chain_of(static.loops, loop)
    if blocks[-1] not in around:
        raise TileError(f"{_place(directive)}: a barrier outside of the blocks")
    if any(each in around for step in threads for each in step):
        raise TileError(
            f"{_place(directive)}: a barrier inside of a threads loop: it must stand between them"
        )
    return loop


def _place(directive: Directive) -> str:
    return f"{directive.file}:{directive.line}"


def _times(numbers: Sequence[float]) -> str:
    return " x ".join(f"{number:g}" for number in numbers)
