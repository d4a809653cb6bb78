"""Where the arrays of a kernel in tiles lie: shared memory, registers, memory of the device."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.shared_memory import tile_loads
from logca.gpu.tile_errors import TileError
from logca.trace.compilation import Compiled
from logca.trace.locals import local_sizes
from logca.trace.nesting import accesses_of, chain_of
from logca.trace.program import Access, Directive, Program

__all__ = ["TileArrays", "tile_arrays"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TileArrays:
    """What memory the accesses of a nest go to; those that are not here, to that of the device.

    Parameters
    ----------
    shared : frozenset of int
        Accesses to shared memory [1].
    registers : frozenset of int
        Accesses to what ``private`` names, one element a thread [1].
    own : frozenset of int
        Accesses to arrays that are declared in the body of the threads [1].
    loads, filling : frozenset of int
        Loads from the memory of the device whose value goes right into shared memory, and the
        stores there [1].
    size : int
        Shared memory of a block [B].
    """

    shared: frozenset[int]
    registers: frozenset[int]
    own: frozenset[int]
    loads: frozenset[int]
    filling: frozenset[int]
    size: int


def tile_arrays(
    compiled: Compiled,
    blocks: Sequence[int],
    threads: Sequence[Sequence[int]],
    directives: Mapping[str, Sequence[Directive]],
) -> TileArrays:
    """Where the arrays of a nest lie.

    Parameters
    ----------
    compiled : Compiled
        The program.
    blocks : sequence of int
        The loops that are blocks, outermost first [1].
    threads : sequence of sequence of int
        Loops that are threads, step by step of a block [1].
    directives : mapping of str to sequence of Directive
        The directives ``shared`` and ``private`` of the nest.

    Raises
    ------
    TileError
        If a name is no local array of the blocks, has two kinds, or a local array has none; if
        nobody knows the size of a shared one.
    """
    static = compiled.program
    accesses = list(accesses_of(static, blocks[0]))
    kinds: dict[str, tuple[str, Directive]] = {}
    for kind, given in directives.items():
        for directive in given:
            for name in directive.arguments:
                known = kinds.setdefault(name, (kind, directive))
                if known[0] != kind:
                    raise TileError(
                        f"{directive.file}:{directive.line}: {name} is {known[0]} and {kind}"
                    )
    found: dict[str, set[int]] = {"shared": set(), "private": set(), "own": set()}
    for access in accesses:
        born = _born(static, access, blocks, threads)
        if born == "thread":
            found["own"].add(access.id)
        elif born == "block":
            if access.array not in kinds:
                raise TileError(
                    f"{access.file}:{access.line}: {access.array or 'an array'} belongs to a block:"
                    f" say `#pragma logca shared({access.array})`, or `private` if each thread has "
                    "one element of it"
                )
            found[kinds[access.array][0]].add(access.id)
    reached = {static.accesses[each].array for kind in found.values() for each in kind}
    for name, (kind, directive) in kinds.items():
        if name not in reached:
            raise TileError(
                f"{directive.file}:{directive.line}: {kind}({name}): there is no array {name} that "
                "is declared in the body of the blocks and used there"
            )
    loads = tile_loads(static, found["shared"]) & {access.id for access in accesses}
    return TileArrays(
        shared=frozenset(found["shared"]),
        registers=frozenset(found["private"]),
        own=frozenset(found["own"]),
        loads=loads,
        filling=_filling(static, loads, found["shared"]),
        size=_size(compiled, [static.accesses[each] for each in sorted(found["shared"])]),
    )


def _born(
    static: Program, access: Access, blocks: Sequence[int], threads: Sequence[Sequence[int]]
) -> str:
    """Whether a "thread" or a "block" has the array, or "device" if all of them share it."""
    around = set(chain_of(static.loops, access.private_to))
    if not access.private or blocks[-1] not in around:
        return "device"
    return "thread" if any(around.issuperset(step) for step in threads) else "block"


def _filling(static: Program, loads: frozenset[int], shared: set[int]) -> frozenset[int]:
    """The stores to shared memory that end such loads."""
    values = {
        (static.accesses[each].function, _instruction_name(static, static.accesses[each]))
        for each in loads
    }
    return frozenset(
        each
        for each in shared
        if static.accesses[each].store
        and any(
            (static.accesses[each].function, use) in values
            for use in _uses(static, static.accesses[each])
        )
    )


def _instruction_name(static: Program, access: Access) -> str:
    return static.blocks[access.block].instructions[access.index].name


def _uses(static: Program, access: Access) -> tuple[str, ...]:
    return static.blocks[access.block].instructions[access.index].uses


def _size(compiled: Compiled, accesses: Sequence[Access]) -> int:
    """What the shared arrays take in all [B]."""
    static, known = compiled.program, local_sizes(compiled.ir)
    bases: dict[tuple[str, str], str] = {}
    for function in {access.function for access in accesses}:
        for block in static.blocks:
            for each in block.instructions if block.function == function else ():
                if each.opcode == "getelementptr" and each.uses:
                    bases[function, each.name] = each.uses[0]
    sizes: dict[tuple[str, str], int] = {}
    measured = set()
    for access in accesses:
        variable = _uses(static, access)[-1]
        while (access.function, variable) in bases:
            variable = bases[access.function, variable]
        if (access.function, variable) in known:
            measured.add(access.array)
            sizes[access.function, variable] = known[access.function, variable]
    for access in accesses:
        if access.array not in measured:
            raise TileError(
                f"{access.file}:{access.line}: how large is {access.array}? Shared memory needs "
                "an array of constant size, used by its name"
            )
    return sum(sizes.values())
