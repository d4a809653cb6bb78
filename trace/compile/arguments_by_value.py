"""Structures passed by value, read where a function is called.

The calling convention leaves the copy of a large structure to the machine code of the call: no
statement loads its members. Here statements before the call do, which stays as it was: the program
computes what it did, and an optimiser drops loads that nobody uses from code that is timed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from logca.trace.compile.structures import PLACE, Members, members_of, structures_of
from logca.trace.ir import types
from logca.trace.ir.module_text import functions_in, lines_with, replaced
from logca.trace.ir.operands import NAME, closing, split, type_at

__all__ = ["with_arguments_read"]

BY_VALUE = " byval("
CALL = re.compile(rf"  (?:%{NAME} = )?(?:(?:tail|musttail|notail) )?(?:call|invoke) ")
TOKEN = re.compile(rf'[%@]{NAME}|"[^"]*"')
ALIGN = re.compile(r"\balign (\d+)")
ADDRESS = re.compile(r" ([%@].*|(?:getelementptr|inttoptr) .*)$")
PLAIN = re.compile(r"[-\w.$]+", re.ASCII)
UNKNOWN = "argument"
"""Name of what a function takes that has no parameters here: of a library, called by a pointer."""
COPY, START, END = "llvm.memcpy.p0.p0.i64", "llvm.lifetime.start.p0", "llvm.lifetime.end.p0"
DECLARATIONS = {COPY: "ptr, ptr, i64, i1", START: "ptr", END: "ptr"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureArgument:
    """A structure that a call passes by value."""

    type: str
    align: int  # of the structure in memory [B]
    address: str
    parameter: str  # what the function that is called names it


def with_arguments_read(text: str) -> str:
    """The module in which structures passed by value are read by statements before the calls.

    That is one load for each member; one with arrays or unions is copied to a local variable.
    """
    if BY_VALUE not in text:
        return text
    structures = structures_of(text)
    parameters = parameters_of(text)
    pieces: list[str] = []
    last = behind = 0
    for start, end in functions_in(text):
        # the first line says what the function itself takes by value
        body = text.find("\n", start)
        if text.find(BY_VALUE, body, end) < 0:
            continue
        pieces += [text[last:body], _function(text[body:end], structures, parameters)]
        last, behind = end, behind or len(pieces)
    if not any(f"@{COPY}(" in piece for piece in pieces):
        return "".join([*pieces, text[last:]])
    declared = {name for _, line in lines_with(text, "\ndeclare ") for name in called(line)}
    pieces[behind:behind] = [
        f"\n\ndeclare void @{name}({takes})\n"
        for name, takes in DECLARATIONS.items()
        if name not in declared
    ]
    return "".join([*pieces, text[last:]])


def called(line: str) -> Iterator[str]:
    """The function that a line calls, declares or defines, without quotes; none if it has no name.

    Examples
    --------
    >>> list(called("define void @f(ptr byval(%s) align 8 %x) {"))
    ['f']
    """
    found = callee(line)
    if found is not None and found[0][0] == "@":
        yield found[0][1:].strip('"')


def callee(line: str) -> re.Match[str] | None:
    """The name of a function, or the register, that the arguments stand behind."""
    names = (found for found in TOKEN.finditer(line) if found[0][0] in "%@")
    return next((found for found in names if line[found.end() : found.end() + 1] == "("), None)


def arguments(line: str) -> list[str]:
    """The arguments of a function in a line that calls or defines it, as printed."""
    found = callee(line)
    return split(line[found.end() + 1 : closing(line, found.end()) - 1]) if found else []


def parameters_of(text: str) -> dict[str, list[str]]:
    """Names of the parameters of each function that takes structures by value."""
    return {
        name: [piece.rpartition(" %")[2].strip('"') for piece in arguments(line)]
        for _, line in lines_with(text, BY_VALUE)
        if line.startswith("define ")
        for name in called(line)
    }


def passed_by_value(line: str, parameters: Mapping[str, list[str]]) -> Iterator[StructureArgument]:
    """The structures that a call passes by value.

    Examples
    --------
    >>> line = "  call void @f(i8 1, ptr byval(%s) align 8 getelementptr (i8, ptr @a, i64 8))"
    >>> [(each.type, each.address, each.parameter) for each in passed_by_value(line, {})]
    [('%s', 'getelementptr (i8, ptr @a, i64 8)', 'argument')]
    """
    known = next((parameters.get(name, []) for name in called(line)), [])
    for number, piece in enumerate(arguments(line)):
        _, word, rest = piece.partition(BY_VALUE)
        if not word or not piece.startswith("ptr "):
            continue
        type_, end = type_at(rest)
        address = ADDRESS.search(rest, end)
        if address is not None:
            align = ALIGN.search(rest, end, address.start())
            name = known[number] if number < len(known) else UNKNOWN
            yield StructureArgument(
                type=type_,
                align=int(align[1]) if align else 1,
                address=address[1],
                parameter=name,
            )


def _function(body: str, structures: Mapping[str, str], parameters: Mapping[str, list[str]]) -> str:
    """The lines of a function behind the first one, with what reads the structures."""
    # one variable for all of a kind: machine code of large programs lets none share memory
    copies: dict[StructureArgument, str] = {}
    count = 0

    def read(line: str) -> str:
        nonlocal count
        if not CALL.match(line):
            return line
        lines: list[str] = []
        source = PLACE.search(line, line.rfind(")"))
        for each in passed_by_value(line, parameters):
            if members := members_of(each.type, structures):
                made = _loaded(each, f"%logca.argument{count}", members)
            else:
                kind = replace(each, address="")
                to = copies.get(kind) or _new_name(body, each.parameter, len(copies))
                copies[kind] = to
                made = _copied(each, to, types.size_of(each.type, structures))
            lines += (f"{each}{source[0] if source else ''}" for each in made)
            count += 1
        return "\n".join([*lines, line])

    new = replaced(body, BY_VALUE, read)
    # behind the name of the first block
    entry = new.index("\n", 1)
    variables = (
        f"\n  {to} = alloca {kind.type}, align {kind.align}" for kind, to in copies.items()
    )
    return "".join([new[:entry], *variables, new[entry:]])


def _new_name(body: str, name: str, number: int) -> str:
    """A register for a local variable, with an ending that is no part of a variable's name."""
    while True:
        register = f"{name}.addr.{number}"
        register = f"%{register}" if PLAIN.fullmatch(register) else f'%"{register}"'
        if f"  {register} = " not in body:
            return register
        number += 1


def _loaded(argument: StructureArgument, name: str, members: Members) -> Iterator[str]:
    """The statements that load the members of a structure, in registers of such names."""
    for offset, type_ in members.items():
        address, align = argument.address, argument.align
        if offset:
            address, align = f"{name}.at{offset}", min(align, offset & -offset)
            yield f"  {address} = getelementptr inbounds i8, ptr {argument.address}, i64 {offset}"
        yield f"  {name}.{offset} = load {type_}, ptr {address}, align {align}"


def _copied(argument: StructureArgument, to: str, size: int) -> Iterator[str]:
    """The statements that copy a structure to a local variable."""
    ends = f"ptr align {argument.align} {to}, ptr align {argument.align} {argument.address}"
    yield f"  call void @{START}(ptr {to})"
    yield f"  call void @{COPY}({ends}, i64 {size}, i1 false)"
    yield f"  call void @{END}(ptr {to})"
