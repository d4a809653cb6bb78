"""The code that writes records, which `rewriting` puts between the statements of a program.

A stretch of records checks for room and is valid when the cursor moves, at its end, so that a
program may die anywhere. How far it had come is then told by the columns of the line table: those
of the program are taken out, and each store of a record has its place in the stretch for one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from logca.trace.instrument.line_tables import LineTables
from logca.trace.instrument.plan import RecordingPlan
from logca.trace.instrument.records import (
    OUTSIDE,
    PAGE_BITS,
    RecordKind,
    RecordSlot,
    StateWord,
)
from logca.trace.ir.statements import Statement, statement_of

__all__ = ["RecordWriter", "record_writer"]

ADDRESS_BITS = 64 - PAGE_BITS
CURSOR, END, BASE = (
    f"getelementptr (i8, ptr @__logca_trace_state, i64 {8 * word})"
    for word in (StateWord.CURSOR, StateWord.END, StateWord.BASE)
)

CONSTANT = re.compile(r"\b(?:getelementptr|inttoptr|addrspacecast|null|undef|poison)\b.*")
PLAIN = re.compile(r"[%@][-\w.$]+")
PLACE = re.compile(r"!dbg !(\d+)")


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
        start = line.find("!dbg !")
        if start >= 0:
            end = line.find(",", start)
            number = line[start + 6 :] if end < 0 else line[start + 6 : end]
            says = self.places.get(number, self.function)
        else:
            says = self.function
        if not says:
            return ""
        own = self.made.setdefault(f"column: {column}, {says}", self.next)
        self.next += own == self.next
        return f", !dbg !{own}"


@dataclass(slots=True, kw_only=True)
class RecordWriter:
    """Writes the records of a module, function by function and block by block."""

    plan: RecordingPlan
    marks: ColumnMarks
    rare: int  # the number of what says that a branch is hardly ever taken [1]
    compact: bool  # whether room for a stretch is asked for by a call
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
        self,
        number: int,
        label: str,
        statements: Sequence[str],
        first: int,
        lines: list[str],
        *,
        entry: bool,
    ) -> None:
        """Add the lines of a block but for its phis, cut into pieces by stretches."""
        self.piece = label
        if entry and self.based:
            lines.append(f"  %.logca.base = load i64, ptr {BASE}")
        done = first
        for stretch in self.plan.stretches.get(number, ()):
            start = stretch.slots[0].index
            lines += statements[done:start]
            outside = self.marks.at(statements[start], OUTSIDE)
            cursor, following = self.name("c"), self.name("c")
            self.room(cursor, following, len(stretch.slots), outside, lines)
            done = start
            for place, slot in enumerate(stretch.slots):
                lines += statements[done : slot.index]
                done = slot.index
                self.slot(slot, statements[done], cursor, place, lines)
            lines += statements[done : stretch.end]
            done = stretch.end
            mark = self.marks.at(statements[done], OUTSIDE)
            lines.append(f"  store ptr {following}, ptr {CURSOR}{mark}")
        lines += statements[done:]

    def room(self, cursor: str, following: str, records: int, mark: str, lines: list[str]) -> None:
        """Make sure that the chunk has room for a stretch."""
        if self.compact:
            lines.append(
                f"  {cursor} = call ptr @__logca_trace_room(i64 {records}){mark}\n"
                f"  {following} = getelementptr i64, ptr {cursor}, i64 {records}"
            )
            return
        old, new, next_, end, over = (self.name("r") for _ in range(5))
        full, ready = f".logca.full{self.names}", f".logca.ready{self.names}"
        lines.append(
            f"  {old} = load ptr, ptr {CURSOR}{mark}\n"
            f"  {end} = load ptr, ptr {END}\n"
            f"  {next_} = getelementptr i64, ptr {old}, i64 {records}\n"
            f"  {over} = icmp ugt ptr {next_}, {end}\n"
            f"  br i1 {over}, label %{full}, label %{ready}, !prof !{self.rare}\n"
            f"{full}:\n"
            f"  call preserve_allcc void @__logca_trace_flush(){mark}\n"
            f"  {new} = load ptr, ptr {CURSOR}\n"
            f"  br label %{ready}\n"
            f"{ready}:\n"
            f"  {cursor} = phi ptr [ {new}, %{full} ], [ {old}, %{self.piece} ]\n"
            f"  {following} = getelementptr i64, ptr {cursor}, i64 {records}"
        )
        self.piece = ready

    def value(self, slot: RecordSlot, line: str, lines: list[str]) -> str:
        """Type and value of a record, with the lines that compute it added."""
        site = record_constant(slot.site) if slot.loop is None else f"%.logca.loop{slot.loop}"
        if slot.what is RecordKind.MARK:
            return f"i64 {site}"
        if slot.what is RecordKind.PAGE:
            return f"i64 {record_constant(slot.site, slot.value)}"
        if slot.what is RecordKind.BASE:
            base, value = self.name("b"), self.name("b")
            lines += (
                f"  {base} = add i64 %.logca.base, {slot.value}",
                f"  store i64 {base}, ptr {BASE}",
                f"  {value} = or i64 {base}, {site}",
            )
            return f"i64 {value}"
        if slot.what is RecordKind.LENGTH:
            return self.length(statement_of(line.partition("\n")[0]), lines)
        return self.address(line, site, lines, store=slot.store)

    def length(self, statement: Statement, lines: list[str]) -> str:
        """The length of a copy, with its type."""
        length = statement.operands[2]
        if ".i32" not in statement.callee:
            return f"i64 {length}"
        value = self.name("l")
        lines.append(f"  {value} = zext i32 {length} to i64")
        return f"i64 {value}"

    def address(self, line: str, site: str, lines: list[str], *, store: bool) -> str:
        """The address of an access, under its site, with its type."""
        pointer, copies = plain_address(line), False
        if not pointer:
            statement = statement_of(line.partition("\n")[0])
            copies = bool(statement.callee)
            pointer = statement.operands[int(statement.opcode == "store" or (copies and not store))]
            if pointer[0] not in "%@" and (constant := CONSTANT.search(pointer)):
                pointer = constant.group()
        number, value = self.name("a"), self.name("v")
        lines.append(f"  {number} = ptrtoint ptr {pointer} to i64")
        if copies:
            # a copy of no bytes may be given any pointer, and does not fault: its upper bits would
            # fall into the site
            low = self.name("a")
            lines.append(f"  {low} = and i64 {number}, {(1 << ADDRESS_BITS) - 1}")
            number = low
        lines.append(f"  {value} = or i64 {number}, {site}")
        return f"i64 {value}"

    def slot(self, slot: RecordSlot, line: str, cursor: str, place: int, lines: list[str]) -> None:
        """Write one record."""
        value = self.value(slot, line, lines)
        target = cursor
        if place:
            target = self.name("t")
            lines.append(f"  {target} = getelementptr i64, ptr {cursor}, i64 {place}")
        lines.append(f"  store {value}, ptr {target}{self.marks.at(line, place + 1)}")

    def definitions(self) -> Iterator[str]:
        """Definitions that the lines so far refer to, as lines of the module; each place once."""
        yield "declare preserve_allcc void @__logca_trace_flush()"
        if self.compact:
            yield "declare ptr @__logca_trace_room(i64)"
        yield f'!{self.rare} = !{{!"branch_weights", i32 1, i32 1048575}}'
        for says, number in self.marks.made.items():
            yield f"!{number} = !DILocation({says})"
        self.marks.made.clear()


def record_writer(tables: LineTables, plan: RecordingPlan, *, compact: bool) -> RecordWriter:
    """Writer of the records of a module with such line tables."""
    marks = ColumnMarks(places=tables.places, next=tables.next + 1, functions=tables.functions)
    return RecordWriter(plan=plan, marks=marks, rare=tables.next, compact=compact)


def plain_address(line: str) -> str:
    """The register or variable that a load or store reaches; no text where it is not plain.

    Examples
    --------
    >>> plain_address("  %x = load i32, ptr %p, align 4, !dbg !7")
    '%p'
    >>> plain_address("  %x = load i32, ptr getelementptr (i8, ptr @a, i64 4), align 4")
    ''
    """
    if " = load " not in line and not line.startswith("  store "):
        return ""
    # a constant that is an address has another comma before a pointer
    if line.count(", ptr ") != 1:
        return ""
    start = line.find(", ptr ") + len(", ptr ")
    end = line.find(",", start)
    address = line[start:] if end < 0 else line[start:end]
    return address if PLAIN.fullmatch(address) else ""


def record_constant(site: int, low: int = 0) -> str:
    """A record of a site as a signed constant."""
    value = site << ADDRESS_BITS | low
    return str(value - (1 << 64) if value >> 63 else value)
