"""What a program records, before any of its text is touched."""

from dataclasses import dataclass

from logca.trace.errors import TraceError
from logca.trace.program import Program
from logca.trace.scope import scope_of
from logca.trace.sites import SITES, Sites, SitesBuilder
from logca.trace.slots import Selector, Stretch, What
from logca.trace.stretches import BlockMaker

__all__ = ["Plan", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a program records.

    Parameters
    ----------
    stretches : dict
        Stretches of records by block.
    selectors : dict
        How loops are entered, by their headers.
    based : frozenset of str
        Functions that pass on how many cells their callers' loops take [text].
    sites : Sites
        The meaning of the sites.
    """

    stretches: dict[int, tuple[Stretch, ...]]
    selectors: dict[int, Selector]
    based: frozenset[str]
    sites: Sites


def plan(
    program: Program, ir: str, *, nests: tuple[int, ...] | None, capacity: int = SITES
) -> Plan:
    """Decide what is recorded where.

    Parameters
    ----------
    program : Program
        The program.
    ir : str
        Its text [text].
    nests : tuple of int or None
        Loops to record, each with all that is inside; None for the whole program [1].
    capacity : int
        Sites on a page [1].

    Raises
    ------
    RegionError
        If a loop does not exist, or lies in another one that is recorded.
    TraceError
        If a single function has too many accesses.
    """
    scope = scope_of(program, ir, nests)
    sites = SitesBuilder(capacity=capacity)
    stretches: dict[int, tuple[Stretch, ...]] = {}
    selectors: dict[int, Selector] = {}
    parts = [
        (function, sum(2 + len(scope.accesses.get(block, ())) for block in function.blocks))
        for function in program.functions
    ]
    paged = sum(size for function, size in parts if function.name in scope.reach.recording)
    based = set()
    for function, size in parts:
        if function.name not in scope.reach.recording:
            continue
        if size > capacity:
            raise TraceError(
                f"function {function.source_name} has too many accesses to tell apart in a trace:"
                f" about {size}, and {capacity} is the most; name the loops to record"
            )
        if not sites.room(size):
            sites.turn()
        for number in function.blocks:
            block = program.blocks[number]
            maker = BlockMaker(scope=scope, sites=sites, selectors=selectors, block=block)
            page = len(sites.rows) - 1 if paged > capacity else None
            found = tuple(maker.stretches(page, entry=number == function.blocks[0]))
            if found:
                stretches[number] = found
            if any(slot.what is What.BASE for stretch in found for slot in stretch.slots):
                based.add(function.name)
    columns = (
        max((scope.level[block] for block in scope.accesses), default=0)
        if scope.nests
        else max(scope.reach.depth.values(), default=0)
    )
    return Plan(
        stretches=stretches,
        selectors=selectors,
        based=frozenset(based),
        sites=sites.finish(nests=scope.nests, columns=columns),
    )
