"""Values that statements compute: the same in every iteration, alike, advancing, read by whom."""

from logca.trace.ir.accesses import roots
from logca.trace.ir.control_flow import NaturalLoop
from logca.trace.ir.functions import CASTS, COMPUTED, FunctionIndex
from logca.trace.ir.statements import Statement

__all__ = [
    "WIDTHS",
    "advances",
    "computed_alike",
    "ends",
    "in_any_width",
    "inside",
    "invariant",
    "leaves",
    "same_value",
    "unread",
]

READ_OR_COMPUTED = COMPUTED | {"load", "call"}
PURE = {"", "abs", "labs", "fabs", "fabsf", "sqrt", "sqrtf"}
PURE_INTRINSICS = ("llvm.abs.", "llvm.fabs.", "llvm.sqrt.")
"""Functions that give the same for the same arguments, of which extremes are taken."""
WIDTHS = {"sext", "zext", "trunc", "fpext", "fptrunc", "freeze"}
"""Casts to other widths, as C has them around each operation on a `float` or a `short`."""
SCALARS = {"i16", "i32", "i64", "float", "double", "ptr"}
DEEP = 32  # longer chains of one expression are taken to vary


def invariant(function: FunctionIndex, loop: NaturalLoop, value: str, depth: int = 0) -> bool:
    """True if a value is the same in every iteration."""
    if (
        function.defining_block.get(value, -1) not in loop.blocks
        or value in function.body.arguments
    ):
        return True
    question = ("invariant", loop.header, value)
    if question not in function.memo:
        statement = function.statements[value]
        computed = statement.opcode in COMPUTED or (
            statement.opcode == "load" and untouched(function, loop, statement)
        )
        function.memo[question] = (
            computed
            and depth < DEEP
            and all(invariant(function, loop, to, depth + 1) for to in statement.operands)
        )
    return function.memo[question]


def untouched(function: FunctionIndex, loop: NaturalLoop, load: Statement) -> bool:
    """True if nothing in the loop can write what a load reads.

    Only a variable of the program itself is judged: another one's name is another place, and so is,
    by the rules of C, a place that a scalar of another type is written to.
    """
    read = roots(function, load.operands[0])
    if not read or not all(known_place(function, root) for root in read):
        return False
    for block in loop.blocks:
        for statement in function.body.blocks[block].statements:
            if statement.opcode in {"call", "atomicrmw", "cmpxchg", "fence"}:
                if not statement.callee.startswith(("llvm.lifetime", "llvm.fmuladd", "llvm.fabs")):
                    return False
            elif statement.opcode == "store":
                # C's rule of types; `SCALARS` is without i8, for a char may be part of anything
                if statement.type != load.type and {statement.type, load.type} <= SCALARS:
                    continue
                written = roots(function, statement.operands[1])
                if not written or written & read:
                    return False
                if not all(known_place(function, root) for root in written):
                    return False
    return True


def known_place(function: FunctionIndex, root: str) -> bool:
    """True if a root of addresses is a variable of the program, and not a pointer to anything."""
    statement = function.statements.get(root)
    return root.startswith("@") or (statement is not None and statement.opcode == "alloca")


def advances(
    function: FunctionIndex, loop: NaturalLoop, value: str, phi: str, depth: int = 0
) -> bool:
    """True if a value is the phi plus, or minus, what is the same in every iteration."""
    if value == phi:
        return True
    statement = function.statements.get(value)
    if statement is None or depth > DEEP or invariant(function, loop, value):
        return False

    def further(operand: str) -> bool:
        return advances(function, loop, operand, phi, depth + 1)

    def still(operand: str) -> bool:
        return invariant(function, loop, operand)

    operands = statement.operands
    if statement.opcode in CASTS:
        return further(operands[0])
    if statement.opcode in {"sub", "fsub", "getelementptr"}:
        return all(map(still, operands[1:])) and further(operands[0])
    if statement.opcode in {"add", "fadd"}:
        left, right = operands
        return further(left) if still(right) else still(left) and further(right)
    return False


def computed_alike(function: FunctionIndex, one: str, other: str, depth: int = 0) -> bool:
    """True if two values are computed alike, loads included.

    Two loads of one place may differ if something is stored between them: ask this only where a
    mistake costs a name, as for steps of inductions and for minima.
    """
    if one == other:
        return True
    a, b = function.statements.get(one), function.statements.get(other)
    if a is None or b is None or a.opcode not in READ_OR_COMPUTED:
        return False
    if a.callee != b.callee or not (a.callee in PURE or a.callee.startswith(PURE_INTRINSICS)):
        return False
    question = ("alike", one, other)
    if question not in function.memo:
        kinds = ((x.opcode, x.type, x.stepped, len(x.operands)) for x in (a, b))
        function.memo[question] = (
            depth < DEEP
            and next(kinds) == next(kinds)
            and all(
                computed_alike(function, x, y, depth + 1)
                for x, y in zip(a.operands, b.operands, strict=True)
            )
        )
    return function.memo[question]


def same_value(function: FunctionIndex, one: str, other: str) -> bool:
    """True if two values are computed alike, but for their widths."""
    return computed_alike(function, in_any_width(function, one), in_any_width(function, other))


def in_any_width(function: FunctionIndex, value: str) -> str:
    """The value before its casts to other widths."""
    while (statement := function.statements.get(value)) is not None and statement.opcode in WIDTHS:
        value = statement.operands[0]
    return value


def inside(function: FunctionIndex, loop: NaturalLoop, register: str) -> list[Statement]:
    """The statements of a loop that read a register, but for those of which nothing comes."""
    return [
        user
        for block, user in function.readers.get(register, [])
        if block in loop.blocks and user.name not in function.idle
    ]


def unread(function: FunctionIndex, statement: Statement) -> bool:
    """True if nothing comes of a value, as of the result of C's atomic operators."""
    return all(user.name in function.idle for _, user in function.readers.get(statement.name, []))


def leaves(function: FunctionIndex, loop: NaturalLoop, jump: Statement) -> bool:
    """True if a jump may leave the loop."""
    return jump.opcode == "br" and any(
        function.numbers[label] not in loop.blocks for label in jump.labels
    )


def ends(function: FunctionIndex, loop: NaturalLoop, comparison: Statement) -> bool:
    """True if a comparison decides about leaving the loop."""
    return any(
        leaves(function, loop, user) for _, user in function.readers.get(comparison.name, [])
    )
