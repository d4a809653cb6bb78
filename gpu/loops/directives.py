"""Loops that directives make threads, and what to say of them."""

from collections.abc import Iterator, Sequence

from logca.common.errors import RegionError
from logca.gpu.nests.nest import (
    Nest,
    iterations,
    left_early,
    obstacle,
    only_children,
    uncountable,
)
from logca.trace.ir.program import Loop, Program

__all__ = ["directed", "passed_over", "warnings"]


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


def warnings(
    program: Program, nests: Sequence[Nest], edge_counts: Sequence[int]
) -> tuple[str, ...]:
    """What to say of nests that directives name."""
    return tuple(
        dict.fromkeys(words for nest in nests for words in _warnings_of(program, nest, edge_counts))
    )


def passed_over(program: Program) -> tuple[str, ...]:
    """What to say where all directives stand in functions that nothing calls."""
    lost = [f"{each.file}:{each.line}" for each in program.pragmas if not each.loops]
    if not lost or any(each.loops for each in program.pragmas):
        return ()
    places = ", ".join(dict.fromkeys(lost))
    return (f"passed over, in functions that nothing calls: directives at {places}",)


def _warnings_of(program: Program, nest: Nest, edge_counts: Sequence[int]) -> Iterator[str]:
    calls = obstacle(program, nest.loop)
    if calls:
        yield f"what is called is not predicted: {calls.what}"
    for number in nest.loops:
        loop = program.loops[number]
        early = left_early(program, loop, edge_counts)
        if early:
            yield (
                f"the loop at line {loop.line} {early}: predicted are the iterations that were "
                "executed"
            )
        if loop.carried:
            sums = any("(reduction)" in each for each in loop.carried)
            yield (
                f"predicted against its dependences: the loop at line {loop.line} carries "
                + ", ".join(loop.carried)
                + ("; joining what the threads have is not in the time" if sums else "")
            )
