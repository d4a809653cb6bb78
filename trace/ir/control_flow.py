"""Control-flow graphs: natural loops, irreducible cycles, program order.

A back edge leads to a block that dominates its source; the natural loop of a header is all that
reaches its back edges without passing the header. Cycles that remain when the back edges are taken
away have several entries: they are irreducible, and no loop here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from logca.common.extras import require

__all__ = ["LoopNest", "NaturalLoop", "in_cycles", "loops_and_order"]

Node = TypeVar("Node")


@dataclass(frozen=True, slots=True, kw_only=True)
class NaturalLoop:
    """A natural loop."""

    header: int  # the block that every iteration starts with [1]
    latches: tuple[int, ...]  # sources of the back edges, in ascending order [1]
    blocks: frozenset[int]  # all blocks [1]
    parent: int | None  # the header of the loop around it [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopNest:
    """The shape of a control-flow graph."""

    loops: dict[int, NaturalLoop]  # natural loops by header, in program order
    # the header of the innermost loop around a block; blocks in no loop are missing [1]
    innermost: dict[int, int]
    order: tuple[int, ...]  # all blocks in program order [1]
    irreducible: frozenset[int]  # blocks in cycles that are no natural loops [1]


def immediate_dominators(successors: Sequence[Sequence[int]]) -> dict[int, int]:
    """The closest block on every way from the entry to a block, which is its own; if it is reached.

    The algorithm of Cooper, Harvey and Kennedy (2001). networkx has it too, but takes several times
    as long to make a graph of a function as this takes for all.
    """
    visited, after, waiting = {0}, [], [(0, iter(successors[0]))]
    while waiting:
        block, targets = waiting[-1]
        new = next((target for target in targets if target not in visited), None)
        if new is None:
            after.append(block)
            waiting.pop()
        else:
            visited.add(new)
            waiting.append((new, iter(successors[new])))
    rank = {block: number for number, block in enumerate(after)}
    before: dict[int, list[int]] = {block: [] for block in after}
    for block in after:
        for target in successors[block]:
            before[target].append(block)
    above = {0: 0}
    changed = True
    while changed:
        changed = False
        for block in after[-2::-1]:
            known = [each for each in before[block] if each in above]
            found = known[0]
            for other in known[1:]:
                while found != other:
                    if rank[found] < rank[other]:
                        found = above[found]
                    else:
                        other = above[other]
            if above.get(block) != found:
                above[block] = found
                changed = True
    return above


def back_edges(successors: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """The sources of back edges by the header that they lead to, from the entry, block 0."""
    if all(block < target for block, after in enumerate(successors) for target in after):
        return {}
    above = immediate_dominators(successors)
    del above[0]
    depth = {0: 0}
    for block in above:
        chain = []
        while block not in depth:
            chain.append(block)
            block = above[block]
        for lower in reversed(chain):
            depth[lower] = depth[above[lower]] + 1

    def dominates(a: int, b: int) -> bool:
        while depth[b] > depth[a]:
            b = above[b]
        return a == b

    found: dict[int, list[int]] = {}
    for source, after in enumerate(successors):
        for target in dict.fromkeys(after):
            if source in depth and dominates(target, source):
                found.setdefault(target, []).append(source)
    return found


def loop_body(header: int, latches: Iterable[int], before: Mapping[int, Iterable[int]]) -> set[int]:
    """All blocks that reach a latch without passing the header."""
    found = {header}
    waiting = list(latches)
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting.extend(before[block])
    return found


def nested(headers: Mapping[int, list[int]], before: Mapping[int, list[int]]) -> list[NaturalLoop]:
    """The natural loops, each before those inside it."""
    bodies = {header: loop_body(header, latches, before) for header, latches in headers.items()}
    result: list[NaturalLoop] = []
    for header in sorted(bodies, key=lambda header: (-len(bodies[header]), header)):
        around = [loop for loop in result if header in loop.blocks]
        result.append(
            NaturalLoop(
                header=header,
                latches=tuple(sorted(headers[header])),
                blocks=frozenset(bodies[header]),
                parent=min(around, key=lambda loop: len(loop.blocks)).header if around else None,
            )
        )
    return result


def loops_and_order(successors: Sequence[Sequence[int]]) -> LoopNest:
    """Loops and order of the graph whose block `b` leads to `successors[b]`; block 0 is the entry.

    Examples
    --------
    A loop with the header 1, and a block behind it that is printed before the loop's body:

    >>> found = loops_and_order([[1], [2, 3], [], [1]])
    >>> found.order
    (0, 1, 3, 2)
    >>> found.loops[1].latches
    (3,)
    """
    before: dict[int, list[int]] = {block: [] for block in range(len(successors))}
    for block, after in enumerate(successors):
        for target in after:
            before[target].append(block)
    loops = nested(back_edges(successors), before)
    innermost: dict[int, int] = {}
    for loop in loops:
        innermost.update(dict.fromkeys(loop.blocks, loop.header))
    inside = {loop.header: loop for loop in loops}

    def around(block: int) -> list[int]:
        """Headers of the loops around a block, outermost first."""
        chain = []
        header = innermost.get(block)
        while header is not None:
            chain.append(header)
            header = inside[header].parent
        return chain[::-1]

    chains = [around(block) for block in range(len(successors))]

    def arranged(region: frozenset[int], depth: int) -> list[int]:
        """Program order of the blocks of a loop with as many loops around it, itself included."""
        units = {
            block: chains[block][depth] if len(chains[block]) > depth else block
            for block in sorted(region)
        }
        header = chains[next(iter(region))][depth - 1] if depth else None
        order = []
        for group in ordered_components(units, header, successors):
            for member in group:
                whole = len(chains[member]) > depth
                order += arranged(inside[member].blocks, depth + 1) if whole else [member]
        return order

    order = arranged(frozenset(range(len(successors))), 0)
    ranks = {block: rank for rank, block in enumerate(order)}
    ordered = sorted(loops, key=lambda loop: (ranks[loop.header], -len(loop.blocks)))
    return LoopNest(
        loops={loop.header: loop for loop in ordered},
        innermost=innermost,
        order=tuple(order),
        irreducible=irreducible_blocks(successors, loops),
    )


def irreducible_blocks(
    successors: Sequence[Sequence[int]], loops: Iterable[NaturalLoop]
) -> frozenset[int]:
    """The blocks in cycles that remain without back edges."""
    back = {(latch, loop.header) for loop in loops for latch in loop.latches}
    edges = {(block, to) for block, after in enumerate(successors) for to in after} - back
    # most functions are printed in an order that only back edges run against
    return frozenset() if all(block < to for block, to in edges) else in_cycles(edges)


def in_cycles(edges: Iterable[tuple[Node, Node]]) -> frozenset[Node]:
    """The nodes of a graph that lead back to themselves.

    Examples
    --------
    >>> sorted(in_cycles([("main", "f"), ("f", "g"), ("g", "f"), ("main", "h"), ("h", "h")]))
    ['f', 'g', 'h']
    """
    networkx = require("networkx", "trace")
    graph = networkx.DiGraph(edges)
    cycles = (group for group in networkx.strongly_connected_components(graph) if len(group) > 1)
    return frozenset().union(*cycles, networkx.nodes_with_selfloops(graph))


def ordered_components(
    units: Mapping[int, int], header: int | None, successors: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Units of a region in topological order without its back edges; cycles stay together."""
    edges = [
        (unit, units[target])
        for block, unit in units.items()
        for target in successors[block]
        if target in units and target != header and units[target] != unit
    ]
    # where every edge leads to a larger number, no order with smallest numbers first is another
    if all(unit < target for unit, target in edges):
        return [[unit] for unit in sorted(set(units.values()))]
    networkx = require("networkx", "trace")
    graph = networkx.DiGraph()
    graph.add_nodes_from(units.values())
    graph.add_edges_from(edges)
    condensed = networkx.condensation(graph)
    members = {node: sorted(condensed.nodes[node]["members"]) for node in condensed}
    entry = 0 if header is None else header
    # many orders are topological: with the entry first and then the smallest number, one is ours
    sequence = networkx.lexicographical_topological_sort(
        condensed, key=lambda node: (entry not in members[node], members[node][0])
    )
    return [members[node] for node in sequence]
