"""A run broken down: counts by opcode, by loop, and by line of the source."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from logca.trace.ir.program import NOT_EXECUTED, Program
from logca.trace.profiling.access_statistics import AccessStatistics
from logca.trace.profiling.findings import (
    AccessFindings,
    Footprint,
    InstructionCount,
    LineFindings,
    LoopFindings,
)
from logca.trace.profiling.region import TracedRegion

__all__ = [
    "CLASSES",
    "instruction_counts",
    "iterations_of",
    "line_findings",
    "loop_findings",
    "mix",
    "real_operations",
    "source_reader",
    "unrecorded_counts",
]

CLASSES = {
    "memory": ("load", "store", "atomicrmw", "cmpxchg"),
    "address": ("getelementptr",),
    "real": ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp"),
    "integer": (
        *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "icmp"),
        *("shl", "lshr", "ashr", "and", "or", "xor"),
    ),
    "conversion": (
        *("trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"),
        *("ptrtoint", "inttoptr", "bitcast", "addrspacecast"),
    ),
    "control": ("br", "switch", "ret", "indirectbr", "unreachable", "select"),
    "call": ("call", "invoke", "callbr"),
}
"""Opcodes of LLVM by what they do; those of no class are called other."""

ARITHMETIC = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem", "fneg"})
VECTOR = re.compile(r"<(\d+) x ")


def mix(instructions: Iterable[InstructionCount]) -> dict[str, int]:
    """Executed instructions by class, the most frequent first [1].

    Examples
    --------
    >>> kinds = (("fmul", 3), ("load", 5), ("fadd", 4), ("phi", 9))
    >>> mix(InstructionCount(opcode=o, type="double", static=1, executed=n) for o, n in kinds)
    {'real': 7, 'memory': 5}
    """
    classes = {opcode: kind for kind, opcodes in CLASSES.items() for opcode in opcodes}
    sums: dict[str, int] = {}
    for each in instructions:
        if each.opcode not in NOT_EXECUTED and each.executed:
            kind = classes.get(each.opcode, "other")
            sums[kind] = sums.get(kind, 0) + each.executed
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def real_operations(instructions: Iterable[InstructionCount]) -> int:
    """Executed operations on floating-point numbers, each lane of a vector one [1].

    Comparisons, conversions and functions of the C library are not among them.

    Examples
    --------
    >>> real_operations([InstructionCount(opcode="fadd", type="<4 x float>", static=1, executed=5)])
    20
    """
    return sum(
        each.executed * (int(lanes.group(1)) if (lanes := VECTOR.match(each.type)) else 1)
        for each in instructions
        if each.opcode in ARITHMETIC
    )


def instruction_counts(
    program: Program, blocks: Sequence[int], counts: Sequence[int]
) -> tuple[InstructionCount, ...]:
    """Instructions by opcode and type, the most frequent first."""
    static: dict[tuple[str, str], int] = {}
    executed: dict[tuple[str, str], int] = {}
    for block in blocks:
        for each in program.blocks[block].instructions:
            kind = each.opcode, each.type
            static[kind] = static.get(kind, 0) + 1
            executed[kind] = executed.get(kind, 0) + int(counts[block])
    return tuple(
        InstructionCount(opcode=kind[0], type=kind[1], static=static[kind], executed=executed[kind])
        for kind in sorted(static, key=lambda kind: (-executed[kind], kind))
    )


def unrecorded_counts(
    program: Program, blocks: Sequence[int], counts: Sequence[int]
) -> dict[str, int]:
    """Executions of what reaches memory outside of the trace, by its name [1]."""
    found: dict[str, int] = {}
    for block in blocks:
        for each in program.blocks[block].instructions:
            if each.unrecorded and counts[block]:
                found[each.unrecorded] = found.get(each.unrecorded, 0) + int(counts[block])
    return found


def iterations_of(
    program: Program, loop: int, blocks: Sequence[int], edges: Sequence[int]
) -> tuple[int, int]:
    """Entries of a loop, and the iterations that it made in all [1].

    An iteration counts when control goes on from the header into the loop: the last test of a
    ``while`` is none. Where the header is also the end of the loop, each time it runs is one.
    """
    it = program.loops[loop]
    back = out = 0
    for edge in program.edges:
        if edge.target == it.header and edge.source in it.blocks:
            back += int(edges[edge.id])
        if edge.source == it.header and edge.target not in it.blocks:
            out += int(edges[edge.id])
    passes = int(blocks[it.header])
    return passes - back, passes if it.header in it.latches else passes - out


def loop_findings(
    program: Program,
    selection: TracedRegion,
    blocks: Sequence[int],
    edges: Sequence[int],
    accesses: dict[int, tuple[int, Footprint]] | None,
    text: Callable[[str, int], str],
) -> tuple[LoopFindings, ...]:
    """Findings on each loop of a region, in program order."""
    found = []
    for loop in selection.loops:
        entries, iterations = iterations_of(program, loop, blocks, edges)
        number, footprint = accesses[loop] if accesses is not None else (None, None)
        found.append(
            LoopFindings(
                loop=loop,
                text=text(program.loops[loop].file, program.loops[loop].line),
                entries=entries,
                iterations=iterations,
                instructions=program.executed_in(loop, blocks),
                accesses=number,
                footprint=footprint,
            )
        )
    return tuple(found)


def source_reader() -> Callable[[str, int], str]:
    """A function that says what stands in a line of a file, without indentation.

    It reads each file once, and gives an empty text for a line that is not there.

    Examples
    --------
    >>> source_reader()("no/such/file.c", 1)
    ''
    """
    known: dict[str, list[str]] = {}

    def text(file: str, line: int) -> str:
        if file not in known:
            try:
                # only ends of lines count lines: form feeds, which splitlines() splits at, do not
                known[file] = Path(file).read_text("utf-8", errors="replace").split("\n")
            except OSError:
                known[file] = []
        lines = known[file]
        return " ".join(lines[line - 1].split()) if 0 < line <= len(lines) else ""

    return text


def line_findings(
    program: Program, summary: AccessStatistics, text: Callable[[str, int], str]
) -> tuple[LineFindings, ...]:
    """The lines of the source whose accesses were executed, by file and line."""
    lines: dict[tuple[str, int], list[AccessFindings]] = defaultdict(list)
    for found in summary.findings():
        access = program.accesses[found.access]
        lines[access.file, access.line].append(found)
    order = {file: place for place, file in enumerate(program.files)}
    places = sorted(lines, key=lambda place: (order.get(place[0], len(order)), *place))
    groups = np.full(len(program.accesses), -1, dtype=np.int64)
    for number, place in enumerate(places):
        groups[[found.access for found in lines[place]]] = number
    result = []
    for (file, line), footprint in zip(places, summary.footprints(groups), strict=True):
        members = lines[file, line]
        sites = [found.access for found in members]
        written = summary.count(site for site in sites if program.accesses[site].store)
        result.append(
            LineFindings(
                file=file,
                line=line,
                text=text(file, line),
                loads=summary.count(sites) - written,
                stores=written,
                bytes=summary.moved(sites),
                footprint=footprint,
                reuse=summary.reuse(sites),
                accesses=tuple(members),
            )
        )
    return tuple(result)
