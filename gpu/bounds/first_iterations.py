"""The first iterations of the loops of an affine nest's threads, where all would be too many."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine.affine_nest import AffineNest, AffineSite, value_of
from logca.gpu.affine.synthesis import access_counts

__all__ = ["shortened"]

_LONGEST = (512, 256, 128, 64, 32, 16, 8, 4)
"""Iterations that loops are cut to, the first of these that is few enough [1]."""


def shortened(
    nest: AffineNest,
    threads: NDArray[np.int64],
    *,
    launch: int,
    most: int,
    whole: Collection[int] = (),
) -> tuple[AffineNest, int]:
    """The nest with loops so short that these threads make no more than `most` accesses.

    And the iterations that longer loops of a thread are cut to; 0 if none is. The loops `whole`
    keep all of theirs.
    """
    middle = threads[len(threads) // 2].tolist()
    for longest in (0, *_LONGEST):
        short = (
            replace(
                nest, sites=tuple(_cut(site, launch, middle, longest, whole) for site in nest.sites)
            )
            if longest
            else nest
        )
        few = threads[:: len(threads) // 64 + 1]
        if access_counts(short, few, launch=launch).mean() * len(threads) <= most:
            break
    return (short, longest) if short.sites != nest.sites else (nest, 0)


def _cut(
    site: AffineSite, launch: int, thread: Sequence[int], longest: int, whole: Collection[int]
) -> AffineSite:
    """An access in the first iterations of its loops inside the thread."""
    point, upper = [launch], list(site.upper)
    for level, (lower, end) in enumerate(zip(site.lower, site.upper, strict=True)):
        begin = value_of(lower, point)
        own = level >= len(thread) and site.loops[level] not in whole
        if own and value_of(end, point) - begin > longest:
            upper[level] = (lower[0] + longest, *lower[1:])
        point.append(thread[level] if level < len(thread) else begin)
    return replace(site, upper=tuple(upper))
