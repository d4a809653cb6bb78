"""Which loops the pragmas and directives of the sources mean."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from logca.trace.program import Directive, Loop, Pragma

__all__ = ["placed"]


def placed(
    loops: Sequence[Loop],
    columns: Sequence[int],
    pragmas: Iterable[Pragma],
    directives: Iterable[Directive],
) -> tuple[tuple[Loop, ...], tuple[Pragma, ...], tuple[Directive, ...]]:
    """Loops that know what stands before them; pragmas and directives that know their loops.

    Parameters
    ----------
    loops : sequence of Loop
        All loops, by number.
    columns : sequence of int
        Where in its line each starts; 0 if unknown [1].
    pragmas : iterable of Pragma
        What the sources ask to be offloaded.
    directives : iterable of Directive
        What else they say.
    """

    def after(said: Pragma | Directive) -> tuple[int, ...]:
        return tuple(
            loop.id
            for loop, column in zip(loops, columns, strict=True)
            if (loop.file, loop.line) == (said.file, said.target) and column in {0, said.column}
        )

    pragmas = tuple(replace(each, loops=after(each)) for each in pragmas)
    directives = tuple(
        replace(each, loops=after(each) if each.name == "threads" else around(loops, each))
        for each in directives
    )
    offload = {loop: each.collapse for each in pragmas for loop in each.loops}
    threads = {
        loop: int(each.arguments[0])
        for each in directives
        if each.name == "threads"
        for loop in each.loops
    }
    known = tuple(
        replace(loop, offload=offload.get(loop.id, 0), threads=threads.get(loop.id, 0))
        for loop in loops
    )
    return known, pragmas, directives


def around(loops: Sequence[Loop], directive: Directive) -> tuple[int, ...]:
    """The innermost loops around a directive."""
    found = [
        loop
        for loop in loops
        if loop.file == directive.file and loop.line < directive.line <= loop.end_line
    ]
    parents = {loop.parent for loop in found}
    return tuple(loop.id for loop in found if loop.id not in parents)
