"""Kernels in tiles: loops under ``offload`` are blocks where loops inside are the threads.

``#pragma logca threads [collapse(n)]`` marks the threads of a block, once for each step;
``shared``, ``private`` and ``barrier`` say where arrays lie and where threads wait (wang2017,
section 3.6).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.common.errors import LogcaError
from logca.gpu.nests.nest import Nest
from logca.gpu.program.workload import Trips, Workload
from logca.gpu.stages.shared_memory import tile_loads
from logca.trace.compile.driver import Compiled
from logca.trace.ir.functions import local_sizes
from logca.trace.ir.program import Access, Directive, Loop, Program

__all__ = [
    "Tile",
    "TileArrays",
    "TileError",
    "tile_arrays",
    "tiles_of",
]


class TileError(LogcaError, ValueError):
    """Directives of a kernel in tiles that do not fit together; the message says what would do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileArrays:
    """Accesses of a nest by their memory; those that are not here go to that of the device."""

    shared: frozenset[int]  # accesses to shared memory [1]
    registers: frozenset[int]  # accesses to what ``private`` names, one element a thread [1]
    own: frozenset[int]  # accesses to arrays that are declared in the body of the threads [1]
    # loads, filling: loads from the memory of the device whose value goes right into shared
    # memory, and the stores there [1]
    loads: frozenset[int]
    filling: frozenset[int]
    size: int  # shared memory of a block [B]


def tile_arrays(
    compiled: Compiled,
    blocks: Sequence[int],
    threads: Sequence[Sequence[int]],
    directives: Mapping[str, Sequence[Directive]],
) -> TileArrays:
    """Where the arrays of a nest lie."""
    static = compiled.program
    accesses = static.accesses_of[blocks[0]]
    kinds: dict[str, tuple[str, Directive]] = {}
    for kind, given in directives.items():
        for directive in given:
            for name in directive.arguments:
                known = kinds.setdefault(name, (kind, directive))
                if known[0] != kind:
                    raise TileError(
                        f"{directive.file}:{directive.line}: {name} is {known[0]} and {kind}"
                    )
    found: dict[str, set[int]] = {"shared": set(), "private": set(), "own": set()}
    for access in accesses:
        born = _born(static, access, blocks, threads)
        if born == "thread":
            found["own"].add(access.id)
        elif born == "block":
            if access.array not in kinds:
                raise TileError(
                    f"{access.file}:{access.line}: {access.array or 'an array'} belongs to a block:"
                    f" say `#pragma logca shared({access.array})`, or `private` if each thread has "
                    "one element of it"
                )
            found[kinds[access.array][0]].add(access.id)
    reached = {static.accesses[each].array for kind in found.values() for each in kind}
    for name, (kind, directive) in kinds.items():
        if name not in reached:
            raise TileError(
                f"{directive.file}:{directive.line}: {kind}({name}): there is no array {name} that "
                "is declared in the body of the blocks and used there"
            )
    loads = tile_loads(static, found["shared"]) & {access.id for access in accesses}
    return TileArrays(
        shared=frozenset(found["shared"]),
        registers=frozenset(found["private"]),
        own=frozenset(found["own"]),
        loads=loads,
        filling=_filling(static, loads, found["shared"]),
        size=_size(compiled, [static.accesses[each] for each in sorted(found["shared"])]),
    )


def _born(
    static: Program, access: Access, blocks: Sequence[int], threads: Sequence[Sequence[int]]
) -> str:
    """Owner of the array: a "thread", a "block", or "device" if all of them share it."""
    around = set(static.chain_of(access.private_to))
    if not access.private or blocks[-1] not in around:
        return "device"
    return "thread" if any(around.issuperset(step) for step in threads) else "block"


def _filling(static: Program, loads: frozenset[int], shared: set[int]) -> frozenset[int]:
    """The stores to shared memory that end such loads."""
    values = {
        (static.accesses[each].function, _instruction_name(static, static.accesses[each]))
        for each in loads
    }
    return frozenset(
        each
        for each in shared
        if static.accesses[each].store
        and any(
            (static.accesses[each].function, use) in values
            for use in _uses(static, static.accesses[each])
        )
    )


def _instruction_name(static: Program, access: Access) -> str:
    return static.blocks[access.block].instructions[access.index].name


def _uses(static: Program, access: Access) -> tuple[str, ...]:
    return static.blocks[access.block].instructions[access.index].uses


