"""Whole numbers from duals in floating point, and the certificate that they grow into.

What is between two fixed blocks, or between a fixed and a free one, is charged in full: its cost is
then one number for the free block. So are rows of which all blocks are fixed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance, InstanceError
from logca.numeric.partition.solvers.bounds.fixing import FREE, Sides
from logca.numeric.partition.solvers.bounds.network import Couplings, Network
from logca.numeric.partition.solvers.certificates.format import (
    CoupledCertificate,
    CoupledDuals,
    CoupledLeaf,
    Settlement,
)
from logca.numeric.partition.solvers.search.branch_and_bound import GrowingTree
from logca.numeric.partition.solvers.search.flow_proofs import duals, entries
from logca.numeric.partition.solvers.search.linear_program import Solution, TermTable

__all__ = [
    "ExactDuals",
    "LinearTree",
    "Prover",
    "as_changes",
    "bound_at",
]

Integers = NDArray[np.int64]

# what is shared is charged at both ends, to either side, and up to 2**60 comes on top as the price
# of all area: with 2**56 for the costs no sum leaves 64 bits
LARGEST = 2**56
"""Sums of costs times the denominator stay below this [1]."""

FINEST = 2**40
"""The largest denominator; GLOP's duals in floating point have no more digits than that [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactDuals:
    """Duals of everything, and the bound that they show."""

    price: int  # price of area [scaled cycles / denominator]
    # pair, consumer, term: duals, see `CoupledDuals`; terms that came later have none
    pair: Integers
    consumer: Integers
    term: Integers
    own: Integers  # what being mapped costs each block [scaled cycles / denominator]
    # how much of what is shared is charged to each block, either way [scaled cycles /
    # denominator]
    moved: Integers
    paid: int  # what is paid in any case [scaled cycles / denominator]


