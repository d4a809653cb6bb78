"""Whether a partition is allowed and costs what is said, in Python's whole numbers."""

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance

__all__ = ["CertificateError", "check_partition"]


class CertificateError(ValueError):
    """A certificate or partition that is not what it is said to be; the message says where."""


def check_partition(instance: Instance, mapped: NDArray[np.bool_], cost: int) -> None:
    """Return if a partition is allowed and costs what is said; computed block by block.

    Parameters
    ----------
    instance : Instance
        The problem.
    mapped : array of bool
        The partition.
    cost : int
        What it is said to cost [scaled cycles].

    Raises
    ------
    CertificateError
        If it is not allowed or costs something else.
    """
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
