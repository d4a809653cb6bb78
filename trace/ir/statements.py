"""Statements of LLVM's textual assembly: opcode, type, operands, registers that are read."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, pairwise

from logca.trace.ir.operands import (
    FLAGS,
    NAME,
    behind,
    closing,
    element,
    member,
    split,
    type_at,
    value,
)

__all__ = ["METADATA", "Statement", "statement_of"]

DEFINITION = re.compile(rf"  (%{NAME}) = (.*)")
REGISTER = re.compile(rf"%{NAME}")
TARGET = re.compile(rf"label (%{NAME})")
METADATA = re.compile(r", !([a-zA-Z][\w.]*) !(\d+)")
CALLEE = re.compile(rf"\s*(@{NAME})\(")
CALL = re.compile(r"(?:(?:tail|musttail|notail) )?(call|invoke|callbr) ")
COMPARISON = re.compile(r"(?:samesign )?(\w+) ")
INLINE = re.compile(r'asm (?:[a-z]+ )*"(?P<text>[^"]*)", "(?P<constraints>[^"]*)"')


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
