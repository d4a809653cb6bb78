"""The program's text with counters in its blocks and records before its accesses.

A block starts with a counter of the edge that led to it: a phi of the edges' numbers needs no block
on the edge, and thus works for switches and computed jumps. A stretch of records checks for room
and is valid when the cursor moves, at its end, so that a program may die anywhere.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from logca.common.errors import TraceError
from logca.trace.compile.machine_code import without_records
from logca.trace.instrument.plan import RecordingPlan
from logca.trace.instrument.records import (
    HEADER_WORDS,
    OUTSIDE,
    PAGE_BITS,
    PAGE_BYTES,
    RecordKind,
    RecordSlot,
    StateWord,
    Stretch,
)
from logca.trace.ir.assembly import Statement, statement_of
from logca.trace.ir.program import Program

__all__ = ["instrumented", "state_bytes"]

ADDRESS_BITS = 64 - PAGE_BITS
CURSOR, END, BASE = (
    f"getelementptr (i8, ptr @__logca_trace_state, i64 {8 * word})"
    for word in (StateWord.CURSOR, StateWord.END, StateWord.BASE)
)

NAME = r'(?:"[^"]*"|[-\w.$]+)'
INCOMING = re.compile(rf", %({NAME}) \]")
TARGET = re.compile(rf"label %({NAME})")
CONSTANT = re.compile(r"\b(?:getelementptr|inttoptr|addrspacecast|null|undef|poison)\b.*")


LOCATION = re.compile(r"^!(\d+) = (distinct )?!DILocation\((.*)\)$", re.MULTILINE)
COLUMN = re.compile(r", column: \d+|column: \d+, ")
ATOM = re.compile(r", atom\w+: \d+")
PLACE = re.compile(r"!dbg !(\d+)")
SUBPROGRAM = re.compile(r"^!(\d+) = distinct !DISubprogram\(.*?\bline: (\d+)", re.MULTILINE)


@dataclass(slots=True, kw_only=True)
class ColumnMarks:
    """Places of what the instrumentation adds, as they are made."""

    places: dict[str, str]  # what the module's places say but for columns, by their numbers
    next: int  # the number of the next place [1]
    functions: dict[str, str]  # the lines of functions, by the numbers of their entries
    function: str = ""  # a place in the function that is being rewritten, if it has any
    # numbers of new places, by what they say [1]
    made: dict[str, int] = field(default_factory=dict)

    def enter(self, definition: str) -> None:
        """Begin with a function, given the line that defines it."""
        scope = PLACE.search(definition)
        line = self.functions.get(scope[1], "1") if scope else ""
        self.function = f"line: {line}, scope: !{scope[1]}" if scope else ""

    def at(self, line: str, column: int) -> str:
        """Text to append to an instruction that is to have a column, at the place of another."""
        place = PLACE.search(line)
        says = self.places.get(place[1], self.function) if place else self.function
        if not says:
            return ""
        number = self.made.setdefault(f"column: {column}, {says}", self.next)
        self.next += number == self.next
        return f", !dbg !{number}"

    def lines(self) -> Iterator[str]:
        """The new places as lines of the module."""
        for says, number in self.made.items():
            yield f"!{number} = !DILocation({says})"


def marks_of(text: str, first: int) -> tuple[ColumnMarks, str]:
    """The places of a module, and the module without columns."""
    places: dict[str, str] = {}

    def without(found: re.Match[str]) -> str:
        says = COLUMN.sub("", found[3])
        if not says.startswith("line: 0,"):
            places[found[1]] = ATOM.sub("", says)
        return f"!{found[1]} = {found[2] or ''}!DILocation({says})"

    text = LOCATION.sub(without, text)
    return ColumnMarks(places=places, next=first, functions=dict(SUBPROGRAM.findall(text))), text


@dataclass(slots=True)
class PrintedBlock:
    """A block as it is printed: its label, and one text for each statement."""

    label: str
    statements: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Rewriter:
    """Rewrites the blocks of one function."""

    plan: RecordingPlan
    edges: dict[tuple[int, int], int]
    numbers: dict[str, int]
    entry: int | None
    based: bool
    rare: int
    marks: ColumnMarks
    names: int = 0
    piece: str = ""

    def name(self, what: str) -> str:
        """A new register."""
        self.names += 1
        return f"%.logca.{what}{self.names}"

    def number(self, label: str) -> int:
        """The number of a block in the program [1]."""
        return self.numbers[label.strip('"')]

    def lines(self, parts: list[PrintedBlock]) -> Iterator[str]:
        """The lines of the function's body."""
        before: dict[str, list[str]] = {part.label: [] for part in parts}
        for part in parts:
            for target in TARGET.findall(part.statements[-1]):
                before[target].append(part.label)
        last: dict[str, str] = {}
        bodies = []
        for place, part in enumerate(parts):
            bodies.append(list(self.block(part, before[part.label], entry=place == 0)))
            last[part.label] = self.piece
        # a phi names the block that control comes from, which now ends in its last piece: known
        # only when all blocks are cut
        for part, (head, *body) in zip(parts, bodies, strict=True):
            yield f"{part.label}:"
            yield INCOMING.sub(lambda found: f", %{last[found[1]]} ]", head)
            yield from body

    def block(self, part: PrintedBlock, before: list[str], *, entry: bool) -> Iterator[str]:
        """The phis of a block as one text, then its other lines, cut into pieces by stretches."""
        number = self.number(part.label)
        waiting = list(self.plan.stretches.get(number, ()))
        self.piece = part.label
        first = next(i for i, line in enumerate(part.statements) if " = phi " not in line)
        counter, chosen = self.edge(number, before)
        yield "\n".join([*part.statements[:first], *chosen, *self.loops(number, before)])
        if counter:
            yield from self.increment(counter)
        if entry and self.entry is not None:
            yield from self.increment(str(8 * (HEADER_WORDS + self.entry)))
        if entry and self.based:
            yield f"  %.logca.base = load i64, ptr {BASE}"
        stretch: Stretch | None = None
        for index in range(first, len(part.statements)):
            line = part.statements[index]
            while True:
                if stretch is None and waiting and waiting[0].slots[0].index == index:
                    stretch = waiting.pop(0)
                    cursor, place = self.name("c"), 0
                    following = self.name("c")
                    outside = self.marks.at(line, OUTSIDE)
                    yield from self.room(cursor, following, len(stretch.slots), outside)
                if stretch is None:
                    break
                while place < len(stretch.slots) and stretch.slots[place].index == index:
                    yield from self.slot(stretch.slots[place], line, cursor, place)
                    place += 1
                if stretch.end != index or place < len(stretch.slots):
                    break
                yield f"  store ptr {following}, ptr {CURSOR}{self.marks.at(line, OUTSIDE)}"
                stretch = None
            yield line

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

    def loops(self, number: int, before: list[str]) -> Iterator[str]:
        """The phi that chooses between entering a loop and going on with it."""
        selector = self.plan.selectors.get(number)
        if selector and before:
            ways = ((selector.site(self.number(label)), label) for label in before)
            pairs = [(record_constant(site), label) for site, label in ways]
            yield phi(f"%.logca.loop{selector.loop}", pairs)

    def increment(self, offset: str) -> Iterator[str]:
        """Add one to a counter."""
        place, old, new = self.name("p"), self.name("n"), self.name("n")
        yield f"  {place} = getelementptr i8, ptr @__logca_trace_state, i64 {offset}"
        yield f"  {old} = load i64, ptr {place}"
        yield f"  {new} = add i64 {old}, 1"
        yield f"  store i64 {new}, ptr {place}"

    def room(self, cursor: str, following: str, records: int, mark: str) -> Iterator[str]:
        """Make sure that the chunk has room for a stretch."""
        old, new, next_, end, over = (self.name("r") for _ in range(5))
        full, ready = f".logca.full{self.names}", f".logca.ready{self.names}"
        yield f"  {old} = load ptr, ptr {CURSOR}{mark}"
        yield f"  {end} = load ptr, ptr {END}"
        yield f"  {next_} = getelementptr i64, ptr {old}, i64 {records}"
        yield f"  {over} = icmp ugt ptr {next_}, {end}"
        yield f"  br i1 {over}, label %{full}, label %{ready}, !prof !{self.rare}"
        yield f"{full}:"
        yield f"  call preserve_allcc void @__logca_trace_flush(){mark}"
        yield f"  {new} = load ptr, ptr {CURSOR}"
        yield f"  br label %{ready}"
        yield f"{ready}:"
        yield phi(cursor, [(new, full), (old, self.piece)], type_="ptr")
        yield f"  {following} = getelementptr i64, ptr {cursor}, i64 {records}"
        self.piece = ready

    def value(self, slot: RecordSlot, line: str) -> Iterator[str]:
        """The lines that compute a record, the last of which is its value."""
        site = record_constant(slot.site) if slot.loop is None else f"%.logca.loop{slot.loop}"
        if slot.what is RecordKind.MARK:
            yield site
        elif slot.what is RecordKind.PAGE:
            yield record_constant(slot.site, slot.value)
        elif slot.what is RecordKind.BASE:
            base, value = self.name("b"), self.name("b")
            yield f"  {base} = add i64 %.logca.base, {slot.value}"
            yield f"  store i64 {base}, ptr {BASE}"
            yield f"  {value} = or i64 {base}, {site}"
            yield value
        else:
            statement = statement_of(line.partition("\n")[0])
            if slot.what is RecordKind.LENGTH:
                yield from self.length(statement)
            else:
                yield from self.address(statement, site, store=slot.store)

    def length(self, statement: Statement) -> Iterator[str]:
        """The length of a copy."""
        value, length = self.name("l"), statement.operands[2]
        if ".i32" in statement.callee:
            yield f"  {value} = zext i32 {length} to i64"
            yield value
        else:
            yield length

    def address(self, statement: Statement, site: str, *, store: bool) -> Iterator[str]:
        """The address of an access, under its site."""
        place = int(statement.opcode == "store" or (bool(statement.callee) and not store))
        pointer = statement.operands[place]
        if pointer[0] not in "%@" and (constant := CONSTANT.search(pointer)):
            pointer = constant.group()
        number, value = self.name("a"), self.name("v")
        yield f"  {number} = ptrtoint ptr {pointer} to i64"
        if statement.callee:
            # a copy of no bytes may be given any pointer, and does not fault: its upper bits would
            # fall into the site
            low = self.name("a")
            yield f"  {low} = and i64 {number}, {(1 << ADDRESS_BITS) - 1}"
            number = low
        yield f"  {value} = or i64 {number}, {site}"
        yield value

    def slot(self, slot: RecordSlot, line: str, cursor: str, place: int) -> Iterator[str]:
        """Write one record."""
        *lines, value = self.value(slot, line)
        target = self.name("t")
        yield from lines
        yield f"  {target} = getelementptr i64, ptr {cursor}, i64 {place}"
        yield f"  store i64 {value}, ptr {target}{self.marks.at(line, place + 1)}"


