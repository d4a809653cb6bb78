"""A function while it is analysed: registers, their names and places in the source, its loops.

Names and places are from the module's debug metadata, which are read here.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from sys import intern

from logca.trace.ir import types
from logca.trace.ir.assembly import DebugRecord, FunctionText, Module, parse
from logca.trace.ir.control_flow import LoopNest, loops_and_order
from logca.trace.ir.statements import Statement

__all__ = [
    "CASTS",
    "COMPUTED",
    "Debug",
    "FunctionIndex",
    "Place",
    "indexed",
    "local_sizes",
    "unquoted",
]

FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|!\w+\([^)]*\)|[^,)]+)')
LOCATION = re.compile(
    r"(?:distinct )?!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: !(\d+)"
    r"(?:, inlinedAt: !(\d+))?"
)
CASTS = {"sext", "zext", "trunc", "freeze", "bitcast", "fpext", "fptrunc", "sitofp", "uitofp"}
ARITHMETIC = {
    *("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or"),
    *("xor", "fadd", "fsub", "fmul", "fdiv", "fneg", "icmp", "fcmp", "select", "getelementptr"),
}
COMPUTED = CASTS | ARITHMETIC
"""Statements that compute a value from others, and do nothing else."""
ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2})")

LIBRARY = re.compile(r"/ziglang/lib/|/lib/zig/|/lib/clang/|^/usr/(?:local/)?(?:include|lib)/")
"""Folders of headers that are the compiler's, or the C library's."""
# the compiler's endings: `sum.0` after promotion, `sum.0.lcssa` behind a loop, `sum.0.i` inlined
ENDING = re.compile(r"(?:\.(?:addr|sroa|lcssa|i?\d+|i))+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in the source."""

    # file, function: source file and the function that the text stands in, inlined or not
    file: str = ""
    function: str = ""
    # line, column: 0 if unknown [1]
    line: int = 0
    column: int = 0
    call: int = 0  # entry of the call in whose place the function was inlined; 0 if it was not [1]


NOWHERE = Place()


class Debug:
    """The numbered metadata of a module, read on demand."""

    def __init__(self, metadata: Mapping[int, str], spelling: Mapping[str, str]) -> None:
        self.metadata = metadata
        self.spelling = spelling
        self.read: dict[int, dict[str, str]] = {}
        self.places: dict[int, Place] = {}
        self.scopes: dict[str, tuple[str, str]] = {}
        self.paths: dict[int, str] = {}

    def fields(self, number: int) -> dict[str, str]:
        """The named fields of an entry; texts without their quotes."""
        if number not in self.read:
            content = self.metadata.get(number, "")
            self.read[number] = {key: unquoted(text) for key, text in FIELD.findall(content)}
        return self.read[number]

    def reference(self, number: int, field: str) -> int | None:
        """The entry that a field refers to."""
        text = self.fields(number).get(field, "")
        return int(text[1:]) if text[:1] == "!" and text[1:].isdigit() else None

    def place(self, location: int | None) -> Place:
        """Place of a `DILocation`; where a library's function was inlined, that of the call."""
        if location is None:
            return NOWHERE
        if (known := self.places.get(location)) is not None:
            return known
        found = LOCATION.match(self.metadata.get(location, ""))
        line, column, scope, at = found.groups("0") if found else ("0", "0", "", "0")
        file, function = self.scope(scope)
        call = int(at)
        place = (
            self.place(call)
            if call and LIBRARY.search(file)
            else Place(file=file, function=function, line=int(line), column=int(column), call=call)
        )
        self.places[location] = place
        return place

    def scope(self, entry: str) -> tuple[str, str]:
        """File and function of a scope, by its number."""
        if entry not in self.scopes:
            number = int(entry) if entry else None
            self.scopes[entry] = self.file_of(number), self.function_of(number)
        return self.scopes[entry]

    def inlined(self, location: int) -> int:
        """Number of calls that were inlined around a `DILocation` [1]."""
        depth = 0
        while (found := LOCATION.match(self.metadata.get(location, ""))) and found[4]:
            depth, location = depth + 1, int(found[4])
        return depth

    def calls(self, place: Place) -> tuple[str, ...]:
        """File, line and column of the calls that a place was inlined at, innermost first."""
        found = []
        while place.call:
            place = self.place(place.call)
            found.append(f"{place.file}:{place.line}:{place.column}")
        return tuple(found)

    def file_of(self, entry: int | None) -> str:
        """The file that a scope, or a declaration, is in."""
        while entry is not None:
            file = self.reference(entry, "file")
            if file is not None:
                return self.path(file)
            entry = self.reference(entry, "scope")
        return ""

    def path(self, file: int) -> str:
        """The path of a file, as the user wrote it if it is a source."""
        if file not in self.paths:
            fields = self.fields(file)
            path = str(PurePath(fields.get("directory", ""), fields.get("filename", "")))
            path = os.fsdecode(path.encode("utf-8", errors="surrogateescape"))
            self.paths[file] = self.spelling.get(path, path)
        return self.paths[file]

    def function_of(self, scope: int | None) -> str:
        """The name in the source of the function that a scope is in."""
        while scope is not None:
            if "!DISubprogram(" in self.metadata.get(scope, ""):
                return self.fields(scope).get("name", "")
            scope = self.reference(scope, "scope")
        return ""

    def variable(self, entry: int | None) -> str:
        """Name of a variable; none if the compiler made it up."""
        if entry is None:
            return ""
        inner = self.reference(entry, "var")
        fields = self.fields(entry if inner is None else inner)
        return "" if "DIFlagArtificial" in fields.get("flags", "") else fields.get("name", "")

    def member_at(self, entry: int | None, bits: int) -> str:
        """Name of the member at an offset [bit] in a variable that is a structure; or none."""
        inner = None if entry is None else self.reference(entry, "var")
        variable = entry if inner is None else inner
        type_ = None if variable is None else self.reference(variable, "type")
        while type_ is not None and "tag: DW_TAG_structure_type" not in self.metadata[type_]:
            type_ = self.reference(type_, "baseType")
        elements = None if type_ is None else self.reference(type_, "elements")
        for number in re.findall(r"!(\d+)", self.metadata.get(elements or -1, "")):
            fields = self.fields(int(number))
            if int(fields.get("offset", 0)) == bits:
                return fields.get("name", "")
        return ""

    def part(self, record: DebugRecord) -> str:
        """Name of the variable that a record is about, or of its member; or none."""
        name = self.variable(record.variable)
        if record.plain or not name or record.fragment is None:
            return name if record.plain else ""
        member = self.member_at(record.variable, record.fragment)
        return f"{name}.{member}" if member else ""

    def loop(self, entry: int) -> tuple[Place, Place]:
        """Start and end of a loop, from its metadata: the first two locations in it."""
        numbers = [int(text) for text in re.findall(r"!(\d+)", self.metadata.get(entry, ""))]
        found = [
            self.place(number)
            for number in numbers
            if self.metadata.get(number, "").startswith("!DILocation(")
        ]
        if not found:
            return NOWHERE, NOWHERE
        return found[0], found[min(1, len(found) - 1)]

    @cached_property
    def members(self) -> frozenset[str]:
        """Names of all members of structures."""
        return frozenset(
            self.fields(number).get("name", "")
            for number, content in self.metadata.items()
            if "tag: DW_TAG_member" in content
        ) - {""}


