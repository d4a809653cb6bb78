"""Sizes of the arrays that a kernel reaches, where the code tells them.

Global and local arrays have a type, and what `malloc` is called with may be a number: macros are
numbers in the code. Where a pointer leads elsewhere, or to arrays of several sizes, nothing is
known.
"""

from collections.abc import Iterator, Mapping, Sequence

from logca.gpu.bounds.footprint import array_of
from logca.trace.ir import types
from logca.trace.ir.accesses import roots
from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.program import Program
from logca.trace.ir.subscripts import function_indices

__all__ = ["array_sizes", "shared_arrays"]

_SIZE_OF_CALL = {"malloc": (0,), "calloc": (0, 1), "aligned_alloc": (1,)}
"""Operands of functions that give memory, whose product is how much [1]."""


def array_sizes(ir: str, program: Program, nest: int) -> Mapping[str, int]:
    """Bytes of each array that a nest reaches and whose size is known, by its name [B]."""
    found: dict[str, set[int | None]] = {}
    for name, index, root in _memory(ir, program, [nest]):
        found.setdefault(name, set()).add(_size(index, root))
    return {
        name: size
        for name, sizes in found.items()
        if len(sizes) == 1 and (size := next(iter(sizes))) is not None
    }


def shared_arrays(ir: str, program: Program, nests: Sequence[int]) -> Sequence[frozenset[str]]:
    """Names of arrays of these nests that may stand for the same memory, together."""
    by_memory: dict[tuple[str, str], set[str]] = {}
    for name, index, root in _memory(ir, program, nests):
        if _size(index, root) is not None or _gives_memory(index, root):
            by_memory.setdefault((index.body.name, root), set()).add(name)
    found: list[frozenset[str]] = []
    for names in by_memory.values():
        joined = [each for each in found if each & names]
        found = [each for each in found if not each & names]
        found.append(frozenset(names).union(*joined))
    return [names for names in found if len(names) > 1]


def _memory(
    ir: str, program: Program, nests: Sequence[int]
) -> Iterator[tuple[str, FunctionIndex, str]]:
    """For each access of nests its array's name, its function, and each value that it leads to."""
    functions = {program.loops[nest].function for nest in nests}
    indices = function_indices(ir, program, sorted(functions))
    for access in (access for nest in nests for access in program.accesses_of[nest]):
        index = indices.get(access.function)
        if index is None:
            continue
        statement = index.body.blocks[access.block - index.first_block].statements[access.index]
        if statement.opcode in ("load", "store"):
            for root in roots(index, statement.operands[-1]):
                yield array_of(access), index, root


def _gives_memory(index: FunctionIndex, root: str) -> bool:
    """True if an address is derived from a call that gives memory."""
    statement = index.statements.get(root)
    return statement is not None and statement.callee in _SIZE_OF_CALL


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
