"""An optimised module, read as a program: its functions one by one, each stage after the other."""

import gc
import os
import re
from collections.abc import Mapping
from sys import intern

from logca.common.processes import answered, asked_beside
from logca.trace.ir import types
from logca.trace.ir.accesses import accesses_in, arithmetic, array_name
from logca.trace.ir.assembly import bodies_in, frame_of
from logca.trace.ir.beside import Parts, Rows, added, boundary, packed, unpacked
from logca.trace.ir.functions import Debug, FunctionIndex, Place, indexed, unquoted
from logca.trace.ir.program import (
    BasicBlock,
    ControlFlowEdge,
    CrossingRegister,
    Function,
    Instruction,
    Program,
)
from logca.trace.ir.recurrences import loop_of
from logca.trace.ir.statements import Statement
from logca.trace.ir.updates import updates

__all__ = ["program_of"]

MASKED = ("llvm.masked.", "llvm.vp.")
OF_MACHINES = ("llvm.x86.", "llvm.aarch64.", "llvm.arm.")
NO_DATA = re.compile(r"clflush|clwb|cldemote|prefetch|monitor")
TYPES = re.compile(r"\.(?:v\d+\w+|p\d+|[if]\d+)(?:\..*)?$")


def program_of(
    ir: str, *, level: str, spelling: Mapping[str, str]
) -> tuple[Program, tuple[Place, ...]]:
    """A module as a program, without the pragmas of its sources; and where its loops start.

    Sources are called as `spelling` has it, by their full paths.
    """
    start = boundary(ir)
    parts = Parts()
    if start == len(ir):
        analyse(ir, ir, spelling, parts)
    else:
        with asked_beside("logca.trace.ir.reading", (ir, start, dict(spelling))) as answer:
            analyse(ir, ir[:start], spelling, parts)
            more = answer()
        if more is None:
            analyse(ir, ir[start:], spelling, parts)
        else:
            added(parts, unpacked(*more))
    files = dict.fromkeys([*spelling.values(), *(loop.file for loop in parts.loops)])
    program = Program(
        level=level,
        functions=tuple(parts.functions),
        blocks=tuple(parts.blocks),
        edges=edges_of(parts.blocks),
        loops=tuple(parts.loops),
        accesses=tuple(parts.accesses),
        values=tuple(parts.values),
        files=tuple(file for file in files if file),
    )
    return program, tuple(parts.starts)


def analyse(ir: str, functions: str, spelling: Mapping[str, str], parts: Parts) -> None:
    """Add the parts of some functions of a module, given their text as well."""
    module = frame_of(ir)
    debug = Debug(module.metadata, spelling)
    for body in bodies_in(functions):
        if not body.blocks:
            continue
        index = indexed(
            body, module, debug, first_block=len(parts.blocks), first_loop=len(parts.loops)
        )
        costs = arithmetic(index)
        parts.accesses += accesses_in(index, len(parts.accesses), updates(index))
        for header in index.shape.loops:
            loop, start = loop_of(index, header)
            parts.loops.append(loop)
            parts.starts.append(start)
        parts.functions.append(function_of(index))
        parts.blocks += blocks_of(index, costs)
        parts.values += crossing_values(index)


def analysed_from(question: tuple[str, int, Mapping[str, str]]) -> tuple[Parts, Rows]:
    """The parts of a module's functions from one of them on, packed for who asks."""
    gc.disable()
    ir, start, spelling = question
    parts = Parts()
    analyse(ir, ir[start:], spelling, parts)
    return packed(parts)


def function_of(function: FunctionIndex) -> Function:
    """A function as data."""
    debug, body, first = function.debug, function.body, function.first_block
    fields = {} if body.subprogram is None else debug.fields(body.subprogram)
    return Function(
        name=body.name,
        source_name=fields.get("name", body.name),
        file=debug.file_of(body.subprogram),
        line=int(fields.get("line", 0)),
        blocks=tuple(range(first, first + len(body.blocks))),
        irreducible=tuple(first + block for block in sorted(function.shape.irreducible)),
    )


