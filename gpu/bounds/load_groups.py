"""Accesses that a GPU compiler leaves in a kernel, and loads that are under way together.

Loads of an iteration overlap if none needs the value of another for its address; so do those of
the iterations that are unrolled, unless a store between them may alias. Accesses whose value stays
in a register are no accesses, and what a compiler moves out of a loop is made once an entry.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from logca.gpu.nests.nest import NestTrace, with_only
from logca.trace.ir.program import Program

__all__ = ["LoadGroups", "left_in_kernel", "load_groups"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadGroups:
    """Loads of a thread that are under way together."""

    # for each load the group of its loop's body that it is in: 0 for those whose address needs no
    # other load of that body, 1 for those that need one of these, ... [1]
    level: Mapping[int, int]
    # iterations of an innermost loop whose loads overlap, by loop; 1 where none is named [1]
    together: Mapping[int, int]


def load_groups(
    program: Program, nest: int, *, unrolled: int, ordered: Collection[int]
) -> LoadGroups:
    """Groups of the loads of a nest, with loops unrolled but for the `ordered` ones."""
    made = {}
    for block in program.loops[nest].blocks:
        for index, each in enumerate(program.blocks[block].instructions):
            if each.name:
                made[each.name] = (block, index, each)
    places = {
        (access.block, access.index): access.id
        for access in program.accesses_of[nest]
        if not access.store
    }
    level: dict[int, int] = {}

    def level_of(site: int) -> int:
        if site not in level:
            level[site] = 0  # of a load that needs itself, by way of what it loads
            access = program.accesses[site]
            waiting = [*program.blocks[access.block].instructions[access.index].uses]
            seen: set[str] = set()
            while waiting:
                name = waiting.pop()
                if name in seen or name not in made:
                    continue
                seen.add(name)
                block, index, instruction = made[name]
                before = places.get((block, index))
                if before is None:
                    waiting += instruction.uses if instruction.opcode != "phi" else ()
                elif program.accesses[before].loop == access.loop:
                    level[site] = max(level[site], 1 + level_of(before))
        return level[site]

    for site in places.values():
        level_of(site)
    return LoadGroups(
        level=level,
        together={
            loop.id: 1 if loop.id in ordered else unrolled for loop in program.loops_of[nest]
        },
    )


def left_in_kernel(
    trace: NestTrace, never: Collection[int], outside: Mapping[int, int]
) -> NestTrace | None:
    """The accesses of a trace that a compiler leaves; None if there are none.

    Those that are `never` made are left out, and of those that stand `outside` of a loop the first
    is kept of each entry of it.
    """
    there = set(np.unique(trace.access).tolist())
    left = with_only(trace, there - {*never})
    moved = there & outside.keys() - {*never}
    if left is None or not moved:
        return left
    kept = np.ones(len(left.access), np.bool_)
    for site in moved:
        rows = np.flatnonzero(left.access == site)
        chain = left.chain_of(left.accesses[site].loop)
        if outside[site] not in chain:
            continue
        around = left.iterations[rows, : chain.index(outside[site])]
        same = np.all(around[1:] == around[:-1], axis=1) & (
            left.launch[rows][1:] == left.launch[rows][:-1]
        )
        kept[rows[1:][same]] = False
    return left.where(kept)
