"""Which variable an access always reaches: a scalar, or one member of a structure."""

from collections.abc import Mapping

from logca.trace import types
from logca.trace.addresses import MEMBER_OF_GLOBAL, SAME_ADDRESS
from logca.trace.assembly import Statement
from logca.trace.routine import Routine

__all__ = ["variable"]


def variable(routine: Routine, address: str) -> str:
    """The variable that an address leads to whatever the run does, and no array in it [text].

    Parameters
    ----------
    routine : Routine
        The function.
    address : str
        A register or a constant [text].
    """
    offset, structures = 0, routine.module.structures
    while (statement := routine.statements.get(address)) is not None:
        if statement.opcode not in SAME_ADDRESS | {"getelementptr"}:
            break
        step = fixed_step(statement, structures)
        if step is None:
            return ""
        offset, address = offset + step, statement.operands[0]
    if fixed := MEMBER_OF_GLOBAL.search(address):
        if fixed["index"]:
            offset += types.offset_of(fixed["type"], int(fixed["index"]), structures)
        address, offset = fixed["name"], offset + int(fixed["offset"] or 0)
    type_ = routine.module.contents.get(address, "")
    if statement is not None and statement.opcode == "alloca" and not statement.operands:
        type_ = statement.stepped
    return address if type_ and types.is_scalar_at(type_, offset, structures) else ""


def fixed_step(statement: Statement, structures: Mapping[str, str]) -> int | None:
    """How far an address steps into a structure [B]; None if into an array, or if it varies."""
    if statement.opcode != "getelementptr":
        return 0
    indices = statement.operands[1:]
    if not all(index.isdigit() for index in indices):
        return None
    type_, step = statement.stepped, int(indices[0])
    if step and type_ != "i8":
        return None
    for member in map(int, indices[1:]):
        inside = types.parts(type_, structures)
        if inside is None:
            return None
        step += types.offset_of(type_, member, structures)
        type_ = inside[member]
    return step
