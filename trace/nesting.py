"""Which loops lie in which, and what lies in them."""

from collections.abc import Iterator, Sequence

from logca.trace.program import Access, Loop, Program

__all__ = ["accesses_of", "chain_of", "first_access", "loops_of"]


def loops_of(program: Program, loop: int) -> Iterator[Loop]:
    """The loop and all loops inside it, in program order."""
    blocks = program.loops[loop].blocks
    return (inner for inner in program.loops if inner.header in blocks)


def chain_of(loops: Sequence[Loop], loop: int | None, nest: int | None = None) -> tuple[int, ...]:
    """The loop and all loops around it in its function, outermost first [1].

    With a nest only from that loop inwards; none if it is not among them.
    """
    chain: list[int] = []
    while loop is not None:
        chain.append(loop)
        loop = None if loop == nest else loops[loop].parent
    return tuple(reversed(chain)) if nest is None or nest in chain else ()


def accesses_of(program: Program, loop: int) -> Iterator[Access]:
    """The accesses in the loop and in those inside it, in program order."""
    blocks = program.loops[loop].blocks
    return (access for access in program.accesses if access.block in blocks)


def first_access(program: Program, loop: int) -> int | None:
    """Number of the first access of a loop, by which loops and accesses are compared in order."""
    return next((access.id for access in accesses_of(program, loop)), None)
