"""What the counts of blocks and edges say of instructions and loops."""

from collections.abc import Callable, Sequence

from logca.trace.findings import Footprint, InstructionCount, LoopFindings
from logca.trace.program import Program
from logca.trace.selection import Selection, work

__all__ = ["instruction_counts", "iterations_of", "loop_findings", "unrecorded_counts"]


def instruction_counts(
    program: Program, blocks: Sequence[int], counts: Sequence[int]
) -> tuple[InstructionCount, ...]:
    """Instructions by opcode and type, the most frequent first.

    Parameters
    ----------
    program : Program
        The program.
    blocks : sequence of int
        The blocks that count [1].
    counts : sequence of int
        How often each block of the program was executed [1].
    """
    static: dict[tuple[str, str], int] = {}
    executed: dict[tuple[str, str], int] = {}
    for block in blocks:
        for each in program.blocks[block].instructions:
            kind = each.opcode, each.type
            static[kind] = static.get(kind, 0) + 1
            executed[kind] = executed.get(kind, 0) + int(counts[block])
    return tuple(
        InstructionCount(opcode=kind[0], type=kind[1], static=static[kind], executed=executed[kind])
        for kind in sorted(static, key=lambda kind: (-executed[kind], kind))
    )


def unrecorded_counts(
    program: Program, blocks: Sequence[int], counts: Sequence[int]
) -> dict[str, int]:
    """How often what reaches memory outside of the trace was executed, by what it is [1].

    Parameters
    ----------
    program : Program
        The program.
    blocks : sequence of int
        The blocks that count [1].
    counts : sequence of int
        How often each block of the program was executed [1].
    """
    found: dict[str, int] = {}
    for block in blocks:
        for each in program.blocks[block].instructions:
            if each.unrecorded and counts[block]:
                found[each.unrecorded] = found.get(each.unrecorded, 0) + int(counts[block])
    return found


def iterations_of(
    program: Program, loop: int, blocks: Sequence[int], edges: Sequence[int]
) -> tuple[int, int]:
    """How often a loop was entered, and how many iterations it made in all [1].

    An iteration counts when control goes on from the header into the loop: the last test of a
    ``while`` is none. Where the header is also the end of the loop, each time it runs is one.

    Parameters
    ----------
    program : Program
        The program.
    loop : int
        The loop [1].
    blocks, edges : sequence of int
        How often each block and edge was passed [1].
    """
    it = program.loops[loop]
    back = out = 0
    for edge in program.edges:
        if edge.target == it.header and edge.source in it.blocks:
            back += int(edges[edge.id])
        if edge.source == it.header and edge.target not in it.blocks:
            out += int(edges[edge.id])
    passes = int(blocks[it.header])
    return passes - back, passes if it.header in it.latches else passes - out


def loop_findings(
    program: Program,
    selection: Selection,
    blocks: Sequence[int],
    edges: Sequence[int],
    accesses: dict[int, tuple[int, Footprint]] | None,
    text: Callable[[str, int], str],
) -> tuple[LoopFindings, ...]:
    """What each loop of a region did, in program order.

    Parameters
    ----------
    program : Program
        The program.
    selection : Selection
        The region.
    blocks, edges : sequence of int
        How often each block and edge of the program was passed [1].
    accesses : dict, optional
        Accesses [1] and footprint by loop, if they are known.
    text : callable
        What stands in a line of a file.
    """
    found = []
    for loop in selection.loops:
        entries, iterations = iterations_of(program, loop, blocks, edges)
        number, footprint = accesses[loop] if accesses is not None else (None, None)
        found.append(
            LoopFindings(
                loop=loop,
                text=text(program.loops[loop].file, program.loops[loop].line),
                entries=entries,
                iterations=iterations,
                instructions=work(program, blocks, loop),
                accesses=number,
                footprint=footprint,
            )
        )
    return tuple(found)
