"""Loops that become threads: parallel ones from a loop inwards, or those that directives name."""

from collections.abc import Collection, Iterator, Sequence

from logca.common.errors import RegionError
from logca.gpu.nests.nest import Nest, arguments, iterations, only_children, uncountable
from logca.trace.ir.program import Loop, Program

__all__ = ["directed", "nest_at", "parallel_nests"]

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


def directed(
    program: Program, counts: Sequence[int], function: str | None = None
) -> tuple[Nest, ...]:
    """The executed nests that directives name; none if no function has such loops."""
    for each in program.pragmas:
        if not each.loops and not each.before_loop:
            raise RegionError(f"{each.file}:{each.line}: the pragma stands before no loop")
    marked = [
        loop for loop in program.loops if loop.offload and function in (None, loop.source_function)
    ]
    nests = []
    for loop in marked:
        if iterations(program, counts, loop.id) == 0:
            continue
        nests.append(Nest(loops=_marked(program, loop), reason="directive in the source"))
    if marked and not nests:
        places = ", ".join(dict.fromkeys(f"{each.file}:{each.line}" for each in marked))
        raise RegionError(f"no loop with a directive was executed in this run: {places}")
    inner = {
        each.id for nest in nests for each in program.loops_of(nest.loop) if each.id != nest.loop
    }
    for nest in nests:
        if nest.loop in inner:
            loop = program.loops[nest.loop]
            raise RegionError(
                f"{loop.file}:{loop.line}: a directive inside a loop that another one offloads"
            )
    return tuple(nests)


def _marked(program: Program, loop: Loop) -> tuple[int, ...]:
    """The loops that a directive makes threads, checked."""
    band = [loop.id, *only_children(program, loop.id)]
    if loop.offload > len(band):
        nested = "loops are" if len(band) > 1 else "loop is"
        raise RegionError(
            f"{loop.file}:{loop.line}: collapse({loop.offload}) of a nest in which only "
            f"{len(band)} {nested} nested without another beside"
        )
    marked = band[: loop.offload]
    for inner in (program.loops[number] for number in marked):
        why = uncountable(program, inner)
        if why:
            raise RegionError(f"{inner.file}:{inner.line}: the loop {why[0]}: {why[1]}")
    return tuple(marked)


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
