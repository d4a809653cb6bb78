"""The program's text with counters in its blocks and records before its accesses.

A block starts with a counter of the edge that led to it: a phi of the edges' numbers needs no block
on the edge, and thus works for switches and computed jumps.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from logca.common.errors import TraceError
from logca.trace.compile.halves import declared, list_of_shared
from logca.trace.instrument.line_tables import line_tables, no_line_tables
from logca.trace.instrument.plan import RecordingPlan
from logca.trace.instrument.record_code import RecordWriter, record_writer
from logca.trace.instrument.records import HEADER_WORDS, PAGE_BYTES
from logca.trace.ir.assembly import FUNCTION, LABEL
from logca.trace.ir.module_text import (
    attributes_in,
    functions_in,
    lines_with,
    replaced,
    with_attributes,
)
from logca.trace.ir.operands import IN_NAME, NAME
from logca.trace.ir.program import Program

__all__ = ["instrumented", "instrumented_parts", "state_bytes"]

INCOMING = re.compile(rf", %({NAME}) \]")
TARGET = re.compile(rf"label %({NAME})")


@dataclass(slots=True)
class PrintedBlock:
    """A block as it is printed: its label, and one text for each statement."""

    label: str
    statements: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Rewriter:
    """Rewrites the blocks of one function."""

    edges: dict[tuple[int, int], int]
    numbers: dict[str, int]
    entry: int | None
    writer: RecordWriter | None
    names: int = 0

    def name(self, what: str) -> str:
        """A new register."""
        self.names += 1
        return f"%.logca.{what}{self.names}"

    def number(self, label: str) -> int:
        """The number of a block in the program [1]."""
        return self.numbers[label.strip('"')]

    def lines(self, parts: list[PrintedBlock]) -> list[str]:
        """The lines of the function's body."""
        before: dict[str, list[str]] = {part.label: [] for part in parts}
        for part in parts:
            for target in TARGET.findall(part.statements[-1]):
                before[target].append(part.label)
        last: dict[str, str] = {}
        lines: list[str] = []
        heads = []
        for place, part in enumerate(parts):
            lines.append(f"{part.label}:")
            heads.append((len(lines), len(part.statements)))
            head = self.block(part, before[part.label], lines, entry=place == 0)
            heads[-1] = heads[-1][0], head
            last[part.label] = self.writer.piece if self.writer else part.label
        # a phi names the block that control comes from, which now ends in its last piece: known
        # only when all blocks are cut
        for start, count in heads:
            for at in range(start, start + count):
                lines[at] = INCOMING.sub(lambda found: f", %{last[found[1]]} ]", lines[at])
        return lines

    def block(self, part: PrintedBlock, before: list[str], lines: list[str], *, entry: bool) -> int:
        """Add the lines of a block; how many of them are phis, which come first [1]."""
        number = self.number(part.label)
        statements = part.statements
        first = next(i for i, line in enumerate(statements) if " = phi " not in line)
        counter, chosen = self.edge(number, before)
        if self.writer:
            sources = [(self.number(label), label) for label in before]
            register, ways = self.writer.choice(number, sources)
            chosen += [phi(register, ways)] if ways else []
        lines += statements[:first]
        lines += chosen
        if counter:
            self.increment(counter, lines)
        if entry and self.entry is not None:
            self.increment(str(8 * (HEADER_WORDS + self.entry)), lines)
        if self.writer:
            self.writer.block(number, part.label, statements, first, lines, entry=entry)
        else:
            lines += statements[first:]
        return first + len(chosen)

    def edge(self, number: int, before: list[str]) -> tuple[str, list[str]]:
        """Offset of the counter of the edge that was taken [B], and the phi that chooses it."""
        if not self.edges or not before:
            return "", []
        ids = [self.edges[self.number(label), number] for label in before]
        offsets = [8 * (HEADER_WORDS + edge) for edge in ids]
        if len(set(offsets)) == 1:
            return str(offsets[0]), []
        register = self.name("e")
        return register, [phi(register, zip(offsets, before, strict=True))]

    def increment(self, offset: str, lines: list[str]) -> None:
        """Add one to a counter."""
        old, new = self.name("n"), self.name("n")
        place = f"getelementptr (i8, ptr @__logca_trace_state, i64 {offset})"
        if offset.startswith("%"):
            register = self.name("p")
            lines.append(f"  {register} = getelementptr i8, ptr @__logca_trace_state, i64 {offset}")
            place = register
        lines.append(
            f"  {old} = load i64, ptr {place}\n"
            f"  {new} = add i64 {old}, 1\n"
            f"  store i64 {new}, ptr {place}"
        )


