"""Bytes of main memory that a launch reaches, each counted once, by arrays.

Of an affine access that is a lattice: loops whose steps leave no sector out between them join to
chunks without gaps, all others repeat these. Of other accesses it follows from what the sampled
blocks reach (see `sampled_sectors`), and is never more than the array, nor than a sector for each
access; of threads of which only the first iterations were traced, it grows with these as from half
of them to all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, inf, log
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine.affine_nest import AffineNest, AffineSite, extremes, value_of
from logca.gpu.bounds.l1_cache import SECTOR
from logca.gpu.bounds.sampled_sectors import SampledSectors, sampled_sectors
from logca.gpu.nests.nest import NestTrace
from logca.gpu.sampling.plan import box_of
from logca.gpu.stages.blocks_and_occupancy import Layout
from logca.gpu.stages.unit_bounds import ArrayBytes
from logca.trace.ir.program import Access

__all__ = ["affine_footprint", "array_of", "lattice_bytes", "traced_footprint"]


def array_of(access: Access) -> str:
    """The name under which the bytes of an access count: its array's, else one of its own."""
    return access.array or f"{access.function} {access.id}"


Step = tuple[int, float]
"""Distance that an iteration of a loop moves an access by [B], and its iterations [1]."""


def lattice_bytes(steps: Sequence[Step], size: int, offsets: Iterable[int] = (0,)) -> float:
    """Bytes, in whole sectors, of accesses that move by these steps from each of some offsets [B].

    Examples
    --------
    >>> lattice_bytes([(4, 1024)], 4), lattice_bytes([(4096, 8), (4, 16)], 4)
    (4096.0, 512.0)
    >>> lattice_bytes([(4096, 1024), (4, 1024)], 4, [0, 4, 4096])
    4198400.0
    """
    extent, chunks = float(size), []
    for step, trips in sorted((abs(step), trips) for step, trips in steps if step and trips > 1):
        if step <= max(extent, SECTOR):
            extent += step * (trips - 1)
        else:
            chunks.append((step, trips))
    rest = np.array(sorted({*offsets}), np.float64)
    rest -= rest[0]
    grown, number = 1.0, 1.0
    for step, trips in reversed(chunks):
        moved = np.minimum(np.floor(rest / step + 0.5), trips)
        grown *= (trips + moved.max() - moved.min()) / trips
        rest, number = rest - moved * step, number * trips
    reach = float(rest.max() - rest.min())
    if reach > max(extent, SECTOR):  # apart from each other
        return len(rest) * number * _in_sectors(extent)
    return float(number * grown * _in_sectors(extent + reach))


def _in_sectors(extent: float) -> float:
    return extent if extent >= 8 * SECTOR else float(ceil(extent / SECTOR) * SECTOR)


def affine_footprint(
    nest: AffineNest, launch: int, grid: Layout, *, running_blocks: int
) -> tuple[ArrayBytes, ...]:
    """Bytes of each array that a launch of an affine nest reaches.

    `running_blocks` run at a time on the whole device.
    """
    box = box_of(grid, running_blocks)
    x, y, *_ = (own * number for own, number in zip(grid.block, box, strict=True))
    window = [float("inf")] * nest.collapse
    for level, extent in zip(reversed(range(nest.collapse)), (x, y), strict=False):
        window[level] = float(extent)
    if nest.collapse > 2:
        window[0] = float(grid.block[2] * box[2])
    arrays: dict[str, list[AffineSite]] = {}
    for site in nest.sites:
        access = nest.accesses[site.access]
        name = array_of(access)
        arrays.setdefault(name, []).append(site)
    found = []
    for name, sites in arrays.items():
        by_kind = {
            store: [site for site in sites if nest.accesses[site.access].store == store]
            for store in (False, True)
        }
        found.append(
            ArrayBytes(
                name=name,
                read=_union(by_kind[False], launch, None),
                written=_union(by_kind[True], launch, None),
                wave=_union(by_kind[False], launch, window),
            )
        )
    return tuple(found)


def _union(sites: Sequence[AffineSite], launch: int, window: Sequence[float] | None) -> float:
    """Bytes that several accesses to one array reach together [B]."""
    alike: dict[tuple[Step, ...], list[AffineSite]] = {}
    ends = []
    for site in sites:
        if site.launches[0] <= launch < site.launches[1]:
            alike.setdefault(_steps(site, launch, window), []).append(site)
            low, high = extremes(replace(site, launches=(launch, launch + 1)))
            ends.append((low, high + site.size))
    if not ends:
        return 0.0
    apart = sum(
        lattice_bytes(steps, same[0].size, [value_of(site.address, (launch,)) for site in same])
        for steps, same in alike.items()
    )
    # accesses that go through an array in different ways reach the same bytes
    return min(apart, _in_sectors(max(high for _, high in ends) - min(low for low, _ in ends)))


