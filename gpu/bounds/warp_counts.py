"""Counts of one multiprocessor: what its warps ask of L1, L2 and shared memory, by static access.

A warp instruction touches 32 B sectors in 128 B lines; L1 answers from 16 banks of 8 B. A store
that covers a sector only in part costs L2 more. Loads overlap until a value is used: those of an
iteration that do not depend on each other, and those of some iterations where no store may alias.

Threads that loop for long are sampled in their first iterations. What an access does in the second
half of these stands for all that follow; what a warp does in the second wave of blocks stands for
all waves behind the first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.bounds.l1_cache import SECTOR, l1_misses
from logca.gpu.bounds.launch import ResidentLaunch
from logca.gpu.bounds.load_groups import LoadGroups
from logca.gpu.bounds.resident_blocks import ResidentBlocks
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.devices.unit_rates import UnitRates
from logca.gpu.stages.blocks_and_occupancy import warps_of
from logca.gpu.stages.shared_memory import bank_ways, from_array_start
from logca.gpu.stages.transactions import Behaviour, behaviours, patterns
from logca.gpu.stages.unit_bounds import SiteCounts
from logca.gpu.stages.warps import FoldedTrace, WarpTrace, folded
from logca.numeric.generated import gpu_bounds

__all__ = [
    "SampledWarps",
    "WarpShapes",
    "filling_counts",
    "sampled_warps",
    "sector_behaviours",
    "shared_counts",
    "site_counts",
    "warp_shapes",
]

Integers = NDArray[np.int64]

_SHARED_CYCLES = 2.0
"""Most cycles of a pass over the banks of shared memory, on GPUs whose pipe takes as long for a
load; fitted [cycles]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WarpShapes:
    """Sectors, lines and banks of each warp instruction of a `WarpTrace`."""

    start: Integers  # first of its sectors, and the end of those of the last one [1]
    sector: Integers  # distinct sectors, by their numbers [1]
    lines: Integers  # distinct lines [1]
    ways: Integers  # distinct words of 8 B that the busiest of 16 banks has to deliver [1]
    partial: Integers  # lines with a sector of which only a part is accessed [1]


def warp_shapes(warps: WarpTrace) -> WarpShapes:
    """Sectors, lines and banks of warp instructions.

    Examples
    --------
    >>> lanes = np.arange(4)
    >>> one = WarpTrace(
    ...     access=np.zeros(1, np.uint32),
    ...     size=np.full(1, 8, np.uint32),
    ...     start=np.array([0, 4]),
    ...     lane=lanes.astype(np.uint8),
    ...     address=np.array([0, 8, 128, 256], np.uint64),
    ...     warp_size=32,
    ... )
    >>> found = warp_shapes(one)
    >>> found.sector.tolist(), found.lines.tolist(), found.ways.tolist(), found.partial.tolist()
    ([0, 4, 8], [3], [3], [3])
    """
    count = len(warps.access)
    most = int(warps.size.max(initial=1))
    room = np.diff(warps.start) * ((most - 1 >> 5) + 2)
    start, sector = np.zeros(count + 1, np.int64), np.empty(int(room.sum()), np.int64)
    lines, ways, partial = (np.zeros(count, np.int64) for _ in range(3))
    used = compiled(_shapes)(
        warps.start, warps.address, warps.size, int(room.max(initial=1)), start, sector,
        lines, ways, partial,
    )  # fmt: skip
    return WarpShapes(start=start, sector=sector[:used], lines=lines, ways=ways, partial=partial)