def phi(register: str, pairs: Iterable[tuple[object, str]]) -> str:
    """A choice of a number by the block that control comes from."""
    ways = ", ".join(f"[ {value}, %{label} ]" for value, label in pairs)
    return f"  {register} = phi i64 {ways}"


RENAMED = (
    *("malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"),
    *("tmpfile", "tmpfile64"),
    *("pthread_create", "thrd_create"),
    *("signal", "__sysv_signal", "sigaction", "longjmp", "_longjmp", "siglongjmp"),
)

# at the end of a line: what a text of the program says stays
ATTACHED = re.compile(r"(?:, ![\w.]+ !\d+)+$")
OF_FUNCTION = re.compile(r"(?: ![\w.]+ !\d+)+(?= \{$)")
OF_DECLARATION = re.compile(r"(?<=^declare )!dbg !\d+ ", re.MULTILINE)
OWN_NAMES = "@__logca_trace_"
TEXT = re.compile(r'c"[^"]*"')
OWN = re.compile(r"@(__logca_trace_[\w.$]*)")
LIBRARY = re.compile(rf"\"[^\"]*\"|@({'|'.join(RENAMED)})(?!{IN_NAME})")
CALLED = re.compile(rf"(?:define |.*\bcall ).*?@({NAME})\(")
GROUP = re.compile(r" #(\d+)")
PURE = re.compile(r"^attributes #(\d+) = .*(?: memory\(| speculatable).*", re.MULTILINE)
MEMORY = re.compile(r" memory\([^)]*\)| speculatable")
START = re.compile(r"@llvm\.global_([cd]tors) = ")
STARTED = re.compile(rf"\{{ i32 (\d+), ptr (@{NAME}), ptr [^}}]* \}}")
GLOBAL = re.compile(rf"@({NAME}) = ")


