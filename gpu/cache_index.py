"""Which set of a cache a block is mapped to."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["INDEXES", "fold_of", "folded", "sets_of_blocks"]

INDEXES = ("modulo", "hashed")
"""Ways to choose the set of a block [text]."""

_WIDTH = 64  # [bits] of a block number


def fold_of(index: str, sets: int) -> int:
    """By how many bits the block number is shifted when it is folded; all of them: not at all.

    Parameters
    ----------
    index : str
        One of INDEXES [text].
    sets : int
        Number of sets [1].

    Examples
    --------
    >>> fold_of("hashed", 128), fold_of("hashed", 96), fold_of("modulo", 128)
    (7, 7, 64)
    """
    return max(1, (sets - 1).bit_length()) if index == "hashed" else _WIDTH


def folded(block: Any, step: Any) -> Any:
    """Exclusive or of a block number with itself, moved down by each multiple of `step` bits.

    Parameters
    ----------
    block : uint64 or array of uint64
        Block number [1].
    step : uint64
        Width of the fold [bits].

    Examples
    --------
    >>> int(folded(np.uint64(0b101_001), np.uint64(3)))
    44
    """
    while step < 64:  # each round doubles the number of terms
        block = block ^ (block >> step)
        step = step + step
    return block


def sets_of_blocks(blocks: NDArray[np.uint64], index: str, sets: int) -> NDArray[np.uint64]:
    """The set of each block.

    "modulo" is the block number modulo the number of sets K (wang2017, section 3.3.4). "hashed"
    first adds to the lowest s bits, K <= 2**s, all higher groups of s bits by exclusive or, so that
    strides by multiples of K use all sets. For K = 2**s that is the usual folding of the whole
    number to s bits. The sum is kept whole before it is divided by another K: folding maps block
    numbers one to one, so that all sets get equally many of them.

    Parameters
    ----------
    blocks : array of uint64
        Block numbers [1].
    index : str
        One of INDEXES [text].
    sets : int
        Number of sets K [1].

    Examples
    --------
    >>> strided = np.arange(0, 32, 8, dtype=np.uint64)
    >>> sets_of_blocks(strided, "modulo", 8).tolist()
    [0, 0, 0, 0]
    >>> sets_of_blocks(strided, "hashed", 8).tolist()
    [0, 1, 2, 3]
    """
    result: NDArray[np.uint64] = folded(blocks, np.uint64(fold_of(index, sets))) % np.uint64(sets)
    return result