def _shapes(
    start: Integers,
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    room: int,
    first: Integers,
    sector: Integers,
    lines: Integers,
    ways: Integers,
    partial: Integers,
) -> int:
    covered = np.empty(room, np.int64)  # a bit for each byte of a sector
    line = np.empty(room, np.int64)
    word = np.empty(4 * room, np.int64)
    banks = np.empty(16, np.int64)
    at = 0
    for w in range(lines.shape[0]):
        sectors, own_lines, words = 0, 0, 0
        banks[:] = 0
        for lane in range(start[w], start[w + 1]):
            byte = np.int64(address[lane])
            end = byte + np.int64(size[w])
            while byte < end:
                number = byte >> 5
                last = min(end, (number + 1) << 5)
                bits = (np.int64(1) << (last - byte)) - 1 << (byte & 31)
                known = sectors - 1
                while known >= 0 and sector[at + known] != number:
                    known -= 1
                if known < 0:
                    known = sectors
                    sector[at + known] = number
                    covered[known] = 0
                    sectors += 1
                    other = own_lines - 1
                    while other >= 0 and line[other] != number >> 2:
                        other -= 1
                    if other < 0:
                        line[own_lines] = number >> 2
                        own_lines += 1
                if covered[known] & bits != bits:
                    covered[known] |= bits
                    for each in range(byte >> 3, (last - 1 >> 3) + 1):
                        other = words - 1
                        while other >= 0 and word[other] != each:
                            other -= 1
                        if other < 0:
                            word[words] = each
                            words += 1
                            banks[each & 15] += 1
                byte = last
        for other in range(own_lines):
            for known in range(sectors):
                whole = covered[known] == (np.int64(1) << 32) - 1
                if sector[at + known] >> 2 == line[other] and not whole:
                    partial[w] += 1
                    break
        lines[w] = own_lines
        ways[w] = banks.max()
        at += sectors
        first[w + 1] = at
    return at


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampledWarps:
    """Warp instructions of the blocks that one multiprocessor runs in two waves."""

    folded: FoldedTrace  # the warp instructions, by waves, places and warps
    shapes: WarpShapes  # their sectors, lines and banks
    group: Integers  # number of the group of overlapping loads that each is in, of its warp [1]
    store: NDArray[np.bool_]  # whether they write
    missed: Integers  # sectors of loads that L1 has not [1]
    fresh: Integers  # of these those that no load of the wave has asked for before [1]
    waits: NDArray[np.bool_]  # whether loads wait for L2, see `l1_cache.Missed`
    threads: tuple[int, ...]  # threads in each wave [1]
    blocks: tuple[int, ...]  # blocks in each wave [1]


