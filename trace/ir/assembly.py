"""LLVM's textual assembly, taken apart: functions, blocks, statements, debug records, metadata.

Every value must have a name, as the pass `instnamer` gives; every statement is then one line, or
a `switch` or `callbr` over several. Only what the analyses of this room ask about is taken apart
further.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

from logca.trace.ir.module_text import functions_in

__all__ = [
    "BlockText",
    "DebugRecord",
    "FunctionText",
    "Module",
    "Statement",
    "Structures",
    "bodies_in",
    "element",
    "frame_of",
    "parse",
    "split",
    "statement_of",
    "type_at",
    "value",
]

NAME = r'(?:"[^"]*"|[-\w.$]+)'
DEFINITION = re.compile(rf"  (%{NAME}) = (.*)")
LABEL = re.compile(rf"({NAME}):")
REGISTER = re.compile(rf"%{NAME}")
TARGET = re.compile(rf"label (%{NAME})")
VALUE = re.compile(rf"[%@]{NAME}$")
METADATA = re.compile(r", !([a-zA-Z][\w.]*) !(\d+)")
FRAGMENT = re.compile(r"!DIExpression\(DW_OP_LLVM_fragment, (\d+), \d+\)")
RECORD = re.compile(r"\s+#dbg_(\w+)\((.*), !(\d+), (!DIExpression\(.*\)), !(\d+)\)")
FUNCTION = re.compile(rf"define .*?@({NAME})\(")
CALLEE = re.compile(rf"\s*(@{NAME})\(")
GLOBAL = re.compile(rf"(@{NAME}) = ")
CONTENT = re.compile(r" (?:global|constant) ")
STRUCTURE = re.compile(rf"(%{NAME}) = type (.*)")
FLAGS = re.compile(
    r"(?:(?:volatile|atomic|weak|inbounds|nuw|nsw|nusw|exact|disjoint|nneg|samesign|fast|nnan|ninf"
    r"|nsz|arcp|contract|afn|reassoc|inalloca|swifterror|musttail|notail|tail) )*"
)
ORDER = re.compile(
    r'(?: syncscope\("[^"]*"\))?(?: (?:unordered|monotonic|acquire|release|acq_rel|seq_cst))+$'
)
CALL = re.compile(r"(?:(?:tail|musttail|notail) )?(call|invoke|callbr) ")
JUMPING = re.compile(rf"  (?:%{NAME} = )?callbr ")
COMPARISON = re.compile(r"(?:samesign )?(\w+) ")
INLINE = re.compile(r'asm (?:[a-z]+ )*"(?P<text>[^"]*)", "(?P<constraints>[^"]*)"')
TYPE = re.compile(
    r"void\b|ptr\b(?: addrspace\(\d+\))?|i\d+\b|half\b|bfloat\b|float\b|double\b|fp128\b"
    r"|x86_fp80\b|ppc_fp128\b|x86_amx\b|metadata\b|token\b|label\b"
    r'|%"[^"]*"|%[-\w.$]+|target\("[^)]*\)'
)
OPEN, CLOSE = "([{<", ")]}>"
NESTING = re.compile(r'["(\[{<]')
MARKS = re.compile(r'"[^"]*"?|[](){}<>[,]')


@dataclass(slots=True)
class Statement:
    """An instruction as it is printed."""

    name: str  # the register that it defines, with ``%``, or an empty text
    opcode: str
    type: str = ""  # type of the result; of a store, the type stored
    # values, where the operation has a plain list of them: registers with ``%``, globals with
    # ``@``, constants. Of a phi the incoming values, of a load the address, of a store the value
    # and the address, of a call the arguments, of an address the base and the indices
    operands: list[str] = field(default_factory=list)
    # blocks: targets of a jump, or where the incoming values of a phi come from
    labels: list[str] = field(default_factory=list)
    stepped: str = ""  # of an address or a local variable: the type that it is in terms of
    # of an atomic operation and of a comparison which it is, as LLVM calls it
    operation: str = ""
    callee: str = ""  # the function called by name, without ``@``
    uses: list[str] = field(default_factory=list)  # registers read, each once
    # location, loop: numbers of the metadata of its place in the source and of its loop [1]
    location: int | None = None
    loop: int | None = None
    # assembly, outside: whether it is inline assembly; whether that reaches memory, by an operand
    # or as it says itself
    assembly: bool = False
    outside: bool = False


@dataclass(slots=True)
class DebugRecord:
    """A debug record: the variable that a register or a place in memory holds from here on."""

    kind: str
    value: str
    variable: int
    plain: bool
    location: int
    fragment: int | None = None  # where in the variable it begins, if it is a part of it [bit]


@dataclass(slots=True)
class BlockText:
    """A basic block as it is printed."""

    name: str
    statements: list[Statement] = field(default_factory=list)
    records: list[DebugRecord] = field(default_factory=list)


@dataclass(slots=True)
class FunctionText:
    """A function as it is printed: name, arguments with their types, metadata, blocks.

    Arguments in `copies` are structures passed by value: memory of the function's own.
    """

    name: str
    arguments: dict[str, str]
    copies: set[str]
    subprogram: int | None
    blocks: list[BlockText] = field(default_factory=list)


class Structures(dict[str, str]):
    """Structures of a module by their names, with the layouts of types that were asked for."""

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.layouts: dict[str, Any] = {}


@dataclass(slots=True)
class Module:
    """A module: bodies of functions and their names, structures, types of globals, metadata."""

    bodies: list[FunctionText] = field(default_factory=list)
    structures: Structures = field(default_factory=Structures)
    globals: dict[str, int | None] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    metadata: dict[int, str] = field(default_factory=dict)


def closing(text: str, start: int) -> int:
    """Index just behind the bracket that closes the one at `start`."""
    closed = (place + 1 for place, mark, depth in marks(text, start) if mark in CLOSE and not depth)
    return next(closed, len(text))


def marks(text: str, start: int = 0) -> Iterator[tuple[int, str, int]]:
    """Brackets and commas outside of quotes: where, which, and how many are open behind it."""
    depth = 0
    for found in MARKS.finditer(text, start):
        mark = found[0]
        if mark[0] != '"':
            depth += (mark in OPEN) - (mark in CLOSE)
            yield found.start(), mark, depth


def type_at(text: str, start: int = 0) -> tuple[str, int]:
    """The type that starts at an index, and the index behind it; no text if none starts there.

    Examples
    --------
    >>> type_at("[4 x i8], ptr %p")
    ('[4 x i8]', 8)
    """
    if start < len(text) and text[start] in "[{<":
        end = closing(text, start)
        return text[start:end], end
    found = TYPE.match(text, start)
    return (found.group(), found.end()) if found else ("", start)


def split(text: str) -> list[str]:
    """The parts between commas outside of brackets and quotes.

    Examples
    --------
    >>> split("[2 x i8], ptr @f(i8 1, i8 2), align 8")
    ['[2 x i8]', 'ptr @f(i8 1, i8 2)', 'align 8']
    """
    if not text:
        return []
    # most have none; looking at them mark by mark takes most of the time that reading takes
    if not NESTING.search(text):
        return [piece.strip() for piece in text.split(",")]
    pieces, last = [], 0
    for place, mark, depth in marks(text):
        if mark == "," and depth == 0:
            pieces.append(text[last:place].strip())
            last = place + 1
    pieces.append(text[last:].strip())
    return pieces


def element(type_: str) -> tuple[int, str]:
    """Length and element type of an array or a vector; a length of 0 if it is neither.

    Examples
    --------
    >>> element("[8 x [4 x double]]")
    (8, '[4 x double]')
    """
    if type_[:1] in "[<" and type_[:2] != "<{":
        count, found, inner = type_[1:-1].removeprefix("vscale x ").partition(" x ")
        if found and count.isdigit():
            return int(count), inner
    return 0, type_


def value(operand: str) -> str:
    """The value of an operand printed as type, attributes, value.

    Examples
    --------
    >>> value("ptr noundef %x"), value("i32 4"), value("ptr @f"), value("%y")
    ('%x', '4', '@f', '%y')
    """
    last = operand.rpartition(" ")[2]
    if VALUE.match(last):
        return last
    operand = ORDER.sub("", operand)
    if found := VALUE.search(operand):
        return found.group()
    _, end = type_at(operand)
    return operand[end:].strip() or operand


def called(statement: Statement, text: str) -> None:
    """Result type, callee and arguments of a call."""
    start = 0
    while True:
        statement.type, end = type_at(text, start)
        if statement.type:
            break
        word = re.compile(r"[^\s(]*\s*").match(text, start)
        start = word.end() if word else len(text)
        if start < len(text) and text[start] == "(":
            start = closing(text, start)
        start += len(text[start:]) - len(text[start:].lstrip())
        if start >= len(text):
            return
    while text[end : end + 1] == " ":
        end += 1
    if text[end : end + 1] == "(":
        end = closing(text, end)
    if found := CALLEE.match(text, end):
        statement.callee = found.group(1)[1:].strip('"')
    elif inline := INLINE.match(text, end):
        statement.assembly = True
        reaches = "*" in inline["constraints"] or "~{memory}" in inline["constraints"]
        statement.outside = reaches and bool(inline["text"].strip())
        end = inline.end()
    start = text.find("(", found.end() - 1 if found else end)
    if start >= 0:
        arguments = text[start + 1 : closing(text, start) - 1]
        statement.operands = [value(piece) for piece in split(arguments)]


def member(type_: str, indices: list[str]) -> str:
    """Type of a member of a structure without a name, or of an array; no text of another."""
    for index in indices:
        body = type_[1:-1] if type_.startswith("<{") else type_
        type_ = split(body[1:-1])[int(index)] if body.startswith("{") else element(type_)[1]
    return type_


def behind(start: re.Pattern[str], text: str) -> str:
    """The text without what it starts with."""
    found = start.match(text)
    return text[found.end() :] if found else text


def arranged(statement: Statement, text: str) -> None:
    """Type and operands of a statement from what stands behind its opcode."""
    opcode = statement.opcode
    if opcode in {"call", "invoke", "callbr"}:
        called(statement, text)
        if opcode == "callbr":
            statement.labels = TARGET.findall(text[text.rindex(" to label ") :])
        return
    if opcode in {"icmp", "fcmp"}:
        text = behind(FLAGS, text)
        compared = COMPARISON.match(text)
        statement.operation = compared[1] if compared else ""
        text = behind(COMPARISON, text)
        length, _ = element(type_at(text)[0])
        statement.type = f"<{length} x i1>" if length else "i1"
        statement.operands = [value(piece) for piece in split(text)]
        return
    text = behind(FLAGS, text)
    if opcode in {"br", "switch", "indirectbr", "ret", "unreachable", "resume", "fence"}:
        statement.type = "void"
        statement.labels = TARGET.findall(text)
        return
    if opcode == "phi":
        statement.type, end = type_at(text)
        for piece in split(text[end:]):
            incoming, _, label = piece.strip("[] ").rpartition(", ")
            statement.operands.append(incoming)
            statement.labels.append(label)
        return
    pieces = split(text)
    first, end = type_at(pieces[0]) if pieces else ("", 0)
    statement.type = first
    statement.operands = [value(piece) for piece in pieces]
    if opcode == "load":
        statement.operands = statement.operands[1:2]
    elif opcode == "store":
        statement.operands = statement.operands[:2]
    elif opcode == "getelementptr":
        statement.stepped, statement.type = first, type_at(pieces[1])[0]
        statement.operands = statement.operands[1:]
    elif opcode == "alloca":
        statement.stepped, statement.type = first, "ptr"
        statement.operands = [value(piece) for piece in pieces[1:] if piece[0] == "i"]
    elif opcode == "select":
        statement.type = type_at(pieces[1])[0]
    elif opcode == "va_arg":
        statement.type = pieces[1]
    elif opcode == "extractelement":
        statement.type = element(first)[1]
    elif opcode == "cmpxchg":
        statement.type = f"{{ {type_at(pieces[1])[0]}, i1 }}"
    elif opcode == "atomicrmw":
        statement.operation = pieces[0].partition(" ")[0]
        statement.type = type_at(pieces[1])[0]
        statement.operands = statement.operands[:2]
    elif opcode == "extractvalue":
        statement.type = member(first, pieces[1:])
    elif " to " in text and len(pieces) == 1:
        source, _, statement.type = text.rpartition(" to ")
        statement.operands = [value(source)]


NAMES = re.compile(r"([%@][-\w.$]+)")
"""Names of registers, variables and types, without quotes."""
PLACEHOLDER = re.compile(r"[%@]_(\d+)(?![-\w.$])")
KNOWN_SHAPES = 1 << 15


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementShape:
    """A statement but for the names in it; numbers count its values from 0 on.

    A large program has hundreds of thousands of statements, and some thousand shapes. Values are
    the names in a statement, then texts without a name, then texts around names, as of types.
    """

    opcode: str
    operation: str
    fixed: list[str]  # texts without a name
    around: tuple[tuple[str, ...], ...]  # texts around names, in turn with the numbers of these
    type: int
    stepped: int
    callee: int
    operands: tuple[int, ...]
    labels: tuple[int, ...]
    uses: tuple[int, ...]

    def values(self, names: list[str]) -> list[str]:
        """The values of a statement with these names."""
        found = names + self.fixed
        for texts in self.around:
            inner = [text if n % 2 == 0 else names[int(text)] for n, text in enumerate(texts)]
            found.append("".join(inner))
        return found


@lru_cache(maxsize=KNOWN_SHAPES)
def shape_of(texts: str, signs: str) -> StatementShape:
    """The shape of a statement: what is around its names, by line ends, and how these begin."""
    first, *others = texts.split("\n")
    numbered = (f"{signs[n]}_{n}{text}" for n, text in enumerate(others))
    statement = Statement("", "")
    taken_apart(statement, first + "".join(numbered))
    fixed: list[str] = []
    around: list[tuple[str, ...]] = []
    # the numbers of what is around names are known when all others are
    places: list[int] = []
    # the sign of a function's name is not kept
    called = f"@{statement.callee}" if statement.callee else ""
    heads = (statement.type, statement.stepped, called)
    lists = (statement.operands, statement.labels, statement.uses)
    for text in (*heads, *(each for some in lists for each in some)):
        pieces = tuple(PLACEHOLDER.split(text))
        if len(pieces) == 3 and len(text) == len(pieces[1]) + 2:
            places.append(int(pieces[1]))
        elif len(pieces) == 1:
            places.append(len(others) + len(fixed))
            fixed.append(text)
        else:
            places.append(-1 - len(around))
            around.append(pieces)
    last = len(others) + len(fixed)
    places = [place if place >= 0 else last - 1 - place for place in places]
    type_, stepped, callee, *rest = places
    ends = [0, *accumulate(map(len, lists))]
    operands, labels, uses = (tuple(rest[start:end]) for start, end in pairwise(ends))
    return StatementShape(
        opcode=statement.opcode,
        operation=statement.operation,
        fixed=fixed,
        around=tuple(around),
        type=type_,
        stepped=stepped,
        callee=callee,
        operands=operands,
        labels=labels,
        uses=uses,
    )


def taken_apart(result: Statement, text: str) -> None:
    """Opcode, operands and registers of a statement from its text, without its metadata."""
    if call := CALL.match(text):
        result.opcode, text = call.group(1), text[call.end() :]
    else:
        result.opcode, _, text = text.partition(" ")
    arranged(result, text)
    if result.opcode == "phi":
        tokens = [token for token in result.operands if token[0] == "%"]
    else:
        tokens = REGISTER.findall(TARGET.sub("", text) if "label " in text else text)
    result.uses = list(dict.fromkeys(tokens))


def statement_of(line: str) -> Statement:
    """A line of a function, taken apart."""
    name, text = "", line[2:]
    quoted = '"' in text
    if text[:1] == "%":
        if quoted:
            found = DEFINITION.match(line)
            assert found is not None, f"no statement: {line}"
            name, text = found.groups()
        else:
            name, _, text = text.partition(" = ")
    location = loop = None
    cut = text.find(", !")
    if cut >= 0 and (behind := METADATA.search(text, cut)):
        for key, number in METADATA.findall(text, behind.start()):
            if key == "dbg":
                location = int(number)
            elif key == "llvm.loop":
                loop = int(number)
        text = text[: behind.start()]
    if quoted:
        result = Statement(name, "", location=location, loop=loop)
        taken_apart(result, text)
        return result
    pieces = NAMES.split(text)
    names = pieces[1::2]
    shape = shape_of("\n".join(pieces[::2]), "".join([each[0] for each in names]))
    values = shape.values(names)
    return Statement(
        name,
        shape.opcode,
        values[shape.type],
        [values[place] for place in shape.operands],
        [values[place] for place in shape.labels],
        values[shape.stepped],
        shape.operation,
        values[shape.callee][1:],
        list(dict.fromkeys([values[place] for place in shape.uses])),
        location,
        loop,
    )


def arguments_of(line: str, start: int) -> list[str]:
    """The arguments in the first line of a function, as printed."""
    pieces = split(line[start + 1 : closing(line, start) - 1])
    return [piece for piece in pieces if piece != "..."]


def joined(lines: Iterator[str], line: str) -> str:
    """A statement over several lines as one."""
    while not line.rstrip().endswith("]") and "]," not in line:
        line += " " + next(lines).strip()
    return line


def parse(text: str) -> Module:
    r"""Take a module apart.

    Examples
    --------
    >>> module = parse('define i32 @f(i32 %x) {\nentry:\n  %y = add i32 %x, 1\n  ret i32 %y\n}')
    >>> module.bodies[0].blocks[0].statements[0].uses
    ['%x']
    """
    module = frame_of(text)
    module.bodies += bodies_in(text)
    return module


def frame_of(text: str) -> Module:
    """A module without the bodies of its functions."""
    module = Module()
    last = 0
    for start, end in functions_in(text):
        around(module, text[last:start])
        found = FUNCTION.match(text, start)
        assert found is not None, f"no function: {text[start : text.find(chr(10), start)]}"
        module.defined.add(found.group(1).strip('"'))
        last = end
    around(module, text[last:])
    return module


def around(module: Module, text: str) -> None:
    """Take in lines before, between or behind functions."""
    for line in text.splitlines():
        start = line[:1]
        if start == "!" and line[1:2].isdigit():
            number, _, content = line[1:].partition(" = ")
            module.metadata[int(number)] = content
        elif start == "%" and (found := STRUCTURE.match(line)):
            module.structures[found.group(1)] = found.group(2)
        elif start == "@" and (found := GLOBAL.match(line)):
            numbers = dict(METADATA.findall(line))
            module.globals[found.group(1)] = int(numbers["dbg"]) if "dbg" in numbers else None
            if behind := CONTENT.search(line, found.end() - 1):
                module.contents[found.group(1)] = type_at(line, behind.end())[0]


def bodies_in(text: str) -> Iterator[FunctionText]:
    """The functions of a module that have a body, one by one: all of them take much memory."""
    for start, end in functions_in(text):
        first, *rest = text[start:end].splitlines()
        body = opened(first)
        lines = iter(rest)
        for line in lines:
            if line.startswith("    #dbg_"):
                if found := RECORD.match(line):
                    kind, held, variable, expression, location = found.groups()
                    plain = expression == "!DIExpression()"
                    record = DebugRecord(kind, value(held), int(variable), plain, int(location))
                    body.blocks[-1].records.append(record)
            elif line.startswith("  "):
                if line.startswith("  switch "):
                    line = joined(lines, line)
                elif "callbr " in line and JUMPING.match(line):
                    line += " " + next(lines).strip()
                body.blocks[-1].statements.append(statement_of(line))
            elif found := LABEL.match(line):
                body.blocks.append(BlockText(f"%{found.group(1)}"))
        kept_registers(body)
        yield body


def opened(line: str) -> FunctionText:
    """A function without blocks, from its first line."""
    found = FUNCTION.match(line)
    assert found is not None, f"no function: {line}"
    numbers = re.search(r" !dbg !(\d+)", line)
    arguments = arguments_of(line, found.end() - 1)
    return FunctionText(
        found.group(1).strip('"'),
        {value(piece): type_at(piece)[0] for piece in arguments},
        {value(piece) for piece in arguments if " byval(" in piece},
        int(numbers.group(1)) if numbers else None,
    )


def kept_registers(body: FunctionText) -> None:
    """Drop names of types from what the statements read: they look like registers."""
    known = set(body.arguments)
    known.update(statement.name for part in body.blocks for statement in part.statements)
    for part in body.blocks:
        for statement in part.statements:
            statement.uses = [name for name in statement.uses if name in known]
