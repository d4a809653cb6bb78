"""Tables of a program and its run, one stage (``--stage``) at a time."""

from collections.abc import Callable, Iterator

from logca.common.readable_numbers import percent
from logca.common.sizes import amount
from logca.common.tables import Column, Section, Table
from logca.trace.ir.program import Program
from logca.trace.profiling.findings import AccessFindings
from logca.trace.profiling.names import loop_name, short_names, stride_of
from logca.trace.profiling.region import TracedRegion
from logca.trace.profiling.report import Profile, by_line, lines, loops

__all__ = [
    "COUNTED",
    "MEASURED",
    "STATIC",
    "cfg",
    "counts",
    "instructions",
    "reuse",
    "staged",
    "strides",
    "values",
]

_MOST_STRIDES = 8
_BAR = 24


def strides(profile: Profile) -> tuple[Table, ...]:
    """Address differences of each access as each loop goes on, the most frequent first."""
    return (
        Table(
            title="Strides: how addresses change from one iteration of a loop to the next",
            columns=(
                *(Column(), Column("array"), Column("loop")),
                *map(Column.number, ("stride [B]", "times", "%")),
            ),
            sections=by_line(profile, profile.lines, _differences),
            notes=(
                "outside: loops of callers, or around the region; call: another call in the same"
                " iteration",
            ),
        ),
    )


def _differences(profile: Profile, found: AccessFindings) -> Iterator[tuple[str, ...]]:
    program = profile.program
    access = program.accesses[found.access]
    kind = f"      {'store' if access.store else 'load'}"
    for each in found.strides:
        loop = stride_of(each, program).partition(":")[0]
        for stride, times in each.common[:_MOST_STRIDES]:
            told = f"{stride:+,}" if stride else "0"
            share = percent(times, each.count)
            yield kind, access.array or "?", loop, told, f"{times:,}", share
        rest = each.count - sum(times for _, times in each.common[:_MOST_STRIDES])
        if rest:
            share = percent(rest, each.count)
            yield kind, access.array or "?", loop, "others", f"{rest:,}", share


def reuse(profile: Profile) -> tuple[Table, ...]:
    """Reuse distances of the whole region, by powers of two."""
    found = profile.reuse
    rows = [
        (
            _range(power),
            f"{times:,}",
            percent(times, found.touches),
            _bar(times, found.touches),
            amount(64 << power),
            percent(found.misses(1 << power), found.touches),
        )
        for power, times in enumerate(found.powers)
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
        Table.by_rows(
            (
                *map(Column.number, ("distance", "touches", "%")),
                Column(spare=1),
                Column.number("LRU cache of"),
                Column.number("misses %", heat=True),
            ),
            rows,
            title="Reuse distances: other lines of 64 B touched since the same one was",
            notes=(f"{found.touches:,} touches of {found.first:,} lines",),
        ),
    )


def _range(power: int) -> str:
    """The distances whose binary numbers have so many digits."""
    if power < 2:
        return str(power)
    return f"{1 << power - 1:,} to {(1 << power) - 1:,}"


def _bar(part: int, whole: int) -> str:
    eighths = round(8 * _BAR * part / whole) if whole else 0
    full, rest = divmod(max(eighths, 1 if part else 0), 8)
    return "█" * full + " ▏▎▍▌▋▊▉"[rest].strip()


def cfg(program: Program, region: TracedRegion) -> tuple[Table, ...]:
    """The control-flow graph: blocks with their lines, and where control passes to."""
    return (
        Table(
            title="Control flow",
            columns=(
                *(Column.number("block"), Column("label"), Column("lines")),
                *(Column.number("instr."), Column("loop"), Column("successors")),
            ),
            sections=_by_function(
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
        ),
    )


def values(program: Program, region: TracedRegion) -> tuple[Table, ...]:
    """Registers that are defined in one block and read in another."""
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
        Table(
            title="Values in registers that cross from block to block",
            columns=(
                *(Column("register"), Column("type")),
                *(Column.number("bits"), Column.number("from block"), Column("read in blocks")),
            ),
            sections=tuple(
                Section(heading=name, rows=tuple(rows)) for name, rows in functions.items()
            ),
            notes=(f"{len(crossing):,} values, {bits:,} bits",),
        ),
    )


def instructions(profile: Profile) -> tuple[Table, ...]:
    """Instructions by opcode and type: how many there are, and how many were executed."""
    rows = (
        (
            count.opcode,
            count.type,
            f"{count.static:,}",
            f"{count.executed:,}",
            "" if count.opcode == "phi" else percent(count.executed, profile.executed),
        )
        for count in profile.instructions
    )
    return (
        Table.by_rows(
            (
                *("opcode", "type", Column.number("static"), Column.number("executed")),
                Column.number("%", heat=True),
            ),
            rows,
            title="Instructions",
            notes=(
                f"{profile.executed:,} executed; phi only names what a register holds,"
                " and does not count",
            ),
        ),
    )


def counts(profile: Profile) -> tuple[Table, ...]:
    """Executions of each block, and of each way out of it."""
    program, run = profile.program, profile.run
    ways: dict[int, list[str]] = {}
    for edge in program.edges:
        taken = int(run.edge_counts[edge.id])
        ways.setdefault(edge.source, []).append(f"{edge.target}: {taken:,}")
    return (
        Table(
            title="Executions of blocks, and of the edges to their successors",
            columns=(
                *(Column.number("block"), Column("label"), Column("lines")),
                *(Column.number("executions"), Column("edges")),
            ),
            sections=_by_function(
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
        ),
    )


STATIC = {"cfg": cfg, "values": values}
"""Stages that need no run."""

COUNTED: dict[str, Callable[[Profile], tuple[Table, ...]]] = {
    "instructions": instructions,
    "counts": counts,
}
"""Stages that need the counts of a run."""

MEASURED: dict[str, Callable[[Profile], tuple[Table, ...]]] = {
    "loops": loops,
    "lines": lines,
    "strides": strides,
    "reuse": reuse,
}
"""Stages that need its accesses."""


def staged(profile: Profile, stage: str) -> tuple[Table, ...]:
    """A stage by its name."""
    if stage in STATIC:
        return STATIC[stage](profile.program, profile.region)
    return {**COUNTED, **MEASURED}[stage](profile)


def _by_function(
    program: Program, region: TracedRegion, row: Callable[[int], tuple[str, ...]]
) -> tuple[Section, ...]:
    names = short_names(program.files)
    files = {function.name: function.file for function in program.functions}
    functions: dict[str, list[tuple[str, ...]]] = {}
    for block in region.blocks:
        name = program.blocks[block].function
        functions.setdefault(name, []).append(row(block))
    return tuple(
        Section(heading=f"{names.get(files[name], files[name])}, {name}", rows=tuple(rows))
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