def phi(register: str, pairs: Iterable[tuple[object, str]], type_: str = "i64") -> str:
    """A choice of a value by the block that control comes from."""
    ways = ", ".join(f"[ {value}, %{label} ]" for value, label in pairs)
    return f"  {register} = phi {type_} {ways}"


def record_constant(site: int, low: int = 0) -> str:
    """A record of a site as a signed constant."""
    value = site << ADDRESS_BITS | low
    return str(value - (1 << 64) if value >> 63 else value)


RENAMED = (
    *("malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"),
    *("pthread_create", "thrd_create"),
    *("signal", "__sysv_signal", "sigaction", "longjmp", "_longjmp", "siglongjmp"),
)

FUNCTION = re.compile(rf"define .*?@({NAME})\(")
TEXT = re.compile(r'c"[^"]*"')
OWN = re.compile(r"@(__logca_trace_[\w.$]*)")
LABEL = re.compile(rf"({NAME}):")
LIBRARY = re.compile(rf"\"[^\"]*\"|@({'|'.join(RENAMED)})(?=[\s,()])")
CALLED = re.compile(rf"(?:define |.*\bcall ).*?@({NAME})\(")
GROUP = re.compile(r" #(\d+)")
PURE = re.compile(r"^attributes #(\d+) = .*", re.MULTILINE)
MEMORY = re.compile(r" memory\([^)]*\)| speculatable")
START = re.compile(r"@llvm\.global_([cd]tors) = ")
STARTED = re.compile(rf"\{{ i32 (\d+), ptr (@{NAME}), ptr [^}}]* \}}")
GLOBAL = re.compile(rf"^@({NAME}) = ", re.MULTILINE)
NUMBERED = re.compile(r"^!(\d+) = ", re.MULTILINE)


