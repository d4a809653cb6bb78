"""The places in a function that read or write memory."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from logca.trace.ir import types
from logca.trace.ir.addresses import fixed_variable, origin_of
from logca.trace.ir.assembly import Statement
from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.program import Access

__all__ = ["accesses_in", "unrecorded"]

COPIES = ("llvm.memcpy.", "llvm.memmove.")
FILLS = ("llvm.memset.",)
MASKED = ("llvm.masked.", "llvm.vp.")
OF_MACHINES = ("llvm.x86.", "llvm.aarch64.", "llvm.arm.")
NO_DATA = re.compile(r"clflush|clwb|cldemote|prefetch|monitor")
TYPES = re.compile(r"\.(?:v\d+\w+|p\d+|[if]\d+)(?:\..*)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEffect:
    """What a statement does to memory: where, whether it writes, how much [B], of which type."""

    address: str
    store: bool
    size: int
    type: str


def memory_effects(statement: Statement, structures: Mapping[str, str]) -> Iterator[MemoryEffect]:
    """What a statement does to memory, in order."""
    operands = statement.operands
    if statement.opcode in {"load", "store"}:
        size = (types.bits_of(statement.type, structures) + 7) // 8
        yield MemoryEffect(
            address=operands[-1], store=statement.opcode == "store", size=size, type=statement.type
        )
    elif statement.opcode in {"atomicrmw", "cmpxchg"}:
        inner = types.parts(statement.type, structures)
        type_ = inner[0] if inner else statement.type
        size = types.size_of(type_, structures)
        yield MemoryEffect(address=operands[0], store=False, size=size, type=type_)
        yield MemoryEffect(address=operands[0], store=True, size=size, type=type_)
    elif statement.callee.startswith(COPIES + FILLS):
        size = int(operands[2]) if operands[2].isdigit() else 0
        if statement.callee.startswith(COPIES):
            yield MemoryEffect(address=operands[1], store=False, size=size, type="i8")
        yield MemoryEffect(address=operands[0], store=True, size=size, type="i8")


def unrecorded(function: FunctionIndex, statement: Statement) -> str:
    """What reaches memory without being an access that can be recorded; mostly nothing."""
    if statement.outside:
        return "inline assembly"
    callee = statement.callee
    special = callee.startswith(OF_MACHINES) and not NO_DATA.search(callee)
    if callee.startswith(MASKED) or (
        special and any(is_address(function, operand) for operand in statement.operands)
    ):
        return TYPES.sub("", callee)
    return ""


def is_address(function: FunctionIndex, operand: str) -> bool:
    """Whether an operand is an address."""
    if operand in function.statements:
        return function.statements[operand].type.startswith("ptr")
    return function.body.arguments.get(operand, "").startswith("ptr") or "@" in operand


def accesses_in(
    function: FunctionIndex, loops: Mapping[int, int], first_block: int, first: int
) -> list[Access]:
    """The accesses of a function in program order."""
    found: list[Access] = []
    for block in function.shape.order:
        innermost = function.shape.innermost.get(block)
        for index, statement in enumerate(function.body.blocks[block].statements):
            place = function.debug.place(statement.location)
            for touch in memory_effects(statement, function.module.structures):
                origin = origin_of(function, touch.address)
                known, offset = fixed_variable(
                    function, touch.address, touch.size if touch.store else -1
                )
                found.append(
                    Access(
                        id=first + len(found),
                        function=function.body.name,
                        source_function=place.function or function.body.name,
                        block=first_block + block,
                        index=index,
                        store=touch.store,
                        size=touch.size,
                        type=touch.type,
                        file=place.file,
                        line=place.line,
                        column=place.column,
                        array=origin.array,
                        real=types.is_real(touch.type),
                        loop=None if innermost is None else loops[innermost],
                        private=bool(origin.locals),
                        private_to=lifetime(function, origin.locals, loops),
                        variable=known,
                        offset=offset,
                    )
                )
    return found


def lifetime(
    function: FunctionIndex, variables: frozenset[str], loops: Mapping[int, int]
) -> int | None:
    """The innermost loop in whose every iteration the local variables are new."""
    born = {
        block
        for variable in variables
        for block in function.live_from.get(variable, {function.defining_block[variable]})
    }
    around = [loop.header for loop in function.shape.loops.values() if born and born <= loop.blocks]
    return loops[around[-1]] if around else None
