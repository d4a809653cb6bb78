"""Registers that cross from one basic block to another."""

from logca.trace import types
from logca.trace.debug import unquoted
from logca.trace.program import Value
from logca.trace.routine import Routine

__all__ = ["crossing"]


def crossing(routine: Routine, first: int) -> list[Value]:
    """The registers and arguments that other blocks than their own read.

    What a phi takes in counts as read by the block of the phi.

    Parameters
    ----------
    routine : Routine
        The function.
    first : int
        The number in the program of the function's first block [1].
    """
    arguments = routine.body.arguments
    found = []
    for register, home in routine.homes.items():
        readers = {block for block, _ in routine.users.get(register, [])} - {home}
        if readers:
            type_ = arguments.get(register) or routine.statements[register].type
            found.append(
                Value(
                    name=unquoted(register[1:]),
                    function=routine.body.name,
                    type=type_,
                    bits=types.bits_of(type_, routine.module.structures),
                    defined_in=first + home,
                    used_in=tuple(first + block for block in sorted(readers)),
                )
            )
    return found