def unquoted(text: str) -> str:
    r"""A text, or a name in quotes, as the source has it: LLVM escapes bytes, not characters.

    Examples
    --------
    >>> unquoted('"gr\\C3\\B6\\C3\\9Fe"'), unquoted("i")
    ('größe', 'i')
    """
    if not text.startswith('"'):
        return text
    if "\\" not in text:
        return text[1:-1]
    code = ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()), text[1:-1].encode())
    return code.decode("utf-8", errors="surrogateescape")


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionIndex:
    """A function and indices into it. Blocks are numbered within the function."""

    body: FunctionText  # the function as printed
    module: Module  # the module it is in
    debug: Debug  # the module's debug metadata
    numbers: dict[str, int]  # the blocks by their names [1]
    shape: LoopNest  # loops and program order
    first_block: int  # the number of its entry in the program [1]
    loop_ids: dict[int, int]  # the number of a loop in the program, by its header [1]
    statements: dict[str, Statement]  # the statement that defines a register
    # the block that defines a register; of an argument, the entry [1]
    defining_block: dict[str, int]
    # the statements that read a register, each with its block
    readers: dict[str, list[tuple[int, Statement]]]
    # registers of which nothing comes, as what is left of structures
    idle: set[str]
    variables: dict[str, str]  # what the source calls a register, or a local variable in memory
    names: dict[str, str]  # the same of every register, as far as it can be told
    places: list[list[Place]]  # where the statements of each block come from
    # start and end in the source of the loop that a block jumps back in [1]
    loop_places: dict[int, tuple[Place, Place]]
    # the blocks from which control passes to each one [1]
    before: list[list[int]]
    # the blocks in which a local variable in memory comes to life [1]
    live_from: dict[str, set[int]]
    registers: dict[str, str]  # names of registers without signs and quotes
    # what has been found out already: names of pointers, roots of addresses, answers to questions
    # about values
    pointers: dict[str, str] = field(default_factory=dict)
    roots: dict[str, set[str]] = field(default_factory=dict)
    memo: dict[tuple[object, ...], bool] = field(default_factory=dict)


