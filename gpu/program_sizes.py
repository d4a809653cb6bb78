"""What a program is at one size and at others: its shape, how deep it is, how much it does."""

from collections.abc import Mapping, Sequence
from math import lcm

from logca.gpu.running import Program
from logca.gpu.scaling import ScalingError
from logca.gpu.trips import trips
from logca.trace.nesting import chain_of
from logca.trace.program import Program as Static

__all__ = ["alike", "cost_of", "depth_of", "tile_of", "told"]

_CALL = 50
"""Instructions that a call of a library stands for [1]."""


def alike(program: Program, first: Program, size: Mapping[str, int]) -> Program:
    """The program, unless macros made another one of it than at the traced size.

    Parameters
    ----------
    program : Program
        The program at some size.
    first : Program
        The program at the traced size.
    size : mapping of str to int
        That size [1].

    Raises
    ------
    ScalingError
        If its blocks, accesses or loops are others.
    """
    if _shape(program) == _shape(first):
        return program
    raise ScalingError(
        f"at {told(size)} the program has other blocks than at the traced size, because a macro "
        "chooses between pieces of code: trace it at a size that has those of the work size, or "
        "at the work size itself, without --work"
    )


def told(size: Mapping[str, int]) -> str:
    """The macros of a size in words [text]."""
    return ", ".join(f"{name} = {value}" for name, value in size.items())


def cost_of(static: Static, counts: Sequence[int]) -> int:
    """Instructions executed, with what they call [1]."""
    return sum(
        counts[block.id]
        * sum(
            _CALL if each.opcode == "call" and not each.callee.startswith("llvm.") else 1
            for each in block.instructions
        )
        for block in static.blocks
    )


def depth_of(static: Static) -> int:
    """Most loops in each other, less the threads of blocks.

    So many iterations may each grow with the size; a block has as many threads at every size.
    """
    inside = _thread_loops(static)
    depth: dict[int | None, int] = {None: 0}
    for loop in static.loops:
        depth[loop.id] = depth[loop.parent] + (loop.id not in inside)
    return max(depth.values())


def tile_of(static: Static, counts: Sequence[int]) -> int:
    """What divides into the threads of all blocks along every direction; 0 without such loops."""
    edges = counts[len(static.blocks) :]
    extents = [round(trips(static, static.loops[n], edges).mean) for n in _thread_loops(static)]
    return lcm(*filter(None, extents)) if any(extents) else 0


def _thread_loops(static: Static) -> list[int]:
    """The loops whose iterations are the threads of a block [1]."""
    left: dict[int | None, int] = {None: 0}
    found = []
    for loop in static.loops:
        threads = loop.threads or left[loop.parent]
        left[loop.id] = max(0, threads - 1)
        if threads:
            found.append(loop.id)
    return found


def _shape(program: Program) -> Sequence[object]:
    static = program.compiled.program
    return [
        [(block.function, block.name, block.successors) for block in static.blocks],
        [(access.block, access.index) for access in static.accesses],
        [chain_of(static.loops, loop.id) for loop in static.loops],
    ]
