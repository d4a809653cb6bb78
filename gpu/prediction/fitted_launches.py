"""Launches whose affine functions are found while the program is traced at the work size.

Model bounds makes the accesses of whichever threads it wants from these, with all of their
iterations, where a trace could keep only the first ones of the first threads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.affine.affine_nest import AffineError, AffineNest
from logca.gpu.affine.streamed_fit import StreamedFit
from logca.gpu.nests.nest import Columns, Nest, NestTables, private_accesses
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.plan import SamplePlan
from logca.gpu.sampling.sample import Seen
from logca.gpu.stages.instructions import instructions
from logca.gpu.tiles.tile import Tile
from logca.gpu.tiles.trace import tile_instructions

__all__ = ["LaunchFits", "fitted_launches", "in_registers", "irregular_accesses", "launch_fits"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LaunchFits:
    """The functions of the planned launches of a nest, which follow its trace."""

    fit: StreamedFit  # the functions so far
    executed: Mapping[int, float]  # mean executions of each access in a launch [1]
    # whether launches are those of the work size, so that what follows of one need not be traced
    at_work_size: bool

    def add(self, columns: Columns) -> None:
        """Take in the next accesses, in program order."""
        self.fit.add(columns)

    def follows(self, extents: Sequence[int]) -> bool:
        """True if the rest of the only launch follows from its functions and counts."""
        try:
            return self.at_work_size and bool(self.fit.nest_of(0, extents, self.executed))
        except AffineError:
            return False


def launch_fits(workload: Workload, plan: SamplePlan, tile: Tile | None) -> LaunchFits:
    """The functions of all accesses to memory that the threads of a nest make, yet to be found."""
    static, nest = workload.static, plan.nest
    tables = NestTables(
        accesses=static.accesses, loops=static.loops, nest=nest.loop, collapse=nest.collapse
    )
    if tile is None:
        executed = instructions(
            static,
            nest.loops,
            workload.work[: len(static.blocks)],
            private=private_accesses(tables),
            registers=in_registers(workload, nest, plan.arguments),
        )
    else:
        executed = tile_instructions(workload, tile, loops_only=False)
    made = sorted({*executed.memory, *executed.loads, *executed.shared} - plan.unmade)
    number = max(1, plan.number)
    return LaunchFits(
        fit=StreamedFit(tables, made, plan.launches),
        executed={site: workload.traced[static.accesses[site].block] / number for site in made},
        at_work_size=workload.trace_size == workload.work_size,
    )


def in_registers(workload: Workload, nest: Nest, arguments: frozenset[int]) -> frozenset[int]:
    """Accesses that a thread needs no memory for: its arguments, scalars, values it gathers [1]."""
    accesses = workload.static.accesses
    scalars = {site for copy in nest.private for site in copy.accesses if accesses[site].variable}
    # an atomic operation is a store that brings nothing back
    gathered = {
        site
        for each in nest.reductions
        for site in each.accesses
        if each.single or not accesses[site].store
    }
    return arguments | scalars | gathered


def fitted_launches(seen: Seen) -> dict[int, AffineNest]:
    """Those of the sampled launches that are affine, if the traced size is the work size."""
    fits = seen.follower
    if not isinstance(fits, LaunchFits) or not fits.at_work_size:
        return {}
    found = {}
    for launch in fits.fit.launches:
        ended = launch < fits.fit.last or (seen.complete and not seen.enough)
        # where launches are alike the first stands for all; some others went by until that was seen
        like = launch if launch in seen.launches else 0
        if like not in seen.launches or not (ended or like == launch):
            continue
        try:
            found[launch] = fits.fit.nest_of(
                launch, seen.extents_of(like), None if ended else fits.executed
            )
        except AffineError:
            continue
    return found


def irregular_accesses(seen: Seen) -> frozenset[int]:
    """Accesses whose addresses were seen not to be affine functions of the iterations [1]."""
    return seen.follower.fit.irregular if isinstance(seen.follower, LaunchFits) else frozenset()
