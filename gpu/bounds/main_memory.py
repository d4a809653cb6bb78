"""Bytes that a launch moves to and from main memory, given what L2 holds from launches before it.

L2 is shared by all multiprocessors. What fits stays: an array that is reached again before as much
as L2 holds was reached in between is found there. Where what the blocks of one wave reach exceeds
L2, each wave reads it anew, but for the share that L2 holds of it.

Accesses that go anywhere in an array, as a gather or a scatter does, come back to a sector at no
fixed time: L2 holds what was reached in so large a part of the launch as reaches no more than L2
has room for (Che, Tung and Wang, IEEE JSAC 20(7), 2002), and what it does not hold is read again
or, as it was written back when it was dropped, written again. Of an array that fits, each sector is
read, and written, once at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.gpu.stages.unit_bounds import ArrayBytes
from logca.numeric.generated import gpu_bounds

__all__ = ["MainMemoryTraffic", "reached", "traffic"]

_USABLE = 0.95
"""Share of L2 that data can fill before it drops some; fitted [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainMemoryTraffic:
    """Bytes that a launch moves to and from main memory."""

    read: float  # bytes that it reads [B]
    first: float  # bytes that the blocks read which run first, and L2 does not have [B]
    wave: float  # bytes that blocks read which run at a time, in L2 or not [B]
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
    part = _part_in_l2(arrays, room, waves)
    read = first = written = found = 0.0
    for each in arrays:
        warm = each.name in held
        found += each.read if warm else 0.0
        dropped = _dropped(each.wave, each.choice, part, waves) if each.choice else 1 - kept
        read += (0.0 if warm else each.read) + max(0.0, waves * each.wave - each.read) * dropped
        first += 0.0 if warm else each.wave
        written += 0.0 if warm else each.written
        if each.written_choice:
            dropped = _dropped(each.written_wave, each.written_choice, part, waves)
            written += max(0.0, waves * each.written_wave - each.written) * dropped
    return MainMemoryTraffic(read=read, first=first, wave=at_a_time, written=written, found=found)


_HALVINGS = 50


def _part_in_l2(arrays: Sequence[ArrayBytes], room: float, waves: float) -> float:
    """The part of a launch that reaches as much as there is room for; 1 if all of it does [1]."""
    low, high = 0.0, 1.0
    if reached(arrays) <= room:
        return high
    for _ in range(_HALVINGS):
        part = (low + high) / 2
        there = sum(
            max(
                _reached_by(each.read, each.wave, each.choice, part, waves),
                _reached_by(each.written, each.written_wave, each.written_choice, part, waves),
            )
            for each in arrays
        )
        low, high = (part, high) if there <= room else (low, part)
    return low


def _reached_by(whole: float, wave: float, choice: float, part: float, waves: float) -> float:
    """Bytes that a part of a launch reaches of an array [B]."""
    return _reached_share(wave, choice, part * waves) * choice if choice else part * whole


def _dropped(wave: float, choice: float, part: float, waves: float) -> float:
    """Share of what is reached again that L2 has dropped since [1]."""
    return 1 - _reached_share(wave, choice, part * waves) if part < 1 else 0.0


_LEFT_OUT = 1e-12
"""Least share of an array that a wave leaves out, as none at all says nothing about parts [1]."""


def _reached_share(wave: float, choice: float, waves: float) -> float:
    """Share of an array that so many waves of blocks reach whose accesses go anywhere in it [1]."""
    return float(
        gpu_bounds.expected_sectors(
            reachable_sectors=1.0,
            sampled_sectors=min(wave / choice, 1 - _LEFT_OUT),
            sample_times=waves,
        )
    )
