"""What can be printed of a program and its run, one stage at a time."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from logca.trace.program import Program
from logca.trace.report import lines, loops
from logca.trace.selection import Selection
from logca.trace.sheets import Part, Sheet, amount, count, percent
from logca.trace.wording import loop_name, short_names, stride_of

if TYPE_CHECKING:
    from logca.trace.profiling import Profile

__all__ = ["COUNTED", "MEASURED", "STATIC", "cfg", "counts", "instructions", "reuse", "strides", "values"]


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


def strides(profile: "Profile") -> tuple[Sheet, ...]:
    """Address differences of each access as each loop goes on, the most frequent first.

    Parameters
    ----------
    profile : Profile
        The profile.
    """
    program = profile.program
    parts = []
    for line in profile.lines:
        rows = []
        for found in line.accesses:
            access = program.accesses[found.access]
            for each in found.strides:
                name = stride_of(each, program).partition(":")[0]
                for stride, times in each.common[:_MOST_STRIDES]:
                    rows.append(
                        (
                            f"      {'store' if access.store else 'load'}",
                            access.array or "?",
                            name,
                            f"{stride:+,}" if stride else "0",
                            f"{times:,}",
                            percent(times, each.count),
                        )
                    )
                rest = each.others + sum(times for _, times in each.common[_MOST_STRIDES:])
                if rest:
                    rows.append(
                        ("", "", name, "others", f"{rest:,}", percent(rest, each.count))
                    )
        if rows:
            parts.append(Part(heading=f"{line.line or '?':>4}  {line.text}", rows=tuple(rows)))
    return (
        Sheet(
            title="Strides: how addresses change from one iteration of a loop to the next",
            headings=("", "array", "loop", "stride [B]", "times", "%"),
            parts=tuple(parts),
            notes=(
                "outside: loops of callers, or around the region; call: another call in the same"
                " iteration",
            ),
            right=frozenset({3, 4, 5}),
            heat=frozenset(),
        ),
    )


def reuse(profile: "Profile") -> tuple[Sheet, ...]:
    """Reuse distances of the whole region, by powers of two.

    Parameters
    ----------
    profile : Profile
        The profile.
    """
    found = profile.reuse
    names = ["0"] + [
        f"{1 << power - 1:,}" if power == 1 else f"{1 << power - 1:,} to {(1 << power) - 1:,}"
        for power in range(1, len(found.powers))
    ]
    rows = [
        (
            name,
            f"{times:,}",
            percent(times, found.touches),
            _bar(times, found.touches),
            amount(64 << power),
            percent(found.misses(1 << power), found.touches),
        )
        for power, (name, times) in enumerate(zip(names, found.powers, strict=True))
    ]
    rows.append(
        (
            "first touch",
            f"{found.first:,}",
            percent(found.first, found.touches),
            _bar(found.first, found.touches),
            "",
            "",
        )
    )
    return (
        Sheet(
            title="Reuse distances: other lines of 64 B touched since the same one was",
            headings=("distance", "touches", "%", "", "LRU cache of", "misses %"),
            parts=(Part(rows=tuple(rows)),),
            notes=(f"{found.touches:,} touches of {found.first:,} lines",),
            right=frozenset({0, 1, 2, 4, 5}),
            heat=frozenset({5}),
            spare=(3,),
        ),
    )


_MOST_STRIDES = 8
_BAR = 24

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


def _bar(part: int, whole: int) -> str:
    eighths = round(8 * _BAR * part / whole) if whole else 0
    full, rest = divmod(max(eighths, 1 if part else 0), 8)
    return "█" * full + ("", *"▏▎▍▌▋▊▉")[rest]


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
