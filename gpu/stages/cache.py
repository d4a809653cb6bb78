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
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError, TraceError
from logca.common.extras import require
from logca.gpu.devices.parameters import INDEXES, GpuDevice
from logca.gpu.stages.models import Model
from logca.trace.profiling.cache_lines import unsigned

if TYPE_CHECKING:  # who only simulates a cache need not load the stages before it
    from logca.gpu.stages.transactions import Patterns

__all__ = [
    "PAGE",
    "Cache",
    "CacheState",
    "Counts",
    "GeometryError",
    "count",
    "fold_of",
    "hits",
    "l2_of",
    "missed",
    "new_state",
    "physical",
    "sets_of_blocks",
    "simulate",
]

_CHUNK = 1 << 16  # references whose hits are kept at a time, at least, while they are counted
_NO_BLOCK = 2**64 - 1  # stands in places without a block
_WIDTH = 64  # [bits] of a block number


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
    logca.gpu.stages.cache.GeometryError: size = 1000 B is no multiple of line = 64 B; \
allowed are multiples of 64: take 960 or 1024
    """

    size: int = 128 * 1024  # capacity, K * A * B [B]
    line: int = 64  # size of a line B, the block of the paper [B]; a power of two
    ways: int | None = 16  # associativity A [1]; None for one set of all lines (fully associative)
    # which set a block is in: "modulo" the number of sets K, or "hashed", see
    # `sets_of_blocks`. K need not be a power of two
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


def fold_of(index: str, sets: int) -> int:
    """By how many bits the block number is shifted when it is folded; all of them: not at all.

    Examples
    --------
    >>> fold_of("hashed", 128), fold_of("hashed", 96), fold_of("modulo", 128)
    (7, 7, 64)
    """
    return max(1, (sets - 1).bit_length()) if index == "hashed" else _WIDTH


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
    from logca.gpu.stages.lru_loops import folded

    result: NDArray[np.uint64] = folded(blocks, np.uint64(fold_of(index, sets))) % np.uint64(sets)
    return result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CacheState:
    """Contents of a cache between one piece of a trace and the next; simulations change them."""

    cache: Cache  # the geometry
    sets: int  # its sets [1]
    ways: int  # its lines in a set [1]
    fold: int  # by how many bits block numbers are shifted when they are folded [1]
    lanes: int | None  # length of the rows that hold a set; None if it is held in lists [1]
    memory: tuple[NDArray[Any], ...]  # blocks and their order, for the simulation only


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counts:
    """References and hits of each label."""

    # references, hits: how many there were, for each label [1]
    references: NDArray[np.int64]
    hits: NDArray[np.int64]

    @property
    def misses(self) -> NDArray[np.int64]:
        """References that missed, for each label [1]."""
        return self.references - self.hits


def missed(
    cache: Cache,
    transactions: "Patterns",
    state: CacheState | None = None,
    *,
    scattered: bool = False,
) -> NDArray[np.bool_]:
    """True for each transaction of warps that misses, with pages `scattered` over memory or not."""
    if cache.line != transactions.line_size:
        raise ValueError(
            f"transactions were counted for lines of {transactions.line_size} B, "
            f"but those of the cache have {cache.line} B"
        )
    lines = transactions.line
    return ~_hits(cache, physical(lines, cache.line) if scattered else lines, 0, state)


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


def new_state(cache: Cache) -> CacheState:
    """An empty cache."""
    require("numba", "trace")
    from logca.gpu.stages.lru_loops import LANES, new_lists
    from logca.trace.profiling.lru_row import new_rows

    sets, ways = cache.sets, cache.associativity
    lanes = next((length for length in LANES if length >= ways), None)
    return CacheState(
        cache=cache,
        sets=sets,
        ways=ways,
        fold=fold_of(cache.index, sets),
        lanes=lanes,
        memory=new_lists(sets, ways) if lanes is None else (new_rows(sets, lanes),),
    )


def simulate(cache: Cache, blocks: Any, state: CacheState | None = None) -> NDArray[np.bool_]:
    """True for each reference that hits (wang2017, Eq. 9).

    Notes
    -----
    The sum of the result is the number of hits of Eq. 11; that over one set of Eq. 10.
    """
    numbers = _checked(blocks, "blocks")
    if numbers.size and int(numbers.max()) == _NO_BLOCK:
        raise GeometryError(
            f"block {_NO_BLOCK} is there; allowed are numbers below 2**64 - 1: divide addresses "
            "by the size of a line"
        )
    return _hits(cache, numbers, 0, state)


def hits(cache: Cache, addresses: Any, state: CacheState | None = None) -> NDArray[np.bool_]:
    """True for each address whose reference hits; only the line of its first byte counts."""
    numbers = _checked(addresses, "addresses")
    if cache.line == 1:
        return simulate(cache, numbers, state)
    return _hits(cache, numbers, cache.line.bit_length() - 1, state)


def count(
    cache: Cache, blocks: Any, labels: Any, number: int, state: CacheState | None = None
) -> Counts:
    """References and hits of each label, without keeping the hits of single references."""
    numbers, names = _checked(blocks, "blocks"), _checked(labels, "labels")
    if numbers.size != names.size:
        raise GeometryError(
            f"{names.size} labels for {numbers.size} blocks; allowed is one for each: "
            "give a label with every block"
        )
    if names.size and int(names.max()) >= number:
        raise GeometryError(
            f"label {names.max()}; allowed are labels below number = {number}: raise the number"
        )
    current = _state_of(cache, state)
    table = np.zeros((number, 2), dtype=np.int64)
    length = max(_CHUNK, number)
    for start in range(0, numbers.size, length):
        piece = slice(start, start + length)
        found = simulate(cache, numbers[piece], current)
        outcomes = 2 * names[piece].view(np.int64) + found  # even: a miss, odd: a hit
        table += np.bincount(outcomes, minlength=2 * number).reshape(number, 2)
    return Counts(references=table.sum(axis=1), hits=table[:, 1].copy())


def _checked(values: Any, name: str) -> NDArray[np.uint64]:
    try:
        return unsigned(values, name)
    except TraceError as error:
        raise GeometryError(str(error)) from None


def _state_of(cache: Cache, state: CacheState | None) -> CacheState:
    if state is None:
        return new_state(cache)
    if state.cache != cache:
        raise GeometryError(
            f"the state is of {state.cache}; allowed is one of {cache}: make it with new_state"
        )
    return state


def _hits(
    cache: Cache, numbers: NDArray[np.uint64], shift: int, state: CacheState | None
) -> NDArray[np.bool_]:
    """True for each reference that hits; blocks are the numbers without so many lowest bits."""
    state = _state_of(cache, state)  # says first what is missing where numba is not installed
    from logca.gpu.stages.lru_loops import list_simulator, row_simulator

    result = np.empty(numbers.size, dtype=np.bool_)
    fold, sets = np.uint64(state.fold), np.uint64(state.sets)
    if state.lanes is None:
        list_simulator()(numbers, np.uint64(shift), fold, sets, state.ways, *state.memory, result)
        return result
    # Where there are 2**n sets a mask takes the place of the slower division; 0 stands for none.
    mask = np.uint64(state.sets - 1 if state.sets & (state.sets - 1) == 0 else 0)
    ways_bits = np.uint64((1 << state.ways) - 1)
    row_simulator(state.lanes)(
        numbers, np.uint64(shift), fold, mask, sets, ways_bits, *state.memory, result
    )
    return result
