"""How large the local variables of functions are."""

from logca.trace import types
from logca.trace.assembly import parse
from logca.trace.debug import unquoted

__all__ = ["local_sizes"]


def local_sizes(ir: str) -> dict[tuple[str, str], int]:
    """Sizes of local variables in memory, by function and register [B].

    Those whose size only the run knows are left out.

    Parameters
    ----------
    ir : str
        A module in LLVM's assembly [text].
    """
    module = parse(ir)
    found = {}
    for body in module.bodies:
        for part in body.parts:
            for statement in part.statements:
                number = (*statement.operands, "1")[0]
                if statement.opcode == "alloca" and number.isdecimal():
                    size = types.size_of(statement.stepped, module.structures)
                    found[body.name, unquoted(statement.name[1:])] = size * int(number)
    return found
