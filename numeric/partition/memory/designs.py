"""The five ways to attach an accelerator to the memory hierarchy, and what accesses cost there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.common.near_misses import did_you_mean
from logca.numeric.partition.memory.caches import CacheError, Latencies

__all__ = [
    "DESIGNS",
    "Design",
    "Latencies",
    "checked_partition",
    "costs",
    "design_named",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Which caches each core has, and which both share (kenter2010, section III.B)."""

    name: str  # as the paper abbreviates it
    # cpu, accelerator: levels of caches that only the CPU has, and only the accelerator [1]
    cpu: int
    accelerator: int
    shared: int  # the first level that is shared; 3 if that is the memory [1]


DESIGNS = {
    each.name: each
    for each in (
        Design(name="SL1", cpu=0, accelerator=0, shared=1),
        Design(name="SL2+", cpu=1, accelerator=1, shared=2),
        Design(name="SL2-", cpu=1, accelerator=0, shared=2),
        Design(name="SMM+", cpu=2, accelerator=2, shared=3),
        Design(name="SMM-", cpu=2, accelerator=0, shared=3),
    )
}
"""The design points of kenter2010, by name."""


def design_named(name: str) -> Design:
    """The design point of this name.

    Examples
    --------
    >>> design_named("SL2-").accelerator
    0
    """
    if name not in DESIGNS:
        near = did_you_mean(name, DESIGNS, most=2, joined=" or ", before=" ")
        raise CacheError(f"there is no design {name!r};{near} known: {', '.join(DESIGNS)}")
    return DESIGNS[name]


def costs(design: Design, latencies: Latencies) -> NDArray[np.int64]:
    """Cost of each outcome [scaled cycles].

    Examples
    --------
    >>> costs(DESIGNS["SL2+"], Latencies(l1=3, l2=15, memory=200, write_back=15, penalty=1))
    array([  3,  18,  16,  31, 200, 215])
    """
    levels = [latencies.l1, latencies.l2, latencies.memory]
    if design.shared < 3:
        levels[design.shared - 1] += latencies.penalty
    return np.array([each + held for each in levels for held in (0, latencies.write_back)])


def checked_partition(blocks: int, mapped: Sequence[bool] | NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The partition as an array; CacheError if it is not of so many blocks [1]."""
    chosen = np.ascontiguousarray(mapped, np.bool_)
    if chosen.shape != (blocks,):
        raise CacheError(
            f"a partition of shape {chosen.shape}; allowed is ({blocks},): say of each of the "
            f"{blocks} blocks whether it is on the accelerator"
        )
    return chosen
