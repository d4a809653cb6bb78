"""Updates of memory: loads and stores by which iterations gather values at a place.

``h[k] += x``, ``if (x > m) m = x`` with ``m`` in memory, and atomic operations whose old value
nothing reads.
"""

from logca.trace.ir.expressions import computed_alike, same_value, unread
from logca.trace.ir.functions import CASTS, FunctionIndex
from logca.trace.ir.gathering import OTHER, associative_operation, choices, conditions, orders
from logca.trace.ir.statements import Statement

__all__ = ["updates"]

STEPS_OF_ONE_UPDATE = 8
ATOMIC = {
    **dict.fromkeys(("add", "sub", "fadd", "fsub"), "sum"),
    **dict.fromkeys(("max", "umax", "fmax"), "maximum"),
    **dict.fromkeys(("min", "umin", "fmin"), "minimum"),
    **{name: name for name in ("and", "or", "xor")},
}

Place = tuple[int, int]  # block of the function, and place of a statement in it


def updates(function: FunctionIndex) -> dict[Place, str]:
    """The operation of each load and store of an update, by block of the function and place."""
    found: dict[Place, str] = {}
    for number, part in enumerate(function.body.blocks):
        for index, statement in enumerate(part.statements):
            if statement.opcode == "atomicrmw" and statement.operation in ATOMIC:
                if unread(function, statement):
                    found[number, index] = ATOMIC[statement.operation]
            elif statement.opcode == "cmpxchg":
                operation, loads = exchanged(function, statement)
                if operation:
                    found[number, index] = operation
                    found |= {place_of(function, load): operation for load in loads}
            elif statement.opcode == "store":
                value, address = statement.operands
                origin = updated(function, value, address)
                operation, loads = ("", []) if origin is None else (origin[0], [origin[1]])
                if not operation:
                    operation, loads = extreme(function, number, statement)
                if operation:
                    found[number, index] = operation
                    found |= {place_of(function, load): operation for load in loads}
    return found | companions(function, found)


def place_of(function: FunctionIndex, statement: Statement) -> Place:
    """Where a statement that defines a register stands."""
    block = function.defining_block[statement.name]
    return block, function.body.blocks[block].statements.index(statement)


def exchanged(function: FunctionIndex, exchange: Statement) -> tuple[str, list[Statement]]:
    """The operation of a loop that computes anew until nobody came between, and its first load."""
    address, old, new = exchange.operands[:3]
    known, loads = converted(function, old), []
    if known is None or known.opcode != "phi":
        return "", []
    for value in known.operands:
        origin = converted(function, value)
        if origin is None:
            return "", []
        if origin.opcode == "load" and computed_alike(function, origin.operands[0], address):
            loads.append(origin)
        elif origin.opcode != "extractvalue" or origin.operands[0] != exchange.name:
            return "", []
    operation = ""
    step = converted(function, new)
    for _ in range(STEPS_OF_ONE_UPDATE):
        if step is None or step is known:
            return (operation, loads) if step is known else ("", [])
        kinds = {
            value: associative_operation(step, {value})
            for value in step.operands
            if leads_to(function, value, known)
        }
        if len(kinds) != 1 or (operation and set(kinds.values()) != {operation}):
            return "", []
        ((value, operation),) = kinds.items()
        if operation in ("", "choice"):
            return "", []
        step = converted(function, value)
    return "", []


def converted(function: FunctionIndex, value: str) -> Statement | None:
    """The statement that a value is from, before it was converted."""
    statement = function.statements.get(value)
    while statement is not None and statement.opcode in CASTS:
        statement = function.statements.get(statement.operands[0])
    return statement


def leads_to(function: FunctionIndex, value: str, origin: Statement, depth: int = 0) -> bool:
    """True if a value is computed from what a statement defines."""
    statement = function.statements.get(value)
    if statement is None or depth > STEPS_OF_ONE_UPDATE:
        return False
    return statement is origin or (
        statement.opcode != "phi"
        and any(leads_to(function, each, origin, depth + 1) for each in statement.operands)
    )


