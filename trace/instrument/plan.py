"""Plan of the records, before any text is touched: which accesses, in which stretches.

An iteration of a loop is recorded by the first access of its header, or of the body if the header
only tests; where neither has one before a call, by a mark. First of all the calls are followed that
can lead to recorded code; libraries call back only functions whose address the program gave them.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from logca.common.errors import RegionError, TraceError
from logca.trace.instrument.records import (
    AGAIN,
    BASE,
    BASE_SITE,
    ENTER,
    LAUNCH,
    LENGTH,
    OUTPUT,
    PAGE,
    PAGE_BITS,
    PAGE_SITE,
    SITES,
    RecordKind,
    RecordSlot,
    Selector,
    Sites,
    Stretch,
)
from logca.trace.ir.program import Access, BasicBlock, Instruction, Loop, Program

__all__ = ["RecordingPlan", "SitesBuilder", "plan"]

# `callbr`, assembly code that jumps, ends a block and calls nothing of the program
CALLS = frozenset({"call", "invoke"})
MAX_DEPTH = 16
MENTION = re.compile(r'@("[^"]*"|[-\w.$]+)(\(?)')


@dataclass(frozen=True, slots=True, kw_only=True)
class CallGraph:
    """The functions that calls lead to."""

    recording: frozenset[str]  # functions that record something, or call one that does
    defined: frozenset[str]  # all functions with a body
    callbacks: bool  # whether a function that is called by address may record something
    # most loops around an access from the start of a function on, at most 16 [1]
    depth: dict[str, int]

    def may_record(self, call: Instruction) -> bool:
        """True if something may be recorded before the call returns."""
        if call.callee in self.defined:
            return call.callee in self.recording
        return self.callbacks


def is_call(instruction: Instruction) -> bool:
    """True if it passes control to a function, or to assembly code."""
    return instruction.opcode in CALLS and not instruction.callee.startswith("llvm.")


def address_taken(ir: str, defined: Collection[str]) -> set[str]:
    """Functions whose address the program uses for something else than a direct call."""
    found = {name.strip('"') for name, call in MENTION.findall(ir) if not call}
    return found.intersection(defined)


def call_graph(
    program: Program, ir: str, recorded: Collection[str], level: Mapping[int, int]
) -> CallGraph:
    """Follow the calls of a program."""
    defined = frozenset(function.name for function in program.functions)
    taken = address_taken(ir, defined)
    calls = [
        (block, instruction)
        for block in program.blocks
        for instruction in block.instructions
        if is_call(instruction)
    ]
    recording = set(recorded)
    growing = True
    while growing:
        before = len(recording)
        callbacks = not recording.isdisjoint(taken)
        recording.update(
            block.function
            for block, call in calls
            if (call.callee in recording if call.callee in defined else callbacks)
        )
        growing = len(recording) > before
    found = CallGraph(
        recording=frozenset(recording),
        defined=defined,
        callbacks=not recording.isdisjoint(taken),
        depth={},
    )
    found.depth.update(depths(program, found, calls, taken, level))
    return found


def depths(
    program: Program,
    found: CallGraph,
    calls: list[tuple[BasicBlock, Instruction]],
    taken: set[str],
    level: Mapping[int, int],
) -> dict[str, int]:
    """Most loops around an access below each function [1], from the innermost function outwards.

    Recursion inside a loop has no bound: it stops at `MAX_DEPTH`.
    """
    depth = {function.name: 0 for function in program.functions}
    for block in program.blocks:
        depth[block.function] = max(depth[block.function], level.get(block.id, 0))
    # a fixpoint: depths only grow, and `MAX_DEPTH` ends what recursion would let grow for ever
    growing = True
    while growing:
        growing = False
        unknown = max((depth[name] for name in taken & found.recording), default=0)
        for block, call in calls:
            if found.may_record(call):
                inner = depth.get(call.callee, unknown)
                deeper = min(MAX_DEPTH, level.get(block.id, 0) + inner)
                if deeper > depth[block.function]:
                    depth[block.function] = deeper
                    growing = True
    return depth


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingScope:
    """The accesses that are recorded, and the loops that count around them."""

    program: Program
    nests: tuple[int, ...]
    accesses: Mapping[int, list[Access]]
    nest_of: Mapping[int, int]
    level: Mapping[int, int]
    reach: CallGraph
    marked: Mapping[int, Loop]

    def shift(self, block: BasicBlock) -> int:
        """Cells taken by the loops around a call: iterations, and the launch of a nest."""
        level = self.level.get(block.id, 0)
        return level + 1 if self.nests and level else level


def scope_of(program: Program, ir: str, nests: tuple[int, ...] | None) -> RecordingScope:
    """The accesses to record, and how the loops around them count."""
    nest_of: dict[int, int] = {}
    level: dict[int, int] = {}
    loops, chosen = program.loops, nests or ()
    for loop in chosen:
        if not 0 <= loop < len(loops):
            raise RegionError(f"there is no loop {loop}: the program has {len(loops)}")
    for loop in chosen:
        around = [each for each in chosen if loops[loop].header in loops[each].blocks]
        above = min(around, key=lambda each: loops[each].depth)
        if above != loop:
            raise RegionError(
                f"loop {loop} lies in loop {above}, which is recorded with all its loops"
            )
    for block in program.blocks:
        if block.loop is None:
            continue
        if nests is None:
            level[block.id] = 1 + loops[block.loop].depth
        for loop in chosen:
            if block.id in loops[loop].blocks:
                nest_of[block.id] = loop
                level[block.id] = 1 + loops[block.loop].depth - loops[loop].depth
    accesses: dict[int, list[Access]] = {}
    for access in program.accesses:
        if nests is None or access.block in nest_of:
            accesses.setdefault(access.block, []).append(access)
    recorded = {program.blocks[block].function for block in accesses}
    calls = call_graph(program, ir, recorded, level)
    busy = set(accesses)
    for block in program.blocks:
        if any(is_call(call) and calls.may_record(call) for call in block.instructions):
            busy.add(block.id)
    counted = [loop for loop in loops if loop.header in level and not busy.isdisjoint(loop.blocks)]
    before: dict[int, set[int]] = {}
    for edge in program.edges:
        before.setdefault(edge.target, set()).add(edge.source)
    return RecordingScope(
        program=program,
        nests=chosen,
        accesses=accesses,
        nest_of=nest_of,
        level=level,
        reach=calls,
        marked={
            loop.header
            if loop.header in busy
            else marking_block(program.blocks, loop, before): loop
            for loop in counted
        },
    )


def marking_block(blocks: Sequence[BasicBlock], loop: Loop, before: Mapping[int, set[int]]) -> int:
    """The block that marks an iteration of a loop whose header only tests [1].

    It leaves that to the body, where an access can do it at no cost: the body must be reached from
    the header alone, and belong to no loop inside.
    """
    inside = [b for b in blocks[loop.header].successors if b in loop.blocks and b != loop.header]
    if len(inside) == 1:
        body = inside[0]
        if before[body] == {loop.header} and blocks[body].loop == loop.id:
            return body
    return loop.header


@dataclass(slots=True)
class SitesBuilder:
    """Sites as they are assigned, page by page."""

    capacity: int = SITES
    rows: list[list[tuple[int, int]]] = field(default_factory=lambda: [[]])

    def make_room(self, sites: int) -> None:
        """Start a new page, unless the current one has room for that many more."""
        if len(self.rows[-1]) + sites > self.capacity:
            self.rows.append([])

    def add(
        self,
        kind: int,
        *,
        access: int = 0,
        size: int = 0,
        depth: int = 0,
        column: int = 0,
        nest: int = 0,
    ) -> int:
        """The number of a new site on the current page [1]."""
        # sizes have 32 bits, here as in a chunk: a longer copy counts as the longest
        first = access | min(size, (1 << 32) - 1) << 32
        self.rows[-1].append((first, kind | depth << 8 | column << 16 | nest << 32))
        return len(self.rows[-1]) - 1

    def finish(self, *, nests: tuple[int, ...], columns: int) -> Sites:
        """The tables."""
        table = np.zeros((len(self.rows), 1 << PAGE_BITS, 2), np.uint64)
        for page, rows in enumerate(self.rows):
            if rows:
                table[page, : len(rows)] = rows
        table[:, BASE_SITE, 1] = BASE
        table[:, PAGE_SITE, 1] = PAGE
        return Sites(table=table.reshape(-1, 2), nests=nests, columns=columns)


LONGEST_STRETCH = 4096
COPIED_INLINE = 128
"""The longest copy that the processor's instructions do for sure, without the C library [B]."""
RETURNS_TWICE = frozenset(
    {"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "getcontext", "swapcontext"}
)


def calls_memcpy(statement: Instruction, accesses: Iterable[Access]) -> bool:
    """True if the C library is called to copy or fill memory, and may fault there."""
    library = statement.callee.startswith(("llvm.memcpy.", "llvm.memmove.", "llvm.memset."))
    return library and any(not 0 < each.size <= COPIED_INLINE for each in accesses)


@dataclass(slots=True)
class BlockPlanner:
    """The stretches of one block."""

    scope: RecordingScope
    sites: SitesBuilder
    selectors: dict[int, Selector]
    block: BasicBlock

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

    def slots(self, page: int | None, entry: bool) -> Iterator[RecordSlot | int]:
        """Records in order, and as numbers the statements that end a stretch."""
        scope, block = self.scope, self.block
        statements = block.instructions
        start = next(i for i, each in enumerate(statements) if each.opcode != "phi")
        if page is not None and entry:
            yield RecordSlot(index=start, what=RecordKind.PAGE, site=PAGE_SITE, value=page)
        waiting: dict[int, list[Access]] = {}
        for access in scope.accesses.get(block.id, ()):
            waiting.setdefault(access.index, []).append(access)
        loop = scope.marked.get(block.id)
        if loop is not None and not self.access_first():
            self.choice(loop, 0, None)
            yield RecordSlot(index=start, what=RecordKind.MARK, loop=loop.id)
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
                yield RecordSlot(
                    index=index, what=RecordKind.ADDRESS, site=site, loop=chosen, store=access.store
                )
                if not access.size:
                    yield RecordSlot(index=index, what=RecordKind.LENGTH)
            if calls_memcpy(statement, waiting.get(index, ())):
                yield index
            if not is_call(statement):
                continue
            twice = statement.callee in RETURNS_TWICE
            recording = scope.reach.may_record(statement)
            shift = scope.shift(block) if recording else 0
            if shift:
                yield RecordSlot(index=index, what=RecordKind.BASE, site=BASE_SITE, value=shift)
            yield index
            # What was called may have turned the page, or come back by a jump over frames whose
            # base it left behind: both are said again, but for the page where nothing follows.
            last = index + 2 == len(statements) and statements[-1].opcode == "ret"
            if page is not None and (recording or twice) and not last:
                yield RecordSlot(index=index + 1, what=RecordKind.PAGE, site=PAGE_SITE, value=page)
            if shift or twice:
                yield RecordSlot(index=index + 1, what=RecordKind.BASE, site=BASE_SITE)

    def access_first(self) -> bool:
        """True if an access comes before any call that may record."""
        first = min((a.index for a in self.scope.accesses.get(self.block.id, ())), default=None)
        if first is None:
            return False
        calls = (
            index
            for index, statement in enumerate(self.block.instructions)
            if is_call(statement) and self.scope.reach.may_record(statement)
        )
        return first < next(calls, first + 1)

    def stretches(self, page: int | None, *, entry: bool) -> Iterator[Stretch]:
        """The stretches in order."""
        slots: list[RecordSlot] = []
        for item in self.slots(page, entry):
            if isinstance(item, RecordSlot):
                full = len(slots) >= LONGEST_STRETCH and item.what is not RecordKind.LENGTH
                if full:
                    yield Stretch(slots=tuple(slots), end=item.index)
                    slots = []
                slots.append(item)
            elif slots:
                yield Stretch(slots=tuple(slots), end=item)
                slots = []
        if slots:
            yield Stretch(slots=tuple(slots), end=len(self.block.instructions) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingPlan:
    """The records of a program: where, and what their sites mean."""

    stretches: dict[int, tuple[Stretch, ...]]  # stretches of records by block
    selectors: dict[int, Selector]  # how loops are entered, by their headers
    based: frozenset[str]  # functions that pass on how many cells their callers' loops take
    sites: Sites  # the meaning of the sites


def plan(
    program: Program, ir: str, *, nests: tuple[int, ...] | None, capacity: int = SITES
) -> RecordingPlan:
    """Decide what is recorded where."""
    scope = scope_of(program, ir, nests)
    sites = SitesBuilder(capacity=capacity)
    stretches: dict[int, tuple[Stretch, ...]] = {}
    selectors: dict[int, Selector] = {}
    # At most: a mark takes two sites, as does the first access of a header. A function must not be
    # split between pages, for its records name one page at its start and after its calls.
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
                f"function {function.source_name} has too many accesses to distinguish in a trace:"
                f" about {size}, and {capacity} is the most; name the loops to record"
            )
        sites.make_room(size)
        for number in function.blocks:
            block = program.blocks[number]
            maker = BlockPlanner(scope=scope, sites=sites, selectors=selectors, block=block)
            page = len(sites.rows) - 1 if paged > capacity else None
            found = tuple(maker.stretches(page, entry=number == function.blocks[0]))
            if found:
                stretches[number] = found
            if any(slot.what is RecordKind.BASE for stretch in found for slot in stretch.slots):
                based.add(function.name)
    columns = (
        max((scope.level[block] for block in scope.accesses), default=0)
        if scope.nests
        else max(scope.reach.depth.values(), default=0)
    )
    return RecordingPlan(
        stretches=stretches,
        selectors=selectors,
        based=frozenset(based),
        sites=sites.finish(nests=scope.nests, columns=columns),
    )
