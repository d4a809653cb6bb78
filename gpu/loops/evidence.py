"""Evidence that iterations of a loop can run side by side: from the run, or from the subscripts.

A loop that ran once, whenever it was entered, showed nothing of what its iterations pass on. Then
the addresses decide, as far as they are linear in the iterations (Banerjee's test).
"""

from collections.abc import Collection, Mapping, Sequence
from math import ceil, floor

from logca.gpu.loops.carried_dependences import Watched
from logca.gpu.nests.nest import Evidence, PrivateCopy
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.plan import arguments
from logca.trace.ir.program import Access
from logca.trace.ir.subscripts import Subscript, subscripts

__all__ = ["evidence_of"]


def evidence_of(
    workload: Workload,
    found: Watched,
    loops: Sequence[int],
    private: Mapping[int, Sequence[PrivateCopy]],
) -> dict[int, Evidence]:
    """The evidence on loops of a nest, accesses to their private copies left aside."""
    static = workload.static
    most = {
        loop: n if workload.trips(loop, at_work_size=False).mean > 1 else min(n, 1)
        for loop, n in ((loop, found.most.get(loop, 0)) for loop in loops)
    }
    known: dict[int, Subscript] = {}
    if min(most.values(), default=2) < 2:
        sites = [
            access.id for access in static.accesses_of[found.nest] if workload.traced[access.block]
        ]
        known = subscripts(workload.executable.compiled.ir, static, sites)
    told = {}
    for loop, iterations in most.items():
        if iterations > 1:
            told[loop] = Evidence(kind="seen", iterations=iterations)
            continue
        aside = {site for copy in private.get(loop, ()) for site in copy.accesses}
        carries = _by_subscripts(workload, found, loop, known, aside)
        told[loop] = Evidence(
            kind="unknown" if carries is None else "subscripts",
            iterations=iterations,
            carries=carries or "",
        )
    return told


def _by_subscripts(
    workload: Workload,
    found: Watched,
    loop: int,
    known: Mapping[int, Subscript],
    private: Collection[int],
) -> str | None:
    """Words on a dependence by the subscripts, none if there is none; None if they do not tell."""
    static = workload.static
    own = {each.id for each in static.loops_of[loop]}
    aside = arguments(static, loop) | set(private)
    accesses = [
        access
        for access in static.accesses_of[loop]
        if access.id in known and access.id not in aside and access.private_to not in own
    ]
    level = len(static.chain_of(loop)) - 1
    family = {site: place for place, m in enumerate(found.memories) for site in m.accesses}
    unknown = False
    for write in (access for access in accesses if access.store):
        if known[write.id].steps[level] == 0:
            return (
                f"writes {write.array or 'memory'} at the same place in each iteration, at line "
                f"{write.line}"
            )
        for other in accesses:
            near = known[write.id].array & known[other.id].array
            if not near and family.get(write.id, -1) != family.get(other.id, -2):
                continue
            meet = _meet(workload, write, other, known, level)
            if meet:
                return (
                    f"carries {write.array or 'memory'}, by the subscripts of lines {write.line} "
                    f"and {other.line}"
                )
            unknown |= meet is None
    return None if unknown else ""


def _meet(
    workload: Workload,
    write: Access,
    other: Access,
    known: Mapping[int, Subscript],
    level: int,
) -> bool | None:
    """True if accesses in different iterations reach the same memory; None if unknown."""
    one, two = known[write.id], known[other.id]
    step = one.steps[level]
    if step is None or step != two.steps[level] or one.base != two.base:
        return None
    if None in one.steps[level:] or None in two.steps[level:]:
        return None
    low, high = _reach(workload, write, one, level)
    low2, high2 = _reach(workload, other, two, level)
    # so many bytes the other one lies behind, in the same iteration; it moves by steps from there
    behind = two.offset - one.offset
    first, last = low - high2 - max(1, other.size) + 1, high + max(1, write.size) - 1 - low2
    ends = sorted(((first - behind) / step, (last - behind) / step))
    between = range(ceil(ends[0]), floor(ends[1]) + 1)
    if not any(between[:2]) and not any(between[-2:]):
        return False
    return True if low == high and low2 == high2 else None


def _reach(workload: Workload, access: Access, where: Subscript, level: int) -> tuple[int, int]:
    """Distances that the loops inside move an access, down and up, at the work size [B]."""
    chain = workload.static.chain_of(access.loop)
    low = high = 0
    for loop, step in zip(chain[level + 1 :], where.steps[level + 1 :], strict=True):
        way = (step or 0) * max(0, ceil(workload.trips(loop).mean) - 1)
        low, high = low + min(0, way), high + max(0, way)
    return low, high
