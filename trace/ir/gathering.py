"""Associative operations by which a loop gathers values: sums, extremes, logical connectives."""

from collections.abc import Collection, Iterable, Iterator

from logca.trace.ir.control_flow import NaturalLoop
from logca.trace.ir.expressions import WIDTHS, in_any_width, inside, leaves, same_value
from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.statements import Statement

__all__ = [
    "OTHER",
    "associative_operation",
    "choices",
    "conditions",
    "gathering",
    "orders",
]

CHOOSING = {"select", "icmp", "fcmp"} | WIDTHS
CONDITIONS = 4  # so many conditions before a place are looked at, one inside the other
OTHER = {"maximum": "minimum", "minimum": "maximum"}

FAMILIES = {
    **dict.fromkeys(("add", "sub", "fadd", "fsub"), "sum"),
    **dict.fromkeys(("mul", "fmul"), "product"),
    **{name: name for name in ("and", "or", "xor")},
}
FUSED = ("llvm.fmuladd.", "llvm.fma.")
EXTREMES = ("llvm.smax", "llvm.smin", "llvm.umax", "llvm.umin", "llvm.maxnum", "llvm.minnum")
EXTREMES_OF_C = {"fmax", "fmin", "fmaxf", "fminf"}


def gathering(function: FunctionIndex, loop: NaturalLoop, phi: Statement, again: list[str]) -> str:
    """The associative operation by which a phi gathers values that nothing else looks into."""
    cycle = recurrence_cycle(function, loop, phi.name, again)
    members = [function.statements[register] for register in cycle]
    operations = {
        associative_operation(statement, cycle)
        for statement in members
        if statement.opcode != "phi"
    }
    operations.discard("choice")
    outside = [user for register in cycle for user in others(function, loop, register, cycle)]
    taken = [
        value
        for statement in members
        if statement.opcode in {"phi", "select"} and statement.name != phi.name
        for value in statement.operands[statement.opcode == "select" :]
        if value not in cycle
    ]
    if operations:
        alone = len(operations) == 1 and not outside and not taken
        return operations.pop() if alone else ""
    compared = [
        operand
        for user in [*outside, *members]
        if user.opcode in {"icmp", "fcmp"}
        for operand in user.operands
        if operand not in cycle
    ]
    chosen = (
        all(user.opcode in {"icmp", "fcmp"} for user in outside)
        and bool(taken)
        and all(any(same_value(function, value, to) for to in compared) for value in taken)
    )
    if chosen:
        return "extreme" if len(extremes_of(function, members, cycle)) < 2 else ""
    return connective(function, loop, phi, again)


def others(
    function: FunctionIndex, loop: NaturalLoop, register: str, cycle: Collection[str]
) -> Iterator[Statement]:
    """The readers of a register in a loop outside of a cycle, be it in another width."""
    for user in inside(function, loop, register):
        if user.name in cycle:
            continue
        if user.opcode in WIDTHS:
            yield from others(function, loop, user.name, cycle)
        else:
            yield user


def connective(function: FunctionIndex, loop: NaturalLoop, phi: Statement, again: list[str]) -> str:
    """`and` of ``ok = ok && x``, `or` of ``found = found || x``; none of any other phi."""
    if len(again) != 1 or len(readers := list(others(function, loop, phi.name, ()))) != 1:
        return ""
    test = readers[0]
    jump = test
    if test.opcode == "icmp" and test.operation[-2:] in {"eq", "ne"} and "0" in test.operands:
        users = [user for _, user in function.readers.get(test.name, [])]
        jump = users[0] if len(users) == 1 else test
    if jump.opcode not in {"br", "select"} or leaves(function, loop, jump):
        return ""
    join = function.statements.get(again[0])
    user: Statement = phi
    while join is not None and inside(function, loop, join.name) == [user]:
        if join.opcode in WIDTHS:
            user = join
            join = function.statements.get(join.operands[0])
            continue
        for condition, ways in choices(function, join):
            if condition is test or in_any_width(function, condition.name) == phi.name:
                holds, fails = ways[::-1] if condition.operation[-2:] == "eq" else ways
                if fails in {"false", "0"}:
                    return "and"
                return "or" if holds in {"true", "1"} else ""
        return ""
    return ""


