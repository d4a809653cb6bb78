"""Loads and stores that a GPU compiler leaves out, or moves out of loops.

A value that was loaded or stored before is taken from a register as long as no store in between
may reach the same memory: available values by the usual forward analysis. Where it is available in
all iterations but the first, the load stands before the loop; a store whose memory nothing else in
the loop may reach stands behind it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from logca.gpu.bounds.kernel_code import KernelCode, Site, is_math

__all__ = ["KeptValues", "kept_values"]

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptValues:
    """Accesses of a kernel that are executed less often than in the source."""

    never: frozenset[int]  # accesses whose value is in a register [1]
    # accesses that stand outside of loops: header of the outermost loop in which none of them is
    # left; they are executed once an entry of it [1]
    outside: Mapping[int, int]
    # headers of loops in which a store may reach what a later iteration loads, so that the loads
    # of several iterations do not overlap [1]
    ordered: frozenset[int]


def kept_values(code: KernelCode, in_registers: Collection[int] = ()) -> KeptValues:
    """Accesses that registers save; all of those in `in_registers` are."""
    sites = [site for site in code.sites if site.access not in in_registers]
    flow = _Availability(code, sites)
    never = flow.available() | set(in_registers)
    outside: dict[int, int] = {}
    moved = {site.access: code.varies(site.address) for site in sites}
    for site in sites:
        if site.access in never:
            continue
        still = (each for each in code.loops_around(site.block) if each not in moved[site.access])
        moves = _sinks if site.store else _rises
        for header in still:
            if moves(flow, site, header, never):
                outside[site.access] = header
                break
    left = [site for site in sites if site.access not in never]
    ordered = {
        header
        for header in code.own_loops
        for store in left
        if store.store and _inside(code, store, header, outside)
        for load in left
        if not load.store
        and _inside(code, load, header, outside)
        and _later(code, header, store, load)
    }
    return KeptValues(never=frozenset(never), outside=outside, ordered=frozenset(ordered))


def _inside(code: KernelCode, site: Site, header: int, outside: Mapping[int, int]) -> bool:
    """True if an access is executed in the iterations of a loop."""
    around = code.loops_around(site.block)
    if site.access in outside:
        around = around[: around.index(outside[site.access])]
    return header in around


def _later(code: KernelCode, header: int, store: Site, load: Site) -> bool:
    """True if a load of a later iteration of a loop may read what a store writes."""
    mine, other = code.address(store.address).stream, code.address(load.address).stream
    moves = header in code.varies(store.address)
    if mine == other and moves:
        return False  # each iteration stays with its own elements
    return code.may_alias(store.statement, load.statement)


def _rises(flow: "_Availability", load: Site, header: int, _: Collection[int]) -> bool:
    """True if a load can stand before a loop: later iterations have its value in a register."""
    return load.access in flow.available({header: flow.keys[load.access]})


def _sinks(flow: "_Availability", store: Site, header: int, never: Collection[int]) -> bool:
    """True if a store can stand behind a loop."""
    for site in flow.sites:
        if header not in flow.code.loops_around(site.block):
            continue
        if flow.keys[site.access] == flow.keys[store.access]:
            kept = site.store or site.access in never or _rises(flow, site, header, never)
            if not kept:
                return False
        elif flow.code.may_alias(store.statement, site.statement):
            return False
    return True


class _Availability:
    """Values in registers at each access, by the forward analysis of available expressions."""

    def __init__(self, code: KernelCode, sites: Collection[Site]) -> None:
        self.code = code
        self.sites = tuple(sites)
        self.keys: dict[int, Key] = {
            site.access: (site.statement.type, code.number(site.address)) for site in sites
        }
        self.moved = {self.keys[site.access]: code.varies(site.address) for site in sites}
        self.every = frozenset(self.keys.values())
        stores = [site for site in sites if site.store]
        # what each store may overwrite
        self.killed = {
            store.access: frozenset(
                self.keys[site.access]
                for site in sites
                if self.keys[site.access] != self.keys[store.access]
                and code.may_alias(store.statement, site.statement)
            )
            for store in stores
        }
        self.of_block: dict[int, list[Site]] = {}
        for site in sites:
            self.of_block.setdefault(site.block, []).append(site)
        self.wild = frozenset(
            block
            for block, statement in code.statements()
            if statement.opcode in ("call", "invoke", "atomicrmw", "cmpxchg", "fence")
            and not statement.callee.startswith("llvm.")
            and not is_math(statement)
        )

    def available(self, first: Mapping[int, Key] = {}) -> set[int]:
        """Loads whose value is in a register, if that of `first` is at the start of a loop."""
        code = self.code
        order = [block for block in code.index.shape.order if block in code.times]
        behind = dict.fromkeys(order, self.every)
        found: set[int] = set()
        changed = True
        while changed:
            changed, found = False, set()
            for block in order:
                here = self._at_start(block, behind, first)
                for site in self.of_block.get(block, ()):
                    key = self.keys[site.access]
                    if site.store:
                        here = here - self.killed[site.access]
                    elif key in here:
                        found.add(site.access)
                    here = here | {key}
                if block in self.wild:
                    here = frozenset()
                if here != behind[block]:
                    behind[block], changed = here, True
        return found

    def _at_start(
        self, block: int, behind: Mapping[int, frozenset[Key]], first: Mapping[int, Key]
    ) -> frozenset[Key]:
        """Values in registers where a block starts."""
        code = self.code
        loop = code.index.shape.loops.get(block)
        own = loop is not None and block not in code.threads
        entering = frozenset([first[block]]) if block in first else frozenset()
        values = [
            behind[each] | (frozenset() if own and each in loop.blocks else entering)  # type: ignore[union-attr]
            for each in code.before.get(block, ())
            if each in behind and not (loop is not None and not own and each in loop.blocks)
        ]
        here = frozenset.intersection(*values) if values else frozenset()
        if block == code.outermost.header:
            return frozenset()
        if own:
            here = frozenset(key for key in here if block not in self.moved[key])
        return here
