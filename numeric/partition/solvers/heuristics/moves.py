"""Changes that single moves would make, kept up to date, with the rows of a coupling for it.

Numba compiles what is here into the loops of `move_loops`; the arrays belong to one search and are
changed by it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling, row_costs
from logca.numeric.partition.problem.instance_and_objective import Instance, area, cost
from logca.numeric.partition.solvers.bounds.network import Couplings, couplings

__all__ = [
    "CouplingRows",
    "Moves",
    "moves_from",
    "no_rows",
    "rows_of",
]

Integers = NDArray[np.int64]


class CouplingRows(NamedTuple):
    """Cost of memory beyond the blocks' own costs, as rows; see `Coupling`."""

    block: NDArray[np.int32]  # the block of each row [1]
    side: NDArray[np.bool_]  # on which core it has to be for the row to count
    start: Integers  # where the entries of each row begin, and the end of the last one's [1]
    entry: NDArray[np.int32]  # eight times the block of each entry, plus twice its kind [1]
    # which entries are the first ones of their block in their row, and not of the row's block
    leading: NDArray[np.bool_]
    # weight, base: accesses of each row [1], and what an access costs at least [scaled cycles]
    weight: Integers
    base: Integers
    # occurrence_start, occurrence: for each block the rows it is in [1]
    occurrence_start: Integers
    occurrence: Integers
    # eight times the next state of the automaton, by core, state, kind, and whether near [1]
    moves: NDArray[np.uint8]
    price: Integers  # by core and state [scaled cycles]
    initial: NDArray[np.int8]  # the first state, by core [1]


def no_rows(blocks: int) -> CouplingRows:
    """The rows of memory that costs nothing.

    Examples
    --------
    >>> len(no_rows(3).block)
    0
    """
    none = np.zeros(0, np.int64)
    return CouplingRows(
        block=none.astype(np.int32),
        side=none.astype(np.bool_),
        start=np.zeros(1, np.int64),
        entry=none.astype(np.int32),
        leading=none.astype(np.bool_),
        weight=none,
        base=none,
        occurrence_start=np.zeros(blocks + 1, np.int64),
        occurrence=none,
        moves=np.zeros((2, 8), np.uint8),
        price=np.zeros((2, 1), np.int64),
        initial=np.zeros(2, np.int8),
    )


def rows_of(coupling: Coupling) -> CouplingRows:
    """The rows of a coupling."""
    from logca.numeric.partition.solvers.heuristics.move_loops import first_entries, gather

    arrays = coupling.block, coupling.start, coupling.entry
    leading = np.zeros(len(coupling.entry), np.bool_)
    count = np.zeros(coupling.blocks, np.int64)
    first_entries(*arrays, np.full(coupling.blocks, -1), leading, count)
    begin = np.concatenate((np.zeros(1, np.int64), np.cumsum(count)))
    inside = np.zeros(begin[-1], np.int64)
    gather(*arrays, leading, begin[:-1].copy(), inside)
    moves, price, initial = coupling.automaton.tables(coupling.outcome_cost)
    return CouplingRows(
        block=coupling.block,
        side=coupling.side,
        start=coupling.start,
        entry=coupling.entry,
        leading=leading,
        weight=coupling.weight,
        base=coupling.base,
        occurrence_start=begin,
        occurrence=inside,
        moves=moves,
        price=price,
        initial=initial,
    )


Mask = NDArray[np.bool_]


class Moves(NamedTuple):
    """A partition, what it costs, and what each move would change."""

    mapped: Mask  # where each block is
    change: Integers  # what moving it would add to the cost [scaled cycles]
    total: Integers  # cost and area of the partition [scaled cycles], [1]
    area: Integers  # area of each block [1]
    movable: Mask  # which blocks may move
    # other_start, other, other_cost: for each block the blocks it is paired with [1], and what it
    # costs if apart [scaled cycles]
    other_start: Integers
    other: Integers
    other_cost: Integers
    # use_start, use_value, use_pull: for each block the values it consumes [1] and what fetching
    # costs [scaled cycles]; a value that it produces has a pull of -1
    use_start: Integers
    use_value: Integers
    use_pull: Integers
    # producer, push, start, consumer, pull: the values, as in `Couplings` [1], [scaled cycles]
    producer: Integers
    push: Integers
    start: Integers
    consumer: Integers
    pull: Integers
    # fetched, all_pulls: for each value the pulls of consumers apart from the producer, and of
    # all [scaled cycles]
    fetched: Integers
    all_pulls: Integers
    rows: CouplingRows  # what memory costs beyond the blocks' own costs