def blocks_of(function: FunctionIndex, costs: Mapping[str, tuple[int, int]]) -> list[BasicBlock]:
    """The blocks of a function."""
    first = function.first_block
    labels = {part.name: first + number for number, part in enumerate(function.body.blocks)}
    result = []
    for number, part in enumerate(function.body.blocks):
        places = function.places[number]
        known = [place for place in places if place.line]
        lines = [place.line for place in known if place.file == known[0].file]
        innermost = function.shape.innermost.get(number)
        result.append(
            BasicBlock(
                id=first + number,
                function=function.body.name,
                name=part.name[1:].strip('"'),
                file=known[0].file if known else "",
                first_line=min(lines, default=0),
                last_line=max(lines, default=0),
                instructions=tuple(
                    instruction_of(function, statement, place, costs, labels)
                    for statement, place in zip(part.statements, places, strict=True)
                ),
                successors=tuple(
                    labels[label] for label in dict.fromkeys(part.statements[-1].labels)
                ),
                loop=None if innermost is None else function.loop_ids[innermost],
            )
        )
    return result


def instruction_of(
    function: FunctionIndex,
    statement: Statement,
    place: Place,
    costs: Mapping[str, tuple[int, int]],
    labels: Mapping[str, int],
) -> Instruction:
    """A statement as an instruction."""
    multiplies, adds = costs.get(statement.name, (0, 0))
    registers = function.registers
    return Instruction(
        # the same few texts hundreds of thousands of times
        opcode=intern(statement.opcode),
        type=intern(statement.type),
        name=registers.get(statement.name, ""),
        uses=tuple([registers[register] for register in statement.uses]),
        line=place.line,
        column=place.column,
        callee=statement.callee,
        given=given_to(function, statement) if statement.callee else (),
        incoming=incoming_of(statement, labels) if statement.opcode == "phi" else (),
        multiplies=multiplies,
        adds=adds,
        unrecorded=unrecorded(function, statement),
        assembly=statement.assembly,
    )


def given_to(function: FunctionIndex, statement: Statement) -> tuple[str, ...]:
    """The arrays whose addresses a call of a library's function is given, by their names."""
    callee = statement.callee
    if callee.startswith("llvm.") or callee in function.module.defined:
        return ()
    names = (
        array_name(function, operand)
        for operand in statement.operands
        if is_address(function, operand)
    )
    return tuple(dict.fromkeys(name for name in names if name))


def incoming_of(statement: Statement, labels: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The registers that a phi takes over, each with the block that control comes from."""
    pairs = zip(statement.operands, statement.labels, strict=True)
    return tuple(
        (intern(unquoted(value[1:])), labels[label])
        for value, label in pairs
        if value.startswith("%")
    )


def unrecorded(function: FunctionIndex, statement: Statement) -> str:
    """Name of what reaches memory and cannot be recorded; mostly empty."""
    if statement.outside:
        return "inline assembly"
    callee = statement.callee
    if not callee:
        return ""
    special = callee.startswith(OF_MACHINES) and not NO_DATA.search(callee)
    if callee.startswith(MASKED) or (
        special and any(is_address(function, operand) for operand in statement.operands)
    ):
        return TYPES.sub("", callee)
    return ""


def is_address(function: FunctionIndex, operand: str) -> bool:
    """True if an operand is an address."""
    if operand in function.statements:
        return function.statements[operand].type.startswith("ptr")
    return function.body.arguments.get(operand, "").startswith("ptr") or "@" in operand


def crossing_values(function: FunctionIndex) -> list[CrossingRegister]:
    """The registers and arguments that other blocks than their own read.

    What a phi takes in counts as read by the block of the phi.
    """
    arguments, first = function.body.arguments, function.first_block
    found = []
    for register, home in function.defining_block.items():
        readers = {block for block, _ in function.readers.get(register, [])} - {home}
        if readers:
            type_ = arguments.get(register) or function.statements[register].type
            found.append(
                CrossingRegister(
                    name=function.registers[register],
                    function=function.body.name,
                    type=intern(type_),
                    bits=types.bits_of(type_, function.module.structures),
                    defined_in=first + home,
                    used_in=tuple(first + block for block in sorted(readers)),
                )
            )
    return found


def edges_of(blocks: list[BasicBlock]) -> tuple[ControlFlowEdge, ...]:
    """All edges, in the order of their sources."""
    pairs = [(block.id, target) for block in blocks for target in block.successors]
    return tuple(ControlFlowEdge(id=n, source=a, target=b) for n, (a, b) in enumerate(pairs))


if __name__ == "__main__":
    answered(analysed_from)
    os._exit(0)  # taking down what a large module consists of takes a second