def _size(compiled: Compiled, accesses: Sequence[Access]) -> int:
    """Size of all shared arrays together [B]."""
    static, known = compiled.program, local_sizes(compiled.ir)
    bases: dict[tuple[str, str], str] = {}
    for function in {access.function for access in accesses}:
        for block in static.blocks:
            for each in block.instructions if block.function == function else ():
                if each.opcode == "getelementptr" and each.uses:
                    bases[function, each.name] = each.uses[0]
    sizes: dict[tuple[str, str], int] = {}
    measured = set()
    for access in accesses:
        variable = _uses(static, access)[-1]
        while (access.function, variable) in bases:
            variable = bases[access.function, variable]
        if (access.function, variable) in known:
            measured.add(access.array)
            sizes[access.function, variable] = known[access.function, variable]
    for access in accesses:
        if access.array not in measured:
            raise TileError(
                f"{access.file}:{access.line}: how large is {access.array}? Shared memory needs "
                "an array of constant size, used by its name"
            )
    return sum(sizes.values())


_DIRECTIONS = 3
_IN_A_TILE = ("shared", "private", "barrier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A nest in tiles: its blocks, its threads, its arrays and its barriers."""

    nest: Nest  # the nest; its loops are blocks
    blocks: tuple[int, ...]  # the loops that are blocks, outermost first [1]
    # for each step of a block the loops that are its threads, outermost first [1]
    threads: tuple[tuple[int, ...], ...]
    extents: tuple[int, ...]  # threads of a block along these loops, outermost first [1]
    arrays: TileArrays  # what memory the accesses of the nest go to
    # barriers, barrier_lines: for each barrier the loop in whose body it stands, and its line [1]
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

    def check_request(self, block: object, grid: object) -> None:
        """Refuse another block than that of the source, and any grid."""
        if grid is not None or block not in (None, self.block):
            raise TileError(
                f"the threads of a block are those of the source, {_times(self.block)}: leave out "
                "block and grid, or change the loops that `#pragma logca threads` marks"
            )

    @property
    def loops(self) -> tuple[int, ...]:
        """All loops that are blocks or threads of them, the blocks first [1]."""
        return (*self.blocks, *(loop for step in self.threads for loop in step))

    @property
    def thread_loops(self) -> frozenset[int]:
        """All loops that are threads of a block [1]."""
        return frozenset(loop for loops in self.threads for loop in loops)

    def merged(self, blocks: Sequence[int]) -> tuple[int, ...]:
        """Threads of a grid along its directions, outermost first [1]."""
        grid = (*(1,) * (self.directions - len(blocks)), *blocks)
        own = tuple(reversed(self.block))
        return tuple(number * each for number, each in zip(grid, own, strict=True))


def tiles_of(workload: Workload, nests: Sequence[Nest]) -> dict[int, Tile]:
    """The nests that work in tiles, by their outermost loops."""
    static = workload.static
    for loop in static.loops:
        around = static.chain_of(loop.parent)
        if loop.threads and not any(static.loops[each].offload for each in around):
            raise TileError(
                f"{loop.file}:{loop.line}: threads of no block: put `#pragma logca offload` before "
                "the loop around it whose iterations are the blocks"
            )
    for each in static.directives:
        if each.name == "threads" and not each.loops:
            raise TileError(f"{_place(each)}: `threads` stands before no loop")
        if each.name in _IN_A_TILE and not any(
            static.loops[around].offload for loop in each.loops for around in static.chain_of(loop)
        ):
            raise TileError(
                f"{_place(each)}: `{each.name}` must stand in the body of the loops under "
                "`#pragma logca offload`, in the function where these are"
            )
    found = {nest.loop: _tile(workload, nest) for nest in nests}
    return {loop: tile for loop, tile in found.items() if tile is not None}


def _tile(workload: Workload, nest: Nest) -> Tile | None:
    static = workload.static
    inside = [loop.id for loop in static.loops_of[nest.loop]]
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
    blocks = nest.loops
    threads = tuple(_threads(static, blocks, head) for head in heads)
    extents = _extents(workload, threads)
    if max(len(blocks), len(extents)) > _DIRECTIONS:
        raise TileError(
            f"{heads[0].file}:{heads[0].line}: a grid has {_DIRECTIONS} directions, not "
            f"{max(len(blocks), len(extents))}"
        )
    arrays = tile_arrays(
        workload.executable.compiled,
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
    around = static.chain_of(head.parent)
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


def _extents(workload: Workload, threads: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Threads of a block, the same in all of its steps."""
    loops = workload.static.loops
    found: dict[tuple[int, ...], int] = {}
    for step in threads:
        line = f"{loops[step[0]].file}:{loops[step[0]].line}"
        runs: Mapping[bool, list[Trips]] = {
            large: [workload.trips(loop, at_work_size=large) for loop in step]
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
    around = static.chain_of(loop)
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
