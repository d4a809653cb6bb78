"""Executions of every block and trips of every loop, at the traced and at the work size.

What costs too much to run at the work size is carried over from small sizes as polynomials; the
largest run that is affordable must have the counts they say, and the code at the work size the
numbers they lead to.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, lcm, log

from logca.common.errors import TraceError
from logca.gpu.nests.nest import Nest
from logca.gpu.program.running import Counted, Executable, counted
from logca.gpu.program.work_size_extrapolation import (
    ScalingError,
    SizeGrid,
    affordable_points,
    at_most,
    extrapolated,
    largest_point,
    same_shape,
    size_grid,
    size_words,
)
from logca.trace.ir.program import Loop, Program

__all__ = [
    "NestSize",
    "Trips",
    "Workload",
    "code_change",
    "code_of",
    "trips",
    "workload",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trips:
    """Entries and iterations of a loop."""

    entries: int  # how often it was entered [1]
    iterations: int  # how often its body was started, over all entries [1]

    @property
    def mean(self) -> float:
        """Iterations of an entry [1]; 0 if it was never entered."""
        return self.iterations / self.entries if self.entries else 0.0


def trips(program: Program, loop: Loop, edge_counts: Sequence[int]) -> Trips:
    """Entries and iterations of a loop, from the counts of the edges.

    A loop that tests at its top does so once more than its body runs, so that there the ways from
    the test into the loop are counted.
    """
    into = [edge for edge in program.edges if edge.target == loop.header]
    entered = sum(edge_counts[edge.id] for edge in into if edge.source not in loop.blocks)
    test = _test_at_top(program, loop)
    into_body = [
        edge for edge in program.edges if edge.source == test and edge.target in loop.blocks
    ]
    return Trips(
        entries=entered,
        iterations=sum(edge_counts[edge.id] for edge in (into if test is None else into_body)),
    )


def _test_at_top(program: Program, loop: Loop) -> int | None:
    """The block that decides at the top whether the loop goes on; None if there is none."""
    leaving = {
        block
        for block in loop.blocks - set(loop.latches)
        if not set(program.blocks[block].successors) <= loop.blocks
    }
    if loop.header in leaving:
        return loop.header
    for block in leaving:
        # Both sides of && and || meet in a block that does nothing but decide.
        if {each.opcode for each in program.blocks[block].instructions} <= {"phi", "br"}:
            before = _before(program, loop, block)
            if not before & (leaving | set(loop.latches)):
                return block
    return None


def _before(program: Program, loop: Loop, end: int) -> set[int]:
    """Blocks of a loop on the ways from its header to a block."""
    found: set[int] = set()
    waiting = [loop.header]
    while waiting:
        block = waiting.pop()
        if block != end and block in loop.blocks and block not in found:
            found.add(block)
            waiting += program.blocks[block].successors
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class NestSize:
    """Launches of a nest and mean iterations of its collapsed loops."""

    launches: int  # how often it is entered [1]
    # mean iterations of the collapsed loops of a launch, outermost first [1]
    extents: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Executions of all blocks and edges, at the traced size and at the work size."""

    # traced, work: executions of each block, then of each edge [1]
    traced: tuple[int, ...]
    work: tuple[int, ...]
    executable: Executable  # the program compiled for the traced size
    static: Program  # what the compiler says of it
    # the program for other values of the size macros
    build: Callable[[Mapping[str, int]], Executable]
    # trace_size, work_size: these macros at the traced and at the work size [1]
    trace_size: Mapping[str, int]
    work_size: Mapping[str, int]
    large: Executable | None = None  # the program compiled for the work size, if it was run there
    ending: str = ""  # what a reader should know of how the program ended at the traced size

    def trips(self, loop: int, *, at_work_size: bool = True) -> Trips:
        """Entries and iterations of a loop."""
        counts = self.work if at_work_size else self.traced
        static = self.static
        return trips(static, static.loops[loop], counts[len(static.blocks) :])

    def size_of(self, nest: Nest, *, at_work_size: bool = True) -> NestSize:
        """Launches of a nest and mean iterations of its collapsed loops."""
        loops = [self.trips(loop, at_work_size=at_work_size) for loop in nest.loops]
        return NestSize(launches=loops[0].entries, extents=tuple(loop.mean for loop in loops))


_CALL = 50
"""Instructions that a call of a library stands for [1]."""


def _cost_of(static: Program, counts: Sequence[int]) -> int:
    """Instructions executed, with what they call [1]."""
    return sum(
        counts[block.id]
        * sum(
            _CALL if each.opcode == "call" and not each.callee.startswith("llvm.") else 1
            for each in block.instructions
        )
        for block in static.blocks
    )


def _depth_of(static: Program) -> int:
    """Most loops in each other, less the threads of blocks.

    So many iterations may each grow with the size; a block has as many threads at every size.
    """
    inside = _thread_loops(static)
    depth: dict[int | None, int] = {None: 0}
    for loop in static.loops:
        depth[loop.id] = depth[loop.parent] + (loop.id not in inside)
    return max(depth.values())


