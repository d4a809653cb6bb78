"""A profile, and its tables to read."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from logca.common import results
from logca.common.readable_numbers import count, percent
from logca.common.sizes import amount
from logca.common.tables import Column, Section, Table, text
from logca.trace.execute.run import Run
from logca.trace.ir.program import NOT_EXECUTED, CrossingRegister, Loop, Program
from logca.trace.profiling.findings import (
    CACHES,
    AccessFindings,
    Footprint,
    InstructionCount,
    LineFindings,
    LoopFindings,
    ReuseCounts,
)
from logca.trace.profiling.names import loop_name, short_names, stride_of, strides_around
from logca.trace.profiling.operation_counts import mix, real_operations, unrecorded_counts
from logca.trace.profiling.region import TracedRegion

__all__ = ["Profile", "by_line", "lines", "loops", "overview", "report"]

_MOST_LINES = 24
_WIDEST_TEXT = 52


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profile:
    """Findings on a program, as a whole or in a region; made by `profile`.

    Parameters
    ----------
    program : Program
        What the compiler says of it.
    compiler : str
        What compiled it.
    region : Selection
        The part that was analysed.
    run : Run
        How it ran: status, output, counts of all blocks and edges.
    instructions : tuple of InstructionCount
        Instructions of the region by opcode and type, the most frequent first.
    loops : tuple of LoopFindings
        Loops of the region in program order.
    values : tuple of Value
        Registers that pass from one block to another in the region.
    lines : tuple of LineFindings
        Lines of the source that access memory, by file and line.
    loads, stores : int
        Accesses recorded [1].
    bytes : int
        What they moved [B].
    footprint : Footprint
        Distinct memory that they touched.
    reuse : ReuseCounts
        Distances between touches of the same line of memory.
    output : Path or None
        The file that the trace was written to.
    """

    program: Program
    compiler: str
    region: TracedRegion
    run: Run
    instructions: tuple[InstructionCount, ...]
    loops: tuple[LoopFindings, ...]
    values: tuple[CrossingRegister, ...]
    lines: tuple[LineFindings, ...]
    loads: int
    stores: int
    bytes: int
    footprint: Footprint
    reuse: ReuseCounts
    output: Path | None = None

    @property
    def executed(self) -> int:
        """Instructions executed in the region, without those that no machine executes (phi) [1]."""
        return sum(each.executed for each in self.instructions if each.opcode not in NOT_EXECUTED)

    def __str__(self) -> str:
        """The profile as a text to read."""
        return text(report(self))

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame


def report(profile: Profile) -> tuple[Table, ...]:
    """All that there is to say in short: overview, loops, lines."""
    return *overview(profile), *loops(profile), *lines(profile)


def overview(profile: Profile) -> tuple[Table]:
    """Accesses, footprint, instructions and registers in a few lines."""
    program, run = profile.program, profile.run
    files = ", ".join(short_names(program.files).values())
    level = "as written" if program.level == "as-written" else program.level
    said = run.message or (f"exit status {run.status}" if run.ending == "exit" else "ended early")
    rows = [
        ("program", f"{files}, {level}, {profile.compiler}"),
        ("region", profile.region.title),
        ("run", f"{said}; {run.wall_s:.2g} s instrumented"),
        ("contained", _contained(run.contained)),
        *(_memory(profile) if profile.lines else ()),
        *_unrecorded(profile),
        ("instructions", _mix(profile)),
    ]
    bits = sum(value.bits for value in profile.values)
    crossing = f"{count(len(profile.values))} cross from block to block, {count(bits)} bits"
    rows.append(("registers", crossing))
    if profile.output is not None:
        rows.append(("trace", str(profile.output)))
    return (Table.facts(rows),)


def _contained(kept_from: Sequence[str]) -> str:
    """A sentence on what the program could not do, and what it could.

    Examples
    --------
    >>> _contained(("use a network", "leave processes behind"))
    'it could not use a network, nor leave processes behind; it could read what you can'
    """
    return f"it could not {', nor '.join(kept_from)}; it could read what you can"


def _memory(profile: Profile) -> Iterator[tuple[str, str]]:
    cut = "; then the trace ends" if profile.run.truncated else ""
    yield (
        "accesses",
        f"{count(profile.loads + profile.stores)}: {count(profile.loads)} loads,"
        f" {count(profile.stores)} stores, {amount(profile.bytes)} moved{cut}",
    )
    touched = profile.footprint
    yield (
        "footprint",
        f"{amount(touched.bytes)} in {count(touched.lines)} lines of 64 B,"
        f" {percent(touched.bytes, 64 * touched.lines)} % of their bytes used",
    )
    misses = (
        f"{percent(profile.reuse.misses(1 << power), profile.reuse.touches)} % in {name}"
        for power, name in CACHES
    )
    yield "misses", f"{', '.join(misses)} (fully associative LRU)"
    if operations := real_operations(profile.instructions):
        yield (
            "intensity",
            f"{operations / profile.bytes:.3g} real operations per byte moved,"
            f" {operations / touched.bytes:.3g} per byte of the footprint",
        )


def _unrecorded(profile: Profile) -> Iterator[tuple[str, str]]:
    kinds = unrecorded_counts(
        profile.program, profile.region.blocks, profile.run.block_counts.tolist()
    )
    for each in profile.run.unseen:
        yield "not seen", each
    if kinds:
        told = ", ".join(f"{what} ({count(often)} times)" for what, often in kinds.items())
        yield "not seen", f"what this did to memory is in no figure here: {told}"


def _mix(profile: Profile) -> str:
    shares = ", ".join(
        f"{kind} {percent(number, profile.executed)} %"
        for kind, number in mix(profile.instructions).items()
    )
    return f"{count(profile.executed)} executed{': ' if shares else ''}{shares}"


def loops(profile: Profile) -> tuple[Table, ...]:
    """Loops with their nesting, how often they were entered, and how many iterations they made."""
    program, names = profile.program, short_names(profile.program.files)
    functions: dict[str, list[tuple[str, ...]]] = {}
    idle = sum(not found.entries for found in profile.loops)
    for found in profile.loops:
        if not found.entries:
            continue
        loop = program.loops[found.loop]
        text = found.text or loop_name(loop)
        where = f"{names.get(loop.file, loop.file)}, {loop.source_function}"
        functions.setdefault(where, []).append(
            (
                str(loop.line or ""),
                "  " * _depth(profile, loop) + (text if len(text) <= _WIDEST_TEXT else _cut(text)),
                count(found.entries),
                count(found.iterations),
                f"{found.trip:,.1f}".removesuffix(".0"),
                percent(found.instructions, profile.executed),
                count(found.accesses) if found.accesses is not None else "",
                amount(found.footprint.bytes) if found.footprint is not None else "",
                ", ".join(loop.carried),
            )
        )
    notes = [f"{idle} more, which the run did not reach"] if idle else []
    if not functions:
        notes = ["none that was executed" if profile.loops else "none"]
    return (
        Table(
            title="Loops",
            columns=(
                *(Column.number("line"), Column("loop"), Column.number("entries", spare=2)),
                *(Column.number("iterations"), Column.number("trip")),
                *(Column.number("instr. %", heat=True), Column.number("accesses", spare=1)),
                *(Column.number("footprint"), Column("carried in registers", spare=3)),
            ),
            sections=tuple(
                Section(heading=function, rows=tuple(rows)) for function, rows in functions.items()
            ),
            notes=tuple(notes),
        ),
    )


def _cut(text: str) -> str:
    return f"{text[: _WIDEST_TEXT - 1]}…"


def _depth(profile: Profile, loop: Loop) -> int:
    """Loops of the region around a loop [1]."""
    inside, depth = set(profile.region.loops), 0
    while loop.parent is not None and loop.parent in inside:
        loop, depth = profile.program.loops[loop.parent], depth + 1
    return depth


def lines(profile: Profile) -> tuple[Table, ...]:
    """Lines of the source that access memory, and what each of their accesses did."""
    total = profile.loads + profile.stores
    busiest = sorted(profile.lines, key=lambda line: -(line.loads + line.stores))[:_MOST_LINES]
    chosen = {(line.file, line.line) for line in busiest}
    shown = [line for line in profile.lines if (line.file, line.line) in chosen]
    notes = ["miss %: touches of lines of 64 B that miss in a fully associative LRU cache"]
    if rest := len(profile.lines) - len(shown):
        left = total - sum(line.loads + line.stores for line in shown)
        notes.append(f"{rest} more lines with {percent(left, total)} % of the accesses")
    if not shown:
        notes = ["none"]
    return (
        Table(
            title="Accesses by line of source",
            columns=(
                *(Column(), Column("array"), Column.number("count", spare=2)),
                *(Column.number("acc. %", heat=True), Column.number("footprint")),
                *(Column("stride"), Column("outer strides", spare=3)),
                *(
                    Column.number(f"miss %\n{name}", heat=True, spare=int(name == CACHES[-1][1]))
                    for _, name in CACHES
                ),
            ),
            sections=by_line(profile, shown, _access),
            notes=tuple(notes),
        ),
    )


def by_line(
    profile: Profile,
    lines: Sequence[LineFindings],
    rows: Callable[[Profile, AccessFindings], Iterator[tuple[str, ...]]],
) -> tuple[Section, ...]:
    """Lines of the source, and below each one rows for each of its accesses that has any."""
    names = short_names(line.file for line in profile.lines)
    sections: list[Section] = []
    file = None
    for line in lines:
        told = tuple(row for found in line.accesses for row in rows(profile, found))
        if not told:
            continue
        another = line.file != file and len(names) > 1
        heading = (names[line.file] or "unknown file") if another else ""
        file = line.file
        sections.append(Section(heading=heading, line=(line.line, line.text), rows=told))
    return tuple(sections)


def _access(profile: Profile, found: AccessFindings) -> Iterator[tuple[str, ...]]:
    program = profile.program
    access = program.accesses[found.access]
    misses = (percent(found.reuse.misses(1 << power), found.reuse.touches) for power, _ in CACHES)
    yield (
        f"      {'store' if access.store else 'load'}",
        access.array or "?",
        count(found.count),
        percent(found.count, profile.loads + profile.stores),
        amount(found.footprint.bytes),
        stride_of(found.strides[0], program) if found.strides else "",
        strides_around(found.strides[1:], program),
        *misses,
    )
