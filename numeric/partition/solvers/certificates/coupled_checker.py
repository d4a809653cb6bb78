"""Checks a certificate with memory: whole numbers only, nothing in common with solvers.

Rows are walked entry by entry. What is proved, and why it suffices, is said in
`certificates.format`.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.memory.levels_and_write_backs import OUTCOMES
from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.certificates.checker import check
from logca.numeric.partition.solvers.certificates.format import (
    Certificate,
    CoupledCertificate,
    CoupledDuals,
    CoupledLeaf,
    Settlement,
)
from logca.numeric.partition.solvers.certificates.tree import (
    ACCELERATOR,
    FREE,
    CertificateError,
    check_partition,
    check_whole,
    size_of,
    walk,
)

__all__ = [
    "RowWalk",
    "check_coupled_bound",
    "check_coupled_partition",
    "with_memory_of_its_own",
]


class RowWalk:
    """The rows of a coupling, walked entry by entry."""

    def __init__(self, coupling: Coupling) -> None:
        self._coupling = coupling
        self._step = coupling.automaton.step.tolist()
        self._end = coupling.automaton.end.tolist()
        self._price = coupling.outcome_cost.tolist()

    def least(self, row: int, known: dict[int, bool]) -> int:
        """The least that a row costs if it is known where some blocks are [scaled cycles]."""
        coupling = self._coupling
        home = bool(coupling.side[row])
        if known.get(int(coupling.block[row])) is not home:
            return 0
        core = int(home)
        states = {int(coupling.automaton.first[core])}
        for entry in coupling.entry[coupling.start[row] : coupling.start[row + 1]].tolist():
            there = known.get(entry >> 3)
            ways = (0, 1) if there is None else (int(there is home),)
            kind = entry >> 1 & 3
            states = {
                state if state < OUTCOMES else self._step[core][state][2 * kind + near]
                for state in states
                for near in ways
            }
        least: int = min(self._price[self._end[core][state]] for state in states)
        return max(0, (least - int(coupling.base[row])) * int(coupling.weight[row]))


def check_coupled_partition(
    instance: Instance, coupling: Coupling, mapped: NDArray[np.bool_], cost: int
) -> None:
    """Return if a partition is allowed and costs what is said, memory included."""
    rows = RowWalk(coupling)
    known = dict(enumerate(np.asarray(mapped, np.bool_).tolist()))
    shared = sum(rows.least(row, known) for row in range(coupling.rows))
    check_partition(with_memory_of_its_own(instance, coupling), mapped, cost - shared)


def with_memory_of_its_own(instance: Instance, coupling: Coupling) -> Instance:
    """The instance with what the accesses of each block cost in any case."""
    return replace(
        instance,
        cpu=instance.cpu + coupling.cpu,
        accelerator=instance.accelerator + coupling.accelerator,
    )


Integers = NDArray[np.int64]
Numbers = NDArray[Any]
Fixed = NDArray[np.int8]


class _Checker:
    """An instance with own costs of memory, a coupling, and a certificate."""

    def __init__(
        self, instance: Instance, coupling: Coupling, certificate: CoupledCertificate
    ) -> None:
        check_whole("the bound", certificate.bound)
        check_whole("the denominator", certificate.denominator)
        for number, duals in enumerate(certificate.duals):
            check_whole(f"duals {number}", duals.base, duals.price)
        self.instance = instance
        self.certificate = certificate
        self.value = np.repeat(np.arange(len(instance.producer)), np.diff(instance.consumer_start))
        self.terms(coupling)
        below = certificate.denominator
        if below < 1:
            raise CertificateError(f"the denominator is {below}")
        size = size_of(instance) + len(self.worth)
        size += sum(cost * length for cost, length in zip(self.worth, self.length, strict=True))
        price = max((duals.price for duals in certificate.duals), default=0)
        area = sum(instance.area.tolist())
        self.kind: Any = np.int64 if 8 * (size * below + (area + 1) * price) < 2**62 else np.object_
        self.cost = np.array(self.worth, self.kind)
        self.capacity = instance.capacity
        self.cpu = sum(instance.cpu.tolist())
        self.dense: tuple[int, tuple[Numbers, Numbers, Numbers]] = -1, self.nothing()
        self.priced: tuple[int, Numbers, int] | None = None

    def terms(self, coupling: Coupling) -> None:
        """Look at the terms: what each is worth."""
        terms, rows = self.certificate.terms, RowWalk(coupling)
        _plain("a term", np.int64, terms.row, terms.start, terms.block)
        _plain("a term", np.bool_, terms.side)
        count = len(terms.row)
        if len(terms.start) != count + 1 or terms.start[0] != 0 or np.any(np.diff(terms.start) < 0):
            raise CertificateError("the terms do not begin where others end")
        if not terms.start[-1] == len(terms.block) == len(terms.side):
            raise CertificateError("the terms have too few or too many blocks")
        if np.any((terms.row < 0) | (terms.row >= coupling.rows)):
            raise CertificateError("a term is of a row that there is not")
        if np.any((terms.block < 0) | (terms.block >= self.instance.blocks)):
            raise CertificateError("a term has a block that there is not")
        self.worth: list[int] = []
        for number in range(count):
            chosen = slice(terms.start[number], terms.start[number + 1])
            blocks, sides = terms.block[chosen].tolist(), terms.side[chosen].tolist()
            known = dict(zip(blocks, sides, strict=True))
            if len(known) < len(blocks):
                raise CertificateError(f"term {number} has a block twice")
            self.worth.append(rows.least(int(terms.row[number]), known))
        self.length = np.diff(terms.start).tolist()

    def nothing(self) -> tuple[Numbers, Numbers, Numbers]:
        """Duals that are all zero: of pairs, of consumers, of terms."""
        instance = self.instance
        sizes = len(instance.pair_cost), len(instance.pull), len(self.worth)
        pair, consumer, term = (np.zeros(size, self.kind) for size in sizes)
        return pair, consumer, term

    def whole(self, number: int) -> tuple[Numbers, Numbers, Numbers]:
        """All duals by number, those of what they change included."""
        if number == -1:
            return self.nothing()
        if self.dense[0] == number:
            return self.dense[1]
        duals = self.certificate.duals[number]
        if not -1 <= duals.base < number:
            raise CertificateError(f"duals {number}: there are no duals {duals.base} before them")
        made = tuple(array.copy() for array in self.whole(duals.base))
        for array, (place, dual) in zip(made, _listed(duals), strict=True):
            _plain(f"duals {number}", np.int64, place, dual)
            if place.shape != dual.shape or np.any((place < 0) | (place >= len(array))):
                raise CertificateError(f"duals {number} are of what there is not")
            array[place] = dual.astype(self.kind)
        pair, consumer, term = made
        self.allowed(number, pair, consumer, term)
        if duals.base == -1:
            # most duals change these
            self.dense = number, (pair, consumer, term)
        return pair, consumer, term

    def allowed(self, number: int, pair: Numbers, consumer: Numbers, term: Numbers) -> None:
        """Return if no more is charged than there is."""
        instance, below = self.instance, self.certificate.denominator
        for what, dual, room in (
            ("pair", pair, instance.pair_cost),
            ("consumer", consumer, instance.pull),
        ):
            limit = room.astype(self.kind) * below
            if np.any(dual > limit) or np.any(dual < -limit):
                raise CertificateError(f"duals {number}: one exceeds what its {what} costs")
        for signed in (consumer, -consumer):
            sums = np.zeros(len(instance.push), self.kind)
            np.add.at(sums, self.value, np.maximum(signed, 0))
            if np.any(sums > instance.push.astype(self.kind) * below):
                raise CertificateError(f"duals {number}: those of a value exceed its push")
        if np.any(term < 0) or np.any(term > below):
            raise CertificateError(f"duals {number}: a term does not count between 0 and once")
        used = np.flatnonzero(term)
        rows, place = np.unique(self.certificate.terms.row[used], return_inverse=True)
        sums = np.zeros(len(rows), self.kind)
        np.add.at(sums, place, term[used])
        if np.any(sums > below):
            raise CertificateError(f"duals {number}: terms of a row count more than once")

    def own(self, number: int) -> tuple[Numbers, int]:
        """Cost of mapping each block by some duals, and the cost that is paid in any case."""
        if self.priced is not None and self.priced[0] == number:
            return self.priced[1:]
        if not 0 <= number < len(self.certificate.duals):
            raise CertificateError(f"there are no duals {number}")
        instance, terms, below = self.instance, self.certificate.terms, self.certificate.denominator
        price = self.certificate.duals[number].price
        if price < 0:
            raise CertificateError(f"duals {number}: the price of area is {price}")
        pair, consumer, term = self.whole(number)
        own = (instance.accelerator.astype(self.kind) - instance.cpu.astype(self.kind)) * below
        own = own + instance.area.astype(self.kind) * price
        for dual, plus, minus in (
            (pair, instance.pair_first, instance.pair_second),
            (consumer, instance.producer[self.value], instance.consumer),
        ):
            np.add.at(own, plus, dual)
            np.subtract.at(own, minus, dual)
        charged = term * self.cost
        each = np.repeat(charged, self.length)
        np.add.at(own, terms.block, np.where(terms.side, each, -each))
        paid = self.cpu * below - price * self.capacity
        paid += sum(charged.tolist()) - sum(each[terms.side].tolist())
        self.priced = number, own, paid
        return own, paid

    def shown(self, number: int, fixed: Fixed) -> tuple[int, Numbers]:
        """The bound that duals show where some blocks are fixed, and what being mapped costs."""
        own, paid = self.own(number)
        least = paid + int(own[fixed == ACCELERATOR].sum())
        return least + int(np.minimum(own[fixed == FREE], 0).sum()), own

    def leaf(self, number: int, leaf: CoupledLeaf, fixed: Fixed) -> None:
        """Return if a leaf shows the bound of the certificate."""
        if leaf.duals == -1:
            if self.used(fixed) <= self.capacity:
                raise CertificateError(f"leaf {number}: what is fixed fits the area")
            return
        shown, _ = self.shown(leaf.duals, fixed)
        if not self.enough(shown):
            raise CertificateError(
                f"leaf {number} shows {shown}/{self.certificate.denominator}, less than "
                f"{self.certificate.bound}"
            )

    def settle(self, number: int, node: Settlement, fixed: Fixed) -> Fixed:
        """Sides fixed after a node settles its blocks; CertificateError if it does not."""
        block, side = node.block, node.side
        _plain(f"node {number}", np.int64, block)
        _plain(f"node {number}", np.bool_, side)
        if block.shape != side.shape or np.any((block < 0) | (block >= len(fixed))):
            raise CertificateError(f"node {number} settles blocks that there are not")
        if len(np.unique(block)) < len(block) or np.any(fixed[block] != FREE):
            raise CertificateError(f"node {number} settles blocks that are not free")
        shown, own = self.shown(node.duals, fixed)
        room = self.capacity - self.used(fixed)
        sizes, prices = self.instance.area[block].tolist(), own[block].tolist()
        for size, price, mapped in zip(sizes, prices, side.tolist(), strict=True):
            other = shown - min(price, 0) + (0 if mapped else price)
            if not self.enough(other) and (mapped or size <= room):
                raise CertificateError(f"node {number} does not settle one of its blocks")
        made = fixed.copy()
        made[block] = side
        return made

    def used(self, fixed: Fixed) -> int:
        """The area of what is fixed to the accelerator."""
        return sum(self.instance.area[fixed == ACCELERATOR].tolist())

    def enough(self, shown: int) -> bool:
        """True if the bound that is shown reaches that of the certificate."""
        return shown > (self.certificate.bound - 1) * self.certificate.denominator


def check_coupled_bound(
    instance: Instance, coupling: Coupling, certificate: CoupledCertificate | Certificate
) -> None:
    """Return if the certificate proves that no partition which fits costs less than its bound."""
    own = with_memory_of_its_own(instance, coupling)
    if isinstance(certificate, Certificate):
        check(own, certificate)
        return
    checker = _Checker(own, coupling, certificate)

    def look(number: int, node: CoupledLeaf | Settlement, fixed: Fixed) -> list[tuple[int, Fixed]]:
        if not isinstance(node, Settlement | CoupledLeaf):
            raise CertificateError(f"node {number} is none of a proof with memory")
        check_whole(f"node {number}", node.duals)
        if isinstance(node, Settlement):
            return [(node.then, checker.settle(number, node, fixed))]
        checker.leaf(number, node, fixed)
        return []

    walk(instance, certificate.nodes, look)


def _plain(where: str, kind: type[np.generic], *arrays: NDArray[Any]) -> None:
    """Return if all arrays hold numbers of a kind."""
    if any(array.dtype != kind or array.ndim != 1 for array in arrays):
        raise CertificateError(f"{where} has numbers that are no {kind.__name__}")


def _listed(duals: CoupledDuals) -> tuple[tuple[Integers, Integers], ...]:
    return (
        (duals.pair, duals.pair_dual),
        (duals.consumer, duals.consumer_dual),
        (duals.term, duals.term_dual),
    )