def moves_from(
    instance: Instance,
    mapped: Mask,
    found: Couplings | None = None,
    coupling: Coupling | None = None,
) -> Moves:
    """All single moves from a partition."""
    found = _distinct(found or couplings(instance))
    blocks = instance.blocks
    one = np.concatenate((found.first, found.second))
    by_block = np.argsort(one, kind="stable")
    other = np.concatenate((found.second, found.first))[by_block]
    other_cost = np.concatenate((found.cost, found.cost))[by_block]
    value = np.repeat(np.arange(len(found.producer)), np.diff(found.start))
    user = np.concatenate((found.consumer, found.producer))
    by_user = np.argsort(user, kind="stable")
    none = np.full(len(found.producer), -1, np.int64)
    fetched = np.zeros(len(found.producer), np.int64)
    all_pulls = np.zeros(len(found.producer), np.int64)
    apart = mapped[found.consumer] != mapped[found.producer[value]]
    np.add.at(fetched, value[apart], found.pull[apart])
    np.add.at(all_pulls, value, found.pull)
    made = Moves(
        mapped=mapped.copy(),
        change=np.zeros(blocks, np.int64),
        total=np.array([cost(instance, mapped), area(instance, mapped)], np.int64),
        area=instance.area,
        movable=~instance.pinned,
        other_start=_starts(one, blocks),
        other=other,
        other_cost=other_cost,
        use_start=_starts(user, blocks),
        use_value=np.concatenate((value, np.arange(len(found.producer))))[by_user],
        use_pull=np.concatenate((found.pull, none))[by_user],
        producer=found.producer,
        push=found.push,
        start=found.start,
        consumer=found.consumer,
        pull=found.pull,
        fetched=fetched,
        all_pulls=all_pulls,
        rows=no_rows(blocks) if coupling is None else rows_of(coupling),
    )
    _set_changes(made, instance, found, value)
    if coupling is not None:
        from logca.numeric.partition.solvers.heuristics.move_loops import add_rows

        made.total[0] += int(row_costs(coupling, mapped).sum())
        add_rows(made)
    return made


def _set_changes(made: Moves, instance: Instance, found: Couplings, value: Integers) -> None:
    mapped, change = made.mapped, made.change
    change += np.where(mapped, -1, 1) * (instance.accelerator - instance.cpu)
    signed = np.where(mapped[found.first] != mapped[found.second], -found.cost, found.cost)
    np.add.at(change, found.first, signed)
    np.add.at(change, found.second, signed)
    now = np.minimum(made.fetched, made.push)
    moved = np.minimum(made.all_pulls - made.fetched, made.push)
    np.add.at(change, found.producer, moved - now)
    apart = mapped[found.consumer] != mapped[found.producer[value]]
    after = made.fetched[value] + np.where(apart, -found.pull, found.pull)
    np.add.at(change, found.consumer, np.minimum(after, made.push[value]) - now[value])


def _starts(owner: Integers, blocks: int) -> Integers:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(owner, minlength=blocks))))


def _distinct(found: Couplings) -> Couplings:
    """Couplings with each consumer of a value once; its pulls are added up."""
    value = np.repeat(np.arange(len(found.producer)), np.diff(found.start))
    width = 1 + int(found.consumer.max(initial=0))
    keys, place = np.unique(value * width + found.consumer, return_inverse=True)
    pull = np.zeros(len(keys), np.int64)
    np.add.at(pull, place, found.pull)
    counts = np.bincount(keys // width, minlength=len(found.producer))
    return Couplings(
        first=found.first,
        second=found.second,
        cost=found.cost,
        producer=found.producer,
        push=found.push,
        start=np.concatenate((np.zeros(1, np.int64), np.cumsum(counts))),
        consumer=keys % width,
        pull=pull,
        pair=found.pair,
        single=found.single,
        shared=found.shared,
    )