def extremes_of(function: FunctionIndex, members: Iterable[Statement], cycle: set[str]) -> set[str]:
    """Which extremes the choices of a cycle keep: both if, say, it clamps values."""
    found = set()
    for choice in members:
        for condition, ways in choices(function, choice):
            for one, other, operation in orders(condition):
                if in_any_width(function, one) in cycle and other not in cycle:
                    if same_value(function, ways[0], other):
                        found.add(operation)
                    elif same_value(function, ways[1], other):
                        found.add(OTHER[operation])
    return found


def orders(condition: Statement) -> Iterator[tuple[str, str, str]]:
    """Both sides of a comparison that orders, and the extreme if the second one is then taken."""
    if condition.opcode in {"icmp", "fcmp"} and condition.operation[-2:] in {
        "gt",
        "ge",
        "lt",
        "le",
    }:
        one, other = condition.operands
        greater = condition.operation[-2] == "g"
        yield one, other, "minimum" if greater else "maximum"
        yield other, one, "maximum" if greater else "minimum"


def choices(
    function: FunctionIndex, choice: Statement
) -> Iterator[tuple[Statement, tuple[str, str]]]:
    """A condition by which a value is one of two: that if it holds, and the other."""
    if choice.opcode == "select":
        condition = function.statements.get(choice.operands[0])
        if condition is not None:
            yield condition, (choice.operands[1], choice.operands[2])
    if choice.opcode == "phi" and len(choice.operands) == 2:
        one, two = (function.numbers[label] for label in choice.labels)
        for first, values in ((one, choice.operands), (two, choice.operands[::-1])):
            for condition, taken in conditions(function, first):
                yield condition, (values[0], values[1]) if taken else (values[1], values[0])


def conditions(function: FunctionIndex, block: int) -> Iterator[tuple[Statement, bool]]:
    """Conditions that a block is executed under, innermost first, and whether they hold then."""
    for _ in range(CONDITIONS):
        before = function.before[block]
        if len(before) != 1:
            return
        (around,) = before
        jump = function.body.blocks[around].statements[-1]
        condition = function.statements.get(jump.uses[0]) if len(jump.uses) == 1 else None
        if jump.opcode == "br" and len(jump.labels) == 2 and condition is not None:
            yield condition, jump.labels[0] == function.body.blocks[block].name
        block = around


def associative_operation(statement: Statement, cycle: set[str]) -> str:
    """The associative operation that a statement is a step of; none if it is of none."""
    if statement.opcode in CHOOSING:
        return "choice"
    gathered = [place for place, value in enumerate(statement.operands) if value in cycle]
    if statement.callee.startswith(FUSED):
        return "sum" if gathered == [2] else ""
    if statement.callee.startswith(EXTREMES) or statement.callee in EXTREMES_OF_C:
        kind = "maximum" if "max" in statement.callee else "minimum"
        return kind if len(gathered) == 1 else ""
    if statement.opcode in {"sub", "fsub"} and gathered != [0]:
        return ""
    return FAMILIES.get(statement.opcode, "") if len(gathered) == 1 else ""


def recurrence_cycle(
    function: FunctionIndex, loop: NaturalLoop, phi: str, again: list[str]
) -> set[str]:
    """The registers of a loop through which a phi leads to its next value."""
    ahead, waiting = {phi}, [phi]
    while waiting:
        for user in inside(function, loop, waiting.pop()):
            if user.name and user.name not in ahead:
                ahead.add(user.name)
                waiting.append(user.name)
    behind = {value for value in again if value in ahead}
    waiting = list(behind)
    while waiting:
        value = waiting.pop()
        if value == phi:
            continue
        for origin in function.statements[value].uses:
            if origin in ahead and origin not in behind:
                behind.add(origin)
                waiting.append(origin)
    return behind | {phi}
