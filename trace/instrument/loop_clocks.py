"""The text of an instrumented program in which a clock runs in some loops.

The clock is started on the edges that enter a loop and stopped on those that leave it: nothing is
added inside, so that the optimiser does with the loop what it would have done.
"""

import re
from collections.abc import Mapping, Sequence

from logca.common.errors import TraceError
from logca.trace.instrument.records import HEADER_WORDS
from logca.trace.instrument.rewriting import (
    INCOMING,
    TARGET,
    PrintedBlock,
    printed_blocks,
    state_bytes,
)
from logca.trace.ir.assembly import FUNCTION
from logca.trace.ir.module_text import functions_in
from logca.trace.ir.operands import IN_NAME
from logca.trace.ir.program import Loop, Program

__all__ = ["LOOP_WORDS", "with_loop_clocks"]

LOOP_WORDS = 3
"""Words of the state for each loop, and for the program: time, entries, start; see loop_clock.c."""

_VARIABLE = re.compile(r"^(@[^=\n]+?) = (?!external)[^\n]*?\bglobal ", re.MULTILINE)
_USED = "@llvm.compiler.used"
_DECLARED = """
@__logca_trace_loops = constant i64 {loops}
@llvm.compiler.used = appending global [{number} x ptr] [{variables}], section "llvm.metadata"
declare void @__logca_trace_loop_entered(i64)
declare void @__logca_trace_loop_left(i64)
declare void @__logca_trace_keep(ptr)
@__logca_trace_sink = external global [64 x i8]
"""
_GIVING = re.compile(rf'"[^"]*"|@__logca_trace_((?:m|c|aligned_)alloc)(?!{IN_NAME})')
_ARRAY = re.compile(r"  (\S+) = alloca (?:\[|%|.*, i(?:32|64) [^,]*,)")
_CARRIED = re.compile(r"  (\S+) = phi (i8|i16|i32|i64|float|double|ptr) ")


def with_loop_clocks(text: str, program: Program, loops: Sequence[int]) -> str:
    """The text of an instrumented module with clocks in some loops, by their numbers.

    Whatever memory the program has could be read and written where a clock starts and stops, and
    what a loop carries in registers is stored where it is left: so loops are neither computed at
    compile time nor left out, as those are whose results nothing reads.
    """
    room = state_bytes(program) // 8 - HEADER_WORDS
    if LOOP_WORDS * (len(loops) + 1) > room:
        raise TraceError(f"{len(loops)} loops are too many to be timed in one run")
    of_function: dict[str, list[tuple[int, Loop]]] = {}
    for number, loop in enumerate(loops):
        of_function.setdefault(program.loops[loop].function, []).append(
            (number, program.loops[loop])
        )
    pieces, last = [], 0
    for start, end in functions_in(text):
        first, *body = text[start:end].split("\n")
        found = FUNCTION.match(first)
        assert found is not None
        timed = of_function.get(found[1].strip('"'), [])
        parts = printed_blocks(body, {}, bare=False)
        lines = _with_clocks(parts, program, timed)
        pieces += [text[last:start], "\n".join([first, *map(_kept, lines), "}"])]
        last = end
    # what gives memory touches it too, see loop_clock.c
    whole = _GIVING.sub(
        lambda found: f"@__logca_trace_touched_{found[1]}" if found[1] else found[0],
        "".join([*pieces, text[last:]]),
    )
    variables = [name for name in _VARIABLE.findall(whole) if not name.startswith("@llvm.")]
    whole = re.sub(rf"^{_USED} = .*\n", "", whole, flags=re.MULTILINE)
    return whole + _DECLARED.format(
        loops=len(loops),
        number=len(variables),
        variables=", ".join(f"ptr {name}" for name in variables),
    )


def _kept(line: str) -> str:
    """A line; behind that of a local array or structure a call that makes its address known."""
    found = _ARRAY.match(line)
    return f"{line}\n  call void @__logca_trace_keep(ptr {found[1]})" if found else line


def _with_clocks(
    parts: Sequence[PrintedBlock], program: Program, timed: Sequence[tuple[int, Loop]]
) -> list[str]:
    """The lines of a function in whose loops, each with its number, clocks run."""
    inside = [
        (
            number,
            program.blocks[loop.header].name,
            {program.blocks[block].name for block in loop.blocks},
        )
        for number, loop in timed
    ]
    carried = {
        number: [
            f"  store volatile {found[2]} {found[1]}, ptr @__logca_trace_sink"
            for part in parts
            if part.label.strip('"') == header
            for line in part.statements
            if (found := _CARRIED.match(line))
        ]
        for number, header, _ in inside
    }
    by_target: dict[str, dict[str, str]] = {}
    added: list[str] = []
    lines: list[str] = []
    for part in parts if timed else ():
        source, end = part.label.strip('"'), part.statements[-1]
        for target in dict.fromkeys(TARGET.findall(end)):
            name = target.strip('"')
            calls = [
                line
                for number, _, blocks in inside
                if source in blocks and name not in blocks
                for line in (
                    f"  call void @__logca_trace_loop_left(i64 {number})",
                    *carried[number],
                )
            ] + [
                f"  call void @__logca_trace_loop_entered(i64 {number})"
                for number, header, blocks in inside
                if source not in blocks and name == header
            ]
            if not calls:
                continue
            if end.startswith("  indirectbr"):
                raise TraceError("a loop that a computed jump enters or leaves cannot be timed")
            between = f".logca.clock{len(added)}"
            by_target.setdefault(target, {})[part.label] = between
            end = re.sub(rf"label %{re.escape(target)}(?!{IN_NAME})", f"label %{between}", end)
            added.append("\n".join([f"{between}:", *calls, f"  br label %{target}"]))
        part.statements[-1] = end
    for part in parts:
        moved = by_target.get(part.label, {})
        lines.append(f"{part.label}:")
        lines += [
            _moved(line, moved) if moved and " = phi " in line else line for line in part.statements
        ]
    return [*lines, *added]


def _moved(line: str, moved: Mapping[str, str]) -> str:
    """A phi that takes values from the blocks that were put on edges, from each once.

    Examples
    --------
    >>> _moved("  %x = phi i8 [ 0, %a ], [ 0, %a ], [ %y, %b ], !dbg !7", {"a": "c"})
    '  %x = phi i8 [ 0, %c ], [ %y, %b ], !dbg !7'
    """
    start = line.index(" [ ") + 1
    ways: list[str] = []
    at = start
    for found in INCOMING.finditer(line, start):
        label = moved.get(found[1], found[1])
        way = f"{line[at : found.start()]}, %{label} ]"
        # a switch may lead there by several edges, which are one now
        if label == found[1] or way not in ways:
            ways.append(way)
        at = found.end() + 2
    return f"{line[:start]}{', '.join(ways)}{line[at - 2 :]}"
