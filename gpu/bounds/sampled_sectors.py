"""Sectors that all blocks of a launch reach of an array, from those that some of them do.

Blocks far from each other that reach the same sectors choose from as many as what two samples have
in common tells; where they have nothing in common, each further block reaches others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from logca.gpu.bounds.l1_cache import SECTOR
from logca.numeric.generated import gpu_bounds

__all__ = ["SampledSectors", "sampled_sectors"]

Integers = NDArray[np.int64]

_PARTS = 4
"""Samples that blocks are divided into; those of neighbours may meet at their borders [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledSectors:
    """Sectors of an array that some blocks reach, and those that they choose from."""

    sampled: float  # different sectors that the sampled blocks reach [1]
    reachable: float  # sectors that accesses choose from; infinite if each block has its own [1]
    shared: bool  # whether a block reaches most of what they all do

    def of(self, times: float) -> float:
        """Bytes that so many times the sampled blocks reach [B]."""
        if not self.sampled:
            return 0.0
        if self.reachable == inf:
            return self.sampled * times * SECTOR
        return SECTOR * float(
            gpu_bounds.expected_sectors(
                reachable_sectors=self.reachable,
                sampled_sectors=self.sampled,
                sample_times=times,
            )
        )


def sampled_sectors(
    sector: Integers,
    block: Integers,
    *,
    most: float = inf,
    growth: float = 1.0,
    more: float = 1.0,
) -> SampledSectors:
    """Sectors of accesses, each made by a block, of an array of `most` sectors.

    With a `growth` of more than 1 the array is so many times as long at the work size, and a block
    makes `more` times as many accesses. Where each block reaches most of what all do, and the
    accesses grow with the array, it still does. Others reach no more of it than if each of them
    chose a sector on its own.

    Examples
    --------
    >>> block = np.arange(8)
    >>> sampled_sectors(np.arange(8), block).reachable, sampled_sectors(0 * block, block).reachable
    (inf, 1.0)
    """
    whole = float(len(np.unique(sector)))
    blocks, there = np.unique(block), sector - sector.min(initial=0)
    each = len(np.unique(block * (1 + there.max(initial=0)) + there)) / max(1, len(blocks))
    # of a short array a few accesses that go anywhere reach most as well: not of a long one
    shared = 2 * each >= whole and growth <= 2 * max(1.0, more)
    bounds = np.linspace(0, len(blocks), min(_PARTS, len(blocks)) + 1).astype(np.int64)
    parts = [
        np.unique(sector[(block >= blocks[first]) & (block <= blocks[end - 1])])
        for first, end in pairwise(bounds.tolist())
    ]
    reachable = _reachable(parts) if len(parts) > 1 else whole
    reachable = max(reachable, whole)
    if growth > 1.0 and not shared:
        # as many accesses leave more of a longer array out
        seen = SampledSectors(sampled=whole, reachable=reachable, shared=shared)
        reachable *= growth
        own = SampledSectors(sampled=1.0, reachable=reachable, shared=shared)
        whole = min(growth * seen.of(1 / growth), own.of(len(sector))) / SECTOR
    whole = min(whole, most)
    if reachable < inf:
        reachable = max(min(reachable, most), whole)
    return SampledSectors(sampled=whole, reachable=reachable, shared=shared)


def _reachable(parts: Sequence[Integers]) -> float:
    """Sectors that parts choose from, by pairs of parts that are no neighbours [1]."""
    apart = [
        (one, other)
        for place, one in enumerate(parts)
        for other in parts[place + (2 if len(parts) > 2 else 1) :]
    ]
    common = sum(len(np.intersect1d(one, other, assume_unique=True)) for one, other in apart)
    if not common:
        return inf
    first, second = (sum(len(pair[side]) for pair in apart) / len(apart) for side in (0, 1))
    found = gpu_bounds.sectors_to_reach(
        first_sectors=first, second_sectors=second, common_sectors=common / len(apart)
    )
    low, high = (max(int(each.min()) for each in parts), min(int(each.max()) for each in parts))
    ends = (min(int(each.min()) for each in parts), max(int(each.max()) for each in parts))
    span = ends[1] - ends[0] + 1
    # parts that all range over the same memory have shown how long it is
    return min(float(found), span) if 2 * (high - low) > span else float(found)
