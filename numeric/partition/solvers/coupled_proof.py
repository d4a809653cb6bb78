"""Whole numbers from duals in floating point, and the exact bound that they show.

What is between two fixed blocks, or between a fixed and a free one, is charged in full: its cost is
then one number for the free block. So are rows of which all blocks are fixed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, InstanceError
from logca.numeric.partition.solvers.coupled_certificate import CoupledDuals
from logca.numeric.partition.solvers.coupled_program import Solution
from logca.numeric.partition.solvers.couplings import Couplings
from logca.numeric.partition.solvers.network import Network
from logca.numeric.partition.solvers.proving import duals, entries
from logca.numeric.partition.solvers.regions import FREE, Sides
from logca.numeric.partition.solvers.terms import Table

__all__ = ["Prover", "Shown", "changed", "least"]

Integers = NDArray[np.int64]

LARGEST = 2**56
"""Sums of costs times the denominator stay below this [1]."""

FINEST = 2**40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """Duals of everything, and the bound that they show.

    Parameters
    ----------
    price : int
        Price of area [scaled cycles / denominator].
    pair, consumer, term : array of int64
        Duals, see `CoupledDuals`; terms that came later have none.
    own : array of int64
        What being mapped costs each block [scaled cycles / denominator].
    moved : array of int64
        How much of what is shared is charged to each block, either way [scaled cycles /
        denominator].
    paid : int
        What is paid in any case [scaled cycles / denominator].
    """

    price: int
    pair: Integers
    consumer: Integers
    term: Integers
    own: Integers
    moved: Integers
    paid: int


class Prover:
    """What turns solutions of a program into proofs.

    Parameters
    ----------
    instance : Instance
        The problem, own costs of memory included.
    found : Couplings
        Its couplings.
    whole : Network
        Its network.
    dearest : int
        What terms can cost together, with as many blocks as each has [scaled cycles].

    Raises
    ------
    InstanceError
        If costs are too large for 64 bits.
    """

    def __init__(self, instance: Instance, found: Couplings, whole: Network, dearest: int) -> None:
        arrays = (instance.cpu, instance.accelerator, instance.pair_cost, instance.pull)
        size = sum(int(np.abs(array).sum(dtype=np.float64)) for array in arrays) + dearest + 1
        if size > LARGEST:
            raise InstanceError(
                f"all costs together are {size}, which may leave 64 bits: divide all executions by "
                "a number, or give latencies fewer digits"
            )
        self.below = min(FINEST, 1 << (LARGEST // size).bit_length() - 1)
        self._instance = instance
        self._whole = whole
        self._found = found
        self._known = entries(instance, found)
        self._area = int(instance.area.sum())
        self._value = np.repeat(np.arange(len(instance.producer)), np.diff(instance.consumer_start))

    def shown(self, side: Sides, solution: Solution, table: Table) -> Shown:
        """What a solution shows.

        Parameters
        ----------
        side : array of int8
            The sides with which its program was made.
        solution : Solution
            The solution.
        table : Table
            The terms.
        """
        flow = self._full(side)
        limit = flow * 0 + self._whole.capacity * self.below
        arc = solution.arc
        made = np.clip(np.rint(solution.flow * self.below), 0, limit[arc].astype(np.float64))
        flow[arc] = np.minimum(made.astype(np.int64), limit[arc])
        term = np.clip(np.rint(solution.term * self.below), 0, self.below)
        total = np.bincount(table.terms.row[: len(term)], weights=term)
        total = np.maximum(total, self.below)[table.terms.row[: len(term)]]
        more = total > self.below
        term[more] = np.floor(term[more] * (self.below / total[more]) * (1 - 1e-15))
        most = (1 << 60) // (self._area + self._instance.capacity + 1)
        price = int(min(solution.price * self.below, most))
        return self._shown(flow, term.astype(np.int64), price, table)

    def exact(self, side: Sides, table: Table) -> Shown:
        """What a partition shows of itself, if the terms say what its rows cost.

        Parameters
        ----------
        side : array of int8
            The partition.
        table : Table
            The terms.
        """
        term = np.zeros(len(table), np.int64)
        wrong = np.zeros(len(table), np.bool_)
        np.logical_or.at(wrong, table.owner, side[table.terms.block] != table.terms.side)
        right = np.flatnonzero(~wrong)
        order = right[np.argsort(-table.cost[right], kind="stable")]
        _, first = np.unique(table.terms.row[order], return_index=True)
        term[order[first]] = self.below
        return self._shown(self._full(side), term, 0, table)

    def _full(self, side: Sides) -> Integers:
        whole = self._whole
        ends = np.full(whole.nodes, FREE, np.int8)
        ends[: len(side)] = side
        across = (ends[whole.tail] != 0) & (ends[whole.head] != 1)
        return np.where(across, whole.capacity * self.below, 0)

    def _shown(self, flow: Integers, term: Integers, price: int, table: Table) -> Shown:
        instance, below = self._instance, self.below
        self._trim(flow)
        arcs = np.arange(len(flow))
        found = duals(self._known, arcs, flow, base=-1, below=below)
        pair, consumer = np.zeros_like(instance.pair_cost), np.zeros_like(instance.pull)
        pair[found.pair] = found.pair_dual
        consumer[found.consumer] = found.consumer_dual
        own = (instance.accelerator - instance.cpu) * below + instance.area * price
        moved = np.zeros_like(own)
        for dual, plus, minus in (
            (pair, instance.pair_first, instance.pair_second),
            (consumer, instance.producer[self._value], instance.consumer),
        ):
            np.add.at(own, plus, dual)
            np.subtract.at(own, minus, dual)
            for block in (plus, minus):
                np.add.at(moved, block, np.abs(dual))
        terms = table.terms
        last = terms.start[len(term)]
        charged = term * table.cost[: len(term)]
        each = charged[table.owner[:last]]
        side = terms.side[:last]
        np.add.at(own, terms.block[:last], np.where(side, each, -each))
        np.add.at(moved, terms.block[:last], each)
        paid = int(instance.cpu.sum()) * below - price * instance.capacity
        paid += int(charged.sum()) - int(each[side].sum())
        return Shown(
            price=price,
            pair=pair,
            consumer=consumer,
            term=term,
            own=own,
            moved=moved,
            paid=paid,
        )

    def _trim(self, flow: Integers) -> None:
        """Let no more flow to or from consumers of a value than its push."""
        found = self._found
        users, count = len(found.consumer), np.diff(found.start)
        first = np.repeat(found.start[:-1], count)
        room = np.repeat(found.push * self.below, count)
        for begin in (len(flow) - 2 * users, len(flow) - users):
            sent = flow[begin : begin + users]
            before = np.cumsum(sent) - sent
            sent[:] = np.clip(room - (before - before[first]), 0, sent)


def least(shown: Shown, side: Sides) -> int:
    """The bound where some blocks are fixed [scaled cycles / denominator]."""
    own = shown.own
    return shown.paid + int(own[side == 1].sum()) + int(np.minimum(own[side == FREE], 0).sum())


def changed(shown: Shown, base: Shown | None, number: int) -> CoupledDuals:
    """Duals as changes of others.

    Parameters
    ----------
    shown : Shown
        The duals.
    base : Shown, optional
        Those that they change; nothing for zeros.
    number : int
        The number of those, -1 for zeros [1].
    """
    listed = []
    for name in ("pair", "consumer", "term"):
        now = getattr(shown, name)
        before = np.zeros_like(now)
        if base is not None:
            known = getattr(base, name)
            width = max(len(now), len(known))
            now, before = (np.pad(array, (0, width - len(array))) for array in (now, known))
        place = np.flatnonzero(now != before)
        listed.append((place, now[place]))
    (pair, pair_dual), (consumer, consumer_dual), (term, term_dual) = listed
    return CoupledDuals(
        base=number,
        price=shown.price,
        pair=pair,
        pair_dual=pair_dual,
        consumer=consumer,
        consumer_dual=consumer_dual,
        term=term,
        term_dual=term_dual,
    )
