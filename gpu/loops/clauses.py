"""Clauses of OpenMP and OpenACC about variables: believed, and checked against the run.

In registers by what passes from one iteration to the next, in memory by what the trace shows.
"""

from collections.abc import Collection, Iterator

from logca.gpu.loops.carried_dependences import Watched
from logca.gpu.nests.nest import Nest, PrivateCopy
from logca.gpu.nests.thread_dependences import ReachedMemory
from logca.trace.ir.program import Access, Loop, Program

__all__ = ["contradicted", "contradicted_in_registers", "declared_private"]

_OWN = ("private", "firstprivate", "lastprivate", "threadprivate")

_OPERATIONS = {
    "+": {"sum"},
    "-": {"sum"},
    "*": {"product"},
    "min": {"minimum", "extreme"},
    "max": {"maximum", "extreme"},
    "&": {"and"},
    "|": {"or"},
    "^": {"xor"},
    "&&": {"and"},
    "||": {"or"},
}
"""Operations of clauses that can be told apart in a run, as `Gathered` has them."""


def declared_private(static: Program, nest: Nest) -> tuple[PrivateCopy, ...]:
    """Memory that clauses of the directives make private, which is believed."""
    names = {name for loop in nest.loops for name in static.loops[loop].private}
    found = []
    for name in sorted(names):
        accesses = [each for each in static.accesses_of[nest.loop] if each.array == name]
        if accesses:
            found.append(
                PrivateCopy(
                    accesses=frozenset(each.id for each in accesses),
                    arrays=(name,),
                    size=0,
                    last=False,
                )
            )
    return tuple(found)


def contradicted_in_registers(static: Program, nest: Nest) -> Iterator[str]:
    """Notes on clauses of which the program says otherwise; updates in memory among them."""
    for loop in (static.loops[number] for number in nest.loops):
        carried = {each.partition(" (")[0]: each for each in loop.carried}
        operations = {each.name: each.operation for each in loop.gathered}
        for clause, operation, name in loop.clauses:
            told = ""
            if clause in _OWN and name in carried:
                told = "each iteration goes on from what the one before left in it"
            elif clause == "lastprivate" and name in loop.kept:
                told = "not every iteration writes it, so that the last one may not"
            elif clause in ("private", "firstprivate") and name in loop.left:
                told = "what follows the loop reads what it leaves there, as with lastprivate"
            elif operation in _OPERATIONS and name in carried and name not in operations:
                told = "iterations do more with it than gather values"
            elif name in operations and operation in _OPERATIONS:
                if operations[name] not in _OPERATIONS[operation]:
                    told = f"iterations gather it by another operation, {operations[name]}"
            elif operation in _OPERATIONS:
                told = _other_use(static, loop, name, _OPERATIONS[operation])
            if told:
                yield _note(loop, clause, operation, name, told)


def _other_use(static: Program, loop: Loop, name: str, operations: Collection[str]) -> str:
    """Words on the first access to a variable in memory that is no update by an operation."""
    for each in static.accesses_of[loop.id]:
        if each.array == name and each.update not in operations:
            if each.update:
                return f"line {each.line} gathers it by another operation, {each.update}"
            return f"line {each.line} {'writes' if each.store else 'reads'} it for something else"
    return ""


def contradicted(static: Program, nest: Nest, seen: Watched) -> Iterator[str]:
    """Notes where the run shows of variables in memory what clauses say is not."""
    for level, loop in enumerate(static.loops[number] for number in nest.loops):
        for clause, operation, name in loop.clauses:
            if clause not in _OWN:
                continue
            own = frozenset(each.id for each in static.accesses_of[loop.id] if each.array == name)
            told = _told(static.accesses, seen, loop, level, clause, own)
            if told:
                yield _note(loop, clause, operation, name, told)


def _told(
    accesses: tuple[Access, ...],
    seen: Watched,
    loop: Loop,
    level: int,
    clause: str,
    own: frozenset[int],
) -> str:
    """Words on what the run shows against a clause of a loop; none where nothing does."""
    for each in seen.carried:
        if each.kind == "flow" and each.loop == loop.id and {each.source.id, each.sink.id} <= own:
            return (
                f"line {each.sink.line} reads what another iteration wrote at line "
                f"{each.source.line}"
            )
    for memory in seen.memories:
        sites = sorted(memory.accesses & own)
        if clause == "private":
            early = [site for site in sites if memory.covered.get(site, level + 1) <= level]
            if early:
                return f"line {accesses[early[0]].line} reads it before the iteration writes it"
        if clause == "lastprivate" and not _written(memory, seen, sites, loop, level):
            return "not every iteration writes all of it, so that the last one may not"
    return ""


def _written(
    memory: ReachedMemory, seen: Watched, sites: Collection[int], loop: Loop, level: int
) -> bool:
    """True if every iteration of a loop writes all of a memory, or none of these accesses does."""
    stores = [site for site in sites if site in memory.written]
    if not stores:
        return True
    whole = seen.begun.get(loop.id, 0) - (not seen.complete)
    return sum(memory.written[site][level] for site in stores) >= whole * memory.size


def _note(loop: Loop, clause: str, operation: str, name: str, told: str) -> str:
    what = f"{operation} : {name}" if operation else name
    return f"{clause}({what}) at line {loop.line} is believed, but {told}"
