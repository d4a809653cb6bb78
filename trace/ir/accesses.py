"""The places in a function that read or write memory."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from logca.trace.ir import types
from logca.trace.ir.functions import FunctionIndex, unquoted
from logca.trace.ir.operands import element, split
from logca.trace.ir.program import Access
from logca.trace.ir.statements import Statement

__all__ = ["GIVES_MEMORY", "accesses_in", "arithmetic", "array_name", "roots"]

COPIES = ("llvm.memcpy.", "llvm.memmove.")
FILLS = ("llvm.memset.",)
GIVES_MEMORY = frozenset({"malloc", "calloc", "realloc", "aligned_alloc"})
TOUCHING = frozenset({"load", "store", "atomicrmw", "cmpxchg", "call", "invoke"})
REALS = re.compile(r"\b(?:half|bfloat|float|double|fp128|x86_fp80|ppc_fp128)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEffect:
    """Effect of a statement on memory: where, whether it writes, how much [B], of which type."""

    address: str
    store: bool
    size: int
    type: str


def memory_effects(statement: Statement, structures: Mapping[str, str]) -> Iterator[MemoryEffect]:
    """Effects of a statement on memory, in order."""
    operands = statement.operands
    if statement.opcode not in TOUCHING:
        return
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


def accesses_in(
    function: FunctionIndex, first: int, kinds: Mapping[tuple[int, int], str]
) -> list[Access]:
    """The accesses of a function in program order, the first of which has the given number.

    Updates have their operations in `kinds`, by block of the function and place in it.
    """
    found: list[Access] = []
    for block in function.shape.order:
        innermost = function.shape.innermost.get(block)
        for index, statement in enumerate(function.body.blocks[block].statements):
            place = function.places[block][index]
            for touch in memory_effects(statement, function.module.structures):
                variables = locals_of(function, touch.address)
                known, offset = fixed_variable(
                    function, touch.address, touch.size if touch.store else -1
                )
                found.append(
                    Access(
                        id=first + len(found),
                        function=function.body.name,
                        source_function=place.function or function.body.name,
                        block=function.first_block + block,
                        index=index,
                        store=touch.store,
                        size=touch.size,
                        type=touch.type,
                        file=place.file,
                        line=place.line,
                        column=place.column,
                        array=array_name(function, touch.address),
                        real=REALS.search(touch.type) is not None,
                        loop=None if innermost is None else function.loop_ids[innermost],
                        private=bool(variables),
                        private_to=lifetime(function, variables),
                        variable=known,
                        offset=offset,
                        update=kinds.get((block, index), ""),
                    )
                )
    return found


def lifetime(function: FunctionIndex, variables: frozenset[str]) -> int | None:
    """The innermost loop in whose every iteration the local variables are new."""
    born = {
        block
        for variable in variables
        for block in function.live_from.get(variable, {function.defining_block[variable]})
    }
    around = [loop.header for loop in function.shape.loops.values() if born and born <= loop.blocks]
    return function.loop_ids[around[-1]] if around else None


OF_THREAD = "llvm.threadlocal.address."
SAME_ADDRESS = {"bitcast", "addrspacecast", "freeze"}
DERIVING = SAME_ADDRESS | {"getelementptr"}
MEMBER_OF_GLOBAL = re.compile(
    r'\((?P<type>i8|%struct\.[-\w.$]+), ptr (?P<name>@(?:"[^"]*"|[-\w.$]+)), '
    r"(?:i64 (?P<offset>\d+)|i32 0, i32 (?P<index>\d+))\)$"
)
GLOBAL = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')


def arithmetic(function: FunctionIndex) -> dict[str, tuple[int, int]]:
    """Multiplications and additions of each address that the source leaves to the compiler.

    A variable index that steps over rows is multiplied by their length; all variable indices of a
    chain of addresses are added up. Scaling by the size of an element is part of any access.
    """
    reached = accessed_sizes(function)
    found: dict[str, tuple[int, int]] = {}
    varied: dict[str, bool] = {}
    for register, statement in function.statements.items():
        if statement.opcode != "getelementptr":
            continue
        steps = steps_of(statement, function)
        size = reached.get(register, 0)
        rows = sum(
            element(over)[0] > 0 and types.size_of(over, function.module.structures) > size
            for over in steps
        )
        before = has_variable_index(statement.operands[0], function, varied)
        found[register] = (rows, len(steps) if before else max(len(steps) - 1, 0))
    return found


def steps_of(statement: Statement, function: FunctionIndex) -> list[str]:
    """The types that the variable indices of an address step over."""
    type_, steps = statement.stepped, []
    for place, index in enumerate(statement.operands[1:]):
        if place:
            members = types.parts(type_, function.module.structures)
            inner = element(type_)[1]
            type_ = members[int(index)] if members is not None and index.isdigit() else inner
        if index.startswith("%"):
            steps.append(type_)
    return steps


def has_variable_index(value: str, function: FunctionIndex, known: dict[str, bool]) -> bool:
    """True if the chain of addresses up to a value has a variable index."""
    statement = function.statements.get(value)
    if statement is None or statement.opcode not in DERIVING:
        return False
    if value not in known:
        known[value] = any(
            index.startswith("%") for index in statement.operands[1:]
        ) or has_variable_index(statement.operands[0], function, known)
    return known[value]


def accessed_sizes(function: FunctionIndex) -> dict[str, int]:
    """The smallest access through each address [B]."""
    found: dict[str, int] = {}
    for part in function.body.blocks:
        for statement in part.statements:
            if statement.opcode not in {"load", "store"}:
                continue
            size = types.size_of(statement.type, function.module.structures)
            value = statement.operands[-1]
            while (inner := function.statements.get(value)) is not None:
                if inner.opcode not in DERIVING:
                    break
                found[value] = min(found.get(value, size), size)
                value = inner.operands[0]
    return found


def locals_of(function: FunctionIndex, address: str) -> frozenset[str]:
    """The local variables that an address may lead to; none if it may lead elsewhere."""
    found = roots(function, address)
    inside = all(
        root in function.body.copies
        or (root in function.statements and function.statements[root].opcode == "alloca")
        for root in found
    )
    return frozenset(found) if inside else frozenset()


def roots(function: FunctionIndex, address: str) -> set[str]:
    """The values that an address may be derived from: variables, arguments, loads, calls."""
    if address not in function.roots:
        function.roots[address] = new_roots(function, address)
    return function.roots[address]


def new_roots(function: FunctionIndex, address: str) -> set[str]:
    """The values that an address may be derived from, if that is not known yet."""
    found, seen, waiting = set(), {address}, [address]
    while waiting:
        value = waiting.pop()
        derived = derived_from(function, value)
        if not derived:
            found.add(GLOBAL.findall(value)[0] if "@" in value else value)
        waiting += [origin for origin in derived if origin not in seen]
        seen.update(derived)
    return {root for root in found if root[0] in "%@"}


def derived_from(function: FunctionIndex, value: str) -> list[str]:
    """The addresses that an address is computed from; none of one that starts anew."""
    statement = function.statements.get(value)
    if statement is None:
        return []
    if statement.opcode in DERIVING:
        return statement.operands[:1]
    if statement.callee.startswith(OF_THREAD):
        return statement.operands
    if statement.opcode == "phi":
        return statement.operands
    if statement.opcode == "select":
        return statement.operands[1:]
    return []


def array_name(function: FunctionIndex, address: str) -> str:
    """Name of the array that an address leads to; no text if it has none, or several."""
    found = roots(function, address)
    names = {root_name(function, root) for root in found}
    if len(names) == 1:
        return names.pop()
    value = address
    while value in function.statements and len(derived_from(function, value)) == 1:
        if value in function.variables:
            break
        value = derived_from(function, value)[0]
    return function.variables.get(value, "")


def root_name(function: FunctionIndex, root: str) -> str:
    """Name of what an address is derived from."""
    if root.startswith("@"):
        entry = function.module.globals.get(root)
        return function.debug.variable(entry) or unquoted(root[1:])
    if root in function.variables:
        return function.variables[root]
    statement = function.statements.get(root)
    if statement is None or statement.opcode == "alloca":
        return function.names[root]
    if root not in function.pointers:
        # a list that leads to itself has no name by way of itself
        function.pointers[root] = ""
        name = name_by_holder(function, root, statement)
        function.pointers[root] = name or name_by_call(function, root, statement)
    return function.pointers[root]


def name_by_holder(function: FunctionIndex, root: str, statement: Statement) -> str:
    """Name of a pointer by the place that it is loaded from, or stored to."""
    if statement.opcode == "load":
        return pointer_name(function, statement.operands[0])
    for _, user in function.readers.get(root, []):
        if user.opcode == "store" and user.operands[0] == root:
            return pointer_name(function, user.operands[1])
    return ""


def name_by_call(function: FunctionIndex, root: str, statement: Statement) -> str:
    """Name of memory that a function gives by where the program asks for it; none of other values.

    Structures that a function returns keep no name of a variable for the pointers in them.
    """
    if statement.callee not in GIVES_MEMORY:
        return ""
    place = function.debug.place(statement.location)
    while place.call:
        place = function.debug.place(place.call)
    return f"memory@{place.line}:{place.column}" if place.line else ""


def pointer_name(function: FunctionIndex, address: str) -> str:
    """Name of a pointer by the place in memory that holds it: a variable, a member, an element."""
    whole = array_name(function, address)
    statement = function.statements.get(address)
    if fixed := MEMBER_OF_GLOBAL.search(address):
        offset = int(fixed["offset"] or 0)
        if fixed["index"]:
            known = function.module.structures
            offset = types.offset_of(fixed["type"], int(fixed["index"]), known)
        member = function.debug.member_at(function.module.globals.get(fixed["name"]), 8 * offset)
        return f"{whole}.{member}" if member else f"{whole}[]"
    if address.startswith("@") or (statement is not None and statement.opcode == "alloca"):
        return whole
    if statement is not None and statement.opcode == "getelementptr":
        origin, *indices = statement.operands
        member = member_name(function, address)
        if member and not any(index.startswith("%") for index in indices):
            direct = origin.startswith("@") or locals_of(function, origin)
            return f"{whole}{'.' if direct else '->'}{member}" if whole else member
    return f"{whole}[]" if whole else ""


def member_name(function: FunctionIndex, register: str) -> str:
    """The member of a structure that clang named a register after; it may have added digits."""
    text, known = function.names[register], function.debug.members
    while text not in known and text[-1:].isdecimal():
        text = text[:-1]
    return text if text in known else ""


CONSTANT = re.compile(r"[^(@%]*\bgetelementptr\b[^(@%]*\((.*)\)")
"""An address that the compiler knows, with attributes before it; what is in brackets."""


def fixed_variable(function: FunctionIndex, address: str, written: int = -1) -> tuple[str, int]:
    """The variable that an address leads to whatever the run does, and where in it.

    It is a scalar, or a structure in which a scalar is at that place, outside of arrays; if memory
    is written there, one of which scalars are written.
    """
    offset, structures = 0, function.module.structures
    while (statement := function.statements.get(address)) is not None:
        if statement.opcode == "getelementptr":
            step = fixed_step(statement.stepped, statement.operands[1:], structures)
            if step is None:
                return "", 0
            offset += step
        elif statement.opcode not in SAME_ADDRESS and not statement.callee.startswith(OF_THREAD):
            break
        address = statement.operands[0]
    while constant := CONSTANT.fullmatch(address):
        stepped, inner, *indices = split(constant[1])
        step = fixed_step(stepped, [index.split()[-1] for index in indices], structures)
        if step is None:
            return "", 0
        address, offset = inner.removeprefix("ptr "), offset + step
    type_ = function.module.contents.get(address, "")
    if statement is not None and statement.opcode == "alloca" and not statement.operands:
        type_ = statement.stepped
    if not type_:
        return "", 0
    if types.is_scalar_at(type_, offset, structures):
        return address, offset
    end = offset + written if written else types.size_of(type_, structures)
    if written >= 0 and any(
        start < end and offset < start + size for start, size in types.scalars_of(type_, structures)
    ):
        return address, offset
    return "", 0


def fixed_step(type_: str, indices: Sequence[str], structures: Mapping[str, str]) -> int | None:
    """Step of an address into a structure [B]; None if into an array, or if it varies."""
    if not all(index.isdigit() for index in indices):
        return None
    step = int(indices[0])
    if step and type_ != "i8":
        return None
    for member in map(int, indices[1:]):
        inside = types.parts(type_, structures)
        if inside is None:
            return None
        step += types.offset_of(type_, member, structures)
        type_ = inside[member]
    return step
