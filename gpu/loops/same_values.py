"""Stores of several iterations to the same place that write the same value.

A flag that is raised by whoever finds it, the level of a node in a search by levels: whichever
thread comes last, what is left is the same.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.gpu.nests.nest import Columns, Nest
from logca.gpu.program.running import Executable, passed
from logca.gpu.program.workload import Workload
from logca.trace.instrument.stored_values import TellingProgram, telling
from logca.trace.ir.subscripts import subscripts

__all__ = ["scattering_nests", "written_alike"]

_STORES = 1 << 20
"""So many stores of a nest tell [1]."""

_LARGEST = 8 << 20
"""Longer programs are not read again for this [B]."""


def scattering_nests(
    workload: Workload, nests: Sequence[Nest], *, updates: bool = False
) -> frozenset[int]:
    """Outermost loops of nests whose threads may write to the same places [1].

    That is where a store has no subscript that is another one in each iteration of their loops.
    Stores of updates are looked at, or all others.
    """
    static = workload.static
    stores = {
        nest: [
            access.id
            for access in static.accesses_of[nest.loop]
            if access.store
            and bool(access.update) is updates
            and workload.traced[access.block]
            and access.private_to not in nest.loops
        ]
        for nest in nests
    }
    sites = [site for own in stores.values() for site in own]
    known = subscripts(workload.executable.compiled.ir, static, sites)
    return frozenset(
        nest.loop
        for nest, own in stores.items()
        for site in own
        if not all(
            known[site].steps[len(static.chain_of(loop)) - 1]
            for loop in nest.loops
            if loop in static.chain_of(static.accesses[site].loop)
        )
    )


def written_alike(
    program: Executable, wanted: Mapping[int, tuple[int, Collection[int]]]
) -> frozenset[int]:
    """The loops whose iterations were seen to write the same values to the same places [1].

    To be given are the nest of each loop, and its stores that several iterations make to one place.
    """
    static = program.compiled.program
    stores = {site for _, sites in wanted.values() for site in sites}
    if not stores or len(program.compiled.ir) > _LARGEST:
        return frozenset()
    told = telling(program.compiled.ir, static, stores)
    if told is None:
        return frozenset()
    changed = replace(program.compiled, ir=told.ir, program=told.program)
    level = {
        loop: len(static.chain_of(loop)) - len(static.chain_of(nest))
        for loop, (nest, _) in wanted.items()
    }
    seen = dict.fromkeys({nest for nest, _ in wanted.values()}, 0)
    parts: dict[int, list[Columns]] = {nest: [] for nest in seen}
    known = np.zeros(len(told.program.accesses), np.bool_)
    known[[*told.tells, *told.stores]] = True

    def look(nest: int, each: Columns) -> bool:
        parts[nest].append(each.where(known[each.access]))
        seen[nest] += len(parts[nest][-1].access)
        return seen[nest] >= 2 * _STORES

    passed(replace(program, compiled=changed), sorted(seen), look)
    return frozenset(
        loop
        for loop, (nest, sites) in wanted.items()
        if _alike(parts[nest], told, level[loop], frozenset(sites))
    )


def _alike(parts: list[Columns], told: TellingProgram, level: int, sites: frozenset[int]) -> bool:
    """True if of all stores of one entry of a loop to one place only the first changes it."""
    if not parts:
        return False
    told_by = {mark for mark, site in told.tells.items() if site in sites}
    made = {now for now, site in told.stores.items() if site in sites}
    marks = [each.where(np.isin(each.access, sorted(told_by))) for each in parts]
    rows = [each.where(np.isin(each.access, sorted(made))) for each in parts]
    there = np.concatenate([each.address & 1 for each in marks])
    address, size, launch = (
        np.concatenate([getattr(each, name) for each in rows])
        for name in ("address", "size", "launch")
    )
    number = min(len(there), len(address))  # the last store may be cut off from its comparison
    if not number or np.any(address % size):
        return False
    # stores of several sizes must not meet
    blocks = address // size.max()
    if np.any(_repeated([blocks]) & ~_repeated([blocks, size])):
        return False
    around = np.concatenate([each.iterations[:, :level] for each in rows])
    later = _repeated([column[:number] for column in (launch, address, *around.T)])
    return bool(np.all(there[:number][later] == 1))


def _repeated(columns: Sequence[NDArray[Any]]) -> NDArray[np.bool_]:
    """Which rows of these columns are equal to an earlier one.

    Examples
    --------
    >>> _repeated([np.array([3, 1, 3, 3]), np.array([0, 0, 1, 0])]).tolist()
    [False, False, False, True]
    """
    order = np.lexsort(columns)
    alike = np.ones(max(0, len(order) - 1), np.bool_)
    for column in columns:
        there = column[order]
        alike &= there[1:] == there[:-1]
    repeated = np.zeros(len(order), np.bool_)
    repeated[order[1:]] = alike  # equal rows stay in their order
    return repeated
