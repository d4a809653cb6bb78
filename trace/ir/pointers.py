"""Memory that pointers lead to, also those that are themselves in memory.

A pointer that is loaded leads wherever any that the function stores in that place does, at whatever
time (Andersen's analysis, of one function, by members of structures).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from logca.trace.ir.accesses import GIVES_MEMORY, roots
from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.statements import Statement
from logca.trace.ir.subscripts import linear

__all__ = ["UNKNOWN", "Pointers", "pointers"]

UNKNOWN = ""
"""Memory of which nothing is known, such as that of an argument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointers:
    """Memory that the pointers of a function lead to: variables, and calls that give memory."""

    index: FunctionIndex
    loaded: Mapping[str, set[str]]  # memory that each pointer leads to which is loaded
    stores: tuple[Statement, ...]  # those of pointers

    def of(self, address: str) -> frozenset[str]:
        """The memory that an address may lead to."""
        found = set[str]()
        for root in roots(self.index, address):
            if root in self.loaded:
                found |= self.loaded[root]
                continue
            statement = self.index.statements.get(root)
            gives = statement is not None and (
                statement.opcode == "alloca" or statement.callee in GIVES_MEMORY
            )
            found.add(root if gives or root.startswith("@") else UNKNOWN)
        return frozenset(found)

    def place(self, address: str) -> int | None:
        """Where in its memory an address is; None if that varies, as in an array [B]."""
        terms = linear(self.index, address)
        varies = {*terms} - {"", *roots(self.index, address)}
        return None if varies else terms.get("", 0)


def pointers(index: FunctionIndex) -> Pointers:
    """Memory that the pointers of a function lead to."""
    statements = [each for part in index.body.blocks for each in part.statements]
    loads = [each for each in statements if each.opcode == "load" and each.type == "ptr"]
    loaded: dict[str, set[str]] = {each.name: set() for each in loads}
    found = Pointers(
        index=index,
        loaded=loaded,
        stores=tuple(
            each
            for each in statements
            if each.opcode == "store" and each.type == "ptr" and roots(index, each.operands[0])
        ),
    )
    at = {
        address: found.place(address)
        for address in (
            *(load.operands[0] for load in loads),
            *(store.operands[1] for store in found.stores),
        )
    }
    changed = True
    while changed:
        inside: dict[str, dict[int | None, set[str]]] = {}
        for store in found.stores:
            value, address = store.operands
            for place in found.of(address) - {UNKNOWN}:
                inside.setdefault(place, {}).setdefault(at[address], set()).update(found.of(value))
        changed = False
        for load in loads:
            here = at[load.operands[0]]
            reached = loaded[load.name]
            before = len(reached)
            for place in found.of(load.operands[0]):
                for offset, stored in inside.get(place, {}).items():
                    if here is None or offset is None or offset == here:
                        reached |= stored
            changed = changed or len(reached) > before
    for reached in loaded.values():
        if not reached:
            reached.add(UNKNOWN)
    return found
