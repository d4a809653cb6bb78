"""What each block of a program records, before any of its text is touched.

A run is a straight line of records up to a call: the program checks once whether all of them fit.
An iteration of a loop is recorded by the first access of its header, or of the body if the header
only tests; where neither has one before a call, by a mark.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from logca.trace.errors import RegionError, TraceError
from logca.trace.program import Access, Block, Loop, Program, ancestors
from logca.trace.reach import Reach, is_call, reach
from logca.trace.sites import (
    AGAIN,
    BASE_SITE,
    ENTER,
    LAUNCH,
    LENGTH,
    OUTPUT,
    PAGE_SITE,
    SITES,
    Sites,
    SitesBuilder,
)

__all__ = ["Plan", "Run", "Selector", "Slot", "What", "plan"]

LONGEST_RUN = 4096
TWICE = frozenset({"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "getcontext"})


class What(Enum):
    """What the lower bits of a record hold."""

    ADDRESS = "the address of an access"
    LENGTH = "the length of the copy in the record before"
    MARK = "nothing: an iteration starts"
    BASE = "how many cells the callers' loops take"
    PAGE = "the page of the sites that follow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A record to be written.

    Parameters
    ----------
    index : int
        The statement of the block before which it is written [1].
    what : What
        What it holds.
    site : int
        Its site, unless a loop chooses it [1].
    loop : int or None
        The loop whose way of being reached chooses between two sites [1].
    value : int
        Of a base: cells that this function's own loops take; of a page: its number [1].
    store : bool
        Of an address: whether that of the destination is meant.
    """

    index: int
    what: What
    site: int = 0
    loop: int | None = None
    value: int = 0
    store: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Records that are checked for room together; valid from statement `end` on [1]."""

    slots: tuple[Slot, ...]
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """How the header of a loop tells entering it from going on with it.

    Parameters
    ----------
    loop : int
        The loop [1].
    blocks : frozenset of int
        Its blocks [1].
    entering, again : int
        The sites of the two [1].
    """

    loop: int
    blocks: frozenset[int]
    entering: int
    again: int

    def site(self, source: int) -> int:
        """The site if control comes from that block [1]."""
        return self.again if source in self.blocks else self.entering


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a program records.

    Parameters
    ----------
    runs : dict
        Runs by block.
    selectors : dict
        How loops are entered, by their headers.
    based : frozenset of str
        Functions that pass on how many cells their callers' loops take [text].
    sites : Sites
        The meaning of the sites.
    """

    runs: dict[int, tuple[Run, ...]]
    selectors: dict[int, Selector]
    based: frozenset[str]
    sites: Sites


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What is recorded, and how the loops around it count."""

    program: Program
    nests: tuple[int, ...]
    accesses: Mapping[int, list[Access]]
    nest_of: Mapping[int, int]
    level: Mapping[int, int]
    reach: Reach
    marked: Mapping[int, Loop]

    def shift(self, block: Block) -> int:
        """Cells taken by the loops around a call: iterations, and the launch of a nest."""
        level = self.level.get(block.id, 0)
        return level + 1 if self.nests and level else level


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
    runs: dict[int, tuple[Run, ...]] = {}
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
            found = tuple(maker.runs(page, entry=number == function.blocks[0]))
            if found:
                runs[number] = found
            if any(slot.what is What.BASE for run in found for slot in run.slots):
                based.add(function.name)
    columns = (
        max((scope.level[block] for block in scope.accesses), default=0)
        if scope.nests
        else max(scope.reach.depth.values(), default=0)
    )
    return Plan(
        runs=runs,
        selectors=selectors,
        based=frozenset(based),
        sites=sites.finish(nests=scope.nests, columns=columns),
    )


def scope_of(program: Program, ir: str, nests: tuple[int, ...] | None) -> Scope:
    """The accesses to record, and how the loops around them count."""
    nest_of: dict[int, int] = {}
    level: dict[int, int] = {}
    for loop in nests or ():
        if not 0 <= loop < len(program.loops):
            raise RegionError(f"there is no loop {loop}: the program has {len(program.loops)}")
        for above in ancestors(program, loop)[:-1]:
            if above.id in (nests or ()):
                raise RegionError(
                    f"loop {loop} lies in loop {above.id}, which is recorded with all its loops"
                )
    for block in program.blocks:
        chain = [loop.id for loop in ancestors(program, block.loop)]
        if nests is None:
            if chain:
                level[block.id] = len(chain)
        else:
            for place, loop in enumerate(chain):
                if loop in nests:
                    nest_of[block.id] = loop
                    level[block.id] = len(chain) - place
    accesses: dict[int, list[Access]] = {}
    for access in program.accesses:
        if nests is None or access.block in nest_of:
            accesses.setdefault(access.block, []).append(access)
    recorded = {program.blocks[block].function for block in accesses}
    calls = reach(program, ir, recorded, level)
    busy = set(accesses)
    for block in program.blocks:
        if any(is_call(call) and calls.may_record(call) for call in block.instructions):
            busy.add(block.id)
    counted = {
        loop.id: loop
        for loop in program.loops
        if loop.header in level and not busy.isdisjoint(loop.blocks)
    }
    partial = Scope(
        program=program,
        nests=nests or (),
        accesses=accesses,
        nest_of=nest_of,
        level=level,
        reach=calls,
        marked={},
    )
    marked = {marking_block(partial, loop, busy): loop for loop in counted.values()}
    return Scope(
        program=program,
        nests=nests or (),
        accesses=accesses,
        nest_of=nest_of,
        level=level,
        reach=calls,
        marked=marked,
    )


def marking_block(scope: Scope, loop: Loop, busy: set[int]) -> int:
    """The block that marks an iteration [1].

    A header that only tests leaves it to the body, where an access can do it at no cost: the
    body must be reached from the header alone, and belong to no loop inside.
    """
    if loop.header in busy:
        return loop.header
    blocks = scope.program.blocks
    inside = [b for b in blocks[loop.header].successors if b in loop.blocks and b != loop.header]
    if len(inside) == 1:
        body = inside[0]
        sources = {edge.source for edge in scope.program.edges if edge.target == body}
        if sources == {loop.header} and blocks[body].loop == loop.id:
            return body
    return loop.header


@dataclass(slots=True)
class BlockMaker:
    """The runs of one block."""

    scope: Scope
    sites: SitesBuilder
    selectors: dict[int, Selector]
    block: Block

    def site(self, kind: int, access: Access | None) -> int:
        """A new site in this block."""
        scope = self.scope
        loop = scope.marked.get(self.block.id)
        level = scope.level.get(self.block.id, 0)
        column = scope.level[loop.header] - 1 if loop else 0
        return self.sites.add(
            kind,
            access=access.id if access else 0,
            size=access.size if access else 0,
            depth=level,
            column=column,
            nest=scope.nest_of.get(self.block.id, 0),
        )

    def choice(self, loop: Loop, kind: int, access: Access | None) -> None:
        """Two sites between which a loop chooses."""
        launch = LAUNCH if loop.id in self.scope.nests else 0
        entering = self.site(kind | ENTER | launch, access)
        self.selectors[loop.header] = Selector(
            loop=loop.id,
            blocks=loop.blocks,
            entering=entering,
            again=self.site(kind | AGAIN, access),
        )

    def slots(self, page: int | None, entry: bool) -> Iterator[Slot | int]:
        """Records in order, and as numbers the statements that end a run."""
        scope, block = self.scope, self.block
        statements = block.instructions
        start = next(i for i, each in enumerate(statements) if each.opcode != "phi")
        if page is not None and entry:
            yield Slot(index=start, what=What.PAGE, site=PAGE_SITE, value=page)
        waiting = {}
        for access in scope.accesses.get(block.id, ()):
            waiting.setdefault(access.index, []).append(access)
        loop = scope.marked.get(block.id)
        if loop is not None and not self.access_first():
            self.choice(loop, 0, None)
            yield Slot(index=start, what=What.MARK, loop=loop.id)
            loop = None
        for index, statement in enumerate(statements):
            for access in waiting.get(index, ()):
                kind = OUTPUT if access.size else OUTPUT | LENGTH
                chosen = loop.id if loop else None
                site = 0
                if loop:
                    self.choice(loop, kind, access)
                    loop = None
                else:
                    site = self.site(kind, access)
                yield Slot(
                    index=index, what=What.ADDRESS, site=site, loop=chosen, store=access.store
                )
                if not access.size:
                    yield Slot(index=index, what=What.LENGTH)
            if not is_call(statement):
                continue
            recording = scope.reach.may_record(statement)
            shift = scope.shift(block) if recording else 0
            if shift:
                yield Slot(index=index, what=What.BASE, site=BASE_SITE, value=shift)
            yield index
            last = index + 2 == len(statements) and statements[-1].opcode == "ret"
            if page is not None and recording and not last:
                yield Slot(index=index + 1, what=What.PAGE, site=PAGE_SITE, value=page)
            if shift or statement.callee in TWICE:
                yield Slot(index=index + 1, what=What.BASE, site=BASE_SITE)

    def access_first(self) -> bool:
        """Whether an access comes before any call that may record."""
        first = min((a.index for a in self.scope.accesses.get(self.block.id, ())), default=None)
        if first is None:
            return False
        calls = (
            index
            for index, statement in enumerate(self.block.instructions)
            if is_call(statement) and self.scope.reach.may_record(statement)
        )
        return first < next(calls, first + 1)

    def runs(self, page: int | None, *, entry: bool) -> Iterator[Run]:
        """The runs in order."""
        slots: list[Slot] = []
        for item in self.slots(page, entry):
            if isinstance(item, Slot):
                full = len(slots) >= LONGEST_RUN and item.what is not What.LENGTH
                if full:
                    yield Run(slots=tuple(slots), end=item.index)
                    slots = []
                slots.append(item)
            elif slots:
                yield Run(slots=tuple(slots), end=item)
                slots = []
        if slots:
            yield Run(slots=tuple(slots), end=len(self.block.instructions) - 1)
