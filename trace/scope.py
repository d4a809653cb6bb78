"""Which accesses are recorded, how the loops around them count, and where iterations are marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.trace.errors import RegionError
from logca.trace.nesting import chain_of
from logca.trace.program import Access, Block, Loop, Program
from logca.trace.reach import Reach, is_call, reach

__all__ = ["Scope", "scope_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What is recorded, and how the loops around it count."""

    program: Program
    nests: tuple[int, ...]
    accesses: Mapping[int, list[Access]]
    nest_of: Mapping[int, int]
    level: Mapping[int, int]
    reach: Reach
    marked: Mapping[int, Loop]

    def shift(self, block: Block) -> int:
        """Cells taken by the loops around a call: iterations, and the launch of a nest."""
        level = self.level.get(block.id, 0)
        return level + 1 if self.nests and level else level


def scope_of(program: Program, ir: str, nests: tuple[int, ...] | None) -> Scope:
    """The accesses to record, and how the loops around them count."""
    nest_of: dict[int, int] = {}
    level: dict[int, int] = {}
    for loop in nests or ():
        if not 0 <= loop < len(program.loops):
            raise RegionError(f"there is no loop {loop}: the program has {len(program.loops)}")
        for above in chain_of(program.loops, loop)[:-1]:
            if above in (nests or ()):
                raise RegionError(
                    f"loop {loop} lies in loop {above}, which is recorded with all its loops"
                )
    for block in program.blocks:
        chain = chain_of(program.loops, block.loop)
        if nests is None:
            if chain:
                level[block.id] = len(chain)
        else:
            for place, loop in enumerate(chain):
                if loop in nests:
                    nest_of[block.id] = loop
                    level[block.id] = len(chain) - place
    accesses: dict[int, list[Access]] = {}
    for access in program.accesses:
        if nests is None or access.block in nest_of:
            accesses.setdefault(access.block, []).append(access)
    recorded = {program.blocks[block].function for block in accesses}
    calls = reach(program, ir, recorded, level)
    busy = set(accesses)
    for block in program.blocks:
        if any(is_call(call) and calls.may_record(call) for call in block.instructions):
            busy.add(block.id)
    counted = [
        loop for loop in program.loops if loop.header in level and not busy.isdisjoint(loop.blocks)
    ]
    before: dict[int, set[int]] = {}
    for edge in program.edges:
        before.setdefault(edge.target, set()).add(edge.source)
    return Scope(
        program=program,
        nests=nests or (),
        accesses=accesses,
        nest_of=nest_of,
        level=level,
        reach=calls,
        marked={
            loop.header
            if loop.header in busy
            else marking_block(program.blocks, loop, before): loop
            for loop in counted
        },
    )


def marking_block(blocks: Sequence[Block], loop: Loop, before: Mapping[int, set[int]]) -> int:
    """The block that marks an iteration of a loop whose header only tests [1].

    It leaves that to the body, where an access can do it at no cost: the body must be reached from
    the header alone, and belong to no loop inside.
    """
    inside = [b for b in blocks[loop.header].successors if b in loop.blocks and b != loop.header]
    if len(inside) == 1:
        body = inside[0]
        if before[body] == {loop.header} and blocks[body].loop == loop.id:
            return body
    return loop.header
