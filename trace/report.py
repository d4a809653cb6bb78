"""A profile as tables to read."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from logca.trace.findings import AccessFindings, LineFindings, Strides
from logca.trace.program import Loop
from logca.trace.sheets import Part, Sheet, amount, count, percent
from logca.trace.wording import loop_name, stride_of, strides_around

if TYPE_CHECKING:
    from logca.trace.profile import Profile

__all__ = ["heading", "lines", "loops", "overview", "report"]

CACHES = ((9, "32K"), (14, "1M"), (19, "32M"))
"""Sizes of caches for which misses are told: powers of two of lines of 64 B, and their names."""

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
"""Opcodes of LLVM by what they do."""

_MOST_LINES = 24


def report(profile: "Profile") -> tuple[Sheet, ...]:
    """All that there is to say in short: overview, loops, lines."""
    return overview(profile), *loops(profile), *lines(profile)


def heading(profile: "Profile") -> str:
    """What was looked at, in a line [text]."""
    level = "as written" if profile.program.level == "as-written" else profile.program.level
    files = ", ".join(profile.program.files)
    return f"{files}: {profile.region.title}, {level} ({profile.compiler})"


def overview(profile: "Profile") -> Sheet:
    """Accesses, footprint, instructions and registers in a few lines."""
    run = profile.run
    rows = [("run", f"{_ending(profile)} after {run.wall_s:.2g} s under observation")]
    accesses = profile.loads + profile.stores
    if profile.lines:
        moved = f", {amount(profile.bytes)} moved" if profile.bytes else ""
        cut = "; the trace ends here, the program did not" if run.truncated else ""
        rows += [
            (
                "accesses",
                f"{count(accesses)}: {count(profile.loads)} loads, {count(profile.stores)} stores"
                f"{moved}{cut}",
            ),
            (
                "footprint",
                f"{amount(profile.footprint.bytes)} in {count(profile.footprint.lines)} lines of "
                f"64 B, {percent(profile.footprint.use, 1)} % of their bytes used",
            ),
        ]
        misses = (
            f"{percent(profile.reuse.misses(1 << power), profile.reuse.touches)} % {name}"
            for power, name in CACHES
        )
        rows.append(("misses", f"{', '.join(misses)} (LRU caches of 32 KiB, 1 MiB, 32 MiB)"))
    rows.append(("instructions", _mix(profile)))
    bits = sum(value.bits for value in profile.values)
    rows.append(
        ("registers", f"{count(len(profile.values))} values cross blocks, {count(bits)} bits")
    )
    if profile.output is not None:
        rows.append(("trace", str(profile.output)))
    return Sheet(title=heading(profile), headings=("", ""), parts=(Part(rows=tuple(rows)),))


def _ending(profile: "Profile") -> str:
    run = profile.run
    if run.ending == "exit":
        return f"exit status {run.status}"
    return run.message or "ended early"


def _mix(profile: "Profile") -> str:
    kinds = {opcode: kind for kind, opcodes in CLASSES.items() for opcode in opcodes}
    sums: dict[str, int] = {}
    for each in profile.instructions:
        if each.opcode != "phi":
            kind = kinds.get(each.opcode, "other")
            sums[kind] = sums.get(kind, 0) + each.executed
    most = sorted((kind for kind in sums if sums[kind]), key=lambda kind: -sums[kind])
    shares = ", ".join(f"{kind} {percent(sums[kind], profile.executed)} %" for kind in most)
    return f"{count(profile.executed)} executed{': ' if shares else ''}{shares}"


def loops(profile: "Profile") -> tuple[Sheet, ...]:
    """The loops with their nesting, how often they were entered, and how many iterations they made."""
    if not profile.loops:
        return (Sheet(headings=("",), parts=(Part(rows=(("no loops",),)),)),)
    program = profile.program
    functions: dict[str, list[tuple[str, ...]]] = {}
    idle = 0
    for found in profile.loops:
        loop = program.loops[found.loop]
        if not found.entries:
            idle += 1
            continue
        name = found.text or loop_name(loop)
        functions.setdefault(f"{loop.source_function} ({loop.file})", []).append(
            (
                str(loop.line or ""),
                "  " * _depth(profile, loop) + (name if len(name) < 60 else name[:59] + "…"),
                count(found.entries),
                count(found.iterations),
                f"{found.trip:.4g}",
                percent(found.instructions, profile.executed),
                count(found.accesses) if found.accesses is not None else "",
                amount(found.footprint.bytes) if found.footprint is not None else "",
                ", ".join(loop.carried),
            )
        )
    notes = [f"{idle} more that the run did not reach"] if idle else []
    return (
        Sheet(
            title="Loops",
            headings=(
                *("line", "loop", "entries", "iterations", "mean"),
                *("instr. %", "accesses", "footprint", "carried"),
            ),
            parts=tuple(
                Part(heading=function, rows=tuple(rows)) for function, rows in functions.items()
            ),
            notes=tuple(notes),
            right=frozenset({0, 2, 3, 4, 5, 6, 7}),
            spare=(8, 2),
        ),
    )


def _depth(profile: "Profile", loop: Loop) -> int:
    """Loops of the region around a loop [1]."""
    inside, depth = set(profile.region.loops), 0
    while loop.parent is not None and loop.parent in inside:
        loop, depth = profile.program.loops[loop.parent], depth + 1
    return depth


def lines(profile: "Profile") -> tuple[Sheet, ...]:
    """Lines of the source that access memory, and what each of their accesses did."""
    if not profile.lines:
        return ()
    total = profile.loads + profile.stores
    busiest = sorted(profile.lines, key=lambda line: -(line.loads + line.stores))[:_MOST_LINES]
    places = {(line.file, line.line) for line in busiest}
    shown = [line for line in profile.lines if (line.file, line.line) in places]
    several = len({line.file for line in profile.lines}) > 1
    left = sum(line.loads + line.stores for line in profile.lines) - sum(
        line.loads + line.stores for line in shown
    )
    notes = ["miss: % of touches of lines of 64 B that miss in a fully associative LRU cache"]
    if left:
        rest = len(profile.lines) - len(shown)
        notes.append(f"{rest} more lines with {percent(left, total)} % of the accesses: --json")
    return (
        Sheet(
            title="Accesses by line of source",
            headings=(
                *("", "array", "count", "%", "footprint", "stride"),
                *("outer strides", f"miss {CACHES[0][1]}", CACHES[1][1], CACHES[2][1]),
            ),
            parts=tuple(
                Part(heading=_place(line, several), rows=tuple(_sites(profile, line, total)))
                for line in shown
            ),
            notes=tuple(notes),
            right=frozenset({2, 3, 4, 7, 8, 9}),
            spare=(6, 2, 9),
        ),
    )


def _place(line: LineFindings, several: bool) -> str:
    where = f"{line.file}:{line.line}" if several else f"{line.line or '?':>4}"
    return f"{where}  {line.text or '(no source)'}"


def _sites(profile: "Profile", line: LineFindings, total: int) -> Iterator[tuple[str, ...]]:
    for found in line.accesses:
        access = profile.program.accesses[found.access]
        inner, outer = _split(found)
        misses = (
            percent(found.reuse.misses(1 << power), found.reuse.touches) for power, _ in CACHES
        )
        yield (
            f"      {'store' if access.store else 'load'}",
            access.array or "?",
            count(found.count),
            percent(found.count, total),
            amount(found.footprint.bytes),
            stride_of(inner, profile.program) if inner else "",
            strides_around(outer, profile.program),
            *misses,
        )


def _split(found: AccessFindings) -> tuple[Strides | None, tuple[Strides, ...]]:
    """The strides of the innermost loop that went on, and the others."""
    return (found.strides[0], found.strides[1:]) if found.strides else (None, ())
