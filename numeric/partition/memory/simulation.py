"""Set-associative caches with LRU, simulated for one partition; what the shortcut errs.

Which line such a cache lets go depends on more than the last touch of each set, so that no
histogram of signatures serves all partitions: every one needs the trace again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.caches import CacheError, Geometry
from logca.numeric.partition.memory.designs import (
    Design,
    Latencies,
    checked_partition,
    costs,
)
from logca.numeric.partition.memory.levels_and_write_backs import OUTCOMES
from logca.numeric.partition.memory.recording import checked_accesses, checked_blocks

__all__ = ["Shortcut", "Simulation", "check_ways"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """Memory time as simulated, and as it would be with direct-mapped caches of the same sizes."""

    # simulated, direct_mapped: time of all accesses [scaled cycles]
    simulated: int
    direct_mapped: int

    @property
    def error(self) -> float:
        """Excess of the direct-mapped time over the simulated one, relative to the latter [1].

        Examples
        --------
        >>> Shortcut(simulated=200, direct_mapped=210).error
        0.05
        """
        if not self.simulated:
            return 0.0
        return (self.direct_mapped - self.simulated) / self.simulated


def check_ways(geometry: Geometry, ways: tuple[int, int]) -> None:
    """Return if caches of these sizes can have so many lines in a set."""
    for name, lines, count in zip(("l1", "l2"), geometry.sets, ways, strict=True):
        if count < 1 or count & (count - 1) or count > lines:
            raise CacheError(
                f"{name} with {count} ways; allowed are powers of two up to its {lines} lines"
            )


class Simulation:
    """The caches of one design and one partition, with LRU replacement.

    Notes
    -----
    Level 2 does not see what level 1 serves: the order of its lines is that of its own accesses.
    What leaves level 2 leaves level 1 above it.
    """

    __slots__ = ("_blocks", "_caches", "_design", "_geometry", "_mapped", "_resident", "_result")

    def __init__(
        self,
        blocks: int,
        geometry: Geometry,
        design: Design,
        mapped: Sequence[bool] | NDArray[np.bool_],
        *,
        ways: tuple[int, int] = (8, 16),
        resident: bool = False,
    ) -> None:
        """Start with empty caches."""
        self._blocks, self._geometry = checked_blocks(blocks), geometry
        self._design, self._resident = design, resident
        self._mapped = checked_partition(blocks, mapped)
        check_ways(geometry, ways)
        from logca.numeric.partition.memory.simulation_loops import NOTHING

        slots = np.full((2, 3), -1, np.int64)
        private = np.zeros((2, 3), np.bool_)
        for core, depth in enumerate((design.cpu, design.accelerator)):
            for level in (1, 2):
                if level <= depth or level >= design.shared:
                    slots[core, level] = core if level <= depth else 2
                    private[core, level] = level <= depth
        memory = []
        for lines, count in zip(geometry.sets, ways, strict=True):
            memory.append(np.zeros((3, lines // count, count), np.int64))
            memory.append(np.full((3, lines // count, count), NOTHING, np.int8))
        self._caches = (slots, private, *memory)
        self._result = np.zeros((2, 3, 2), np.int64)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Accesses by core, level and write-back, so far [1]."""
        return self._result.copy()

    def push(self, block: Any, address: Any, size: Any, store: Any) -> None:
        """Play accesses, in program order."""
        from logca.numeric.partition.memory.simulation_loops import play

        accesses = checked_accesses(
            block, address, size, store, line=self._geometry.line, blocks=self._blocks
        )
        play(accesses, self._mapped, self._resident, self._caches, self._result)

    def time(self, latencies: Latencies) -> int:
        """Cost of all accesses up to now [scaled cycles]."""
        found = self._result.reshape(2, OUTCOMES)
        return int((found * costs(self._design, latencies)).sum())
