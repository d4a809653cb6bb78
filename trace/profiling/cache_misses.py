"""Misses of caches of any size in lines that is a power of two, from counts of reuse distances."""

from dataclasses import dataclass

__all__ = ["CACHES", "ReuseCounts"]

CACHES = ((9, "32 KiB"), (14, "1 MiB"), (19, "32 MiB"))
"""Sizes of caches for which misses are told: powers of two of lines of 64 B, and their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseCounts:
    """Counts of other lines of 64 B touched since an access' line was touched before.

    Examples
    --------
    >>> counts = ReuseCounts(first=2, powers=(5, 0, 1))
    >>> counts.touches, counts.misses(2), counts.misses(4)
    (8, 3, 2)
    """

    first: int  # touches of a line that was not touched before [1]
    # touches by distance: number 0 has distance 0, number j distances from 2**(j-1) to 2**j - 1
    # [1]
    powers: tuple[int, ...]

    @property
    def touches(self) -> int:
        """Lines touched, each as often as it was [1]."""
        return self.first + sum(self.powers)

    def misses(self, lines: int) -> int:
        """Misses in a fully associative LRU cache, first touches among them [1]."""
        return self.first + sum(self.powers[lines.bit_length() :])
