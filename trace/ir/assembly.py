"""LLVM's textual assembly, taken apart: functions, blocks, statements, debug records, metadata.

Every value must have a name, as the pass `instnamer` gives; every statement is then one line, or
a `switch` or `callbr` over several. Only what the analyses of this room ask about is taken apart
further.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from logca.trace.ir.module_text import functions_in
from logca.trace.ir.operands import NAME, closing, split, type_at, value
from logca.trace.ir.statements import METADATA, Statement, statement_of

__all__ = [
    "FUNCTION",
    "LABEL",
    "BlockText",
    "DebugRecord",
    "FunctionText",
    "Module",
    "Structures",
    "bodies_in",
    "frame_of",
    "parse",
]

LABEL = re.compile(rf"({NAME}):")
FRAGMENT = re.compile(r"!DIExpression\(DW_OP_LLVM_fragment, (\d+), \d+\)")
RECORD = re.compile(r"\s+#dbg_(\w+)\((.*), !(\d+), (!DIExpression\(.*\)), !(\d+)\)")
FUNCTION = re.compile(rf"define .*?@({NAME})\(")
GLOBAL = re.compile(rf"(@{NAME}) = ")
CONTENT = re.compile(r" (?:global|constant) ")
STRUCTURE = re.compile(rf"(%{NAME}) = type (.*)")
JUMPING = re.compile(rf"  (?:%{NAME} = )?callbr ")


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
                    part = FRAGMENT.fullmatch(expression)
                    begin = int(part[1]) if part else None
                    body.blocks[-1].records.append(
                        DebugRecord(kind, value(held), int(variable), plain, int(location), begin)
                    )
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
