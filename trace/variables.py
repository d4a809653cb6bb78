"""Which variable an access always reaches: a scalar, or members of a structure."""

import re
from collections.abc import Mapping, Sequence

from logca.trace import types
from logca.trace.addresses import OF_THREAD, SAME_ADDRESS
from logca.trace.routine import Routine

__all__ = ["variable"]

CONSTANT = re.compile(r"[^(@%]*\bgetelementptr\b[^(@%]*\((.*)\)")
"""An address that the compiler knows, with attributes before it; what is in brackets."""


def variable(routine: Routine, address: str, written: int = -1) -> tuple[str, int]:
    """The variable that an address leads to whatever the run does, and where in it.

    It is a scalar, or a structure in which a scalar is at that place, outside of arrays; if memory
    is written there, one of which scalars are written.

    Parameters
    ----------
    routine : Routine
        The function.
    address : str
        A register or a constant [text].
    written : int
        How much is written there; 0 if only the run can tell, -1 if nothing [B].

    Returns
    -------
    str
        Its name in LLVM; empty if there is none [text].
    int
        The offset in it [B].
    """
    offset, structures = 0, routine.module.structures
    while (statement := routine.statements.get(address)) is not None:
        if statement.opcode == "getelementptr":
            step = fixed_step(statement.stepped, statement.operands[1:], structures)
            if step is None:
                return "", 0
            offset += step
        elif statement.opcode not in SAME_ADDRESS and not statement.callee.startswith(OF_THREAD):
            break
        address = statement.operands[0]
    while constant := CONSTANT.fullmatch(address):
        stepped, inner, *indices = types.split(constant[1])
        step = fixed_step(stepped, [index.split()[-1] for index in indices], structures)
        if step is None:
            return "", 0
        address, offset = inner.removeprefix("ptr "), offset + step
    type_ = routine.module.contents.get(address, "")
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
    """How far an address steps into a structure [B]; None if into an array, or if it varies."""
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
