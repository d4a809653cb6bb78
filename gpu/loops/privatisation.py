"""Scratch memory of which each thread can have a copy of its own.

A variable or a small array that every iteration of a loop writes before it reads it passes nothing
from one iteration to the next, though all of them use the same memory. As an array of the thread's
own it carries nothing (privatisation: Maydan, Amarasinghe and Lam, 1993; Tu and Padua, 1993).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from logca.gpu.loops.carried_dependences import Watched
from logca.gpu.loops.thread_loops import iterations
from logca.gpu.nests.nest import Nest, PrivateCopy
from logca.gpu.nests.thread_dependences import ReachedMemory
from logca.gpu.program.running import Executable
from logca.gpu.program.workload import Workload
from logca.trace.ir.program import Program

__all__ = ["private_copies", "with_private_copies"]

LARGEST = 4096
"""A thread gets no larger array. 512 KiB of local memory are the most that CUDA has (CUDA C++
Programming Guide, "Technical Specifications per Compute Capability"), but 2,048 threads of
4 KiB already go through 8 MiB, more than most second-level caches; beyond that a person would give
the array another dimension [B]."""


def private_copies(workload: Workload, found: Watched, loop: int) -> tuple[PrivateCopy, ...]:
    """Memory that each iteration of a loop can have of its own; none if it writes nothing else.

    A loop that leaves nothing behind but the scratch of its last iteration repeats work, as one
    around a benchmark does.
    """
    static = workload.static
    counts = workload.traced[: len(static.blocks)]
    level = len(static.chain_of(loop)) - len(static.chain_of(found.nest))
    inside = {
        access.id: access
        for access in static.accesses_of[loop]
        if counts[access.block]
        and not any(each.id == access.private_to for each in static.loops_of[loop])
    }
    copies: list[PrivateCopy] = []
    used: set[int] = set()
    for memory in found.memories:
        own = memory.accesses & inside.keys()
        if not any(inside[site].store for site in own):
            continue
        used |= own
        copy = _copy(workload, found, memory, own, loop, level)
        if copy is not None:
            copies.append(copy)
    left = used - {site for copy in copies for site in copy.accesses}
    return tuple(copies) if any(inside[site].store for site in left) else ()


def _copy(
    workload: Workload,
    found: Watched,
    memory: ReachedMemory,
    own: Collection[int],
    loop: int,
    level: int,
) -> PrivateCopy | None:
    """A copy of one memory; None if an iteration may read what another one has written."""
    accesses = workload.static.accesses
    stores = [site for site in own if accesses[site].store]
    loads = [site for site in own if not accesses[site].store]
    if not loads or any(memory.covered[site] <= level for site in loads):
        return None
    size = _size_there(workload, memory, stores, loop)
    if not 0 < size <= LARGEST:
        return None
    last = _read_elsewhere(workload.static, found, memory, own, loop)
    if last:
        written = sum(memory.written[site][level] for site in stores)
        whole = found.begun.get(loop, 0) - (not found.complete)
        if written < whole * memory.size:
            return None
    return PrivateCopy(
        accesses=frozenset(own),
        arrays=tuple(sorted({accesses[site].array for site in own} - {""})),
        size=size,
        last=last,
    )


def _size_there(workload: Workload, memory: ReachedMemory, stores: Sequence[int], loop: int) -> int:
    """Size at the work size: of the loops that fill it alone the one that grows least [B]."""
    static = workload.static
    here, there = (each[: len(static.blocks)] for each in (workload.traced, workload.work))
    rounds = [iterations(static, counts, loop) for counts in (here, there)]
    if not all(rounds):
        return 0
    grown = []
    for site in stores:
        block = static.accesses[site].block
        often = [counts[block] / each for counts, each in zip((here, there), rounds, strict=True)]
        if often[0] * max(1, static.accesses[site].size) >= memory.size:
            grown.append(often[1] / often[0])
    return round(memory.size * max(1.0, min(grown, default=1.0)))


def _read_elsewhere(
    static: Program, found: Watched, memory: ReachedMemory, own: Collection[int], loop: int
) -> bool:
    """True if something outside of a loop may read what it left in a memory."""
    around = static.chain_of(loop)
    for site in memory.accesses - set(own):
        if static.accesses[site].store:
            continue
        chain = static.chain_of(static.accesses[site].loop, found.nest)
        shared = sum(each in around for each in chain)
        # what was always written in the same iteration of a loop that the other is not in
        if memory.covered[site] <= shared:
            return True
    names = {(static.accesses[site].array, static.accesses[site].private) for site in own}
    functions = {static.accesses[site].function for site in own}
    nest = {access.id for access in static.accesses_of[found.nest]}
    return _given_to_a_library(static, own, loop) or any(
        not access.store
        and access.id not in nest
        and (
            ("", False) in names
            or (
                (access.array, access.private) in names
                and (not access.private or access.function in functions)
            )
        )
        for access in static.accesses
    )


_WRITING = {"free", "fread", "fgets", "gets", "read", "scanf", "fscanf", "gettimeofday"}
"""Functions of the C library that read nothing of what they are given."""


def _given_to_a_library(static: Program, own: Collection[int], loop: int) -> bool:
    """True if a function that no trace looks into may read what a loop left in a memory."""
    accesses = [static.accesses[site] for site in own]
    # a local variable is another one in each function
    names = {(each.array, each.function if each.private else "") for each in accesses}
    return any(
        (name, where) in names
        for block in static.blocks
        if block.id not in static.loops[loop].blocks
        for each in block.instructions
        if each.callee not in _WRITING
        for name in each.given
        for where in ("", block.function)
    )


def with_private_copies(workload: Workload, nests: Sequence[Nest]) -> Workload:
    """The program with the memory that threads have copies of declared inside their loop."""
    moved = {
        site: nest.loops[-1] for nest in nests for copy in nest.private for site in copy.accesses
    }
    if not moved:
        return workload

    def changed(program: Executable) -> Executable:
        compiled = program.compiled
        static = _moved(compiled.program, moved)
        return replace(program, compiled=replace(compiled, program=static))

    build = workload.build
    return replace(
        workload,
        executable=changed(workload.executable),
        static=_moved(workload.static, moved),
        build=lambda sizes: changed(build(sizes)),
        large=None if workload.large is None else changed(workload.large),
    )


def _moved(static: Program, moved: Mapping[int, int]) -> Program:
    return replace(
        static,
        accesses=tuple(
            replace(access, private_to=moved[access.id]) if access.id in moved else access
            for access in static.accesses
        ),
    )