def sampled_warps(
    blocks: ResidentBlocks, groups: LoadGroups, *, resident: int, l1_size: int, warp_size: int
) -> SampledWarps:
    """Warps of the blocks of a multiprocessor, with what an L1 of this size [B] has for them."""
    trace, grid = blocks.trace, blocks.grid
    waves = -(-grid.blocks // resident)
    found = folded(trace, grid, blocks_per_batch=resident, batches=waves, warp_size=warp_size)
    access = found.warps.access.astype(np.int64)
    loops = [each.loop for each in trace.accesses]
    numbers = {loop: number for number, loop in enumerate(dict.fromkeys(loops))}
    levels = np.array([groups.level.get(site, 0) for site in range(len(loops))], np.int64)
    bodies = np.array([numbers[loop] for loop in loops], np.int64) * (1 + levels.max(initial=0))
    inner = trace.iterations[found.row, trace.collapse :].astype(np.int64) + 1
    depth = np.array(
        [len(trace.chain_of(loop)) - trace.collapse for loop in loops], np.int64
    )  # loops inside the thread around each access
    together = np.array([groups.together.get(loop, 1) if loop is not None else 1 for loop in loops])
    rows = np.flatnonzero((depth[access] > 0) & (together[access] > 1))
    column = depth[access[rows]] - 1
    inner[rows, column] = (inner[rows, column] - 1) // together[access[rows]] + 1
    turn = _numbered(found.batch, (bodies + levels)[access], *inner.T)
    at_a_time = [min(resident, grid.blocks - wave * resident) for wave in range(waves)]
    shapes = warp_shapes(found.warps)
    store = np.array([each.store for each in trace.accesses])[access]
    missed, fresh = np.zeros(len(access), np.int64), np.zeros(len(access), np.int64)
    waits = np.zeros(len(access), np.bool_)
    loads = np.flatnonzero(~store)
    counts = np.diff(shapes.start)[loads]
    start = np.append(0, np.cumsum(counts))
    rows = np.repeat(shapes.start[loads] - start[:-1], counts) + np.arange(start[-1])
    cached = l1_misses(start, shapes.sector[rows], turn[loads], found.batch[loads], l1_size)
    missed[loads], fresh[loads], waits[loads] = cached.sectors, cached.fresh, cached.waits
    return SampledWarps(
        folded=found,
        shapes=shapes,
        group=_numbered(turn, found.warp),
        store=store,
        missed=missed,
        fresh=fresh,
        waits=waits,
        threads=tuple(
            sum(blocks.threads[wave * resident : (wave + 1) * resident]) for wave in range(waves)
        ),
        blocks=tuple(at_a_time),
    )


_LARGEST = 2**62


def _numbered(*columns: Integers) -> Integers:
    """One number for each row, equal where all columns are."""
    key, size = columns[0], int(columns[0].max(initial=0)) + 1
    for column in columns[1:]:
        extent = int(column.max(initial=0)) + 1
        if size * extent >= _LARGEST:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            size = int(key.max(initial=0)) + 1
        key, size = key * extent + column, size * extent
    return key


_COLUMNS = [
    "executions",
    "wavefronts",
    "sectors",
    "partial",
    "lines",
    "missed",
    "fresh",
    "groups",
    "missed_groups",
]


def site_counts(
    sample: SampledWarps, executions: Mapping[int, float], rates: UnitRates, *, waves: float
) -> tuple[SiteCounts, ...]:
    """Counts of each static access to the memory of the device, of a launch of so many waves.

    `executions` is how often a thread makes each access at the work size.
    """
    found, shapes, store = sample.folded, sample.shapes, sample.store
    access = found.warps.access.astype(np.int64)
    sites = np.unique(access)
    place = np.searchsorted(sites, access)
    sectors = np.diff(shapes.start)
    cycles = gpu_bounds.access_cycles(
        load_cycles=rates.load_cycles,
        line_cycles=rates.line_cycles,
        wavefront_cycles=rates.wavefront_cycles,
        bank_passes=np.where(store, shapes.lines, shapes.ways),
        lines=shapes.lines,
    )
    leads, waiting = _led_groups(sample)
    columns = np.stack(
        [
            np.ones(len(access)),
            cycles,
            sectors,
            np.where(store, shapes.partial, 0),
            shapes.lines,
            sample.missed,
            sample.fresh,
            leads,
            waiting,
            np.diff(found.warps.start),
        ]
    )
    sums = _by_wave_and_half(columns, place, found.batch, len(sites), len(sample.blocks))
    result = []
    for number, site in enumerate(sites.tolist()):
        of_waves = []
        for wave, (blocks, threads) in enumerate(zip(sample.blocks, sample.threads, strict=True)):
            halves = sums[:, number, wave]
            made = halves[-1].sum() / threads
            factor = executions.get(site, 0.0) / made if made else 0.0
            # what is not in the sample goes on as in its second half
            whole = (
                halves[:, 0] + halves[:, 1] * (2 * factor - 1)
                if factor > 1
                else halves.sum(axis=1) * factor
            )
            of_waves.append(whole[:-1] / blocks)
        later = max(waves - 1, 0.0) if len(of_waves) > 1 else 0.0
        mean = (of_waves[0] + later * of_waves[-1]) / (1 + later)
        result.append(
            SiteCounts(
                access=site,
                store=bool(store[place == number][0]),
                **dict(zip(_COLUMNS, map(float, mean), strict=True)),
            )
        )
    return tuple(result)


def sector_behaviours(sample: SampledWarps) -> dict[int, Behaviour]:
    """Patterns and strides of each static access, with sectors as its transactions."""
    sectors = np.diff(sample.shapes.start)
    return _behaviours(sample.folded.warps, sectors, sample.missed)


def _behaviours(warps: WarpTrace, transactions: Integers, missed: Integers) -> dict[int, Behaviour]:
    kinds = patterns(warps, line_size=SECTOR)
    columns = np.stack([np.diff(warps.start), transactions, transactions, transactions, missed])
    found = behaviours(warps, kinds, columns.astype(np.float64))
    return {each.access: each for each in found if each.access is not None}


def shared_counts(
    blocks: ResidentBlocks,
    executions: Mapping[int, float],
    elements: Mapping[int, int],
    groups: LoadGroups,
    device: GpuDevice,
    rates: UnitRates,
    *,
    resident: int,
) -> tuple[tuple[SiteCounts, ...], dict[int, Behaviour]]:
    """Counts of each static access to shared memory, which misses nothing, and how it behaves.

    `elements` says how many accesses one instruction makes, where that is more than one.
    """
    placed = replace(blocks, trace=from_array_start(blocks.trace))
    sample = sampled_warps(placed, groups, resident=resident, l1_size=0, warp_size=device.warp_size)
    warps = sample.folded.warps
    access = warps.access.astype(np.int64)
    sites = np.unique(access)
    place = np.searchsorted(sites, access)
    ways = bank_ways(warps, device).astype(np.int64)
    pass_cycles = min(rates.load_cycles, _SHARED_CYCLES)
    cycles = gpu_bounds.access_cycles(
        load_cycles=pass_cycles,
        line_cycles=0.0,
        wavefront_cycles=pass_cycles,
        bank_passes=ways,
        lines=1.0,
    )
    leads, _ = _led_groups(sample)
    columns = np.stack([np.ones(len(access)), cycles, leads, np.diff(warps.start)])
    sums = np.stack([np.bincount(place, weights=each) for each in columns])
    result = []
    for number, site in enumerate(sites.tolist()):
        made = sums[-1, number] / sum(sample.threads)
        factor = executions.get(site, 0.0) / made / sum(sample.blocks)
        times, wavefronts, led = (float(each) for each in sums[:-1, number] * factor)
        wide = elements.get(site, 1)
        result.append(
            SiteCounts(
                access=site,
                store=bool(sample.store[place == number][0]),
                executions=times / wide,
                wavefronts=wavefronts * (1 + wide) / (2 * wide),
                groups=led,
            )
        )
    return tuple(result), _behaviours(warps, ways, np.zeros_like(ways))


def filling_counts(
    launch: ResidentLaunch, seen: Sequence[SiteCounts], rates: UnitRates, device: GpuDevice
) -> tuple[SiteCounts, ...]:
    """Counts of the stores that fill a tile which the program does not have: row by row."""
    warps = warps_of(launch.grid.threads_per_block, device.warp_size)
    known = {each.access for each in seen}
    return tuple(
        SiteCounts(
            access=site,
            store=True,
            executions=often * warps,
            wavefronts=often * warps * min(rates.load_cycles, _SHARED_CYCLES),
            groups=0.0,
        )
        for site, often in launch.executed.shared.items()
        if site not in known
    )


def _led_groups(sample: SampledWarps) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each warp instruction 1 if it is the first of its group, and if that group waits."""
    loads = np.flatnonzero(~sample.store)
    leads, waiting = np.zeros(len(sample.store)), np.zeros(len(sample.store))
    _, first, which = np.unique(sample.group[loads], return_index=True, return_inverse=True)
    leads[loads[first]] = 1
    waiting[loads[first]] = np.bincount(which, weights=sample.waits[loads]) > 0
    return leads, waiting


def _by_wave_and_half(
    columns: NDArray[np.float64], place: Integers, wave: Integers, sites: int, waves: int
) -> NDArray[np.float64]:
    """Sums of columns by site, wave, and the first and second half of what the site does there."""
    key = place * waves + wave
    order = np.argsort(key, kind="stable")
    begin = np.searchsorted(key[order], np.arange(sites * waves + 1))
    counts = np.diff(begin)
    rank = np.empty(len(key), np.int64)
    rank[order] = np.arange(len(key)) - np.repeat(begin[:-1], counts)
    second = 2 * rank >= counts[key]
    both = key * 2 + second
    sums = [np.bincount(both, weights=each, minlength=sites * waves * 2) for each in columns]
    return np.array(sums, np.float64).reshape(len(columns), sites, waves, 2)
