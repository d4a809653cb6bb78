"""Threads that compute several elements each, and their demands on every unit.

A thread that takes v elements along x or y makes once what does not depend on which of them it is:
loads that do not move along that direction, addresses, loops, barriers, and waits for loads, since
those of its elements are under way together. The rest it does v times. Along x an access to
adjacent elements becomes one vector access of all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from logca.gpu.bounds.instruction_mix import InstructionMix
from logca.gpu.bounds.l1_cache import SECTOR
from logca.gpu.bounds.launch import ResidentLaunch
from logca.gpu.devices.unit_rates import UnitRates
from logca.gpu.stages.unit_bounds import SiteCounts
from logca.numeric.generated import gpu_bounds

__all__ = ["Widened", "widened_launch", "widened_mix", "widened_sites"]

_PASS = 128
"""Bytes that L1 delivers in a pass over its banks, and those of a line [B]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Widened:
    """Several elements for each thread."""

    elements: int  # so many [1]
    direction: int  # along x (0) or y (1)
    once: frozenset[int]  # static accesses that do not move along it [1]
    vector: frozenset[int]  # static accesses that become vector accesses [1]


def widened_launch(launch: ResidentLaunch, widened: Widened) -> ResidentLaunch:
    """The launch with fewer threads along that direction."""
    extents = list(launch.grid.extents)
    place = len(extents) - 1 - widened.direction
    extents[place] = -(-extents[place] // widened.elements)
    grid = launch.shape.grid(tuple(extents))
    return replace(launch, grid=grid, occupancy=launch.shape.occupancy(grid))


def widened_sites(
    sites: Sequence[SiteCounts], widened: Widened, rates: UnitRates
) -> tuple[SiteCounts, ...]:
    """Demands of a block of these threads on L1 and L2, from those of one whose threads had one."""
    return tuple(
        each if each.access in widened.once else _widened(each, widened, rates) for each in sites
    )


def _widened(site: SiteCounts, widened: Widened, rates: UnitRates) -> SiteCounts:
    more = widened.elements
    executions, wavefronts = site.executions * more, site.wavefronts * more
    if site.access in widened.vector and site.executions:
        executions = site.executions
        passes = more * site.sectors * SECTOR / _PASS / executions
        wavefronts = executions * float(
            gpu_bounds.access_cycles(
                load_cycles=rates.load_cycles,
                line_cycles=rates.line_cycles,
                wavefront_cycles=rates.wavefront_cycles,
                bank_passes=passes,
                lines=passes,
            )
        )
    return replace(
        site,
        executions=executions,
        wavefronts=wavefronts,
        sectors=site.sectors * more,
        partial=site.partial * more,
        lines=site.lines * more,
        missed=site.missed * more,
        fresh=site.fresh * more,
        missed_groups=min(site.groups, site.missed_groups * more),
    )


def widened_mix(mix: InstructionMix, widened: Widened) -> InstructionMix:
    """Instructions of such a thread."""
    more = widened.elements
    return replace(
        mix,
        fp32=mix.fp32 * more,
        integer=mix.steering + (mix.integer - mix.steering) * more,
        fp64=mix.fp64 * more,
        conversions=mix.conversions * more,
        special=mix.special * more,
    )