class Prover:
    """Maker of proofs from solutions of a program."""

    def __init__(self, instance: Instance, found: Couplings, whole: Network, dearest: int) -> None:
        arrays = (instance.cpu, instance.accelerator, instance.pair_cost, instance.pull)
        size = sum(int(np.abs(array).sum(dtype=np.float64)) for array in arrays) + dearest + 1
        if size > LARGEST:
            raise InstanceError(
                f"all costs together are {size}, which may leave 64 bits: divide all executions by "
                "a number, or give latencies fewer digits"
            )
        self.denominator = min(FINEST, 1 << (LARGEST // size).bit_length() - 1)
        self._instance = instance
        self._whole = whole
        self._found = found
        self._known = entries(instance, found)
        self._area = int(instance.area.sum())

    def shown(self, side: Sides, solution: Solution, table: TermTable) -> ExactDuals:
        """Exact duals by a solution of the program."""
        flow = self._full(side)
        # what goes through an arc beyond its capacity proves nothing
        limit = flow * 0 + self._whole.capacity * self.denominator
        arc = solution.arc
        made = np.clip(np.rint(solution.flow * self.denominator), 0, limit[arc].astype(np.float64))
        flow[arc] = np.minimum(made.astype(np.int64), limit[arc])
        term = np.clip(np.rint(solution.term * self.denominator), 0, self.denominator)
        total = np.bincount(table.terms.row[: len(term)], weights=term)
        total = np.maximum(total, self.denominator)[table.terms.row[: len(term)]]
        more = total > self.denominator
        # rounding up, or a quotient whose last digit is too large, would charge a row too much
        term[more] = np.floor(term[more] * (self.denominator / total[more]) * (1 - 1e-15))
        most = (1 << 60) // (self._area + self._instance.capacity + 1)
        price = int(min(solution.price * self.denominator, most))
        return self._shown(flow, term.astype(np.int64), price, table)

    def exact(self, side: Sides, table: TermTable) -> ExactDuals:
        """Exact duals by a partition itself, if the terms say what its rows cost."""
        term = np.zeros(len(table), np.int64)
        wrong = np.zeros(len(table), np.bool_)
        np.logical_or.at(wrong, table.owner, side[table.terms.block] != table.terms.side)
        right = np.flatnonzero(~wrong)
        order = right[np.argsort(-table.cost[right], kind="stable")]
        _, first = np.unique(table.terms.row[order], return_index=True)
        term[order[first]] = self.denominator
        return self._shown(self._full(side), term, 0, table)

    def _full(self, side: Sides) -> Integers:
        whole = self._whole
        ends = np.full(whole.nodes, FREE, np.int8)
        ends[: len(side)] = side
        across = (ends[whole.tail] != 0) & (ends[whole.head] != 1)
        return np.where(across, whole.capacity * self.denominator, 0)

    def _shown(self, flow: Integers, term: Integers, price: int, table: TermTable) -> ExactDuals:
        # the checker adds the same sum with code of its own, on purpose: one that shared this would
        # share its mistakes
        instance, denominator = self._instance, self.denominator
        self._trim(flow)
        arcs = np.arange(len(flow))
        found = duals(self._known, arcs, flow, base=-1, denominator=denominator)
        pair, consumer = np.zeros_like(instance.pair_cost), np.zeros_like(instance.pull)
        pair[found.pair] = found.pair_dual
        consumer[found.consumer] = found.consumer_dual
        own = (instance.accelerator - instance.cpu) * denominator + instance.area * price
        moved = np.zeros_like(own)
        for dual, plus, minus in (
            (pair, instance.pair_first, instance.pair_second),
            (consumer, instance.producer[instance.value_of_consumer], instance.consumer),
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
        paid = int(instance.cpu.sum()) * denominator - price * instance.capacity
        paid += int(charged.sum()) - int(each[side].sum())
        return ExactDuals(
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
        room = np.repeat(found.push * self.denominator, count)
        for begin in (len(flow) - 2 * users, len(flow) - users):
            sent = flow[begin : begin + users]
            before = np.cumsum(sent) - sent
            sent[:] = np.clip(room - (before - before[first]), 0, sent)


def bound_at(shown: ExactDuals, side: Sides) -> int:
    """The bound where some blocks are fixed [scaled cycles / denominator]."""
    own = shown.own
    return shown.paid + int(own[side == 1].sum()) + int(np.minimum(own[side == FREE], 0).sum())


def as_changes(shown: ExactDuals, base: ExactDuals | None, number: int) -> CoupledDuals:
    """Duals as changes of others."""
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


class LinearTree(GrowingTree[Settlement | CoupledLeaf]):
    """A certificate that is being made of duals of linear programs."""

    def __init__(self) -> None:
        super().__init__(CoupledLeaf(duals=-1))
        self._duals: list[CoupledDuals] = []
        self._base: ExactDuals | None = None
        self._last: tuple[ExactDuals, int] | None = None

    def settle(
        self, number: int, shown: ExactDuals, block: NDArray[np.int64], side: NDArray[np.bool_]
    ) -> int:
        """Put a settlement; the number of what follows [1]."""
        then = len(self._nodes)
        self._nodes.append(None)
        self._nodes[number] = Settlement(
            duals=self._number(shown), block=block, side=side, then=then
        )
        return then

    def leaf(self, number: int, shown: ExactDuals) -> None:
        """Put a leaf that duals prove."""
        self._nodes[number] = CoupledLeaf(duals=self._number(shown))

    def certificate(self, bound: int, denominator: int, table: TermTable) -> CoupledCertificate:
        """The certificate of a bound [scaled cycles]."""
        return CoupledCertificate(
            bound=bound,
            denominator=denominator,
            terms=table.terms,
            duals=tuple(self._duals),
            nodes=self.finished(),
        )

    def _number(self, shown: ExactDuals) -> int:
        """The number of some duals, which are new or the last ones."""
        if self._last is None or self._last[0] is not shown:
            self._duals.append(as_changes(shown, self._base, -1 if self._base is None else 0))
            self._last = shown, len(self._duals) - 1
            if self._base is None:
                self._base = shown
        return self._last[1]