def _tile_of(static: Program, counts: Sequence[int]) -> int:
    """Least common multiple of the extents of all thread loops; 0 without such loops [1]."""
    edges = counts[len(static.blocks) :]
    extents = [round(trips(static, static.loops[n], edges).mean) for n in _thread_loops(static)]
    return lcm(*filter(None, extents)) if any(extents) else 0


def _thread_loops(static: Program) -> list[int]:
    """The loops whose iterations are the threads of a block [1]."""
    left: dict[int | None, int] = {None: 0}
    found = []
    for loop in static.loops:
        threads = loop.threads or left[loop.parent]
        left[loop.id] = max(0, threads - 1)
        if threads:
            found.append(loop.id)
    return found


_COUNTED = 4e9
"""Instructions of a run that is made to be sure: 0.2 to 1.3 seconds, at the 3 to 20 thousand
million a second that were measured [1]."""

_PATIENT = 2e10
"""Instructions of a run without which there is no prediction [1]."""

_TIME = 20.0
"""Time limit of such a run, should it do more than was thought [s]."""

_ATTEMPTS = 3

Size = Mapping[str, int]
Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _WorkCounts:
    """Counts at the work size."""

    counts: Counts  # executions of each block, then of each edge [1]
    program: Executable | None = None  # the program there, if that is where it was counted
    note: str = ""  # what a reader should know of them


def workload(
    traced: Counted, build: Callable[[Size], Executable], trace: Size, work: Size
) -> Workload:
    """Executions at the traced size, where the program was counted, and at the work size."""
    there = _work_counts(build, traced, trace, work)
    return Workload(
        traced=traced.counts,
        work=there.counts,
        executable=traced.program,
        static=traced.program.compiled.program,
        build=build,
        trace_size=trace,
        work_size=work,
        large=there.program,
        ending="; ".join(filter(None, (traced.ending, there.note))),
    )


def _work_counts(
    compiled: Callable[[Size], Executable], traced: Counted, trace: Size, work: Size
) -> _WorkCounts:
    """Counts at the work size."""
    first, counts = traced.program, traced.counts
    static = first.compiled.program
    here, depth = _cost_of(static, counts), _depth_of(static)
    grid = size_grid(trace, work, degree=depth, tile=_tile_of(static, counts))
    if not any(grid.target):
        return _WorkCounts(counts=counts, program=first)
    last = same_shape(compiled(work), first, work)
    highest = at_most(here, trace, work, depth)
    if highest <= _COUNTED:
        found = _counts_or_why_not(last)
        if not isinstance(found, str):
            return _WorkCounts(counts=found, program=last)
    programs = [same_shape(compiled(sizes), first, sizes) for sizes in grid.sizes[1:]]
    small = [traced, *map(counted, programs)]
    try:
        far = extrapolated([each.counts for each in small], grid)
        highest = min(highest, _cost_of(static, far))
        costs = [_cost_of(static, each.counts) for each in small]
        points = affordable_points(grid, costs, _COUNTED, _ATTEMPTS)
        return _checked(compiled, small, grid, points, far, last)
    except ScalingError as error:
        if highest > _PATIENT:
            highest = min(highest, _likely(compiled, first, here, grid, depth))
        return _counted_at_last(last, work, highest, error)


def _likely(
    compiled: Callable[[Size], Executable],
    first: Executable,
    here: float,
    grid: SizeGrid,
    depth: int,
) -> float:
    """Instructions at the work size, as they grow up to a run in between; infinity if none is.

    Loops over tiles of fixed size are nested deeper than their counts grow.
    """
    trace, work = grid.sizes[0], grid.size_at(grid.target)
    point = largest_point(
        grid, lambda each: at_most(here, trace, grid.size_at(each), depth), _COUNTED
    )
    if point is None:
        return inf
    size = grid.size_at(point)
    found = _counts_or_why_not(same_shape(compiled(size), first, size))
    if isinstance(found, str):
        return inf
    there = _cost_of(first.compiled.program, found)
    way = log(at_most(1.0, trace, size, 1))
    return at_most(there, size, work, max(0.0, log(there / here) / way)) if way else inf


def _counted_at_last(
    last: Executable, work: Size, highest: float, error: ScalingError
) -> _WorkCounts:
    """Counts of a program that only a run at the work size can tell."""
    if highest > _PATIENT:
        about = f": there may be {highest:.0e} instructions" if highest < inf else ""
        raise ScalingError(
            f"{error} (it is too long to be counted at {size_words(work)}{about})"
        ) from error
    found = _counts_or_why_not(last)
    if isinstance(found, str):
        raise ScalingError(
            f"{error} (it was not counted at {size_words(work)}: {found})"
        ) from error
    return _WorkCounts(counts=found, program=last)


