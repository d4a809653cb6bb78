"""Geometry of a cache: its size, lines and sets, and the set that a block is mapped to."""

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError
from logca.gpu.devices.parameters import INDEXES

__all__ = [
    "Cache",
    "GeometryError",
    "fold_of",
    "folded",
    "sets_of_blocks",
]

_WIDTH = 64  # [bits] of a block number


def fold_of(index: str, sets: int) -> int:
    """By how many bits the block number is shifted when it is folded; all of them: not at all.

    Examples
    --------
    >>> fold_of("hashed", 128), fold_of("hashed", 96), fold_of("modulo", 128)
    (7, 7, 64)
    """
    return max(1, (sets - 1).bit_length()) if index == "hashed" else _WIDTH


def folded(block: Any, step: Any) -> Any:
    """Exclusive or of a block number with itself, moved down by each multiple of `step` bits.

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


class GeometryError(LogcaError, ValueError):
    """A cache that cannot be built, or references that it cannot take; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """Geometry of a cache with LRU replacement.

    Examples
    --------
    >>> Cache(size=128 * 1024, line=64, ways=16).sets
    128
    >>> Cache(size=1000, line=64)
    Traceback (most recent call last):
    ...
    logca.gpu.devices.cache_geometry.GeometryError: size = 1000 B is no multiple of line = 64 B; \
allowed are multiples of 64: take 960 or 1024
    """

    size: int = 128 * 1024  # capacity, K * A * B [B]
    line: int = 64  # size of a line B, the block of the paper [B]; a power of two
    ways: int | None = 16  # associativity A [1]; None for one set of all lines (fully associative)
    # which set a block is in: "modulo" the number of sets K, or "hashed", see
    # `logca.gpu.devices.cache_geometry`. K need not be a power of two
    index: str = "modulo"

    def __post_init__(self) -> None:
        """Check."""
        for name in ("size", "line", "ways"):
            value = getattr(self, name)
            if (name, value) == ("ways", None):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise GeometryError(
                    f"{name} = {value!r}; allowed are whole numbers from 1 on: "
                    f"give {name} as an int" + (", or None" if name == "ways" else " [B]")
                )
        if self.line & (self.line - 1):
            near = 1 << self.line.bit_length()
            raise GeometryError(
                f"line = {self.line} B; allowed are powers of two: take {near // 2} or {near}"
            )
        if self.size % self.line:
            fits = self.size // self.line * self.line
            near_sizes = " or ".join(str(s) for s in (fits, fits + self.line) if s)
            raise GeometryError(
                f"size = {self.size} B is no multiple of line = {self.line} B; allowed are "
                f"multiples of {self.line}: take {near_sizes}"
            )
        if self.ways is not None and self.lines % self.ways:
            raise GeometryError(
                f"ways = {self.ways} do not divide the {self.lines} lines of {self.line} B in "
                f"{self.size} B; allowed are divisors of {self.lines}: "
                f"take {_neighbours(self.ways, self.lines)}"
            )
        if self.index not in INDEXES:
            raise GeometryError(
                f"index = {self.index!r}; allowed are {', '.join(INDEXES)}: take one of these"
            )

    @property
    def lines(self) -> int:
        """Number of lines, K * A [1]."""
        return self.size // self.line

    @property
    def associativity(self) -> int:
        """Number of lines in a set, A [1]."""
        return self.lines if self.ways is None else self.ways

    @property
    def sets(self) -> int:
        """Number of sets K [1]."""
        return self.lines // self.associativity


def _neighbours(ways: int, lines: int) -> str:
    """The divisors of `lines` next to a number that is none."""
    small = [d for d in range(1, isqrt(lines) + 1) if lines % d == 0]
    divisors = [*small, *(lines // d for d in reversed(small))]
    below = max(d for d in divisors if d < ways)
    above = min((d for d in divisors if d > ways), default=None)
    return f"{below}" if above is None else f"{below} or {above}"
