"""A program on a platform in one design: all that solvers need, and all that answers rest on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling, coupling_cost, coupling_of
from logca.numeric.partition.memory.designs import Design, design_named
from logca.numeric.partition.memory.signatures import Signatures
from logca.numeric.partition.problem.blocks import Problem, ProblemError
from logca.numeric.partition.problem.costs import (
    Costs,
    Times,
    costs_of,
    latencies_of,
    times_of,
    with_own_costs,
)
from logca.numeric.partition.problem.instance_and_objective import Instance, cost
from logca.numeric.partition.problem.platform import KEYS, Platform
from logca.numeric.partition.program.pins import pinned_blocks
from logca.numeric.partition.program.tracing import Traced, geometry_of

__all__ = ["Case", "case_of", "check_area"]

LARGEST = 1 << 61


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """A program to partition on a machine, and its costs."""

    problem: Problem  # the program
    platform: Platform  # the machine
    design: Design  # how the accelerator is attached to the memory
    penalised: bool  # whether the shared cache takes longer for being shared
    costs: Costs  # costs without the memory that depends on the partition
    coupling: Coupling | None  # that memory; None for a program that was not traced
    baseline: Times  # everything on the CPU, no cache being shared
    # what is minimised: the instance of the costs with the blocks that the user pins
    instance: Instance
    forced: NDArray[np.bool_]  # blocks that the user pins to the accelerator

    @property
    def own(self) -> Instance:
        """The instance with what memory costs each block at least."""
        return with_own_costs(self.instance, self.coupling)

    def cost_of(self, mapped: NDArray[np.bool_]) -> int:
        """Cost of a partition, memory included [scaled cycles]."""
        memory = 0 if self.coupling is None else coupling_cost(self.coupling, mapped)
        return cost(self.instance, mapped) + memory

    def times(self, mapped: NDArray[np.bool_]) -> Times:
        """The parts of the runtime of a partition."""
        return times_of(self.costs, self.coupling, mapped)


def case_of(
    source: Problem | Traced,
    platform: Platform,
    design: str = "SL2+",
    *,
    area: int | None = None,
    penalty: bool = False,
    pins: Mapping[str, str] | None = None,
) -> Case:
    """A case."""
    problem = source.problem if isinstance(source, Traced) else source
    check_area(area)
    if all(block.executions <= 1 or block.pinned for block in problem.blocks):
        raise ProblemError(
            f"{problem.name} has no hot loop: nothing that may move runs more than once; run it "
            "with larger input"
        )
    chosen = design_named(design)
    costs = costs_of(problem, platform, area=area)
    none = np.zeros(len(problem.blocks), np.bool_)
    coupling, alone = None, None
    if isinstance(source, Traced):
        coupling = alone = _coupling(source, platform, chosen, penalty=penalty)
        if penalty:
            alone = _coupling(source, platform, chosen, penalty=False)
    baseline = times_of(costs, alone, none)
    if not baseline.total:
        raise ProblemError(f"{problem.name} takes no time on the CPU: give operations or accesses")
    kept = pinned_blocks(problem, pins or {})
    instance, forced = _pinned(problem, costs.instance, coupling, kept)
    return Case(
        problem=problem,
        platform=platform,
        design=chosen,
        penalised=penalty,
        costs=costs,
        coupling=coupling,
        baseline=baseline,
        instance=instance,
        forced=forced,
    )


def check_area(area: int | None) -> None:
    """Refuse an accelerator without room for an instruction."""
    if area is None:
        return
    if isinstance(area, bool) or not isinstance(area, int | np.integer):
        raise ProblemError(f"area must be a whole number of instructions, not {area!r}")
    if not KEYS["area"].low <= area <= KEYS["area"].high:
        raise ProblemError(
            f"area = {area} must be at least {KEYS['area'].low} instruction and at most "
            f"{KEYS['area'].high:,}"
        )


def _coupling(source: Traced, platform: Platform, design: Design, *, penalty: bool) -> Coupling:
    found: Signatures = source.signatures_for(geometry_of(platform))
    latencies = latencies_of(platform, design, penalty=penalty)
    return coupling_of(found, design, latencies, resident=platform.dirty == "resident")


def _pinned(
    problem: Problem, instance: Instance, coupling: Coupling | None, pins: Mapping[str, str]
) -> tuple[Instance, NDArray[np.bool_]]:
    """The instance with the user's pins, and the blocks that must be on the accelerator.

    A block that must be there costs so much on the CPU that no partition which leaves it there is
    as cheap as one that does not.
    """
    pinned, forced = instance.pinned.copy(), np.zeros(instance.blocks, np.bool_)
    for place, block in enumerate(problem.blocks):
        core = pins.get(block.name)
        pinned[place] |= core == "cpu"
        forced[place] = core == "accelerator"
        if forced[place] and block.pinned:
            raise ProblemError(
                f"pin {block.name!r}: block {block.name!r} cannot be on the accelerator: "
                f"{block.pinned}"
            )
    taken = int(instance.area[forced].sum())
    if taken > instance.capacity:
        raise ProblemError(
            f"what is pinned to the accelerator takes an area of {taken}, and there is one of "
            f"{instance.capacity}: pin less, or take more area"
        )
    if not forced.any():
        return replace(instance, pinned=pinned), forced
    most = sum(
        int(np.abs(each).sum())
        for each in (
            *(instance.cpu, instance.accelerator, instance.pair_cost, instance.push),
            *(() if coupling is None else (coupling.cpu, coupling.accelerator, coupling.upper)),
        )
    )
    # bounds price the area a block takes: the fine is more than all costs for each unit of it, so
    # that no price makes it cheaper to leave the block on the CPU
    fine = (most + 1) * max(1, int(instance.area.max()))
    if fine * int(forced.sum()) > LARGEST - most:
        raise ProblemError(
            "the costs are too large to pin blocks to the accelerator: divide all executions by "
            "a number"
        )
    cpu = instance.cpu + np.where(forced, fine, 0)
    return replace(instance, pinned=pinned, cpu=cpu), forced