def _checked(
    compiled: Callable[[Size], Executable],
    small: Sequence[Counted],
    grid: SizeGrid,
    points: Sequence[tuple[int, ...]],
    far: Counts,
    last: Executable,
) -> _WorkCounts:
    """Counts at the work size, after a run that is as near to it as can be afforded."""
    first, failure = small[0].program, ""
    for point in points:
        size = grid.size_at(point)
        program = last if point == grid.target else same_shape(compiled(size), first, size)
        found = _counts_or_why_not(program)
        if isinstance(found, str):
            failure = failure or f"it could not be run at {size_words(size)}: {found}"
            continue
        if point == grid.target:
            return _WorkCounts(counts=found, program=last)
        expected = extrapolated([each.counts for each in small], grid, point)
        if found != expected:
            static = first.compiled.program
            raise ScalingError(_difference(static, found, expected, grid, size))
        failure = ""
        break
    codes = [code_of(each.program.compiled.ir) for each in small]
    change = code_change(codes, code_of(last.compiled.ir), grid)
    if change:
        at = size_words(grid.size_at(grid.target))
        raise ScalingError(
            f"at {at} the code has {change}, so that nothing is known of its counts: "
            f"{_remedy(grid)}"
        )
    return _WorkCounts(
        counts=far,
        note=f"counts follow from small sizes and were compared with no larger one: {failure}"
        if failure
        else "",
    )


def _difference(
    static: Program, found: Counts, expected: Counts, grid: SizeGrid, size: Size
) -> str:
    """Message on the largest difference of counts."""
    blocks = len(static.blocks)
    wrong = [
        place for place, pair in enumerate(zip(found, expected, strict=True)) if len({*pair}) > 1
    ]
    where = [place for place in wrong if place < blocks]
    place = max(where, key=lambda each: abs(found[each] - expected[each]), default=wrong[0])
    block = static.blocks[place if place < blocks else static.edges[place - blocks].source]
    return (
        f"{block.file}:{block.first_line}: executed {found[place]:,} times at "
        f"{size_words(size)}, where smaller sizes lead to {expected[place]:,}, so that nothing is "
        f"known of {size_words(grid.size_at(grid.target))}: {_remedy(grid)}"
    )


def _remedy(grid: SizeGrid) -> str:
    """Remedy for counts that cannot be carried over."""
    names = " and ".join(grid.steps)
    return (
        f"trace it at larger {names} (-D), beyond the size at which the program changes, or at "
        "the work size itself (-D)"
    )


def _counts_or_why_not(program: Executable) -> Counts | str:
    limits = replace(program.limits, time_s=min(program.limits.time_s, _TIME))
    try:
        return counted(replace(program, limits=limits)).counts
    except TraceError as error:
        return str(error)


_DEFINED = re.compile(r"^define .*?^}", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"!dbg !(\d+)")
_NOT_WHOLE = re.compile(
    r";.*|,? !\S+ !\d+|!\d+|#\d+|\balign \d+|-?\b\d+\.\d+e[+-]\d+|\b0x[0-9A-FKLMHR]+"
)
_WHOLE = re.compile(r"(?<![\w.%@$-])-?\d+(?![\w.])")
_LINE = re.compile(r"^!(\d+) = .*?DILocation\(line: (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitCode:
    """The code of all functions, its numbers apart from the rest."""

    rest: str  # everything else, real numbers and alignments left out
    numbers: tuple[int, ...]  # whole numbers in the order in which they stand [1]
    lines: tuple[int, ...]  # source line of each; 0 if unknown [1]


def code_of(ir: str) -> SplitCode:
    r"""The code of a module in LLVM's assembly.

    Examples
    --------
    >>> code = code_of("define void @f() {\n  %x = icmp slt i32 %i.0, 64\n}")
    >>> code.numbers
    (64,)
    """
    places = {number: int(line) for number, line in _LINE.findall(ir)}
    rest: list[str] = []
    numbers: list[int] = []
    lines: list[int] = []
    for function in _DEFINED.findall(ir):
        for line in function.splitlines():
            place = _PLACE.search(line)
            text = _NOT_WHOLE.sub("", line)
            own = _WHOLE.findall(text)
            numbers += map(int, own)
            lines += [places.get(place.group(1), 0) if place else 0] * len(own)
            rest.append(_WHOLE.sub("#", text))
    return SplitCode(rest="\n".join(rest), numbers=tuple(numbers), lines=tuple(lines))


def code_change(codes: Sequence[SplitCode], large: SplitCode, grid: SizeGrid) -> str:
    """Change of the code at the work size that the small sizes do not lead to.

    Numbers that follow no polynomial in the small sizes are ignored. The text is empty if
    there is nothing, and if the small sizes differ in more than their numbers.
    """
    if any(code.rest != codes[0].rest for code in codes):
        return ""
    if large.rest != codes[0].rest:
        return "other instructions than at the small sizes"
    for place, (line, number) in enumerate(zip(large.lines, large.numbers, strict=True)):
        try:
            (expected,) = extrapolated([(code.numbers[place],) for code in codes], grid)
        except ScalingError:
            continue
        if expected != number:
            where = f" in line {line}" if line else ""
            return f"the number {number}{where} where the small sizes lead to {expected}"
    return ""
