"""Launches whose threads might each reach a sector of its own, that no cache holds.

Where an access goes by what is in memory, a run at a smaller size does not tell where it goes at
the work size: what L1 and L2 held of a small array they may not hold of a large one.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from logca.gpu.bounds.footprint import array_of
from logca.gpu.bounds.l1_cache import SECTOR
from logca.gpu.bounds.launch import ResidentLaunch
from logca.gpu.devices.unit_rates import UnitRates
from logca.gpu.stages.unit_bounds import SiteCounts
from logca.numeric.generated import gpu_bounds
from logca.trace.ir.program import Access

__all__ = ["scattered_launch", "scattered_sites"]


def scattered_sites(
    sites: Sequence[SiteCounts],
    scattered: Collection[int],
    launch: ResidentLaunch,
    rates: UnitRates,
) -> tuple[SiteCounts, ...]:
    """The most that accesses ask of L1 and L2, if `scattered` ones reach any sectors."""
    made = launch.executed.memory | launch.executed.loads
    threads = launch.grid.threads / launch.grid.blocks
    return tuple(
        _scattered(each, made.get(each.access, 0.0) * threads, rates)
        if each.access in scattered and each.executions
        else each
        for each in sites
    )


def _scattered(site: SiteCounts, lanes: float, rates: UnitRates) -> SiteCounts:
    sectors = max(site.sectors, lanes)
    cycles = site.executions * float(
        gpu_bounds.access_cycles(
            load_cycles=rates.load_cycles,
            line_cycles=rates.line_cycles,
            wavefront_cycles=rates.wavefront_cycles,
            bank_passes=sectors / site.executions if site.store else 1.0,
            lines=sectors / site.executions,
        )
    )
    return replace(
        site,
        wavefronts=max(site.wavefronts, cycles),
        sectors=sectors,
        lines=sectors,
        partial=sectors if site.store else 0.0,
        missed=0.0 if site.store else sectors,
        missed_groups=site.groups,
    )


def scattered_launch(
    launch: ResidentLaunch,
    sites: Sequence[SiteCounts],
    scattered: Collection[int],
    accesses: Sequence[Access],
) -> ResidentLaunch:
    """The launch with the bytes of main memory that these accesses then move."""
    moved: dict[tuple[str, bool], float] = {}
    for each in sites:
        if each.access in scattered:
            key = array_of(accesses[each.access]), each.store
            moved[key] = moved.get(key, 0.0) + each.sectors * SECTOR * launch.grid.blocks
    return replace(
        launch,
        footprint=tuple(
            replace(
                each,
                read=max(each.read, moved.get((each.name, False), 0.0)),
                written=max(each.written, moved.get((each.name, True), 0.0)),
            )
            for each in launch.footprint
        ),
    )
