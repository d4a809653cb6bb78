"""Values that a loop passes to its next iteration, and the lines of the source that it has."""

from logca.trace.ir.control_flow import NaturalLoop
from logca.trace.ir.expressions import advances, computed_alike, ends, inside
from logca.trace.ir.functions import FunctionIndex, Place
from logca.trace.ir.gathering import gathering
from logca.trace.ir.program import Gathered, Loop
from logca.trace.ir.statements import Statement

__all__ = ["from_latches", "is_induction", "loop_of"]


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
            block not in loop.blocks and user.name not in function.idle
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
