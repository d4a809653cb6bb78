"""Which loops the pragmas and directives of the sources mean.

All loops that a macro expands to are at the place of the macro. A pragma before it means the first
of them, and not those inside; a second pragma from the same macro the next one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from logca.trace.debug import Place
from logca.trace.program import Directive, Loop, Pragma

__all__ = ["placed"]


def placed(
    loops: Sequence[Loop],
    starts: Sequence[Place],
    pragmas: Iterable[Pragma],
    directives: Iterable[Directive],
) -> tuple[tuple[Loop, ...], tuple[Pragma, ...], tuple[Directive, ...]]:
    """Loops that know what stands before them; pragmas and directives that know their loops.

    Parameters
    ----------
    loops : sequence of Loop
        All loops, by number.
    starts : sequence of Place
        Where each starts; a column of 0 is unknown.
    pragmas : iterable of Pragma
        What the sources ask to be offloaded.
    directives : iterable of Directive
        What else they say.
    """

    def after(said: Pragma | Directive) -> tuple[int, ...]:
        # A copy of the function, and the loops at the place in it that lie in no other one there.
        copies: dict[tuple[str, int], list[Loop]] = {}
        # Behind a pragma of a macro the preprocessor begins a line with a blank at least.
        columns = {0, said.column} | ({1} if said.column == 2 else set())
        for loop, start in zip(loops, starts, strict=True):
            place = (loop.file, loop.line) == (said.file, said.target)
            if place and start.column in columns:
                there = copies.setdefault((loop.function, start.call), [])
                if not any(loop.header in other.blocks for other in there):
                    there.append(loop)
        return tuple(there[said.order].id for there in copies.values() if said.order < len(there))

    # A file that is included again in another function says the same once more, of no other loops.
    pragmas = tuple(
        each
        for each in (replace(each, loops=after(each)) for each in pragmas)
        if each.loops or not each.order
    )
    directives = tuple(
        dict.fromkeys(
            replace(each, loops=after(each))
            if each.name == "threads"
            else replace(each, loops=around(loops, each), order=0)
            for each in directives
        )
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
