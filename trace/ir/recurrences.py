"""Values that a loop passes to its next iteration: inductions, reductions, recurrences.

What is invariant in a loop, what advances evenly, and the lines of the source that a loop has.
"""

from collections.abc import Collection, Iterable, Iterator

from logca.trace.ir.accesses import roots
from logca.trace.ir.assembly import Statement
from logca.trace.ir.control_flow import NaturalLoop
from logca.trace.ir.functions import FunctionIndex, Place
from logca.trace.ir.program import Gathered, Loop

__all__ = [
    "CASTS",
    "OTHER",
    "associative_operation",
    "choices",
    "computed_alike",
    "conditions",
    "loop_of",
    "orders",
    "same_value",
    "unread",
]

CASTS = {"sext", "zext", "trunc", "freeze", "bitcast", "fpext", "fptrunc", "sitofp", "uitofp"}
ARITHMETIC = {
    *("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or"),
    *("xor", "fadd", "fsub", "fmul", "fdiv", "fneg", "icmp", "fcmp", "select", "getelementptr"),
}
WIDTHS = {"sext", "zext", "trunc", "fpext", "fptrunc", "freeze"}
"""Casts to other widths, as C has them around each operation on a `float` or a `short`."""
SCALARS = {"i16", "i32", "i64", "float", "double", "ptr"}
OTHER = {"maximum": "minimum", "minimum": "maximum"}
CONDITIONS = 4  # so many conditions before a place are looked at, one inside the other
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
        computed = statement.opcode in CASTS | ARITHMETIC or (
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
    if a is None or b is None or a.opcode not in CASTS | ARITHMETIC | {"load"}:
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


FAMILIES = {
    **dict.fromkeys(("add", "sub", "fadd", "fsub"), "sum"),
    **dict.fromkeys(("mul", "fmul"), "product"),
    **{name: name for name in ("and", "or", "xor")},
}
FUSED = ("llvm.fmuladd.", "llvm.fma.")
EXTREMES = ("llvm.smax", "llvm.smin", "llvm.umax", "llvm.umin", "llvm.maxnum", "llvm.minnum")
EXTREMES_OF_C = {"fmax", "fmin", "fmaxf", "fminf"}


def loop_of(function: FunctionIndex, header: int) -> tuple[Loop, Place]:
    """A loop, and where it starts."""
    shape, ids, first = function.shape, function.loop_ids, function.first_block
    natural = shape.loops[header]
    start, end_line = extent(function, natural)
    inductions, carried, gathered = recurrences(function, natural)
    left, kept = left_behind(function, natural)
    depth, outer = 0, natural.parent
    while outer is not None:
        depth, outer = depth + 1, shape.loops[outer].parent
    loop = Loop(
        id=ids[header],
        function=function.body.name,
        source_function=start.function or function.body.name,
        header=first + header,
        latches=tuple(first + latch for latch in natural.latches),
        blocks=frozenset(first + block for block in natural.blocks),
        parent=None if natural.parent is None else ids[natural.parent],
        depth=depth,
        file=start.file,
        line=start.line,
        end_line=end_line,
        inductions=inductions,
        carried=carried,
        position=shape.order.index(header),
        calls=function.debug.calls(start),
        gathered=gathered,
        left=left,
        kept=kept,
    )
    return loop, start


def extent(function: FunctionIndex, loop: NaturalLoop) -> tuple[Place, int]:
    """Start of a loop in the source, and the line where it ends.

    The compiler notes both for loops written as such; of a loop made of jumps the lines of its
    statements are taken.
    """
    for latch in loop.latches:
        if latch in function.loop_places:
            start, end = function.loop_places[latch]
            if start.line:
                return start, max(end.line, start.line)
    places = [
        place
        for block in [loop.header, *sorted(loop.blocks - {loop.header})]
        for place in function.places[block]
        if place.line
    ]
    if not places:
        return Place(), 0
    inside = [
        place
        for place in places
        if (place.file, place.function) == (places[0].file, places[0].function)
    ]
    return (
        min(inside, key=lambda place: (place.line, place.column)),
        max(place.line for place in inside),
    )


def recurrences(
    function: FunctionIndex, loop: NaturalLoop
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Gathered, ...]]:
    """Variables that the header of a loop merges from before it and from the last iteration.

    Those that advance evenly, the others that are carried, and those of them that are reductions,
    see `logca.trace.ir.program.Loop`. A variable that no iteration reads, but only what follows the
    loop, is not carried.
    """
    inductions: list[str] = []
    carried: list[str] = []
    gathered: list[Gathered] = []
    for statement in function.body.blocks[loop.header].statements:
        if statement.opcode != "phi":
            break
        again = from_latches(function, loop, statement)
        if all(value == statement.name for value in again):
            continue
        name = function.names[statement.name]
        if is_induction(function, loop, statement, again):
            inductions.append(name)
        elif is_read(function, loop, statement.name):
            operation = gathering(function, loop, statement, again)
            carried.append(f"{name} ({'reduction' if operation else 'recurrence'})")
            if operation:
                gathered.append(Gathered(name=name, operation=operation, type=statement.type))
    return (
        tuple(dict.fromkeys(inductions)),
        tuple(dict.fromkeys(carried)),
        tuple(dict.fromkeys(gathered)),
    )


