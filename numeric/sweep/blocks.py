"""A grid cut into blocks, which are computed and written at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, prod

from logca.common.errors import LogcaError

__all__ = ["BLOCK", "Grid", "SweepError", "cut"]


class SweepError(LogcaError, ValueError):
    """A sweep, or a question about one, that cannot be done; the message says what instead."""


BLOCK = 1_000_000
"""Points of a block: few enough to hold several, many enough for a write to pay [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Blocks of a grid, numbered in C order."""

    shape: tuple[int, ...]  # lengths of the axes [1]
    block: tuple[int, ...]  # lengths of a block; the last one along an axis may be shorter [1]

    @property
    def counts(self) -> tuple[int, ...]:
        """Blocks along each axis [1]."""
        return tuple(ceil(n / step) for n, step in zip(self.shape, self.block, strict=True))

    @property
    def blocks(self) -> int:
        """Number of blocks [1]."""
        return prod(self.counts)

    def place(self, number: int) -> tuple[slice, ...]:
        """Where a block lies [1].

        Examples
        --------
        >>> Grid(shape=(3, 5), block=(1, 4)).place(3)
        (slice(1, 2, None), slice(4, 5, None))
        """
        slices = []
        for length, step, count in zip(
            reversed(self.shape), reversed(self.block), reversed(self.counts), strict=True
        ):
            number, along = divmod(number, count)
            slices.append(slice(along * step, min((along + 1) * step, length)))
        return tuple(reversed(slices))

    def points(self, number: int) -> int:
        """Points of a block [1]."""
        return prod(part.stop - part.start for part in self.place(number))

    def places(self) -> Iterator[tuple[slice, ...]]:
        """Where the blocks lie, in order [1]."""
        return map(self.place, range(self.blocks))


def cut(shape: tuple[int, ...], points: int = BLOCK) -> Grid:
    """A grid in blocks of whole last axes, as large as asked for or a little smaller.

    Examples
    --------
    >>> cut((3, 5, 4), points=12).block
    (1, 3, 4)
    """
    block = [1] * len(shape)
    for axis in reversed(range(len(shape))):
        room = max(1, points // prod(block[axis + 1 :]))
        parts = ceil(shape[axis] / room)
        block[axis] = ceil(shape[axis] / parts)
        if parts > 1:
            break
    return Grid(shape=shape, block=tuple(block))
