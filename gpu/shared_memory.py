"""Shared memory: bank conflicts from real addresses, and what loads and accesses cost.

By section 2.5 of wang2017 successive words of 4 bytes are in successive banks, and a bank delivers
what it has of one segment at a time, a segment being as long as all banks are wide together. A warp
instruction is repeated until every bank has delivered all segments that its lanes want from it: an
X-way conflict takes X times as long (eqs 19-22).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.accesses import PATTERNS, Patterns
from logca.gpu.devices import GpuDevice
from logca.gpu.nest import NestTrace
from logca.gpu.warps import WarpTrace
from logca.numeric.generated import cgpredict
from logca.trace.compiling import compiled
from logca.trace.program import Program

__all__ = ["SharedMemory", "bank_ways", "from_array_start", "shared_memory", "tile_loads"]

_WORD = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedMemory:
    """What shared memory costs a thread.

    Parameters
    ----------
    ways : dict of str to float
        Mean X of the X-way bank conflicts of each class [1].
    instructions : dict of str to float
        Accesses of each class that a thread makes to shared memory [1].
    loads : float
        Loads from main memory to shared memory that a thread makes [1].
    cycles_load : float
        Their time, smem_load_cycles (eq. 19) [cycles].
    cycles : float
        Time of the accesses, smem_cycles (eq. 20) [cycles].
    """

    ways: dict[str, float]
    instructions: dict[str, float]
    loads: float
    cycles_load: float
    cycles: float

    def rows(self) -> list[dict[str, object]]:
        """What the stage prints: one row for each class that occurs, then the loads."""
        found: list[dict[str, object]] = [
            {"pattern": name, "instructions": count, "bank ways": self.ways[name]}
            for name, count in self.instructions.items()
            if count
        ]
        total = {"cycles": self.cycles, "cycles of loads": self.cycles_load}
        return [*found, {"pattern": "loads", "instructions": self.loads, **total}]


def from_array_start(trace: NestTrace) -> NestTrace:
    """The trace with addresses counted from the lowest one of each array [B].

    Arrays in shared memory begin at a segment of their own; where the C program has them does not
    matter.

    Parameters
    ----------
    trace : NestTrace
        Accesses to shared memory only.
    """
    names = [(each.function, each.array) for each in trace.accesses]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    array = np.array([numbers[name] for name in names])[trace.access]
    low = np.full(len(numbers), np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(low, array, trace.address)
    return replace(trace, address=trace.address - low[array])


def bank_ways(warps: WarpTrace, device: GpuDevice) -> NDArray[np.int32]:
    """X of each warp instruction: how often a bank must deliver, at most [1].

    Parameters
    ----------
    warps : WarpTrace
        Accesses to shared memory; addresses from the start of a segment on [B].
    device : GpuDevice
        The device.
    """
    ways = np.empty(len(warps.access), np.int32)
    compiled(_fill_ways)(
        warps.start, warps.address, warps.size, device.banks, device.banks * device.bank_width, ways
    )
    return ways


def shared_memory(
    warps: WarpTrace,
    found: Patterns,
    executions: Mapping[int, float],
    loads: float,
    device: GpuDevice,
) -> SharedMemory:
    """Bank conflicts and cycles of shared memory (eqs 19 and 20).

    Parameters
    ----------
    warps : WarpTrace
        Accesses to shared memory; addresses from the start of a segment on [B].
    found : Patterns
        Their patterns.
    executions : mapping of int to float
        How often a thread executes each of the static accesses, at the work size [1].
    loads : float
        Loads from main memory to shared memory that a thread makes, at the work size [1].
    device : GpuDevice
        The device.
    """
    each_ways = bank_ways(warps, device)
    ways = dict.fromkeys(PATTERNS, 1.0)
    counts = dict.fromkeys(PATTERNS, 0.0)
    for number, pattern in enumerate(PATTERNS):
        mine = found.pattern == number
        if not mine.any():
            continue
        ways[pattern] = float(each_ways[mine].mean())
        for access, times in executions.items():
            own = warps.access == access
            if own.any():
                counts[pattern] += times * float(mine[own].mean())
    return SharedMemory(
        ways=ways,
        instructions=counts,
        loads=loads,
        cycles_load=float(
            cgpredict.shared_load_cycles(
                instructions_load_shared=loads, latency_load_shared=device.latency_load_shared
            )
        ),
        cycles=float(
            cgpredict.shared_memory_cycles(
                latency_shared=device.latency_shared,
                **{f"bank_ways_{name}": value for name, value in ways.items()},
                **{f"instructions_{name}": value for name, value in counts.items()},
            )
        ),
    )


def tile_loads(program: Program, shared: Collection[int]) -> frozenset[int]:
    """Loads from main memory whose value goes right into shared memory [1].

    Parameters
    ----------
    program : Program
        The program.
    shared : collection of int
        Accesses to shared memory [1].
    """
    wanted = set()
    for access in (program.accesses[each] for each in shared):
        instruction = program.blocks[access.block].instructions[access.index]
        if access.store:
            wanted |= {(access.function, use) for use in instruction.uses}
    found = set()
    for access in program.accesses:
        instruction = program.blocks[access.block].instructions[access.index]
        if (access.function, instruction.name) in wanted and not access.store:
            found.add(access.id)
    return frozenset(found - set(shared))


def _fill_ways(
    start: NDArray[np.int64],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    banks: int,
    segment: int,
    ways: NDArray[np.int32],
) -> None:
    wanted = np.empty((banks, 1024), np.int64)
    for w in range(ways.shape[0]):
        counts = np.zeros(banks, np.int32)
        for i in range(start[w], start[w + 1]):
            first = np.int64(address[i])
            for word in range(first // _WORD, (first + np.int64(size[w]) - 1) // _WORD + 1):
                bank = word % banks
                piece = word * _WORD // segment
                known = False
                for other in range(counts[bank]):
                    if wanted[bank, other] == piece:
                        known = True
                        break
                if not known and counts[bank] < wanted.shape[1]:
                    wanted[bank, counts[bank]] = piece
                    counts[bank] += 1
        ways[w] = counts.max() if start[w + 1] > start[w] else 0
