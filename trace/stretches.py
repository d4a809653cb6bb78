"""The stretches of records of one block.

An iteration of a loop is recorded by the first access of its header, or of the body if the header
only tests; where neither has one before a call, by a mark.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from logca.trace.program import Access, Block, Instruction, Loop
from logca.trace.reach import is_call
from logca.trace.scope import Scope
from logca.trace.sites import (
    AGAIN,
    BASE_SITE,
    ENTER,
    LAUNCH,
    LENGTH,
    OUTPUT,
    PAGE_SITE,
    SitesBuilder,
)
from logca.trace.slots import Selector, Slot, Stretch, What

__all__ = ["BlockMaker"]

LONGEST_STRETCH = 4096
COPIED_INLINE = 128
"""The longest copy that the processor's instructions do for sure, without the C library [B]."""
TWICE = frozenset({"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "getcontext", "swapcontext"})


def copied(statement: Instruction, accesses: Iterable[Access]) -> bool:
    """Whether the C library is called to copy or fill memory, and may fault there."""
    library = statement.callee.startswith(("llvm.memcpy.", "llvm.memmove.", "llvm.memset."))
    return library and any(not 0 < each.size <= COPIED_INLINE for each in accesses)


@dataclass(slots=True)
class BlockMaker:
    """The stretches of one block."""

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
        """Records in order, and as numbers the statements that end a stretch."""
        scope, block = self.scope, self.block
        statements = block.instructions
        start = next(i for i, each in enumerate(statements) if each.opcode != "phi")
        if page is not None and entry:
            yield Slot(index=start, what=What.PAGE, site=PAGE_SITE, value=page)
        waiting: dict[int, list[Access]] = {}
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
            if copied(statement, waiting.get(index, ())):
                yield index
            if not is_call(statement):
                continue
            twice = statement.callee in TWICE
            recording = scope.reach.may_record(statement)
            shift = scope.shift(block) if recording else 0
            if shift:
                yield Slot(index=index, what=What.BASE, site=BASE_SITE, value=shift)
            yield index
            last = index + 2 == len(statements) and statements[-1].opcode == "ret"
            if page is not None and (recording or twice) and not last:
                yield Slot(index=index + 1, what=What.PAGE, site=PAGE_SITE, value=page)
            if shift or twice:
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

    def stretches(self, page: int | None, *, entry: bool) -> Iterator[Stretch]:
        """The stretches in order."""
        slots: list[Slot] = []
        for item in self.slots(page, entry):
            if isinstance(item, Slot):
                full = len(slots) >= LONGEST_STRETCH and item.what is not What.LENGTH
                if full:
                    yield Stretch(slots=tuple(slots), end=item.index)
                    slots = []
                slots.append(item)
            elif slots:
                yield Stretch(slots=tuple(slots), end=item)
                slots = []
        if slots:
            yield Stretch(slots=tuple(slots), end=len(self.block.instructions) - 1)
