"""The L1 cache of a multiprocessor: sectors of lines in LRU order, over all of its warps.

Lines have 128 B in 4 sectors, of which only those that are asked for are filled (Jia et al. 2018,
arXiv 1804.06826, section 3.2). Whatever is not in the cache is loaded, the least recently used line
goes; stores go through and allocate nothing. The cache is fully associative: that of Volta and its
successors has 64 ways and more in 4 sets, whose choice is not published.

Warps take turns, instruction by instruction: each warp of the resident blocks makes the same
access before any goes on (as in wang2017, section 3.2). A sector that was asked for in the same
turn is on its way: who finds it there waits like the one who asked.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled

__all__ = ["LINE", "SECTOR", "Missed", "l1_misses"]

LINE = 128
SECTOR = 32
"""Size of a line of L1 and of a sector of it, on all GPUs from Volta on [B]."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Missed:
    """Behaviour of each load of a warp in L1."""

    sectors: Integers  # sectors that were not there [1]
    fresh: Integers  # of these those that no load of this wave of blocks has asked for before [1]
    # whether it waits for L2: one of its sectors was not there, or was still on its way
    waits: NDArray[np.bool_]


def l1_misses(
    start: Integers, sector: Integers, turn: Integers, wave: Integers, size: int
) -> Missed:
    """The sectors that loads of warps miss, from an empty cache on.

    Sectors of load number i are ``sector[start[i] : start[i + 1]]``, each once, and `turn` is the
    turn in which it is made, `wave` that of its blocks. With less than a line nothing stays.

    Examples
    --------
    >>> one, none = np.array([0, 1, 0, 5]), np.zeros(4, int)
    >>> found = l1_misses(np.arange(5), one, np.arange(4), none, 256)
    >>> found.sectors.tolist(), found.waits.tolist(), found.fresh.tolist()
    ([1, 1, 0, 1], [True, True, False, True], [1, 1, 0, 1])
    """
    lines = size // LINE
    missed = np.diff(start)
    new = _first_of_wave(start, sector, wave)
    if not lines:
        fresh = np.add.reduceat(np.append(new, 0), start[:-1]) if len(missed) else missed
        return Missed(sectors=missed, fresh=np.where(missed > 0, fresh, 0), waits=missed > 0)
    # Not more lines than there are can be in it, however large it is.
    lines = min(lines, len(sector) + 1)
    buckets = 1 << max(4, (2 * lines - 1).bit_length())
    missed, waits = np.zeros(len(start) - 1, np.int64), np.zeros(len(start) - 1, np.bool_)
    fresh = np.zeros(len(start) - 1, np.int64)
    compiled(_pass)(
        start, sector, turn, new, lines, np.full(buckets, -1, np.int64), missed, fresh, waits
    )
    return Missed(sectors=missed, fresh=fresh, waits=waits)


def _first_of_wave(start: Integers, sector: Integers, wave: Integers) -> NDArray[np.bool_]:
    """True for each sector that is asked for the first time in a wave."""
    found = np.zeros(len(sector), np.bool_)
    room = 1 << max(4, (2 * len(sector)).bit_length())
    compiled(_mark_first)(
        start, sector, wave, np.full(room, -1, np.int64), np.full(room, -1, np.int64), found
    )
    return found


def _mark_first(
    start: Integers,
    sector: Integers,
    wave: Integers,
    known: Integers,
    latest: Integers,
    found: NDArray[np.bool_],
) -> None:
    """Look each sector up among those that were asked for, by open addressing."""
    wrap = known.shape[0] - 1
    for load in range(wave.shape[0]):
        for place in range(start[load], start[load + 1]):
            at = (sector[place] * 0x9E3779B97F4A7C1 >> 20) & wrap
            while known[at] >= 0 and known[at] != sector[place]:
                at = (at + 1) & wrap
            known[at] = sector[place]
            if latest[at] != wave[load]:
                latest[at] = wave[load]
                found[place] = True


_PARTS = LINE // SECTOR


def _pass(
    start: Integers,
    sector: Integers,
    turn: Integers,
    new: NDArray[np.bool_],
    lines: int,
    bucket_of: Integers,
    missed: Integers,
    fresh: Integers,
    waits: NDArray[np.bool_],
) -> None:
    """Take all loads in order; lines are in a ring by last use, and in chains by their number."""
    wrap = bucket_of.shape[0] - 1
    number = np.full(lines, -1, np.int64)
    asked = np.full((lines, _PARTS), -1, np.int64)  # turn in which a sector was asked for
    chain = np.full(lines, -1, np.int64)
    later = np.zeros(lines, np.int64)
    earlier = np.zeros(lines, np.int64)
    filled, latest = 0, -1
    for load in range(missed.shape[0]):
        now = turn[load]
        for place in range(start[load], start[load + 1]):
            line, part = sector[place] // _PARTS, sector[place] % _PARTS
            bucket = (line * 0x9E3779B97F4A7C1 >> 20) & wrap
            slot = bucket_of[bucket]
            while slot >= 0 and number[slot] != line:
                slot = chain[slot]
            if slot < 0:
                if filled < lines:
                    slot = filled
                    filled += 1
                    if latest < 0:
                        later[slot] = earlier[slot] = slot
                    else:
                        later[slot], earlier[slot] = later[latest], latest
                        earlier[later[latest]] = slot
                        later[latest] = slot
                else:
                    slot = later[latest]  # behind the latest is the earliest
                    old = (number[slot] * 0x9E3779B97F4A7C1 >> 20) & wrap
                    if bucket_of[old] == slot:
                        bucket_of[old] = chain[slot]
                    else:
                        before = bucket_of[old]
                        while chain[before] != slot:
                            before = chain[before]
                        chain[before] = chain[slot]
                number[slot] = line
                asked[slot, :] = -1
                chain[slot] = bucket_of[bucket]
                bucket_of[bucket] = slot
            elif slot != latest:
                later[earlier[slot]] = later[slot]
                earlier[later[slot]] = earlier[slot]
                later[slot], earlier[slot] = later[latest], latest
                earlier[later[latest]] = slot
                later[latest] = slot
            latest = slot
            if asked[slot, part] < 0:
                asked[slot, part] = now
                missed[load] += 1
                fresh[load] += new[place]
                waits[load] = True
            elif asked[slot, part] == now:
                waits[load] = True