def updated(
    function: FunctionIndex, value: str, address: str, depth: int = 0
) -> tuple[str, Statement] | None:
    """The operation that a value is computed by from what is at an address, and that load.

    No operation if it is the loaded value itself; None if it is no such value, or if what is on the
    way is read elsewhere too.
    """
    statement = function.statements.get(value)
    if statement is None or depth > STEPS_OF_ONE_UPDATE:
        return None
    if len(function.readers.get(value, [])) != 1:
        return None
    if statement.opcode == "load":
        alike = computed_alike(function, statement.operands[0], address)
        return ("", statement) if alike else None
    if statement.opcode in CASTS:
        return updated(function, statement.operands[0], address, depth + 1)
    for operand in statement.operands:
        operation = associative_operation(statement, {operand})
        if operation in ("", "choice"):
            continue
        inner = updated(function, operand, address, depth + 1)
        if inner is not None and inner[0] in ("", operation):
            return operation, inner[1]
    return None


def extreme(function: FunctionIndex, block: int, store: Statement) -> tuple[str, list[Statement]]:
    """Which extreme a store keeps of a value and what was there, and the loads of the latter."""
    value, address = store.operands
    for condition, taken in conditions(function, block):
        found = compared(function, condition, address)
        if found is None:
            continue
        load, other, operation = found
        if same_value(function, value, other):
            operation = operation if taken else OTHER[operation]
            return (operation, [load]) if read_by(function, load, {condition.name}) else ("", [])
    return chosen(function, value, address)


def chosen(function: FunctionIndex, value: str, address: str) -> tuple[str, list[Statement]]:
    """Which extreme a chosen value is, and the loads of the old one, as of ``x > m ? x : m``."""
    choice = function.statements.get(value)
    if choice is None or len(function.readers.get(value, [])) != 1:
        return "", []
    for condition, ways in choices(function, choice):
        found = compared(function, condition, address)
        if found is None:
            continue
        load, other, operation = found
        for taken, (one, old) in ((True, ways), (False, ways[::-1])):
            kept = function.statements.get(old)
            if (
                same_value(function, one, other)
                and kept is not None
                and computed_alike(function, old, load.name)
                and read_by(function, load, {condition.name, value})
                and read_by(function, kept, {condition.name, value})
            ):
                return operation if taken else OTHER[operation], [load, kept]
    return "", []


def compared(
    function: FunctionIndex, condition: Statement, address: str
) -> tuple[Statement, str, str] | None:
    """Load of an address in a comparison, the other side, and the extreme that it asks for."""
    for one, other, operation in orders(condition):
        load = loaded(function, one, address)
        if load is not None:
            return load, other, operation
    return None


def loaded(function: FunctionIndex, value: str, address: str) -> Statement | None:
    """The load of an address that a value is, perhaps converted."""
    statement = function.statements.get(value)
    while statement is not None and statement.opcode in CASTS:
        if len(function.readers.get(statement.name, [])) != 1:
            return None
        statement = function.statements.get(statement.operands[0])
    if statement is None or statement.opcode != "load":
        return None
    return statement if computed_alike(function, statement.operands[0], address) else None


def read_by(function: FunctionIndex, load: Statement, names: set[str]) -> bool:
    """True if nothing else reads what was loaded, as it is or converted."""
    return all(
        user.name in names or (user.opcode in CASTS and read_by(function, user, names))
        for _, user in function.readers.get(load.name, [])
    )


def companions(function: FunctionIndex, found: dict[Place, str]) -> dict[Place, str]:
    """Stores beside that of an extreme under its condition: of the place where it was found."""
    extremes = {
        block: f"place of {operation}"
        for (block, index), operation in found.items()
        if operation in OTHER
        and function.body.blocks[block].statements[index].opcode == "store"
        and any(
            compared(function, condition, function.body.blocks[block].statements[index].operands[1])
            for condition, _ in conditions(function, block)
        )
    }
    return {
        (block, index): operation
        for block, operation in extremes.items()
        for index, statement in enumerate(function.body.blocks[block].statements)
        if statement.opcode == "store" and (block, index) not in found
    }
