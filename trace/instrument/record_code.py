"""The code that writes records, which `rewriting` puts between the statements of a program.

A stretch of records checks for room and is valid when the cursor moves, at its end, so that a
program may die anywhere. How far it had come is then told by the columns of the line table: those
of the program are taken out, and each store of a record has its place in the stretch for one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from logca.trace.instrument.plan import RecordingPlan
from logca.trace.instrument.records import (
    OUTSIDE,
    PAGE_BITS,
    RecordKind,
    RecordSlot,
    StateWord,
    Stretch,
)
from logca.trace.ir.assembly import Statement, statement_of

__all__ = ["RecordWriter", "record_writer"]

ADDRESS_BITS = 64 - PAGE_BITS
CURSOR, END, BASE = (
    f"getelementptr (i8, ptr @__logca_trace_state, i64 {8 * word})"
    for word in (StateWord.CURSOR, StateWord.END, StateWord.BASE)
)

CONSTANT = re.compile(r"\b(?:getelementptr|inttoptr|addrspacecast|null|undef|poison)\b.*")
LOCATION = re.compile(r"^!(\d+) = (distinct )?!DILocation\((.*)\)$", re.MULTILINE)
COLUMN = re.compile(r", column: \d+|column: \d+, ")
ATOM = re.compile(r", atom\w+: \d+")
PLACE = re.compile(r"!dbg !(\d+)")
SUBPROGRAM = re.compile(r"^!(\d+) = distinct !DISubprogram\(.*?\bline: (\d+)", re.MULTILINE)
NUMBERED = re.compile(r"^!(\d+) = ", re.MULTILINE)


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


@dataclass(slots=True, kw_only=True)
class RecordWriter:
    """Writes the records of a module, function by function and block by block."""

    plan: RecordingPlan
    marks: ColumnMarks
    rare: int  # the number of what says that a branch is hardly ever taken [1]
    based: bool = False  # whether the function passes on how many cells its callers' loops take
    names: int = 0  # registers made so far [1]
    piece: str = ""  # the label of the last piece of the block

    def enter(self, definition: str, name: str) -> None:
        """Begin with a function, given the line that defines it."""
        self.marks.enter(definition)
        self.based = name in self.plan.based

    def name(self, what: str) -> str:
        """A new register."""
        self.names += 1
        return f"%.logca.{what}{self.names}"

    def choice(
        self, number: int, before: Sequence[tuple[int, str]]
    ) -> tuple[str, list[tuple[str, str]]]:
        """The register with the site of a loop's header, and its values by the blocks before it.

        These are given by their numbers and labels; without a choice there are no values.
        """
        selector = self.plan.selectors.get(number)
        if selector is None:
            return "", []
        entering, again = record_constant(selector.entering), record_constant(selector.again)
        return f"%.logca.loop{selector.loop}", [
            (again if source in selector.blocks else entering, label) for source, label in before
        ]

    def block(
        self, number: int, label: str, statements: Sequence[str], first: int, *, entry: bool
    ) -> Iterator[str]:
        """The lines of a block but for its phis, cut into pieces by stretches."""
        waiting = list(self.plan.stretches.get(number, ()))
        self.piece = label
        if entry and self.based:
            yield f"  %.logca.base = load i64, ptr {BASE}"
        stretch: Stretch | None = None
        for index in range(first, len(statements)):
            line = statements[index]
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
        yield f"  {cursor} = phi ptr [ {new}, %{full} ], [ {old}, %{self.piece} ]"
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

    def definitions(self) -> Iterator[str]:
        """Definitions that the lines of all functions refer to, as lines of the module."""
        yield "declare preserve_allcc void @__logca_trace_flush()"
        yield f'!{self.rare} = !{{!"branch_weights", i32 1, i32 1048575}}'
        for says, number in self.marks.made.items():
            yield f"!{number} = !DILocation({says})"


def record_writer(text: str, plan: RecordingPlan) -> tuple[RecordWriter, str]:
    """Writer of the records of a module, and the module without columns."""
    rare = 1 + max((int(number) for number in NUMBERED.findall(text)), default=0)
    places: dict[str, str] = {}

    def without(found: re.Match[str]) -> str:
        says = COLUMN.sub("", found[3])
        if not says.startswith("line: 0,"):
            places[found[1]] = ATOM.sub("", says)
        return f"!{found[1]} = {found[2] or ''}!DILocation({says})"

    text = LOCATION.sub(without, text)
    functions = dict(SUBPROGRAM.findall(text))
    marks = ColumnMarks(places=places, next=rare + 1, functions=functions)
    return RecordWriter(plan=plan, marks=marks, rare=rare), text


def record_constant(site: int, low: int = 0) -> str:
    """A record of a site as a signed constant."""
    value = site << ADDRESS_BITS | low
    return str(value - (1 << 64) if value >> 63 else value)
