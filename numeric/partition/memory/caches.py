"""Sizes of the caches, and what accesses to each level of the memory hierarchy cost."""

from dataclasses import dataclass, fields

from logca.common.errors import LogcaError

__all__ = [
    "CacheError",
    "Geometry",
    "Latencies",
]

MOST_LINES = 1 << 22


class CacheError(LogcaError, ValueError):
    """Caches that cannot be built, or accesses they cannot take; the message says what would do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """Sizes of a line and of one cache of each level.

    Examples
    --------
    >>> Geometry().sets
    (512, 65536)
    >>> Geometry(l1=3000)
    Traceback (most recent call last):
    ...
    logca.numeric.partition.memory.caches.CacheError: l1 = 3000 B; allowed are powers of two: \
take 2048 or 4096
    """

    line: int = 64  # size of a line [B]; kenter2010 does not print it
    # l1, l2: size of each cache of level 1, and of each of level 2 [B] (kenter2010, Table I)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Latencies:
    """Costs of accesses in whole numbers: cycles times a scale.

    Examples
    --------
    >>> Latencies(l1=3, l2=15, memory=200, write_back=15).penalty
    0
    """

    # l1, l2, memory: served by level 1, by level 2, by the memory [scaled cycles] (kenter2010,
    # Table I)
    l1: int
    l2: int
    memory: int
    write_back: int  # what comes on top if the other core holds the line changed [scaled cycles]
    # what comes on top if the shared cache next to the cores serves it [scaled cycles]
    penalty: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no latency."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise CacheError(
                    f"latency {field.name} = {value!r}; allowed are whole numbers from 0 on: "
                    "multiply cycles by a scale that makes all of them whole"
                )
