"""Launches whose affine functions are found while the program is traced at the work size.

Model bounds makes the accesses of whichever threads it wants from these, with all of their
iterations, where a trace could keep only the first ones of the first threads.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from logca.gpu.affine.affine_nest import AffineError, AffineNest
from logca.gpu.nests.nest import Nest, NestTables, private_accesses
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.plan import SamplePlan
from logca.gpu.sampling.sample import LaunchClass, Seen
from logca.gpu.stages.instructions import instructions
from logca.gpu.tiles.tile import Tile
from logca.gpu.tiles.trace import tile_instructions

__all__ = ["fitted_launches", "in_registers", "with_fit"]


def with_fit(workload: Workload, plan: SamplePlan, tile: Tile | None) -> SamplePlan:
    """The plan that also asks for the functions of all accesses to memory."""
    static, nest = workload.static, plan.nest
    if tile is None:
        tables = NestTables(
            accesses=static.accesses, loops=static.loops, nest=nest.loop, collapse=nest.collapse
        )
        executed = instructions(
            static,
            nest.loops,
            workload.work[: len(static.blocks)],
            private=private_accesses(tables),
            registers=in_registers(workload, nest, plan.arguments),
        )
    else:
        executed = tile_instructions(workload, tile, loops_only=False)
    made = {*executed.memory, *executed.loads, *executed.shared} - plan.unmade
    number = max(1, plan.number)
    fitted = {site: workload.traced[static.accesses[site].block] / number for site in sorted(made)}
    return replace(plan, fitted=fitted, settles=workload.trace_size == workload.work_size)


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


def fitted_launches(
    workload: Workload, seen: Seen, classes: Iterable[LaunchClass]
) -> Mapping[int, AffineNest]:
    """Those of the sampled launches that are affine, if the traced size is the work size."""
    if workload.trace_size != workload.work_size or not seen.plan.fitted:
        return {}
    found = {}
    for which in classes:
        try:
            found[which.launch] = seen.affine(which.launch)
        except AffineError:
            continue
    return found