def indexed(
    body: FunctionText, module: Module, debug: Debug, *, first_block: int, first_loop: int
) -> FunctionIndex:
    """Index a function, whose first block and loop have the given numbers in the program."""
    numbers = {part.name: number for number, part in enumerate(body.blocks)}
    successors = [
        [numbers[label] for label in dict.fromkeys(part.statements[-1].labels)]
        for part in body.blocks
    ]
    statements: dict[str, Statement] = {}
    homes = dict.fromkeys(body.arguments, 0)
    users: dict[str, list[tuple[int, Statement]]] = {}
    variables: dict[str, str] = {}
    depths: dict[str, int] = {}
    inner: dict[str, Place] = {}
    alive: dict[str, set[int]] = {}
    declared: dict[str, set[int]] = {}
    loop_places: dict[int, tuple[Place, Place]] = {}
    for number, part in enumerate(body.blocks):
        for statement in part.statements:
            if statement.name:
                statements[statement.name] = statement
                homes[statement.name] = number
            for register in statement.uses:
                users.setdefault(register, []).append((number, statement))
            if statement.callee.startswith("llvm.lifetime.start"):
                alive.setdefault(statement.operands[-1], set()).add(number)
        for record in part.records:
            if record.kind == "declare":
                declared.setdefault(record.value, set()).add(number)
            # what loops hand on of a structure keeps the name of the whole, as clauses have it
            merged = (held := statements.get(record.value)) is not None and held.opcode == "phi"
            if (record.plain or not merged) and (name := debug.part(record)):
                # what an allocating function calls its result says less than what its caller does
                depth = debug.inlined(record.location)
                if depth < depths.get(record.value, depth + 1):
                    variables[record.value], depths[record.value] = name, depth
                    if held is not None and held.callee:
                        inner[record.value] = debug.place(record.location)
        if (entry := part.statements[-1].loop) is not None:
            loop_places[number] = debug.loop(entry)
    variables |= told_apart(debug, variables, inner)
    places = [[located(debug, each) for each in part.statements] for part in body.blocks]
    shape = loops_and_order(successors)
    before: list[list[int]] = [[] for _ in body.blocks]
    for number, targets in enumerate(successors):
        for target in targets:
            before[target].append(number)
    # the same few texts hundreds of thousands of times
    registers = {each: intern(unquoted(each[1:])) for each in homes}
    return FunctionIndex(
        registers=registers,
        before=before,
        body=body,
        module=module,
        debug=debug,
        numbers=numbers,
        shape=shape,
        first_block=first_block,
        loop_ids={header: first_loop + number for number, header in enumerate(shape.loops)},
        statements=statements,
        defining_block=homes,
        readers=users,
        idle=idle_registers(body, shape, users),
        variables=variables,
        names={each: ENDING.sub("", name) for each, name in registers.items()} | variables,
        places=places,
        loop_places=loop_places,
        live_from=declared | alive,
    )


def idle_registers(
    body: FunctionText, shape: LoopNest, readers: Mapping[str, list[tuple[int, Statement]]]
) -> set[str]:
    """Registers that are only computed, and only read to compute others of the same kind."""
    found: set[str] = set()
    # readers are after what they read, but for phis, which are none of these
    for block in reversed(shape.order):
        for statement in reversed(body.blocks[block].statements):
            if statement.opcode in COMPUTED and all(
                user.name in found for _, user in readers.get(statement.name, ())
            ):
                found.add(statement.name)
    return found


def told_apart(
    debug: Debug, variables: Mapping[str, str], inner: Mapping[str, Place]
) -> dict[str, str]:
    """Names of results in inlined functions that are called like one of another call of them.

    The optimiser may lose what a caller calls the memory that a function of the user's gives it.
    """
    calls: dict[str, set[int]] = {}
    for register, name in variables.items():
        if register in inner:
            calls.setdefault(name, set()).add(inner[register].call)
    several = {name for name, each in calls.items() if len(each) > 1}
    return {
        register: f"{place.function}::{variables[register]}@{debug.place(place.call).line}"
        for register, place in inner.items()
        if place.call and variables[register] in several
    }


def located(debug: Debug, statement: Statement) -> Place:
    """Place of a statement; of the copy of an inlined argument, which has no line, the call's.

    Accesses that the optimiser merged have no line either, and no call.
    """
    place = debug.place(statement.location)
    if place.line or not place.call:
        return place
    copies = statement.opcode in {"load", "store"} or statement.callee.startswith("llvm.memcpy.")
    return debug.place(place.call) if copies else place


def local_sizes(ir: str) -> dict[tuple[str, str], int]:
    """Sizes of local variables in memory, by function and register [B].

    Those whose size only the run knows are left out.
    """
    module = parse(ir)
    found = {}
    for body in module.bodies:
        for part in body.blocks:
            for statement in part.statements:
                number = (*statement.operands, "1")[0]
                if statement.opcode == "alloca" and number.isdecimal():
                    size = types.size_of(statement.stepped, module.structures)
                    found[body.name, unquoted(statement.name[1:])] = size * int(number)
    return found
