"""Whether the tree of a certificate covers all partitions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.solvers.certificate import Branch
from logca.numeric.partition.solvers.checking_cost import CertificateError

__all__ = ["ACCELERATOR", "CPU", "FREE", "check_claim", "check_whole", "size_of", "walk"]

Fixed = NDArray[np.int8]
FREE, CPU, ACCELERATOR = -1, 0, 1
"""Where a block is fixed, if it is [1]."""


def walk(
    instance: Instance,
    nodes: Sequence[object],
    look: Callable[[int, Any, Fixed], Iterable[tuple[int, Fixed]]],
) -> None:
    """Go through a tree from its root, whose leaves cover all partitions if this returns.

    Parameters
    ----------
    instance : Instance
        The problem; its pinned blocks are fixed from the beginning.
    nodes : sequence of object
        The nodes of the tree.
    look : callable
        Looks at a node that is no branch, by number, with what is fixed there; what it returns are
        the nodes that follow, and what is fixed there.

    Raises
    ------
    CertificateError
        If nodes are missing, reached twice, or fix what is fixed.
    """
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
    """Return if a bound that rests on a certificate is no more than that proves.

    Parameters
    ----------
    bound, proved : int
        The bound, and that of the certificate [scaled cycles].
    proof : str
        What the bound rests on [text].

    Raises
    ------
    CertificateError
        If it is more.
    """
    if proof == "certificate" and bound > proved:
        raise CertificateError(f"the bound is {bound}, and the certificate proves {proved}")


def check_whole(where: str, *numbers: object) -> None:
    """Return if all are Python's whole numbers, which neither overflow nor compare as NaN does.

    Parameters
    ----------
    where : str
        Where they are [text].
    *numbers : object
        What should be whole numbers.

    Raises
    ------
    CertificateError
        If one is not.
    """
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
