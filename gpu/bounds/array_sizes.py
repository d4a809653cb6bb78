"""Sizes of the arrays that a kernel reaches, where the code tells them.

Global and local arrays have a type, and what `malloc` is called with may be a number: macros are
numbers in the code. Where a pointer leads elsewhere, or to several arrays, nothing is known.
"""

from collections.abc import Mapping

from logca.gpu.bounds.footprint import array_of
from logca.trace.ir import types
from logca.trace.ir.accesses import roots
from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.program import Program
from logca.trace.ir.subscripts import function_indices

__all__ = ["array_sizes"]

_SIZE_OF_CALL = {"malloc": (0,), "calloc": (0, 1), "aligned_alloc": (1,)}
"""Operands of functions that give memory, whose product is how much [1]."""


def array_sizes(ir: str, program: Program, nest: int) -> Mapping[str, int]:
    """Bytes of each array that a nest reaches and whose size is known, by its name [B]."""
    function = program.loops[nest].function
    index = function_indices(ir, program, [function]).get(function)
    if index is None:
        return {}
    found: dict[str, dict[str, int | None]] = {}
    for access in program.accesses_of[nest]:
        statement = index.body.blocks[access.block - index.first_block].statements[access.index]
        if statement.opcode not in ("load", "store"):
            continue
        memory = found.setdefault(array_of(access), {})
        for root in roots(index, statement.operands[-1]):
            memory[root] = _size(index, root)
    return {
        name: size
        for name, memory in found.items()
        if len(memory) == 1 and (size := next(iter(memory.values()))) is not None
    }


def _size(index: FunctionIndex, root: str) -> int | None:
    """Bytes of what an address is derived from; None if the code does not tell [B]."""
    structures = index.module.structures
    if root.startswith("@"):
        type_ = index.module.contents.get(root, "")
        return types.size_of(type_, structures) or None if type_ else None
    statement = index.statements.get(root)
    if statement is None:
        return None
    if statement.opcode == "alloca":
        return types.size_of(statement.stepped, structures) if not statement.operands else None
    operands = [
        statement.operands[place].split()[-1]  # behind attributes
        for place in _SIZE_OF_CALL.get(statement.callee, ())
        if place < len(statement.operands)
    ]
    if not operands or not all(each.isdigit() for each in operands):
        return None
    size = 1
    for each in operands:
        size *= int(each)
    return size
