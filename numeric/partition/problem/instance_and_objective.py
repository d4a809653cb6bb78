"""Costs to minimise: of blocks, of pairs of blocks that are apart, and of values.

All costs are whole numbers, cycles times a scale, so that an optimum is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError
from logca.common.jit import compiled

__all__ = ["Instance", "InstanceError", "area", "cost", "register_cost"]

Integers = NDArray[np.int64]
Mapped = NDArray[np.bool_]


class InstanceError(LogcaError, ValueError):
    """Arrays that are no instance; the message says which, and where."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Instance:
    """A partition problem in whole numbers."""

    # cpu, accelerator: cost of each block on either core, as far as it depends on no other block
    # [scaled cycles]
    cpu: Integers
    accelerator: Integers
    area: Integers  # what each block takes of the accelerator [1]
    capacity: int  # area of the accelerator [1]
    pinned: Mapped  # which blocks stay on the CPU
    # pair_first, pair_second: pairs of blocks [1]
    pair_first: Integers
    pair_second: Integers
    pair_cost: Integers  # what each costs if its blocks are on different cores [scaled cycles]
    producer: Integers  # for each value the block that produces it [1]
    # what it costs to send it at once to all consumers on the other core [scaled cycles]
    push: Integers
    # where the consumers of each value begin, and the end of the last one's [1]
    consumer_start: Integers
    consumer: Integers  # the blocks that use the values [1]
    pull: Integers  # what it costs each of them to fetch it from the other core [scaled cycles]
    scale: int = 1  # costs are cycles times this [1]

    def __post_init__(self) -> None:
        _check(self)

    @property
    def blocks(self) -> int:
        """Number of blocks [1]."""
        return len(self.cpu)

    @property
    def value_of_consumer(self) -> Integers:
        """For each consumer the value it uses [1]."""
        return np.repeat(np.arange(len(self.producer)), np.diff(self.consumer_start))


def cost(instance: Instance, mapped: Sequence[bool] | Mapped) -> int:
    """Cost of a partition [scaled cycles]."""
    chosen = _checked(instance, mapped)
    own = int(np.where(chosen, instance.accelerator, instance.cpu).sum())
    apart = chosen[instance.pair_first] != chosen[instance.pair_second]
    pairs = int(instance.pair_cost[apart].sum())
    return own + pairs + register_cost(instance, chosen)


def register_cost(instance: Instance, mapped: Sequence[bool] | Mapped) -> int:
    """Cost of the values that are not among the pairs [scaled cycles]."""
    values: Any = compiled(_values)(
        _checked(instance, mapped),
        instance.producer,
        instance.push,
        instance.consumer_start,
        instance.consumer,
        instance.pull,
    )
    return int(values)


def area(instance: Instance, mapped: Sequence[bool] | Mapped) -> int:
    """Area of a partition on the accelerator [1]."""
    return int(instance.area[np.asarray(mapped, np.bool_)].sum())


def _checked(instance: Instance, mapped: Sequence[bool] | Mapped) -> Mapped:
    chosen = np.asarray(mapped, np.bool_)
    if chosen.shape != instance.cpu.shape:
        raise InstanceError(
            f"a partition says of each of the {instance.blocks} blocks where it is, "
            f"not of {chosen.size}"
        )
    return chosen


def _values(
    mapped: Mapped,
    producer: Integers,
    push: Integers,
    start: Integers,
    consumer: Integers,
    pull: Integers,
) -> int:
    total = 0
    for value in range(producer.shape[0]):
        home, fetched = mapped[producer[value]], 0
        for place in range(start[value], start[value + 1]):
            if mapped[consumer[place]] != home:
                fetched += pull[place]
        total += min(fetched, push[value])
    return total


def _check(instance: Instance) -> None:
    blocks = len(instance.cpu)
    for name, length in (
        ("accelerator", blocks),
        ("area", blocks),
        ("pinned", blocks),
        ("pair_second", len(instance.pair_first)),
        ("pair_cost", len(instance.pair_first)),
        ("push", len(instance.producer)),
        ("consumer_start", len(instance.producer) + 1),
        ("pull", len(instance.consumer)),
    ):
        found = getattr(instance, name)
        if found.shape != (length,):
            raise InstanceError(f"{name} must have {length} elements, not shape {found.shape}")
    for name in ("pair_first", "pair_second", "producer", "consumer"):
        found = getattr(instance, name)
        wrong = np.flatnonzero((found < 0) | (found >= blocks))
        if len(wrong):
            raise InstanceError(
                f"{name}[{wrong[0]}] is {found[wrong[0]]}, and blocks are 0 to {blocks - 1}"
            )
    for name in ("area", "pair_cost", "push", "pull"):
        found = getattr(instance, name)
        wrong = np.flatnonzero(found < 0)
        if len(wrong):
            raise InstanceError(f"{name}[{wrong[0]}] is {found[wrong[0]]}; it must not be negative")
    start = instance.consumer_start
    if start[0] != 0 or start[-1] != len(instance.consumer) or np.any(np.diff(start) < 0):
        raise InstanceError("consumer_start must rise from 0 to the number of consumers")
    if instance.capacity < 0 or instance.scale < 1:
        raise InstanceError(
            f"capacity must be at least 0 and scale at least 1, not {instance.capacity} and "
            f"{instance.scale}"
        )