def _steps(site: AffineSite, launch: int, window: Sequence[float] | None) -> tuple[Step, ...]:
    """Steps of an access, with the mean number of iterations of each loop."""
    point: list[float] = [launch]
    steps = []
    for level, (step, lower, upper) in enumerate(
        zip(site.address[2:], site.lower, site.upper, strict=True)
    ):
        low, high = _value(lower, point), _value(upper, point)
        trips = max(0.0, high - low)
        if window is not None and level < len(window):
            trips = min(trips, window[level])
        steps.append((step, trips))
        point.append((low + high - 1) / 2)
    return tuple(steps)


def _value(function: Sequence[int], point: Sequence[float]) -> float:
    constant, *factors = function
    return constant + sum(f * at for f, at in zip(factors, point, strict=False))


def traced_footprint(
    trace: NestTrace,
    block: NDArray[np.int64],
    executions: Mapping[int, float],
    *,
    threads: int,
    blocks: int,
    running_blocks: int,
    sizes: Mapping[str, int] = MappingProxyType({}),
    growth: Mapping[str, float] = MappingProxyType({}),
) -> tuple[ArrayBytes, ...]:
    """Bytes of each array that a launch reaches, from the accesses of some of its blocks.

    `block` makes each access, and there are so many threads in the trace; `executions` is how often
    a thread makes each static access at the work size; `sizes` are those of arrays, as far as they
    are known, and `growth` how many times as long they are as in the trace.
    """
    seen = np.unique(block)
    inner = trace.iterations[:, trace.collapse : trace.collapse + 1].astype(np.int64).sum(axis=1)
    sector = (trace.address // np.uint64(SECTOR)).astype(np.int64)
    counts = np.bincount(trace.access, minlength=len(trace.accesses)) / threads
    names = [array_of(each) for each in trace.accesses]
    number = {name: place for place, name in enumerate(dict.fromkeys(names))}
    array = np.array([number[name] for name in names])[trace.access]
    stores = np.array([each.store for each in trace.accesses])[trace.access]
    found = []
    for name, place in number.items():
        mine = array == place
        if not mine.any():
            continue
        more = max(
            (
                executions.get(site, 0.0) / counts[site]
                for site in np.unique(trace.access[mine]).tolist()
            ),
            default=1.0,
        )
        most = _in_sectors(float(sizes[name])) if name in sizes else inf
        longer = _longer(sector[mine & ~stores], inner[mine & ~stores]) ** log(max(1.0, more))
        read, written = (
            _Reached(
                sectors=sampled_sectors(
                    sector[chosen],
                    block[chosen],
                    most=most / SECTOR,
                    growth=growth.get(name, 1.0),
                    more=more,
                ),
                sampled_blocks=len(seen),
                most=most,
                block_most=SECTOR
                * (threads / len(seen))
                * sum(
                    max(counts[site], executions.get(site, 0.0))
                    for site in np.unique(trace.access[chosen]).tolist()
                ),
                longer=times,
            )
            for chosen, times in ((mine & ~stores, longer), (mine & stores, 1.0))
        )
        found.append(
            ArrayBytes(
                name=name,
                read=read.of(blocks),
                written=written.of(blocks),
                wave=read.of(running_blocks),
                choice=read.choice,
                written_wave=written.of(running_blocks),
                written_choice=written.choice,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reached:
    """Sectors that the blocks of a launch read, or write, of an array."""

    sectors: SampledSectors  # those of the sampled blocks
    sampled_blocks: int  # how many these are [1]
    most: float  # bytes of the array; infinite if they are unknown [B]
    block_most: float  # bytes of a block if each access reached a sector of its own [B]
    longer: float  # times as many sectors as the traced iterations reach [1]

    def of(self, blocks: int) -> float:
        """Bytes that so many blocks reach [B]."""
        by_sample = self.sectors.of(blocks / self.sampled_blocks) * self.longer
        return min(self.most, blocks * self.block_most, by_sample)

    @property
    def choice(self) -> float:
        """Bytes that accesses choose from which go anywhere; 0 if they do not [B]."""
        if self.sectors.shared or self.sectors.reachable == inf:
            return 0.0
        return min(self.most, self.sectors.reachable * SECTOR * self.longer)


def _longer(sector: NDArray[np.int64], iteration: NDArray[np.int64]) -> float:
    """Times as many sectors that e times the iterations reach: e if all reach others [1]."""
    number = int(iteration.max(initial=0)) + 1
    early = number // 2
    if not early:
        return 1.0
    whole, half = len(np.unique(sector)), len(np.unique(sector[iteration < early]))
    power = log(whole / half) / log(number / early) if half else 0.0
    return exp(min(1.0, max(0.0, power)))
