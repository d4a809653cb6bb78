"""Loops that become threads: parallel ones from a loop inwards, and how many are collapsed."""

from collections.abc import Collection, Iterator, Sequence

from logca.gpu.nests.nest import Nest, arguments, iterations, only_children
from logca.trace.ir.program import Program

__all__ = ["nest_at", "parallel_nests"]

_MAX_COLLAPSE = 3
"""A grid has three directions."""

_NARROW = 8
"""Of a loop inside with fewer iterations no threads are made: a warp has 32 [1]."""


def parallel_nests(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    top: int,
    serial: Collection[int],
) -> tuple[tuple[Nest, ...], tuple[int, ...]]:
    """From a loop inwards the first parallel ones, and the innermost loops that are serial."""
    nests: list[Nest] = []
    leaves: list[int] = []
    waiting = [top]
    while waiting:
        loop = waiting.pop()
        if iterations(program, counts, loop) == 0:
            continue
        inside = [each.id for each in program.loops if each.parent == loop]
        if loop not in serial:
            nests.append(nest_at(program, counts, there, loop, serial, _why(program, loop)))
        elif any(iterations(program, counts, each) for each in inside):
            waiting.extend(reversed(inside))
        else:
            leaves.append(loop)
    return tuple(nests), tuple(leaves)


def nest_at(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    loop: int,
    serial: Collection[int],
    reason: str,
) -> Nest:
    """The nest of a loop and of those inside it that are parallel and perfectly nested.

    They must be there at both sizes: the traced one shows what threads do, and at the work size
    there must be enough of them.
    """
    return Nest(loops=(loop, *_band(program, counts, there, loop, serial)), reason=reason)


def _band(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    loop: int,
    serial: Collection[int],
) -> Iterator[int]:
    """Loops inside that are parallel, with nothing but the next one in each body."""
    given = arguments(program, loop)
    for number, inner in enumerate(only_children(program, loop), start=2):
        outer = program.loops[inner].parent
        assert outer is not None
        blocks = program.loops[inner].blocks
        outside = [
            access
            for access in program.accesses_of(outer)
            if access.block not in blocks and access.id not in given
        ]
        header = program.loops[outer].header
        wide = iterations(program, there, inner) >= _NARROW * iterations(program, there, outer)
        if (
            number > _MAX_COLLAPSE
            or inner in serial
            or not wide
            or not iterations(program, counts, inner)
            or any(access.store or access.block != header for access in outside)
        ):
            return
        yield inner


def _why(program: Program, loop: int) -> str:
    if program.loops[loop].parent is None:
        return "outermost loop; its iterations do not depend on each other"
    return "its iterations do not depend on each other"
