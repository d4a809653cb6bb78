"""What stays the same, and what advances evenly, from one iteration of a loop to the next."""

from logca.trace.addresses import roots
from logca.trace.assembly import Statement
from logca.trace.graph import Natural
from logca.trace.routine import Routine

__all__ = ["advances", "invariant", "same"]

CASTS = {"sext", "zext", "trunc", "freeze", "bitcast", "fpext", "fptrunc", "sitofp", "uitofp"}
ARITHMETIC = {
    *("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or"),
    *("xor", "fadd", "fsub", "fmul", "fdiv", "fneg", "icmp", "fcmp", "select", "getelementptr"),
}
SCALARS = {"i16", "i32", "i64", "float", "double", "ptr"}
DEEP = 32  # longer chains of one expression are taken to vary


def invariant(routine: Routine, loop: Natural, value: str, depth: int = 0) -> bool:
    """Whether a value is the same in every iteration.

    Parameters
    ----------
    routine : Routine
        The function.
    loop : Natural
        The loop.
    value : str
        A register or a constant [text].
    depth : int
        How many statements the question came through [1].
    """
    if routine.homes.get(value, -1) not in loop.blocks or value in routine.body.arguments:
        return True
    question = ("invariant", loop.header, value)
    if question not in routine.answers:
        statement = routine.statements[value]
        computed = statement.opcode in CASTS | ARITHMETIC or (
            statement.opcode == "load" and untouched(routine, loop, statement)
        )
        routine.answers[question] = (
            computed
            and depth < DEEP
            and all(invariant(routine, loop, to, depth + 1) for to in statement.operands)
        )
    return routine.answers[question]


def untouched(routine: Routine, loop: Natural, load: Statement) -> bool:
    """Whether nothing in the loop can write what a load reads.

    Only a variable of the program itself is judged: another one's name is another place, and so is,
    by the rules of C, a place that a scalar of another type is written to.
    """
    read = roots(routine, load.operands[0])
    if not read or not all(known_place(routine, root) for root in read):
        return False
    for block in loop.blocks:
        for statement in routine.body.parts[block].statements:
            if statement.opcode in {"call", "atomicrmw", "cmpxchg", "fence"}:
                if not statement.callee.startswith(("llvm.lifetime", "llvm.fmuladd", "llvm.fabs")):
                    return False
            elif statement.opcode == "store":
                if statement.type != load.type and {statement.type, load.type} <= SCALARS:
                    continue
                written = roots(routine, statement.operands[1])
                if not written or written & read:
                    return False
                if not all(known_place(routine, root) for root in written):
                    return False
    return True


def known_place(routine: Routine, root: str) -> bool:
    """Whether a root of addresses is a variable of the program, and not a pointer to anything."""
    statement = routine.statements.get(root)
    return root.startswith("@") or (statement is not None and statement.opcode == "alloca")


def advances(routine: Routine, loop: Natural, value: str, phi: str, depth: int = 0) -> bool:
    """Whether a value is the phi plus, or minus, what is the same in every iteration.

    Parameters
    ----------
    routine : Routine
        The function.
    loop : Natural
        The loop.
    value, phi : str
        Registers [text].
    depth : int
        How many statements the question came through [1].
    """
    if value == phi:
        return True
    statement = routine.statements.get(value)
    if statement is None or depth > DEEP or invariant(routine, loop, value):
        return False

    def further(operand: str) -> bool:
        return advances(routine, loop, operand, phi, depth + 1)

    def still(operand: str) -> bool:
        return invariant(routine, loop, operand)

    operands = statement.operands
    if statement.opcode in CASTS:
        return further(operands[0])
    if statement.opcode in {"sub", "fsub", "getelementptr"}:
        return all(map(still, operands[1:])) and further(operands[0])
    if statement.opcode in {"add", "fadd"}:
        left, right = operands
        return further(left) if still(right) else still(left) and further(right)
    return False


def same(routine: Routine, one: str, other: str, depth: int = 0) -> bool:
    """Whether two values are computed alike, loads included.

    Parameters
    ----------
    routine : Routine
        The function.
    one, other : str
        Registers or constants [text].
    depth : int
        How many statements the question came through [1].
    """
    if one == other:
        return True
    a, b = routine.statements.get(one), routine.statements.get(other)
    if a is None or b is None or a.opcode not in CASTS | ARITHMETIC | {"load"}:
        return False
    question = ("same", one, other)
    if question not in routine.answers:
        kinds = ((x.opcode, x.type, x.stepped, len(x.operands)) for x in (a, b))
        routine.answers[question] = (
            depth < DEEP
            and next(kinds) == next(kinds)
            and all(
                same(routine, x, y, depth + 1) for x, y in zip(a.operands, b.operands, strict=True)
            )
        )
    return routine.answers[question]
