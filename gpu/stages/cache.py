"""Which memory references hit a cache: sets of blocks, each replaced in LRU order.

A reference hits if and only if fewer than A distinct blocks of its set were referenced since the
last reference to its block: its temporal conflict set (wang2017, section 3.3.4, Eqs. 9 to 11). That
is what an LRU cache of A ways does, and it is simulated as one, reference by reference; nothing is
sampled. Writes allocate lines as reads do and make them the most recently used; writing back what
was changed is not counted. Pages of a cache with physical addresses are scattered by a fixed
permutation.
"""

from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError
from logca.common.extras import require
from logca.gpu.devices.parameters import INDEXES, GpuDevice
from logca.gpu.stages.models import Model

__all__ = ["PAGE", "Cache", "GeometryError", "l2_of", "physical", "simulate"]


class GeometryError(LogcaError, ValueError):
    """A cache that cannot be built; the message says why."""


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
    logca.gpu.stages.cache.GeometryError: size = 1000 B is no multiple of line = 64 B; \
allowed are multiples of 64: take 960 or 1024
    """

    size: int = 128 * 1024  # capacity, K * A * B [B]
    line: int = 64  # size of a line B, the block of the paper [B]; a power of two
    ways: int | None = 16  # associativity A [1]; None for one set of all lines (fully associative)
    # which set a block is in: "modulo" the number of sets K, or "hashed": that of the block number
    # folded to the s bits of K <= 2**s, see `logca.gpu.stages.lru_loops.folded`
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


def l2_of(device: GpuDevice, model: Model) -> Cache:
    """The L2 cache of a device as a model has it."""
    return Cache(
        size=device.l2_size,
        line=device.l2_line,
        ways=device.l2_ways,
        index="hashed" if model.scattered else device.l2_index,
    )


PAGE = 4096
"""Bytes of a page of Linux on ARM and x86 [B]."""

_FRAMES = np.uint64(2**52 - 1)


def physical(blocks: NDArray[np.uint64], line_size: int) -> NDArray[np.uint64]:
    """Physical block numbers of virtual ones: the place in the page stays, pages are scattered [1].

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


def simulate(cache: Cache, blocks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """True for each reference to a block that hits (wang2017, Eq. 9), from an empty cache on.

    Notes
    -----
    The sum of the result is the number of hits of Eq. 11; that over one set of Eq. 10.
    """
    require("numba", "trace")
    from logca.gpu.stages.lru_loops import LANES, list_simulator, new_lists, row_simulator
    from logca.trace.profiling.lru_row import new_rows

    blocks = np.ascontiguousarray(blocks, np.uint64)
    found = np.empty(blocks.size, np.bool_)
    sets, ways = cache.sets, cache.associativity
    # "modulo" moves block numbers by all of their bits, so that nothing is folded.
    step = np.uint64(max(1, (sets - 1).bit_length()) if cache.index == "hashed" else 64)
    lanes = next((length for length in LANES if length >= ways), None)
    if lanes is None:
        lists = new_lists(sets, ways)
        list_simulator()(blocks, step, np.uint64(sets), ways, *lists, found)
        return found
    # Where there are 2**n sets a mask takes the place of the slower division; 0 stands for none.
    mask = np.uint64(sets - 1 if sets & (sets - 1) == 0 else 0)
    which, rows = np.uint64((1 << ways) - 1), new_rows(sets, lanes)
    row_simulator(lanes)(blocks, step, mask, np.uint64(sets), which, rows, found)
    return found
