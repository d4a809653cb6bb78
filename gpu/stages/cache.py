"""Which memory references hit a cache: sets of blocks, each replaced in LRU order.

A reference hits if and only if fewer than A distinct blocks of its set were referenced since the
last reference to its block: its temporal conflict set (wang2017, section 3.3.4, Eqs. 9 to 11). That
is what an LRU cache of A ways does, and it is simulated as one, reference by reference; nothing is
sampled. Writes allocate lines as reads do and make them the most recently used; writing back what
was changed is not counted.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.extras import require
from logca.gpu.devices.cache_geometry import Cache, GeometryError, fold_of
from logca.trace.profiling.cache_lines import unsigned

__all__ = [
    "Cache",
    "CacheState",
    "Counts",
    "GeometryError",
    "count",
    "hits",
    "new_state",
    "simulate",
]

_CHUNK = 1 << 16  # references whose hits are kept at a time, at least, while they are counted
_NO_BLOCK = 2**64 - 1  # stands in places without a block


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CacheState:
    """What is in a cache, between one piece of a trace and the next; simulations change it."""

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
        """How many references missed, for each label [1]."""
        return self.references - self.hits


def new_state(cache: Cache) -> CacheState:
    """An empty cache."""
    require("numba", "trace")
    from logca.gpu.stages.lru import LANES, new_lists
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
    """Whether each reference hits (wang2017, Eq. 9).

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
    result = np.empty(numbers.size, dtype=np.bool_)
    _run(_state_of(cache, state), numbers, 0, result)
    return result


def hits(cache: Cache, addresses: Any, state: CacheState | None = None) -> NDArray[np.bool_]:
    """Whether each reference to an address hits; only the line of its first byte is looked at."""
    numbers = _checked(addresses, "addresses")
    if cache.line == 1:
        return simulate(cache, numbers, state)
    result = np.empty(numbers.size, dtype=np.bool_)
    _run(_state_of(cache, state), numbers, cache.line.bit_length() - 1, result)
    return result


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


def _run(
    state: CacheState, numbers: NDArray[np.uint64], shift: int, result: NDArray[np.bool_]
) -> None:
    from logca.gpu.stages.lru import list_simulator, row_simulator

    fold, sets = np.uint64(state.fold), np.uint64(state.sets)
    if state.lanes is None:
        list_simulator()(numbers, np.uint64(shift), fold, sets, state.ways, *state.memory, result)
        return
    # Where there are 2**n sets a mask takes the place of the slower division; 0 stands for none.
    mask = np.uint64(state.sets - 1 if state.sets & (state.sets - 1) == 0 else 0)
    ways_bits = np.uint64((1 << state.ways) - 1)
    row_simulator(state.lanes)(
        numbers, np.uint64(shift), fold, mask, sets, ways_bits, *state.memory, result
    )
