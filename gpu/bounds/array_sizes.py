"""Sizes of the arrays that a kernel reaches, where the code tells them.

Global and local arrays have a type, and what `malloc` is called with may be a number: macros are
numbers in the code. A pointer in memory leads to what the function stores there, such as rows of
a matrix. Where a pointer leads elsewhere, or to arrays of several sizes, nothing is known.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.bounds.footprint import array_of
from logca.trace.ir import types
from logca.trace.ir.accesses import roots
from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.pointers import UNKNOWN, Pointers, pointers
from logca.trace.ir.program import Program
from logca.trace.ir.subscripts import function_indices, linear

__all__ = ["ArraySize", "array_sizes", "shared_arrays"]

_SIZE_OF_CALL = {"malloc": (0,), "calloc": (0, 1), "aligned_alloc": (1,)}
"""Operands of functions that give memory, whose product is how much [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArraySize:
    """Memory of an array."""

    size: int  # bytes of all of it [B]
    pieces: int = 1  # pieces that it lies in, such as rows that are memory of their own each [1]


def array_sizes(ir: str, program: Program, nest: int) -> Mapping[str, ArraySize]:
    """Memory of each array that a nest reaches and whose size is known, by its name."""
    found: dict[str, set[ArraySize | None]] = {}
    for name, known, root in _memory(ir, program, [nest]):
        found.setdefault(name, set()).add(_size(known, root))
    return {
        name: size
        for name, sizes in found.items()
        if len(sizes) == 1 and (size := next(iter(sizes))) is not None
    }


def shared_arrays(ir: str, program: Program, nests: Sequence[int]) -> Sequence[frozenset[str]]:
    """Names of arrays of these nests that may stand for the same memory, together."""
    by_memory: dict[tuple[str, str], set[str]] = {}
    for name, known, root in _memory(ir, program, nests):
        for place in known.of(root) - {UNKNOWN}:
            by_memory.setdefault((known.index.body.name, place), set()).add(name)
    found: list[frozenset[str]] = []
    for names in by_memory.values():
        joined = [each for each in found if each & names]
        found = [each for each in found if not each & names]
        found.append(frozenset(names).union(*joined))
    return [names for names in found if len(names) > 1]


def _memory(ir: str, program: Program, nests: Sequence[int]) -> Iterator[tuple[str, Pointers, str]]:
    """For each access of nests its array's name, its function, and each value that it leads to."""
    functions = {program.loops[nest].function for nest in nests}
    indices = function_indices(ir, program, sorted(functions))
    known = {name: pointers(index) for name, index in indices.items()}
    for access in (access for nest in nests for access in program.accesses_of[nest]):
        if access.function not in indices:
            continue
        index = indices[access.function]
        statement = index.body.blocks[access.block - index.first_block].statements[access.index]
        if statement.opcode in ("load", "store"):
            for root in roots(index, statement.operands[-1]):
                yield array_of(access), known[access.function], root


def _size(known: Pointers, root: str) -> ArraySize | None:
    """Memory that an address is derived from; None if the code does not tell."""
    load = known.index.statements.get(root)
    if load is None or load.opcode != "load":
        size = _size_of_place(known.index, root)
        return None if size is None else ArraySize(size=size)
    holders, here = known.of(load.operands[0]) - {UNKNOWN}, known.place(load.operands[0])
    by_pointers: dict[tuple[tuple[str, int], ...], set[ArraySize | None]] = {}
    for store in known.stores:
        value, address = store.operands
        there = known.place(address)
        elsewhere = here is not None and there is not None and here != there
        if not holders & known.of(address) or elsewhere or _moved(known, value, holders):
            continue
        number = _number_of_pointers(known, address)
        sizes = by_pointers.setdefault((*sorted(linear(known.index, address).items()),), set())
        for place in known.of(value):
            size = _size_of_place(known.index, place)
            sizes.add(
                None
                if size is None or number is None
                else ArraySize(size=size * number, pieces=number)
            )
    every = [next(iter(sizes)) if len(sizes) == 1 else None for sizes in by_pointers.values()]
    parts = [each for each in every if each is not None]
    if not parts or len(parts) < len(every):
        return None
    return ArraySize(
        size=sum(each.size for each in parts), pieces=sum(each.pieces for each in parts)
    )


def _moved(known: Pointers, value: str, holders: frozenset[str]) -> bool:
    """True if a pointer was in this memory before it is stored there, as where rows are swapped."""
    origins = [known.index.statements.get(root) for root in roots(known.index, value)]
    return all(
        each is not None and each.opcode == "load" and bool(holders & known.of(each.operands[0]))
        for each in origins
    )


def _number_of_pointers(known: Pointers, address: str) -> int | None:
    """As many pointers as one statement stores side by side in memory of known size [1]."""
    if known.place(address) is not None:
        return 1
    terms = linear(known.index, address)
    steps = [terms[each] for each in terms if each and each not in roots(known.index, address)]
    (place, *others) = known.of(address)
    size = None if others or len(steps) != 1 else _size_of_place(known.index, place)
    return None if size is None else size // abs(steps[0])


def _size_of_place(index: FunctionIndex, place: str) -> int | None:
    """Bytes of a variable, or of the memory that a call gives; None if they are unknown [B]."""
    structures = index.module.structures
    if place.startswith("@"):
        type_ = index.module.contents.get(place, "")
        return types.size_of(type_, structures) or None if type_ else None
    statement = index.statements.get(place)
    if statement is None:
        return None
    if statement.opcode == "alloca":
        return types.size_of(statement.stepped, structures) if not statement.operands else None
    if statement.callee not in _SIZE_OF_CALL:
        return None
    size = 1
    for operand in _SIZE_OF_CALL[statement.callee]:
        value = linear(index, statement.operands[operand].split()[-1])  # behind attributes
        if {*value} - {""}:
            return None
        size *= value.get("", 0)
    return size
