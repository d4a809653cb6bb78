"""Where the blocks of a problem are in the source: loops and functions, and single lines."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from logca.numeric.partition.problem.blocks import Problem, ProblemError
from logca.numeric.partition.program.pieces import is_nothing
from logca.numeric.partition.program.tracing import Traced

__all__ = ["SourceRegion", "lines_of", "regions_of"]

Place = tuple[str, int]

MOST_LINES = 1_000_000
"""Lines of a file that is listed [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRegion:
    """A loop without the loops inside it, or what is outside the loops of a function."""

    # function, file: where it is; empty if unknown
    function: str
    file: str
    loop: bool  # whether it is a loop
    # first_line, last_line: its lines, those of inner loops among them; 0 if unknown [1]
    first_line: int
    last_line: int
    blocks: tuple[int, ...]  # its blocks that are executed [1]


def regions_of(source: Problem | Traced) -> tuple[SourceRegion, ...]:
    """The parts of a program that its executed blocks form, in their order."""
    problem = source.problem if isinstance(source, Traced) else source
    around = _loops_traced(source) if isinstance(source, Traced) else _loops_given(problem)
    members: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for number, block in enumerate(problem.blocks):
        if block.executions:
            members[block.file, block.function, around.get(number, -1)].append(number)
    found = []
    for (file, function, loop), blocks in members.items():
        lines = _span(source, problem, loop, blocks)
        found.append(
            SourceRegion(
                function=function,
                file=file,
                loop=loop >= 0,
                first_line=lines[0],
                last_line=lines[1],
                blocks=tuple(blocks),
            )
        )
    return tuple(found)


def lines_of(source: Problem | Traced) -> tuple[Mapping[Place, int], ...]:
    """For each block the lines that it comes from, and how much of it comes from each [1].

    The measure are its instructions; of a problem from a file, all its lines alike.
    """
    if isinstance(source, Problem):
        for block in source.blocks:
            if block.last_line > MOST_LINES:
                raise ProblemError(
                    f"block {block.name!r}: last_line must be at most {MOST_LINES:,} to be listed, "
                    f"not {block.last_line:,}"
                )
        return tuple(
            {
                (block.file, line): 1
                for line in range(block.first_line, block.last_line + 1)
                if block.file and line
            }
            for block in source.blocks
        )
    found: list[dict[Place, int]] = [defaultdict(int) for _ in source.problem.blocks]
    program = source.compiled.program
    for number, piece in enumerate(source.pieces.pieces):
        basic = program.blocks[piece.block]
        for each in basic.instructions[piece.begin : piece.end]:
            if each.line and not is_nothing(each):
                found[number][basic.file, each.line] += 1
    return tuple(dict(each) for each in found)


def _loops_traced(source: Traced) -> dict[int, int]:
    """For each block in a loop the innermost one, as the program numbers them."""
    blocks = source.compiled.program.blocks
    return {
        number: loop
        for number, piece in enumerate(source.pieces.pieces)
        if (loop := blocks[piece.block].loop) is not None
    }


def _loops_given(problem: Problem) -> dict[int, int]:
    """For each block in a loop the smallest one, as the problem numbers them.

    A set that has all of a block's function is no loop but that function.
    """
    functions: dict[str, set[int]] = defaultdict(set)
    for number, block in enumerate(problem.blocks):
        functions[block.function].add(number)
    found: dict[int, int] = {}
    for loop in sorted(range(len(problem.loops)), key=lambda each: len(problem.loops[each])):
        inside = set(problem.loops[loop])
        for number in inside:
            name = problem.blocks[number].function
            if not name or not functions[name] <= inside:
                found.setdefault(number, loop)
    return found


def _span(
    source: Problem | Traced, problem: Problem, loop: int, blocks: list[int]
) -> tuple[int, int]:
    if isinstance(source, Traced) and loop >= 0:
        known = source.compiled.program.loops[loop]
        return known.line, max(known.line, known.end_line)
    lines = [line for each in blocks for line in (problem.blocks[each].first_line,) if line]
    ends = [line for each in blocks for line in (problem.blocks[each].last_line,) if line]
    return min(lines, default=0), max(ends, default=0)