def left_behind(
    function: FunctionIndex, loop: NaturalLoop
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Variables that only what follows a loop reads, and those that an iteration may not write."""
    left: list[str] = []
    kept: list[str] = []
    for statement in function.body.blocks[loop.header].statements:
        if statement.opcode != "phi":
            break
        again = from_latches(function, loop, statement)
        after = any(
            block not in loop.blocks and not idle(function, user)
            for block, user in function.readers.get(statement.name, [])
        )
        passed = any(value != statement.name for value in again)
        if after and passed and not is_read(function, loop, statement.name):
            left.append(function.names[statement.name])
            if keeps(function, loop, again):
                kept.append(function.names[statement.name])
    return tuple(dict.fromkeys(left)), tuple(dict.fromkeys(kept))


def keeps(function: FunctionIndex, loop: NaturalLoop, again: list[str]) -> bool:
    """True if values for the next iteration may be what a loop's header has, or that of one inside.

    A loop inside is taken to iterate whenever it is entered. Where all others are one constant it
    does not matter which iteration was the last.
    """
    kept, others = False, set()
    seen: set[str] = set()
    waiting = list(again)
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        statement, home = function.statements.get(value), function.defining_block.get(value, -1)
        if statement is None or statement.opcode not in {"phi", "select"}:
            others.add(value)
        elif home == loop.header:
            kept = True
        elif (inner := function.shape.loops.get(home)) is not None and home in loop.blocks:
            last = from_latches(function, inner, statement)
            kept = kept or value in last or keeps(function, inner, last)
            waiting += last
        elif home in loop.blocks:
            waiting += statement.operands[statement.opcode == "select" :]
        else:
            others.add(value)
    return kept and not (len(others) == 1 and not others.pop().startswith("%"))


def from_latches(function: FunctionIndex, loop: NaturalLoop, phi: Statement) -> list[str]:
    """Values that a phi of the header takes over from the last iteration."""
    latches = {function.body.blocks[latch].name for latch in loop.latches}
    pairs = zip(phi.operands, phi.labels, strict=True)
    return [value for value, label in pairs if label in latches]


def is_induction(
    function: FunctionIndex, loop: NaturalLoop, phi: Statement, again: list[str]
) -> bool:
    """True if every iteration advances a phi of the header by the same amount.

    A sum of floating-point numbers rounds in each step, so that it counts only where it decides
    when the loop ends, as in ``for (x = 0; x < 1; x += h)``.
    """
    first = again[0]
    if not all(computed_alike(function, value, first) for value in again):
        return False
    if first == phi.name or not advances(function, loop, first, phi.name):
        return False
    return phi.type not in {"float", "double", "x86_fp80", "half"} or any(
        user.opcode == "fcmp" and ends(function, loop, user)
        for value in (phi.name, first)
        for _, user in function.readers.get(value, [])
    )


def ends(function: FunctionIndex, loop: NaturalLoop, comparison: Statement) -> bool:
    """True if a comparison decides about leaving the loop."""
    return any(
        leaves(function, loop, user) for _, user in function.readers.get(comparison.name, [])
    )


def leaves(function: FunctionIndex, loop: NaturalLoop, jump: Statement) -> bool:
    """True if a jump may leave the loop."""
    numbers = {part.name: number for number, part in enumerate(function.body.blocks)}
    return jump.opcode == "br" and any(numbers[label] not in loop.blocks for label in jump.labels)


def inside(function: FunctionIndex, loop: NaturalLoop, register: str) -> list[Statement]:
    """The statements of a loop that read a register, but for those of which nothing comes."""
    return [
        user
        for block, user in function.readers.get(register, [])
        if block in loop.blocks and not idle(function, user)
    ]


def unread(function: FunctionIndex, statement: Statement, depth: int = 0) -> bool:
    """True if nothing comes of a value, as of the result of C's atomic operators."""
    return depth < DEEP and all(
        idle(function, user, depth + 1) for _, user in function.readers.get(statement.name, [])
    )


def idle(function: FunctionIndex, statement: Statement, depth: int = 0) -> bool:
    """True if a statement only computes what nothing reads, as what is left of structures."""
    return statement.opcode in ARITHMETIC | CASTS and unread(function, statement, depth)


def is_read(function: FunctionIndex, loop: NaturalLoop, phi: str) -> bool:
    """True if an iteration computes something from a phi, not only hands it on."""
    seen, waiting = {phi}, [phi]
    while waiting:
        for user in inside(function, loop, waiting.pop()):
            if user.opcode != "phi":
                return True
            if user.name not in seen:
                seen.add(user.name)
                waiting.append(user.name)
    return False


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
    """What reads a register in a loop outside of a cycle, be it in another width."""
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
    join, user = function.statements.get(again[0]), phi
    while join is not None and inside(function, loop, join.name) == [user]:
        if join.opcode in WIDTHS:
            join, user = function.statements.get(join.operands[0]), join
            continue
        for condition, ways in choices(function, join):
            if condition is test or in_any_width(function, condition.name) == phi.name:
                holds, fails = ways[::-1] if condition.operation[-2:] == "eq" else ways
                if fails in {"false", "0"}:
                    return "and"
                return "or" if holds in {"true", "1"} else ""
        return ""
    return ""


def same_value(function: FunctionIndex, one: str, other: str) -> bool:
    """True if two values are computed alike, but for their widths."""
    return computed_alike(function, in_any_width(function, one), in_any_width(function, other))


def in_any_width(function: FunctionIndex, value: str) -> str:
    """What a value was before casts to other widths."""
    while (statement := function.statements.get(value)) is not None and statement.opcode in WIDTHS:
        value = statement.operands[0]
    return value


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
        names = {part.name: number for number, part in enumerate(function.body.blocks)}
        one, two = (names[label] for label in choice.labels)
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
    if statement.opcode in {"select", "icmp", "fcmp"} | WIDTHS:
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
