"""Loops that carry nothing but sums and their kin, so that threads can gather them in any order.

In a register that is a variable which nothing else in the loop looks into; in memory an element
that is read and written by updates alone, as in a histogram, by one associative operation.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.loops.carried_dependences import Watched
from logca.gpu.nests.nest import Columns, Nest, Reduction
from logca.gpu.nests.thread_dependences import Carried
from logca.gpu.program.running import Executable, passed
from logca.gpu.program.workload import Workload
from logca.gpu.stages.reductions import atomic
from logca.trace.ir.program import Access, Program, Synchronisation
from logca.trace.ir.subscripts import subscripts

__all__ = ["declared", "gathered", "reduction_words", "updates_at", "way", "with_hottest"]

_KIN = " (reduction)"

_UPDATES = 1 << 20
"""So many accesses of a nest tell which elements are updated most [1]."""

_NONE = np.zeros(0, np.uint64)


def _in_registers(static: Program, loop: int) -> tuple[Reduction, ...] | None:
    """Values that iterations of a loop gather in registers; None if these pass on more."""
    found, own = static.loops[loop], set(static.loops[loop].private)
    if any(
        not each.endswith(_KIN) and each.partition(" (")[0] not in own for each in found.carried
    ):
        return None
    return tuple(
        Reduction(name=each.name, operation=each.operation, type=each.type)
        for each in found.gathered
        if each.name not in own
    )


def gathered(
    workload: Workload,
    found: Watched,
    loops: Iterable[int],
    needless: Callable[[Carried], bool],
) -> dict[int, tuple[Reduction, ...]]:
    """Values that iterations gather, of those loops of a nest that carry nothing else.

    Dependences that copies of each thread's own take away are needless.
    """
    told: dict[int, tuple[Reduction, ...]] = {}
    for loop in loops:
        registers = _in_registers(workload.static, loop)
        carried = [each for each in found.carried if each.loop == loop and not needless(each)]
        if registers is None or (found.most.get(loop, 0) < 2 and not registers):
            continue
        if any(_operation(each) == "" for each in carried):
            continue
        memory = _in_memory(workload, found, loop, carried)
        if registers or memory:
            told[loop] = (*registers, *memory)
    return told


def _operation(each: Carried) -> str:
    """The operation of the updates that a dependence is between; empty if it is another one."""
    return each.sink.update if each.source.update == each.sink.update else ""


def _in_memory(
    workload: Workload, found: Watched, loop: int, carried: Sequence[Carried]
) -> tuple[Reduction, ...]:
    """Memory through which the updates of a loop carry dependences."""
    static = workload.static
    sites = {each.id: each for pair in carried for each in (pair.source, pair.sink)}
    told = []
    for memory in found.memories:
        own = memory.accesses & sites.keys()
        if not own:
            continue
        every = _partners(static, loop, own)
        first = static.accesses[min(own)]
        told.append(
            Reduction(
                name=first.array,
                operation=first.update,
                type=first.type,
                accesses=every,
                single=all(static.accesses[site].variable for site in every)
                or _stays(workload, loop, every),
            )
        )
    return tuple(told)


def _partners(static: Program, loop: int, sites: Iterable[int]) -> frozenset[int]:
    """Updates of the same arrays in a loop: the load of a store among them."""
    names = {_place(static.accesses[site]) for site in sites}
    return frozenset(
        each.id for each in static.accesses_of[loop] if each.update and _place(each) in names
    )


def _place(access: Access) -> tuple[str, str, int, str]:
    return access.array, access.file, access.line, access.update


def _stays(workload: Workload, loop: int, sites: Iterable[int]) -> bool:
    """True if accesses reach the same address in all iterations of a loop and of those inside."""
    static = workload.static
    known = subscripts(workload.executable.compiled.ir, static, sorted(sites))
    level = len(static.chain_of(loop)) - 1
    return all(site in known and not any(known[site].steps[level:]) for site in sites) and not any(
        None in known[site].steps[level:] for site in sites
    )


_NAMES = {"extreme": "minimum or maximum", "and": "bitwise and", "or": "bitwise or"}


def reduction_words(reductions: Sequence[Reduction]) -> str:
    """Words on how the threads of a kernel gather values."""
    told: dict[str, list[str]] = {}
    for each in reductions:
        name = f"{_NAMES.get(each.operation, each.operation)} {each.name}".strip()
        told.setdefault(way(each), []).append(name)
    return "; ".join(f"{', '.join(names)}: {how}" for how, names in told.items())


def way(reduction: Reduction) -> str:
    """Words on how threads gather a value."""
    if not reduction.single:
        return "an atomic operation for each update"
    if atomic(reduction):
        return "a tree in each block, then one atomic operation a block"
    return "a tree in each block, then a second launch for what the blocks leave"


def declared(static: Program, nest: Nest) -> tuple[Reduction, ...]:
    """Values that the threads of a nest gather by its directives, and in registers."""
    found = []
    for loop in (static.loops[number] for number in nest.loops):
        found += [
            Reduction(name=each.name, operation=each.operation, type=each.type)
            for each in loop.gathered
            if each.name not in loop.private
        ]
    known = {each.name for each in found}
    for name in {name for number in nest.loops for name in static.loops[number].reduction} - known:
        own = [each for each in static.accesses_of[nest.loop] if each.array == name]
        if own:
            update = next((each for each in own if each.update), own[0])
            found.append(
                Reduction(
                    name=name,
                    operation=update.update or "sum",
                    type=update.type,
                    accesses=frozenset(each.id for each in own),
                    single=all(each.variable for each in own),
                )
            )
    for directive in static.synchronisations:
        own = updates_at(static, nest, directive)
        if own:
            found.append(
                Reduction(
                    name=own[0].array,
                    operation=own[0].update,
                    type=own[0].type,
                    accesses=frozenset(each.id for each in own),
                    single=False,
                )
            )
    return tuple(dict.fromkeys(found))


def updates_at(static: Program, nest: Nest, directive: Synchronisation) -> list[Access]:
    """Updates in a nest that a directive makes atomic operations."""
    if "atomic" not in directive.directive.split():
        return []
    return [
        each
        for each in static.accesses_of[nest.loop]
        if each.update
        and each.file == directive.file
        and directive.first <= each.line <= directive.last
    ]


def with_hottest(executable: Executable, nests: Sequence[Nest]) -> tuple[Nest, ...]:
    """The nests, with the share of updates that reach the element of an array reached most."""
    wanted = {
        nest.loop: [each.accesses for each in nest.reductions if not each.single] for nest in nests
    }
    wanted = {loop: groups for loop, groups in wanted.items() if groups}
    if not wanted:
        return tuple(nests)
    stores = np.array([access.store for access in executable.compiled.program.accesses])
    seen: dict[tuple[int, int], list[NDArray[np.uint64]]] = {
        (loop, group): [] for loop, groups in wanted.items() for group in range(len(groups))
    }
    rows = dict.fromkeys(wanted, 0)

    def look(loop: int, each: Columns) -> bool:
        for group, sites in enumerate(wanted[loop]):
            made = np.isin(each.access, sorted(sites)) & stores[each.access]
            seen[loop, group].append(each.address[made])
        rows[loop] += len(each.access)
        return rows[loop] >= _UPDATES

    passed(executable, sorted(wanted), look)
    shares = {}
    for (loop, group), parts in seen.items():
        often = np.unique(np.concatenate([*parts, _NONE]), return_counts=True)[1]
        shares[wanted[loop][group]] = float(often.max() / often.sum()) if len(often) else 0.0
    return tuple(
        replace(
            nest,
            reductions=tuple(
                each if each.single else replace(each, hottest=shares[each.accesses])
                for each in nest.reductions
            ),
        )
        for nest in nests
    )
