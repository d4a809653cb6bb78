"""Cost of memory in one design, as far as it depends on which blocks are together.

Signatures become rows. A row counts only if its block is on the row's core, and has only entries
that can change what it costs there; equal rows are one. What an access costs in any case is part of
the block's own cost, so that rows cost nothing at best.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.caches import CacheError
from logca.numeric.partition.memory.designs import (
    Design,
    Latencies,
    checked_partition,
    costs,
)
from logca.numeric.partition.memory.levels_and_write_backs import Automaton, automaton
from logca.numeric.partition.memory.signatures import Signatures

__all__ = ["Coupling", "coupling_cost", "coupling_of", "row_costs"]

MOST = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coupling:
    """Memory costs of a program in one design."""

    # cpu, accelerator: what the accesses of each block cost at least on either core [scaled
    # cycles]
    cpu: NDArray[np.int64]
    accelerator: NDArray[np.int64]
    block: NDArray[np.int32]  # the block of each row [1]
    # the core of each row: it counts if its block is on the accelerator (True), or if it is on
    # the CPU (False)
    side: NDArray[np.bool_]
    # the rows of block b that count on the CPU are those from ``group[2 * b]`` on, those that
    # count on the accelerator from ``group[2 * b + 1]`` on; and the number of rows [1]
    group: NDArray[np.int64]
    # where the entries of each row begin, and the end of the last one's [1]
    start: NDArray[np.int64]
    entry: NDArray[np.int32]  # eight times the block of each entry, plus twice its kind [1]
    weight: NDArray[np.int64]  # accesses of each row [1]
    # what an access of the row costs at least, which is part of the block's own cost [scaled
    # cycles]
    base: NDArray[np.int64]
    # what the row costs at most beyond that, with all its accesses [scaled cycles]. No partition
    # makes a row cost more; that one does make it cost as much is not said
    upper: NDArray[np.int64]
    # what an access costs by its outcome, see `memory.levels_and_write_backs` [scaled cycles]
    outcome_cost: NDArray[np.int64]
    automaton: Automaton  # how entries lead to an outcome

    @property
    def blocks(self) -> int:
        """Blocks of the program [1]."""
        return len(self.cpu)

    @property
    def entry_block(self) -> NDArray[np.int32]:
        """The block of each entry [1]."""
        return self.entry >> 3

    @property
    def entry_kind(self) -> NDArray[np.int32]:
        """``READ``, ``WRITE``, ``L1_CONFLICT`` or ``L2_CONFLICT`` of `memory.signatures` [1]."""
        return self.entry >> 1 & 3

    @property
    def rows(self) -> int:
        """Number of rows [1]."""
        return len(self.block)


def coupling_of(
    signatures: Signatures, design: Design, latencies: Latencies, *, resident: bool = False
) -> Coupling:
    """Memory costs of one design."""
    from logca.numeric.partition.memory.coupling_loops import reduce
    from logca.numeric.partition.memory.interning import empty_store, enlarged

    if resident and not signatures.resident:
        raise CacheError(
            "resident = True with signatures that go back to each block's last touch only; "
            "allowed are those of Recorder(..., resident=True): record the trace again"
        )
    machine = automaton((design.cpu, design.accelerator), design.shared, resident)
    price = costs(design, latencies)
    if signatures.accesses * int(price.max()) >= MOST:
        raise CacheError(
            f"{signatures.accesses} accesses at {price.max()} may cost more than 2**62; allowed "
            "is less: divide all executions by a number, or give latencies fewer digits"
        )
    own = np.zeros((2, signatures.blocks), np.int64)
    longest = int(np.diff(signatures.start).max(initial=0))
    store = empty_store(1 << 10, longest + (1 << 12))
    limits = np.zeros((2, 2 * len(signatures)), np.int64)
    done = np.zeros(1, np.int64)
    entry = signatures.entry_block << 3 | signatures.entry_kind.astype(np.int32) << 1
    while done[0] < 2 * len(signatures):
        reduce(
            (signatures.block, signatures.start, entry, signatures.weight),
            machine.tables(price),
            longest,
            done,
            own,
            limits,
            store,
        )
        if done[0] < 2 * len(signatures):
            store = enlarged(store, longest)
    return _assembled(own, limits, store, price, machine)


def row_costs(coupling: Coupling, mapped: Sequence[bool] | NDArray[np.bool_]) -> NDArray[np.int64]:
    """Cost of each row beyond its block's own cost, 0 if it does not count [scaled cycles]."""
    from logca.numeric.partition.memory.coupling_loops import cost_rows

    chosen = checked_partition(coupling.blocks, mapped)
    result = np.zeros(coupling.rows, np.int64)
    rows = coupling.group, coupling.start, coupling.entry, coupling.weight, coupling.base
    machine = coupling.automaton.tables(coupling.outcome_cost)
    cost_rows(chosen.view(np.uint8), rows, machine, result)
    return result


def coupling_cost(coupling: Coupling, mapped: Sequence[bool] | NDArray[np.bool_]) -> int:
    """Cost of all accesses in a partition, exactly [scaled cycles]."""
    rows = row_costs(coupling, mapped)
    return int(np.where(mapped, coupling.accelerator, coupling.cpu).sum() + rows.sum())


def _assembled(
    own: NDArray[np.int64],
    limits: NDArray[np.int64],
    store: tuple[NDArray[np.int64], ...],
    price: NDArray[np.int64],
    machine: Automaton,
) -> Coupling:
    """The rows in the order of their blocks, those of the CPU first."""
    _, kept, entries, used = store
    rows = int(used[0])
    order = np.argsort(kept[:rows, 0], kind="stable")
    key, weight = kept[order, 0], kept[order, 3]
    begin, length = kept[order, 1], np.diff(kept[: rows + 1, 1])[order]
    start = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    source = np.repeat(begin - start[:-1], length) + np.arange(start[-1])
    base, highest = limits[0, order], limits[1, order]
    return Coupling(
        cpu=own[0],
        accelerator=own[1],
        block=(key >> 1).astype(np.int32),
        side=(key & 1).astype(np.bool_),
        group=np.searchsorted(key, np.arange(2 * own.shape[1] + 1)).astype(np.int64),
        start=start,
        entry=entries[source].astype(np.int32),
        weight=weight,
        base=base,
        upper=weight * (highest - base),
        outcome_cost=price,
        automaton=machine,
    )
