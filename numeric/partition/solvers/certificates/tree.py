"""Checks that both checkers share: a partition's cost, and that a tree covers all partitions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError
from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.certificates.format import Branch

__all__ = [
    "ACCELERATOR",
    "CPU",
    "FREE",
    "CertificateError",
    "check_claim",
    "check_partition",
    "check_whole",
    "size_of",
    "walk",
]


class CertificateError(LogcaError, ValueError):
    """A certificate or partition that is not what it is said to be; the message says where."""


def check_partition(instance: Instance, mapped: NDArray[np.bool_], cost: int) -> None:
    """Return if a partition is allowed and costs what is said; computed block by block."""
    on = mapped.tolist()
    if len(on) != instance.blocks or any(o and p for o, p in zip(on, instance.pinned, strict=True)):
        raise CertificateError("the partition maps a pinned block, or has too few or many blocks")
    used = sum(a for a, o in zip(instance.area.tolist(), on, strict=True) if o)
    if used > instance.capacity:
        raise CertificateError(f"the partition takes an area of {used} of {instance.capacity}")
    own = zip(instance.cpu.tolist(), instance.accelerator.tolist(), on, strict=True)
    total = sum(fast if o else slow for slow, fast, o in own)
    pairs = (instance.pair_first, instance.pair_second, instance.pair_cost)
    for first, second, price in zip(*(array.tolist() for array in pairs), strict=True):
        total += price if on[first] != on[second] else 0
    start, users = instance.consumer_start.tolist(), instance.consumer.tolist()
    pull, push = instance.pull.tolist(), instance.push.tolist()
    for value, home in enumerate(instance.producer.tolist()):
        places = range(start[value], start[value + 1])
        total += min(push[value], sum(pull[e] for e in places if on[users[e]] != on[home]))
    if total != cost:
        raise CertificateError(f"the partition costs {total}, not {cost}")


Fixed = NDArray[np.int8]
FREE, CPU, ACCELERATOR = -1, 0, 1
"""Where a block is fixed, if it is [1]."""


def walk(
    instance: Instance,
    nodes: Sequence[object],
    look: Callable[[int, Any, Fixed], Iterable[tuple[int, Fixed]]],
) -> None:
    """Go through a tree from its root, whose leaves cover all partitions if this returns."""
    root = np.full(instance.blocks, FREE, np.int8)
    root[instance.pinned] = CPU
    visited: set[int] = set()
    todo = [(0, root)]
    while todo:
        number, fixed = todo.pop()
        check_whole("a node", number)
        if not 0 <= number < len(nodes):
            raise CertificateError(f"there is no node {number}: some partitions are not covered")
        if number in visited:
            raise CertificateError(f"node {number} is reached twice: this is no tree")
        visited.add(number)
        node = nodes[number]
        if not isinstance(node, Branch):
            todo += look(number, node, fixed)
            continue
        check_whole(f"node {number}", node.block)
        if not 0 <= node.block < len(fixed) or fixed[node.block] != FREE:
            raise CertificateError(f"node {number} fixes block {node.block}, which is not free")
        sides = [(CPU, node.without), (ACCELERATOR, node.within)]
        # branches wait below leaves: long chains of leaves then take no memory
        for side, then in sorted(sides, key=lambda each: not _is_branch(nodes, each[1])):
            below = fixed.copy()
            below[node.block] = side
            todo.append((then, below))


def check_claim(bound: int, proof: str, proved: int) -> None:
    """Return if a bound that rests on a certificate is no more than that proves."""
    if proof == "certificate" and bound > proved:
        raise CertificateError(f"the bound is {bound}, and the certificate proves {proved}")


def check_whole(where: str, *numbers: object) -> None:
    """Return if all are Python's whole numbers, which neither overflow nor compare as NaN does."""
    for number in numbers:
        if type(number) is not int:
            raise CertificateError(f"{where} has {number!r}, which is no whole number")


def size_of(instance: Instance) -> int:
    """More than any sum of costs of an instance [scaled cycles]."""
    costs = (instance.cpu, instance.accelerator, instance.pair_cost, instance.pull, instance.push)
    size: int = sum(abs(cost) for array in costs for cost in array.tolist())
    return size + 1


def _is_branch(nodes: Sequence[object], number: int) -> bool:
    return number in range(len(nodes)) and isinstance(nodes[number], Branch)