def state_bytes(program: Program) -> int:
    """Size of the state that the program shares with the reader [B]: header and counters."""
    words = HEADER_WORDS + len(program.edges) + len(program.functions)
    return -(-8 * words // PAGE_BYTES) * PAGE_BYTES


def instrumented(program: Program, ir: str, *, plan: RecordingPlan, counts: bool) -> str:
    """Instrument a program."""
    if taken := OWN.search(TEXT.sub("", ir)):
        raise TraceError(
            f"the program uses the name {taken[1]}: names that start with __logca_trace_ are the"
            " tracer's; rename it"
        )
    own = {function.name for function in program.functions}
    text = without_purity(renamed(without_records(ir), own.union(GLOBAL.findall(ir))), own)
    rare = 1 + max((int(number) for number in NUMBERED.findall(text)), default=0)
    marks, text = marks_of(text, rare + 1)
    edges = {(edge.source, edge.target): edge.id for edge in program.edges} if counts else {}
    numbers: dict[str, dict[str, int]] = {}
    for block in program.blocks:
        numbers.setdefault(block.function, {})[block.name] = block.id
    entries = {each.name: len(program.edges) + n for n, each in enumerate(program.functions)}
    size = state_bytes(program)
    words = f"[{size // 8} x i64] zeroinitializer, align {PAGE_BYTES}"
    lines: list[str] = []
    rest = iter(text.splitlines())
    for line in rest:
        if found := FUNCTION.match(line):
            name = found[1].strip('"')
            marks.enter(line)
            rewriter = Rewriter(
                plan=plan,
                edges=edges,
                numbers=numbers[name],
                entry=entries[name] if counts else None,
                based=name in plan.based,
                rare=rare,
                marks=marks,
            )
            lines += [line, *rewriter.lines(printed_blocks(rest)), "}"]
        elif found := START.match(line):
            lines += constructors(line, found[1])
        else:
            lines.append(line)
    return "\n".join(
        [
            *lines,
            f"@__logca_trace_state = global {words}",
            f"@__logca_trace_state_bytes = constant i64 {size}",
            "declare preserve_allcc void @__logca_trace_flush()",
            f'!{rare} = !{{!"branch_weights", i32 1, i32 1048575}}',
            *marks.lines(),
            "",
        ]
    )


def renamed(text: str, own: set[str]) -> str:
    """The text with our versions of some library functions, unless the program has its own."""

    def new(found: re.Match[str]) -> str:
        name = found[1]
        return f"@__logca_trace_{name}" if name and name not in own else found[0]

    return LIBRARY.sub(new, text)


def without_purity(text: str, own: set[str]) -> str:
    """The text without promises that functions write nothing: now they do."""
    groups = {
        group
        for line in text.splitlines()
        if (found := CALLED.match(line)) and found[1].strip('"') in own
        for group in GROUP.findall(line)
    }
    return PURE.sub(
        lambda found: MEMORY.sub("", found[0]) if found[1] in groups else found[0], text
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


def printed_blocks(lines: Iterator[str]) -> list[PrintedBlock]:
    """The blocks of a function, whose last line is taken too."""
    parts: list[PrintedBlock] = []
    for line in lines:
        if line == "}":
            break
        if line[:2] == "  " and line[2:3] not in {" ", "]"}:
            parts[-1].statements.append(line)
        elif found := LABEL.match(line):
            parts.append(PrintedBlock(found[1]))
        elif line:
            parts[-1].statements[-1] += "\n" + line
    return parts
