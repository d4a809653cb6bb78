"""Programs and profiles as plain data, such as JSON can hold."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from logca.trace.ir.program import Program
from logca.trace.profiling.breakdown import unrecorded_counts
from logca.trace.profiling.region import Selection

if TYPE_CHECKING:
    from logca.trace.execute.run import Run
    from logca.trace.profiling.profile import Profile

__all__ = ["described", "ended", "profile_data", "tables"]


def tables(program: Program) -> dict[str, Any]:
    """The accesses, loops, blocks, edges and functions of a program, each with its number.

    The fields are those of `logca.trace.ir.program`; of instructions there is only how many, and
    how many of them reach memory in a way that no trace has.
    """
    return {
        "level": program.level,
        "files": list(program.files),
        "functions": [asdict(each) for each in program.functions],
        "blocks": [
            {
                **_fields(block, "instructions"),
                "instructions": len(block.instructions),
                "unrecorded": sum(bool(each.unrecorded) for each in block.instructions),
            }
            for block in program.blocks
        ],
        "edges": [asdict(edge) for edge in program.edges],
        "loops": [
            {**_fields(loop, "blocks"), "blocks": sorted(loop.blocks)} for loop in program.loops
        ],
        "accesses": [asdict(access) for access in program.accesses],
    }


def described(program: Program, region: Selection, defines: Mapping[str, object]) -> dict[str, Any]:
    """What a trace is a trace of: the tables of the program, the region and the macros."""
    return {
        "region": {"title": region.title, "nests": region.nests and list(region.nests)},
        "defines": {name: None if to is None else str(to) for name, to in defines.items()},
        **tables(program),
    }


def ended(run: "Run") -> dict[str, Any]:
    """How a run ended, and its counts of blocks and edges."""
    return {
        "status": run.status,
        "ending": run.ending,
        "message": run.message,
        "seconds": run.wall_s,
        "recorded": run.recorded,
        "truncated": run.truncated,
        "block_counts": run.block_counts.tolist(),
        "edge_counts": run.edge_counts.tolist(),
    }


def profile_data(profile: "Profile") -> dict[str, Any]:
    """A profile as JSON has it."""
    output = profile.output
    return {
        "compiler": profile.compiler,
        "region": _fields(profile.region, "blocks", "accesses"),
        "run": ended(profile.run),
        "instructions": [asdict(each) for each in profile.instructions],
        "executed": profile.executed,
        "loads": profile.loads,
        "stores": profile.stores,
        "bytes": profile.bytes,
        "footprint": asdict(profile.footprint),
        "reuse": asdict(profile.reuse),
        "unrecorded": unrecorded_counts(
            profile.program, profile.region.blocks, profile.run.block_counts.tolist()
        ),
        "loops": [{**asdict(each), "trip": each.trip} for each in profile.loops],
        "lines": [asdict(each) for each in profile.lines],
        "values": [asdict(each) for each in profile.values],
        "output": None if output is None else str(output),
        "program": tables(profile.program),
    }


def _fields(data: Any, *without: str) -> dict[str, Any]:
    return {
        each.name: getattr(data, each.name) for each in fields(data) if each.name not in without
    }