def state_bytes(program: Program) -> int:
    """Size of the state that the program shares with the reader [B]: header and counters."""
    words = HEADER_WORDS + len(program.edges) + len(program.functions)
    return -(-8 * words // PAGE_BYTES) * PAGE_BYTES


def instrumented(
    program: Program,
    ir: str,
    *,
    plan: RecordingPlan | None,
    counts: bool,
    compact: bool = False,
) -> str:
    """Instrument a program; without a plan it records nothing.

    `compact` code asks for room by a call, and becomes machine code in half of the time.
    """
    (text,) = instrumented_parts(program, ir, plan=plan, counts=counts, compact=compact)
    return text


def instrumented_parts(
    program: Program,
    ir: str,
    *,
    plan: RecordingPlan | None,
    counts: bool,
    compact: bool = False,
    places: bool = True,
    first: Collection[str] = (),
) -> Iterator[str]:
    """Instrument a program, in two modules if some functions are to be in the first one.

    Code whose `places` in the source nobody asks for is the same, and made in half of the time.
    """
    if OWN_NAMES in ir and (taken := OWN.search(TEXT.sub("", ir))):
        raise TraceError(
            f"the program uses the name {taken[1]}: names that start with __logca_trace_ are the"
            " tracer's; rename it"
        )
    own = {function.name for function in program.functions}
    variables = {found[1] for _, line in lines_with(ir, "\n@") if (found := GLOBAL.match(line))}
    # metadata too: they list what a pointer may call
    ir = renamed(ir, own | variables)
    end = ir.find("\n!") + 1
    text, metadata = (ir[:end], ir[end:]) if end else (ir, "")
    del ir
    tables = line_tables(metadata) if places else no_line_tables(metadata, text)
    text = without_purity(text, own)
    writer = record_writer(tables, plan, compact=compact) if plan else None
    edges = {(edge.source, edge.target): edge.id for edge in program.edges} if counts else {}
    numbers: dict[str, dict[str, int]] = {}
    for block in program.blocks:
        numbers.setdefault(block.function, {})[block.name] = block.id
    entries = {each.name: len(program.edges) + n for n, each in enumerate(program.functions)}
    size = state_bytes(program)
    words = f"[{size // 8} x i64]"
    state = (
        f"@__logca_trace_state = dso_local global {words} zeroinitializer, align {PAGE_BYTES}",
        f"@__logca_trace_state_bytes = constant i64 {size}",
    )
    for part in (own.intersection(first), own.difference(first)) if first else (own,):
        behind = bool(first) and part.isdisjoint(first)
        shared: set[str] = set()
        lines: list[str] = []
        last = 0
        for start, end in functions_in(text):
            others = between(text[last:start])
            lines += elsewhere(others, shared) if behind else others
            last = end
            end = text.index("\n", start)
            first_line = text[start:end] if places else OF_FUNCTION.sub("", text[start:end])
            found = FUNCTION.match(first_line)
            assert found is not None, f"no function: {first_line}"
            name = found[1].strip('"')
            if name not in part:
                lines.append(declared(first_line, shared))
                continue
            if writer:
                writer.enter(first_line, name)
            rewriter = Rewriter(
                edges=edges,
                numbers=numbers[name],
                entry=entries[name] if counts else None,
                writer=writer,
            )
            body = text[end + 1 : last].split("\n")
            if not places:
                body = list(map(without_metadata, body))
            lines.append(first_line)
            lines += rewriter.lines(printed_blocks(body, tables.same, bare=compact))
            lines.append("}")
        yield "\n".join(
            [
                *([list_of_shared(shared)] if first else ()),
                *lines,
                *between(text[last:]),
                *tables.lines,
                *(elsewhere(state, shared) if behind else state),
                *(writer.definitions() if writer else ()),
                "",
            ]
        )


def elsewhere(lines: Iterable[str], shared: set[str]) -> Iterator[str]:
    """The lines with declarations for the variables that they define."""
    for line in lines:
        if not line.startswith("@"):
            yield line
        elif not line.startswith("@__logca_trace_ctors_"):
            yield declared(line, shared)


def between(text: str) -> Iterator[str]:
    """Lines before, between and behind functions, as they are in the module that is traced."""
    for line in OF_DECLARATION.sub("", text).split("\n"):
        if line.startswith("@"):
            found = START.match(line)
            if found:
                yield from constructors(line, found[1])
            else:
                yield ATTACHED.sub("", line)
        elif line:
            yield line


def renamed(text: str, own: set[str]) -> str:
    """The text with our versions of some library functions, unless the program has its own."""

    def new(found: re.Match[str]) -> str:
        name = found[1]
        return f"@__logca_trace_{name}" if name and name not in own else found[0]

    # what a module calls it declares: a search for each name in all of a large text takes long
    known = "\n".join(line for _, line in lines_with(text, "\ndeclare "))
    for name in RENAMED:
        if name not in own and f"@{name}(" in known:
            text = replaced(text, f"@{name}", lambda line: LIBRARY.sub(new, line))
    return text


def without_purity(text: str, own: set[str]) -> str:
    """The text without promises that functions write nothing: now they do."""
    promising = set(PURE.findall(text, attributes_in(text)[0]))
    groups = {
        group
        for number in promising
        for _, line in lines_with(text, f" #{number}")
        if (found := CALLED.match(line)) and found[1].strip('"') in own
        for group in GROUP.findall(line)
    }
    if not groups:
        return text
    return with_attributes(
        text,
        lambda some: PURE.sub(
            lambda found: MEMORY.sub("", found[0]) if found[1] in groups else found[0], some
        ),
    )


def constructors(line: str, kind: str) -> Iterator[str]:
    """Functions run before and after `main`, in sections that the C library of today reads."""
    # LLVM would put them into .ctors, as the machine is not told of a C library, which no start-up
    # code of today reads
    section = {"ctors": ".init_array", "dtors": ".fini_array"}
    for number, (priority, function) in enumerate(STARTED.findall(line)):
        suffix = "" if priority == "65535" else f".{int(priority):05d}"
        yield (
            f"@__logca_trace_{kind}_{number} = global ptr {function}, "
            f'section "{section[kind]}{suffix}", align 8'
        )


def without_metadata(line: str) -> str:
    """The line of a statement without what metadata say of it.

    Examples
    --------
    >>> without_metadata("  %x = load i32, ptr %p, align 4, !dbg !7, !tbaa !9")
    '  %x = load i32, ptr %p, align 4'
    """
    at = line.find(", !")
    if at < 0:
        return line
    return ATTACHED.sub("", line) if '"' in line else line[:at]


def printed_blocks(
    lines: Iterable[str], same: Mapping[str, str], *, bare: bool
) -> list[PrintedBlock]:
    """The blocks of a function, given the lines of its body and which places are the same.

    Where nothing is optimised, statements are `bare`, without what metadata say to the optimiser.
    """
    parts: list[PrintedBlock] = []
    statements: list[str] = []
    for line in lines:
        start = line.rfind("!dbg !") + 6
        if start > 5:
            end = line.find(",", start)
            end = len(line) if end < 0 else end
            number = line[start:end]
            if bare or number in same:
                line = f"{line[:start]}{same.get(number, number)}{'' if bare else line[end:]}"
        if line[:2] == "  " and line[2:3] not in {" ", "]"}:
            statements.append(line)
        elif found := LABEL.match(line):
            parts.append(PrintedBlock(found[1]))
            statements = parts[-1].statements
        elif line and line != "}":
            statements[-1] += "\n" + line
    return parts
