"""Where pages lie in physical memory, which an L2 cache with physical addresses sees.

The operating system of a board gives a process page frames from anywhere. Which they are nobody
can know beforehand; that they have no order can be. A fixed permutation without order stands for
it, so that a prediction does not change from run to run.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["PAGE", "physical"]

PAGE = 4096
"""Bytes of a page of Linux on ARM and x86 [B]."""

_FRAMES = np.uint64(2**52 - 1)


def physical(blocks: NDArray[np.uint64], line_size: int) -> NDArray[np.uint64]:
    """Physical block numbers of virtual ones: the place in the page stays, pages are scattered [1].

    Parameters
    ----------
    blocks : array of uint64
        Virtual addresses divided by the size of a line [1].
    line_size : int
        Bytes of a line, a power of two up to the size of a page [B].

    Examples
    --------
    >>> found = physical(np.arange(128, dtype=np.uint64), 64)
    >>> bool(np.all(found % 64 == np.arange(128) % 64)), len(set((found // 64).tolist()))
    (True, 2)
    """
    bits = np.uint64((PAGE // line_size).bit_length() - 1)
    inside = blocks & ((np.uint64(1) << bits) - np.uint64(1))
    return ((_mixed(blocks >> bits) & (_FRAMES >> bits)) << bits) | inside


def _mixed(number: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a permutation without order."""
    number = number + np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))
