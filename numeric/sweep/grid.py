"""A grid cut into blocks, which are computed and written at once, and the values of its axes."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, prod

import numpy as np

from logca.common.errors import LogcaError

__all__ = [
    "BLOCK",
    "SPACINGS",
    "Grid",
    "SweepError",
    "cut",
    "spaced",
]


class SweepError(LogcaError, ValueError):
    """A sweep, or a question about one, that cannot be done; the message says what instead."""


SPACINGS = ("log", "lin")
"""Equal factors, or equal steps, from one value to the next."""

_DIGITS = 12


def spaced(first: float, last: float, count: int, spacing: str = "log") -> list[float]:
    """Values from first to last, both included [unit of first].

    What lies between is rounded to 12 digits: 8 is a label of an axis that can be asked for,
    7.999999999999999 is not.

    Examples
    --------
    >>> spaced(2, 16, 4), spaced(2, 16, 3, "lin")
    ([2.0, 4.0, 8.0, 16.0], [2.0, 9.0, 16.0])
    """
    if spacing not in SPACINGS:
        raise SweepError(f"unknown spacing {spacing!r}; choose one of {', '.join(SPACINGS)}")
    if count < 2:
        raise SweepError(f"{count} values from {first:g} to {last:g}; there are at least 2")
    if first == last:
        raise SweepError(f"from {first:g} to {last:g} there is one value; give it alone")
    if spacing == "log" and min(first, last) <= 0:
        raise SweepError(f"there are no equal factors from {first:g} to {last:g}; use lin")
    space = np.linspace if spacing == "lin" else np.geomspace
    inner = [float(f"{value:.{_DIGITS}g}") for value in space(first, last, count)[1:-1]]
    return [float(first), *inner, float(last)]


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
