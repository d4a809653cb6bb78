"""Checks a certificate without memory: whole numbers only, nothing in common with solvers.

What is proved, and why it suffices, is said in `certificates.format`. Numbers are held in 64 bits
where no sum can leave them, in Python's whole numbers otherwise.

Leaves without a price are knapsacks. Let p be any price of area. A block with a surplus s = gain -
p area is wanted if s > 0. A choice that fits gains the surplus of all wanted blocks and p times the
area, less |s| for each block that is chosen unwanted or wanted and not chosen, less p times the
area left over. If it gains the limit, these deductions are at most the slack: the first sum, less
the limit. So only blocks whose deduction is within the slack can differ from what is wanted, and
the area of all that differ can only be so much. For every difference of area up to that the least
deduction follows block by block.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.certificates.format import Certificate, Duals, Leaf
from logca.numeric.partition.solvers.certificates.tree import (
    ACCELERATOR,
    FREE,
    CertificateError,
    check_whole,
    size_of,
    walk,
)

__all__ = [
    "check",
    "gains_less",
]

Numbers = NDArray[Any]
Group = tuple[int, int, int]
"""Area, deduction, and how many blocks there are of both."""

LARGEST_KNAPSACK = 50_000_000_000
"""Most steps of a knapsack [1]."""


def gains_less(gain: Numbers, area: Numbers, room: int, limit: int, where: str) -> bool:
    """True if every choice that fits gains less than a limit."""
    kinds = Counter(zip(gain.tolist(), area.tolist(), strict=True))
    total = sum(value * count for (value, _), count in kinds.items())
    if total < limit:
        return True
    if sum(size * count for (_, size), count in kinds.items()) <= room:
        return False
    price, factor = _price(kinds, room, total)
    surplus = [(size, value * factor - size * price, n) for (value, size), n in kinds.items()]
    wanted = [(size, more, count) for size, more, count in surplus if more > 0]
    other = [(size, -more, count) for size, more, count in surplus if more <= 0]
    slack = sum(more * n for _, more, n in wanted) + price * room - limit * factor
    if slack < 0:
        return True
    wanted_area = sum(size * count for size, _, count in wanted)
    wanted, other = (
        [(size, lost, n if not lost else min(n, slack // lost)) for size, lost, n in groups]
        for groups in (wanted, other)
    )
    low, high = _farthest(wanted, slack), _farthest(other, slack)
    steps = (low + high + 1) * (len(wanted) + len(other))
    if steps > LARGEST_KNAPSACK:
        raise CertificateError(f"{where}: a knapsack of this area is too large to check")
    wide = 4 * slack > 2**62
    least = np.full(low + high + 1, slack + 1, np.object_ if wide else np.int64)
    least[low] = 0
    for groups, sign in ((wanted, -1), (other, 1)):
        for size, lost, count in groups:
            for number in _parts(count):
                _moved(least, sign * size * number, lost * number)
    left = room - wanted_area
    first = max(-low, left - slack // price) if price else -low
    return all(
        int(least[low + difference]) + price * (left - difference) > slack
        for difference in range(first, min(left, high) + 1)
    )


def _price(kinds: Counter[tuple[int, int]], room: int, total: int) -> tuple[int, int]:
    """The price at which wanted blocks just fill the area, and a factor that makes it whole."""
    best = sorted(kinds, key=lambda kind: -kind[0] / max(kind[1], 1e-9))
    for value, size in best:
        room -= size * kinds[value, size]
        if room < 0:
            factor = size if total * size < 2**60 else 1
            return value * factor // size, factor
    raise AssertionError("all blocks fit")


def _farthest(groups: list[Group], slack: int) -> int:
    """No less than the area of any blocks of these whose deductions are within the slack."""
    total = sum(size * count for size, _, count in groups)
    left = slack
    for size, lost, count in sorted(groups, key=lambda each: each[1] / max(each[0], 1e-9)):
        left -= lost * count
        if left < 0:
            # a unit of slack is worth size / lost of area, and more only where this says so
            more = sum(max(0, s * lost - size * d) * n for s, d, n in groups)
            return min(total, (size * slack + more) // lost)
    return total


def _parts(count: int) -> list[int]:
    """Numbers whose partial sums are all numbers up to the count."""
    parts, size = [], 1
    while count > 0:
        parts.append(min(size, count))
        count, size = count - size, 2 * size
    return parts


def _moved(least: Numbers, by: int, lost: int) -> None:
    """Let each difference of area be reached from the one that is less by so much."""
    if abs(by) >= len(least):
        return
    if by > 0:
        np.minimum(least[by:], least[:-by] + lost, out=least[by:])
    elif by < 0:
        np.minimum(least[:by], least[-by:] + lost, out=least[:by])


Integers = NDArray[np.int64]
Fixed = NDArray[np.int8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Dense:
    """Duals of everything, and what being mapped costs each block with its share of them."""

    denominator: int
    pair: Numbers
    consumer: Numbers
    own: Numbers


class _Checker:
    """An instance, the bases of a certificate, and the last sum over blocks."""

    def __init__(self, instance: Instance, certificate: Certificate) -> None:
        check_whole("the bound", certificate.bound)
        self.instance = instance
        self.certificate = certificate
        self.value = np.repeat(np.arange(len(instance.producer)), np.diff(instance.consumer_start))
        self.size = size_of(instance)
        self.cpu = sum(instance.cpu.tolist())
        self.area = sum(instance.area.tolist())
        self.dense: dict[int, _Dense] = {-1: self._nothing()}
        self.summed: tuple[tuple[int, int, int], Numbers, Fixed, int] | None = None

    def leaf(self, number: int, leaf: Leaf, fixed: Fixed) -> None:
        """Return if a leaf shows the bound of the certificate."""
        instance, duals, where = self.instance, leaf.duals, f"leaf {number}"
        if duals is None:
            if sum(instance.area[fixed == ACCELERATOR].tolist()) <= instance.capacity:
                raise CertificateError(f"{where}: what is fixed fits the area")
            return
        if leaf.price is None:
            self.knapsack(number, duals, fixed)
            return
        if leaf.price < 0:
            raise CertificateError(f"{where}: the price of area is {leaf.price}")
        base = self.base(duals.base, len(self.certificate.bases), where)
        block, change = self.changes(duals, base, where)
        price, total = self.sum(duals, leaf.price, base, fixed)
        touched, place = np.unique(block, return_inverse=True)
        more = np.zeros(len(touched), change.dtype)
        np.add.at(more, place, change)
        before = price[touched]
        sides = fixed[touched]
        total += _least(before + more, sides) - _least(before, sides)
        shown = self.cpu * duals.denominator - leaf.price * instance.capacity + total
        self.compare(shown, duals.denominator, where)

    def knapsack(self, number: int, duals: Duals, fixed: Fixed) -> None:
        """Return if a leaf shows the bound without a price: the best choice for the area."""
        where, area = f"leaf {number}", self.instance.area
        base = self.base(duals.base, len(self.certificate.bases), where)
        block, change = self.changes(duals, base, where)
        wide = 8 * self.size * duals.denominator >= 2**62
        own = _times(base.own, duals.denominator // base.denominator, wide)
        np.add.at(own, block, change)
        room = self.instance.capacity - sum(area[fixed == ACCELERATOR].tolist())
        useful = np.flatnonzero((fixed == FREE) & (own < 0) & (area <= max(room, 0)))
        most = self.cpu * duals.denominator + sum(own[fixed == ACCELERATOR].tolist())
        limit = most - (self.certificate.bound - 1) * duals.denominator
        if room >= 0 and not gains_less(-own[useful], area[useful], room, limit, where):
            raise CertificateError(
                f"{where}: what saves most within the area costs less than {self.certificate.bound}"
            )
        if room < 0 and limit <= 0:
            raise CertificateError(f"{where} costs less than {self.certificate.bound}")

    def compare(self, shown: int, denominator: int, where: str) -> None:
        """Return if what is shown is the bound."""
        if shown <= (self.certificate.bound - 1) * denominator:
            raise CertificateError(
                f"{where} shows {shown}/{denominator}, less than {self.certificate.bound}"
            )

    def sum(self, duals: Duals, price: int, base: _Dense, fixed: Fixed) -> tuple[Numbers, int]:
        """Cost of mapping each block, area included, and the least sum of it."""
        key = duals.base, duals.denominator, price
        if self.summed is None or self.summed[0] != key:
            factor = duals.denominator // base.denominator
            wide = 8 * (self.size * duals.denominator + self.area * price) >= 2**62
            own = _times(base.own, factor, wide) + _times(self.instance.area, price, wide)
            self.summed = key, own, fixed, _least(own, fixed)
        _, own, before, total = self.summed
        moved = np.flatnonzero(before != fixed)
        total += _least(own[moved], fixed[moved]) - _least(own[moved], before[moved])
        self.summed = key, own, fixed, total
        return own, total

    def base(self, number: int, before: int, where: str) -> _Dense:
        """The duals of a base, which must come before a number."""
        if not -1 <= number < before:
            raise CertificateError(f"{where}: there is no base {number} before it")
        if number not in self.dense:
            duals, here = self.certificate.bases[number], f"base {number}"
            under = self.base(duals.base, number, here)
            block, change = self.changes(duals, under, here)
            below = duals.denominator
            wide, factor = 8 * self.size * below >= 2**62, below // under.denominator
            pair, consumer, own = (
                _times(array, factor, wide) for array in (under.pair, under.consumer, under.own)
            )
            pair[duals.pair] = duals.pair_dual
            consumer[duals.consumer] = duals.consumer_dual
            np.add.at(own, block, change)
            # the tree goes depth first: a base is used for a while, and not again
            kept = sorted(self.dense)[:8]
            self.dense = {key: self.dense[key] for key in kept}
            self.dense[number] = _Dense(denominator=below, pair=pair, consumer=consumer, own=own)
        return self.dense[number]

    def changes(self, duals: Duals, base: _Dense, where: str) -> tuple[Integers, Numbers]:
        """Blocks, and what their being mapped costs more by the duals listed than by the base's."""
        instance, below = self.instance, duals.denominator
        check_whole(where, below, duals.base)
        if below < 1 or below % base.denominator:
            raise CertificateError(f"{where}: {below} is no multiple of {base.denominator}")
        wide = 8 * self.size * below >= 2**62
        factor = below // base.denominator
        listed = (
            ("pair", duals.pair, duals.pair_dual, instance.pair_cost),
            ("consumer", duals.consumer, duals.consumer_dual, instance.pull),
        )
        for what, places, dual, room in listed:
            if places.dtype != np.int64 or dual.dtype != np.int64:
                raise CertificateError(f"{where}: each {what} and dual must be an int64")
            if places.shape != dual.shape or len(np.unique(places)) != len(places):
                raise CertificateError(f"{where}: not one dual for each {what} listed")
            if np.any(places < 0) or np.any(places >= len(room)):
                raise CertificateError(f"{where}: there is no such {what}")
            limit = _times(room[places], below, wide)
            if np.any(dual > limit) or np.any(dual < -limit):
                raise CertificateError(f"{where}: a dual exceeds what its {what} costs")
        self.pushes(duals, base, factor, where)
        pair = _times(duals.pair_dual, 1, wide) - _times(base.pair[duals.pair], factor, wide)
        consumer = _times(duals.consumer_dual, 1, wide)
        consumer = consumer - _times(base.consumer[duals.consumer], factor, wide)
        return (
            np.concatenate(
                (
                    instance.pair_first[duals.pair],
                    instance.pair_second[duals.pair],
                    instance.producer[self.value[duals.consumer]],
                    instance.consumer[duals.consumer],
                )
            ),
            np.concatenate((pair, -pair, consumer, -consumer)),
        )

    def pushes(self, duals: Duals, base: _Dense, factor: int, where: str) -> None:
        """Return if duals of one sign of the values touched add up to at most the push."""
        if not len(duals.consumer):
            return
        instance, below = self.instance, duals.denominator
        wide = 8 * self.size * below >= 2**62
        values = np.unique(self.value[duals.consumer])
        first, last = instance.consumer_start[values], instance.consumer_start[values + 1]
        count = last - first
        owner = np.repeat(np.arange(len(values)), count)
        places = np.arange(len(owner)) - (np.cumsum(count) - count)[owner] + first[owner]
        dual = _times(base.consumer[places], factor, wide)
        dual[np.searchsorted(places, duals.consumer)] = duals.consumer_dual
        limit = _times(instance.push[values], below, wide)
        for signed in (dual, -dual):
            sums = np.zeros(len(values), dual.dtype)
            np.add.at(sums, owner, np.maximum(signed, 0))
            if np.any(sums > limit):
                raise CertificateError(f"{where}: the duals of a value exceed its push")

    def _nothing(self) -> _Dense:
        instance = self.instance
        wide = 8 * self.size >= 2**62
        return _Dense(
            denominator=1,
            pair=np.zeros(len(instance.pair_cost), np.int64),
            consumer=np.zeros(len(instance.pull), np.int64),
            own=_times(instance.accelerator, 1, wide) - _times(instance.cpu, 1, wide),
        )


def check(instance: Instance, certificate: Certificate) -> None:
    """Return if the certificate proves that no partition which fits costs less than its bound."""
    checker = _Checker(instance, certificate)

    def look(number: int, leaf: Leaf, fixed: Fixed) -> tuple[()]:
        if not isinstance(leaf, Leaf):
            raise CertificateError(f"node {number} is none of a proof without memory")
        if leaf.price is not None:
            check_whole(f"leaf {number}", leaf.price)
        checker.leaf(number, leaf, fixed)
        return ()

    walk(instance, certificate.nodes, look)


def _least(own: Numbers, fixed: Fixed) -> int:
    """The least that blocks can cost: those that are free choose the cheaper side."""
    return int(own[fixed == ACCELERATOR].sum()) + int(np.minimum(own[fixed == FREE], 0).sum())


def _times(array: Numbers, factor: int, wide: bool) -> Numbers:
    """A product without overflow, in a new array."""
    return array.astype(np.object_) * int(factor) if wide else array * np.int64(factor)
