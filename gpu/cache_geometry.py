"""What a cache is: its size, its lines, its sets, and which set a block is in."""

from dataclasses import dataclass
from math import isqrt

from logca.gpu.cache_index import INDEXES

__all__ = ["Cache", "CacheError"]


class CacheError(ValueError):
    """A cache that cannot be built, or references that it cannot take; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """Geometry of a cache with LRU replacement.

    Parameters
    ----------
    size : int
        Capacity, K * A * B [B].
    line : int
        Size of a line B, the block of the paper [B]; a power of two.
    ways : int or None
        Associativity A [1]; None for one set of all lines (fully associative).
    index : str
        Which set a block is in: "modulo" the number of sets K, or "hashed", see
        `logca.gpu.cache_index` [text]. K need not be a power of two.

    Raises
    ------
    CacheError
        If the numbers are not positive whole ones, or do not divide.

    Examples
    --------
    >>> Cache(size=128 * 1024, line=64, ways=16).sets
    128
    >>> Cache(size=1000, line=64)
    Traceback (most recent call last):
    ...
    logca.gpu.cache_geometry.CacheError: size = 1000 B is no multiple of line = 64 B; \
allowed are multiples of 64: take 960 or 1024
    """

    size: int = 128 * 1024
    line: int = 64
    ways: int | None = 16
    index: str = "modulo"

    def __post_init__(self) -> None:
        """Check."""
        for name in ("size", "line", "ways"):
            value = getattr(self, name)
            if (name, value) == ("ways", None):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise CacheError(
                    f"{name} = {value!r}; allowed are whole numbers from 1 on: "
                    f"give {name} as an int" + (", or None" if name == "ways" else " [B]")
                )
        if self.line & (self.line - 1):
            near = 1 << self.line.bit_length()
            raise CacheError(
                f"line = {self.line} B; allowed are powers of two: take {near // 2} or {near}"
            )
        if self.size % self.line:
            fits = self.size // self.line * self.line
            near_sizes = " or ".join(str(s) for s in (fits, fits + self.line) if s)
            raise CacheError(
                f"size = {self.size} B is no multiple of line = {self.line} B; allowed are "
                f"multiples of {self.line}: take {near_sizes}"
            )
        if self.ways is not None and self.lines % self.ways:
            raise CacheError(
                f"ways = {self.ways} do not divide the {self.lines} lines of {self.line} B in "
                f"{self.size} B; allowed are divisors of {self.lines}: "
                f"take {_neighbours(self.ways, self.lines)}"
            )
        if self.index not in INDEXES:
            raise CacheError(
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
    """The divisors of `lines` next to a number that is none [text]."""
    small = [d for d in range(1, isqrt(lines) + 1) if lines % d == 0]
    divisors = [*small, *(lines // d for d in reversed(small))]
    below = max(d for d in divisors if d < ways)
    above = min((d for d in divisors if d > ways), default=None)
    return f"{below}" if above is None else f"{below} or {above}"
