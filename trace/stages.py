"""What can be printed of a program and its run, one stage at a time."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from logca.trace.distributions import reuse, strides
from logca.trace.program import Program
from logca.trace.report import lines, loops
from logca.trace.selection import Selection
from logca.trace.sheets import Part, Sheet, percent
from logca.trace.wording import loop_name, short_names

if TYPE_CHECKING:
    from logca.trace.profiling import Profile

__all__ = ["COUNTED", "MEASURED", "STATIC", "cfg", "counts", "instructions", "staged", "values"]


def cfg(program: Program, region: Selection) -> tuple[Sheet, ...]:
    """The control-flow graph: blocks with their lines, and where control passes to.

    Parameters
    ----------
    program : Program
        The program.
    region : Selection
        The part to print.
    """
    return (
        Sheet(
            title="Control flow",
            headings=("block", "label", "lines", "instr.", "loop", "successors"),
            parts=_by_function(
                program,
                region,
                lambda block: (
                    str(block),
                    program.blocks[block].name,
                    _lines_of(program, block),
                    str(len(program.blocks[block].instructions)),
                    _loop_of(program, block),
                    ", ".join(map(str, program.blocks[block].successors)) or "leaves",
                ),
            ),
            right=frozenset({0, 3}),
        ),
    )


def values(program: Program, region: Selection) -> tuple[Sheet, ...]:
    """Registers that are defined in one block and read in another.

    Parameters
    ----------
    program : Program
        The program.
    region : Selection
        The part to print.
    """
    inside = set(region.blocks)
    crossing = [
        value
        for value in program.values
        if value.defined_in in inside or not inside.isdisjoint(value.used_in)
    ]
    functions: dict[str, list[tuple[str, ...]]] = {}
    for value in crossing:
        functions.setdefault(value.function, []).append(
            (
                value.name,
                value.type,
                str(value.bits),
                str(value.defined_in),
                ", ".join(map(str, value.used_in)),
            )
        )
    bits = sum(value.bits for value in crossing)
    return (
        Sheet(
            title="Values in registers that cross from block to block",
            headings=("register", "type", "bits", "from block", "read in blocks"),
            parts=tuple(Part(heading=name, rows=tuple(rows)) for name, rows in functions.items()),
            notes=(f"{len(crossing):,} values, {bits:,} bits",),
            right=frozenset({2, 3}),
        ),
    )


def instructions(profile: "Profile") -> tuple[Sheet, ...]:
    """Instructions by opcode and type: how many there are, and how many were executed.

    Parameters
    ----------
    profile : Profile
        The profile.
    """
    rows = tuple(
        (
            each.opcode,
            each.type,
            f"{each.static:,}",
            f"{each.executed:,}",
            "" if each.opcode == "phi" else percent(each.executed, profile.executed),
        )
        for each in profile.instructions
    )
    return (
        Sheet(
            title="Instructions",
            headings=("opcode", "type", "static", "executed", "%"),
            parts=(Part(rows=rows),),
            notes=(
                f"{profile.executed:,} executed; phi only names what a register holds,"
                " and does not count",
            ),
            right=frozenset({2, 3, 4}),
            heat=frozenset({4}),
        ),
    )


def counts(profile: "Profile") -> tuple[Sheet, ...]:
    """How often each block was executed, and each way out of it taken.

    Parameters
    ----------
    profile : Profile
        The profile.
    """
    program, run = profile.program, profile.run
    ways: dict[int, list[str]] = {}
    for edge in program.edges:
        taken = int(run.edge_counts[edge.id])
        ways.setdefault(edge.source, []).append(f"{edge.target}: {taken:,}")
    return (
        Sheet(
            title="Executions of blocks, and of the edges to their successors",
            headings=("block", "label", "lines", "executions", "edges"),
            parts=_by_function(
                program,
                profile.region,
                lambda block: (
                    str(block),
                    program.blocks[block].name,
                    _lines_of(program, block),
                    f"{int(run.block_counts[block]):,}",
                    "   ".join(ways.get(block, ["leaves"])),
                ),
            ),
            right=frozenset({0, 3}),
        ),
    )


STATIC = {"cfg": cfg, "values": values}
"""Stages that need no run."""

COUNTED: dict[str, Callable[["Profile"], tuple[Sheet, ...]]] = {
    "instructions": instructions,
    "counts": counts,
}
"""Stages that need the counts of a run."""

MEASURED: dict[str, Callable[["Profile"], tuple[Sheet, ...]]] = {
    "loops": loops,
    "lines": lines,
    "strides": strides,
    "reuse": reuse,
}
"""Stages that need its accesses."""


def staged(profile: "Profile", stage: str) -> tuple[Sheet, ...]:
    """A stage by its name.

    Parameters
    ----------
    profile : Profile
        The profile; of its accesses if the stage needs them.
    stage : str
        Its name [text].
    """
    if stage in STATIC:
        return STATIC[stage](profile.program, profile.region)
    return {**COUNTED, **MEASURED}[stage](profile)


def _by_function(
    program: Program, region: Selection, row: Callable[[int], tuple[str, ...]]
) -> tuple[Part, ...]:
    names = short_names(program.files)
    files = {function.name: function.file for function in program.functions}
    functions: dict[str, list[tuple[str, ...]]] = {}
    for block in region.blocks:
        name = program.blocks[block].function
        functions.setdefault(name, []).append(row(block))
    return tuple(
        Part(heading=f"{names.get(files[name], files[name])}, {name}", rows=tuple(rows))
        for name, rows in functions.items()
    )


def _lines_of(program: Program, block: int) -> str:
    it = program.blocks[block]
    if not it.first_line:
        return ""
    same = it.first_line == it.last_line
    return str(it.first_line) if same else f"{it.first_line}–{it.last_line}"


def _loop_of(program: Program, block: int) -> str:
    loop = program.blocks[block].loop
    return "" if loop is None else f"{loop} ({loop_name(program.loops[loop])})"
