"""Bytes that a launch moves to and from main memory, given what L2 holds from launches before it.

L2 is shared by all multiprocessors. What fits stays: an array that is reached again before as much
as L2 holds was reached in between is found there. Where what the blocks of one wave reach exceeds
L2, each wave reads it anew, but for the share that L2 holds of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.gpu.stages.unit_bounds import ArrayBytes

__all__ = ["MainMemoryTraffic", "reached", "traffic"]

_USABLE = 0.95
"""Share of L2 that data can fill before it drops some; fitted [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainMemoryTraffic:
    """Bytes that a launch moves to and from main memory."""

    read: float  # bytes that it reads [B]
    written: float  # bytes that it writes [B]
    found: float  # bytes that it finds in L2, left there by launches before it [B]


def reached(arrays: Sequence[ArrayBytes]) -> float:
    """Bytes that a launch reaches, each counted once [B]."""
    return sum(max(each.read, each.written) for each in arrays)


def traffic(
    arrays: Sequence[ArrayBytes],
    before: Sequence[Sequence[ArrayBytes]],
    *,
    l2_size: float,
    waves: float,
) -> MainMemoryTraffic:
    """Bytes that a launch moves, after the launches `before`, the latest last.

    Examples
    --------
    >>> one = [ArrayBytes(name="A", read=1e6, written=0.0, wave=1e5)]
    >>> [traffic(one, before, l2_size=4e6, waves=10).read for before in ([], [one])]
    [1000000.0, 0.0]
    """
    room, own = _USABLE * l2_size, reached(arrays)
    between, held = 0.0, set()
    for launch in reversed(before):
        distance = between + (reached(launch) + own) / 2
        if distance > room:
            break
        held |= {each.name for each in launch}
        between += reached(launch)
    at_a_time = sum(each.wave for each in arrays)
    kept = min(1.0, room / at_a_time) if at_a_time else 1.0
    read = written = found = 0.0
    for each in arrays:
        warm = each.name in held
        found += each.read if warm else 0.0
        again = max(0.0, waves * each.wave - each.read) * (1 - kept)
        read += (0.0 if warm else each.read) + again
        written += 0.0 if warm else each.written
    return MainMemoryTraffic(read=read, written=written, found=found)
