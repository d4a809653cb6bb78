"""What it would change to move each block to the other core, kept up to date move by move.

Numba compiles what is here into the loops of `flip_loops`; the arrays belong to one search and are
changed by it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, area, cost
from logca.numeric.partition.memory.coupling import Coupling, row_costs
from logca.numeric.partition.solvers.couplings import Couplings, couplings
from logca.numeric.partition.solvers.rows import Rows, no_rows, rows_of

__all__ = ["Flips", "flips"]

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Flips(NamedTuple):
    """A partition, what it costs, and what each move would change.

    Attributes
    ----------
    mapped : array of bool
        Where each block is.
    change : array of int64
        What moving it would add to the cost [scaled cycles].
    total : array of int64
        Cost and area of the partition [scaled cycles], [1].
    area : array of int64
        Area of each block [1].
    movable : array of bool
        Which blocks may move.
    other_start, other, other_cost : array of int64
        For each block the blocks it is paired with [1], and what it costs if apart [scaled cycles].
    use_start, use_value, use_pull : array of int64
        For each block the values it consumes [1] and what fetching costs [scaled cycles]; a value
        that it produces has a pull of -1.
    producer, push, start, consumer, pull : array of int64
        The values, as in `Couplings` [1], [scaled cycles].
    fetched, all_pulls : array of int64
        For each value the pulls of consumers apart from the producer, and of all [scaled cycles].
    rows : Rows
        What memory costs beyond the blocks' own costs.
    """

    mapped: Mask
    change: Integers
    total: Integers
    area: Integers
    movable: Mask
    other_start: Integers
    other: Integers
    other_cost: Integers
    use_start: Integers
    use_value: Integers
    use_pull: Integers
    producer: Integers
    push: Integers
    start: Integers
    consumer: Integers
    pull: Integers
    fetched: Integers
    all_pulls: Integers
    rows: Rows


def flips(
    instance: Instance,
    mapped: Mask,
    found: Couplings | None = None,
    coupling: Coupling | None = None,
) -> Flips:
    """All single moves from a partition.

    Parameters
    ----------
    instance : Instance
        The problem.
    mapped : array of bool
        The partition; it is not changed.
    found : Couplings, optional
        Its couplings, if they are known.
    coupling : Coupling, optional
        What memory costs beyond the blocks' own costs, which are part of the instance.
    """
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
    made = Flips(
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
        from logca.numeric.partition.solvers.flip_loops import add_rows

        made.total[0] += int(row_costs(coupling, mapped).sum())
        add_rows(made)
    return made


def _set_changes(made: Flips, instance: Instance, found: Couplings, value: Integers) -> None:
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
    """The same couplings with each consumer of a value once; its pulls are added up."""
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
