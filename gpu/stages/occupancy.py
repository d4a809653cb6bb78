"""Occupancy: blocks and warps active on a multiprocessor, and batches (wang2017, eq. 15)."""

from dataclasses import dataclass

from logca.common.errors import LogcaError
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.stages.grid import Layout
from logca.numeric.generated import cgpredict

__all__ = ["Occupancy", "OccupancyError", "occupancy"]

_REGISTERS_OF_A_WARP = 256  # granularity of allocation, CUDA occupancy calculator, Kepler
_BYTES_OF_A_BLOCK = 256  # the same of shared memory


class OccupancyError(LogcaError, ValueError):
    """A block that does not fit on the device; the message says what is too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """How full a multiprocessor is."""

    blocks: int  # blocks of the grid [1]
    # how many blocks threads, blocks, shared memory and registers would allow each [1]
    limits: dict[str, int]
    limit: str  # which of them, or "grid", decides
    active_blocks: int  # blocks that run on a multiprocessor at a time, B [1]
    # warps that run on a multiprocessor at a time, N: those of its blocks that have a thread with
    # an iteration, where the grid's fullest blocks run there [1]
    active_warps: int
    concurrent_blocks: int  # blocks that run on the device at a time [1]
    batches: float  # how often the device is filled, not rounded [1]
    warps_share: float  # active warps as a share of those that the device could hold [1]

    @property
    def fitting_blocks(self) -> int:
        """Blocks that a multiprocessor has room for, however few the grid has [1]."""
        return min(self.limits.values())

    def rows(self) -> list[dict[str, object]]:
        """What the stage prints."""
        return [
            {
                "blocks": self.blocks,
                "active blocks B": self.active_blocks,
                "active warps N": self.active_warps,
                "batches": self.batches,
                "limited by": self.limit,
            }
        ]


def occupancy(
    grid: Layout,
    device: GpuDevice,
    *,
    shared_memory: int = 0,
    registers: int = 0,
) -> Occupancy:
    """Blocks, warps and batches of a launch.

    A block takes up threads and registers for all of its warps, but those of them without a single
    thread that has something to do end at once, and are none of the active ones of eqs 13 to 18.

    Examples
    --------
    >>> from logca.gpu.devices.parameters import device
    >>> from logca.gpu.stages.grid import layout
    >>> found = occupancy(layout((1024, 1024)), device("jetson-tk1"))
    >>> found.active_blocks, found.active_warps, found.batches, found.limit
    (2, 64, 512.0, 'threads')
    """
    warps = grid.warps_per_block(device.warp_size)
    limits = {
        "threads": device.max_threads // (warps * device.warp_size),
        "blocks": device.max_blocks,
    }
    if shared_memory:
        limits["shared memory"] = device.shared_memory // _up(shared_memory, _BYTES_OF_A_BLOCK)
    if registers:
        own = _up(registers * device.warp_size, _REGISTERS_OF_A_WARP)
        limits["registers"] = device.registers // own // warps
    if grid.threads_per_block > device.max_threads_per_block:
        raise OccupancyError(
            f"a block of {grid.threads_per_block} threads does not fit on {device.title}: "
            f"at most {device.max_threads_per_block}"
        )
    limit = min(limits, key=lambda name: limits[name])
    if limits[limit] < 1:
        needed = {"shared memory": f"{shared_memory} B", "registers": f"{registers} a thread"}
        raise OccupancyError(
            f"no block of {grid.threads_per_block} threads fits on a multiprocessor of "
            f"{device.title}: too much of its {limit} ({needed.get(limit, 'threads')})"
        )
    share = -(-grid.blocks // device.multiprocessors)
    active = min(limits[limit], share)
    concurrent = min(active * device.multiprocessors, grid.blocks)
    busy = grid.busy_warps(active, device.warp_size)
    return Occupancy(
        blocks=grid.blocks,
        limits=limits,
        limit="grid" if share < limits[limit] else limit,
        active_blocks=active,
        active_warps=busy,
        concurrent_blocks=concurrent,
        batches=float(cgpredict.batches(blocks=grid.blocks, active_blocks=concurrent)),
        warps_share=busy * device.warp_size / device.max_threads,
    )


def _up(number: int, step: int) -> int:
    return -(-number // step) * step
