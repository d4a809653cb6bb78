"""How large the caches are: lines, and both levels, which each core has or shares."""

from dataclasses import dataclass

__all__ = ["CacheError", "Geometry"]

MOST_LINES = 1 << 22


class CacheError(ValueError):
    """Caches that cannot be built, or accesses they cannot take; the message says what would do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """Sizes of a line and of one cache of each level.

    Parameters
    ----------
    line : int
        Size of a line [B]; kenter2010 does not print it.
    l1, l2 : int
        Size of each cache of level 1, and of each of level 2 [B] (kenter2010, Table I).

    Raises
    ------
    CacheError
        If one is no power of two, if ``line <= l1 <= l2`` does not hold, or if level 2 has more
        than 2**22 lines.

    Examples
    --------
    >>> Geometry().sets
    (512, 65536)
    >>> Geometry(l1=3000)
    Traceback (most recent call last):
    ...
    logca.numeric.partition.memory.geometry.CacheError: l1 = 3000 B; allowed are powers of two: \
take 2048 or 4096
    """

    line: int = 64
    l1: int = 32 << 10
    l2: int = 4 << 20

    def __post_init__(self) -> None:
        """Refuse what is no hierarchy of caches."""
        for name in ("line", "l1", "l2"):
            size = getattr(self, name)
            if isinstance(size, bool) or not isinstance(size, int) or size < 1:
                raise CacheError(
                    f"{name} = {size!r}; allowed are whole numbers from 1 on that are powers of "
                    f"two: give {name} as an int [B]"
                )
            if size & (size - 1):
                near = 1 << size.bit_length()
                raise CacheError(
                    f"{name} = {size} B; allowed are powers of two: take {near // 2} or {near}"
                )
        if self.l1 < self.line:
            raise CacheError(
                f"l1 = {self.l1} B is smaller than line = {self.line} B; allowed is one line at "
                "least: enlarge l1, or take shorter lines"
            )
        if self.l2 < self.l1:
            raise CacheError(
                f"l2 = {self.l2} B is smaller than l1 = {self.l1} B; allowed is l1 at least, "
                "because level 2 holds all that level 1 holds: enlarge l2"
            )
        if self.sets[1] > MOST_LINES:
            raise CacheError(
                f"l2 = {self.l2} B has {self.sets[1]} lines of {self.line} B; allowed are "
                f"{MOST_LINES}: take longer lines, or a smaller l2"
            )

    @property
    def sets(self) -> tuple[int, int]:
        """Number of sets of a direct-mapped cache of level 1, and of level 2 [1]."""
        return self.l1 // self.line, self.l2 // self.line
