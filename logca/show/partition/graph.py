"""The control flow of a partition, as what is to be drawn: blocks, edges, functions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from logca.common.readable_numbers import percent
from logca.numeric.partition.answer.findings import PartitionReport
from logca.numeric.partition.problem.blocks import OUTSIDE, Flow, Problem
from logca.show.partition.words import headline

__all__ = ["DrawnEdge", "DrawnNode", "Graph", "graph_of"]

MOST = 24
"""Nodes of a picture; more are not legible in a column [1]."""

_PART_CROSSING = 3
"""One of so many nodes may be there because control crosses at it [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnNode:
    """A block, or several that are executed one after the other."""

    label: str  # its lines or its name
    group: str  # its function
    share: float  # its part of the CPU-only time [1]
    percent: str  # the same to read
    mapped: bool  # whether it is on the accelerator
    pinned: str  # why it must stay on the CPU; empty if it need not


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnEdge:
    """Control that passes from one node to another."""

    # source, target: the nodes [1]
    source: int
    target: int
    executions: int  # how often [1]
    crossing: bool  # whether they are on different cores


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Graph of control flow that is to be drawn."""

    title: str  # what it shows
    note: str  # what is left out; empty if nothing is
    nodes: tuple[DrawnNode, ...]  # the nodes
    edges: tuple[DrawnEdge, ...]  # the edges


def graph_of(findings: PartitionReport, *, most: int = MOST) -> Graph:
    """The part of a program that takes most time, and where control crosses."""
    found, account = findings.partition, findings.account
    problem, whole = found.case.problem, found.case.baseline.total
    executed = [
        number
        for number, block in enumerate(problem.blocks)
        if block.executions and block.pinned != OUTSIDE
    ]
    flows = [flow for flow in problem.flows if flow.executions]
    chains = _chains(problem, flows, executed, found.mapped.tolist())
    weight = {
        first: sum((account.cpu_only[each] for each in chain), Fraction())
        for first, chain in chains.items()
    }
    home = {each: first for first, chain in chains.items() for each in chain}
    for crossing in account.crossings:
        for end in (crossing.source, crossing.target):
            if end in home:
                weight[home[end]] += crossing.cycles
    kept = _kept(
        chains, weight, [(home.get(c.source), home.get(c.target)) for c in account.crossings], most
    )
    places = {first: place for place, first in enumerate(kept)}
    nodes = tuple(_node(findings, chains[first], whole) for first in kept)
    times: dict[tuple[int, int], int] = defaultdict(int)
    for flow in flows:
        ends = (home.get(flow.source), home.get(flow.target))
        inside = ends[0] == ends[1] and flow.target != ends[1]
        if ends[0] in places and ends[1] in places and not inside:
            times[places[ends[0]], places[ends[1]]] += flow.executions
    edges = tuple(
        DrawnEdge(
            source=source,
            target=target,
            executions=executions,
            crossing=nodes[source].mapped != nodes[target].mapped,
        )
        for (source, target), executions in sorted(times.items())
    )
    note = ""
    if len(kept) < len(chains):
        blocks = sum(len(chains[first]) for first in kept)
        shown = sum(node.share for node in nodes)
        note = (
            f"only the hot part: {blocks:,} of {len(executed):,} executed blocks, with "
            f"{percent(shown, 1)} % of the CPU-only time"
        )
        hidden = _hidden(flows, home, places)
        if hidden:
            edges_word = "1 edge" if hidden == 1 else f"{hidden:,} edges"
            note += f"; {edges_word} between them and other blocks not drawn"
    return Graph(title=headline(found), note=note, nodes=nodes, edges=edges)


def _hidden(flows: Sequence[Flow], home: Mapping[int, int], places: Mapping[int, int]) -> int:
    """Edges of which only one end is drawn [1]."""
    ends = {
        (home[f.source], home[f.target]) for f in flows if f.source in home and f.target in home
    }
    return sum((source in places) != (target in places) for source, target in ends)


def _kept(
    chains: Iterable[int],
    weight: Mapping[int, Fraction],
    crossings: Sequence[tuple[int | None, int | None]],
    most: int,
) -> list[int]:
    """The hottest ones, and some more where control crosses most often."""
    hottest = sorted(chains, key=lambda first: -weight[first])
    if len(hottest) <= most:
        return sorted(hottest)
    kept = dict.fromkeys(hottest[: most - most // _PART_CROSSING])
    for ends in crossings:
        added = [end for end in ends if end is not None and end not in kept]
        if len(kept) + len(added) <= most:
            kept |= dict.fromkeys(added)
    kept |= dict.fromkeys([each for each in hottest if each not in kept][: most - len(kept)])
    return sorted(kept)


def _chains(
    problem: Problem, flows: Sequence[Flow], executed: Sequence[int], mapped: Sequence[bool]
) -> dict[int, list[int]]:
    """Blocks that are always executed one after the other on one core, by the first of them."""
    after: dict[int, set[int]] = defaultdict(set)
    before: dict[int, set[int]] = defaultdict(set)
    for flow in flows:
        after[flow.source].add(flow.target)
        before[flow.target].add(flow.source)
    blocks = problem.blocks
    known = {*executed}

    def follows(one: int, other: int) -> bool:
        return (
            after[one] == {other}
            and before[other] == {one}
            and one != other
            and other in known
            and (blocks[one].function, blocks[one].executions, mapped[one], blocks[one].pinned)
            == (
                blocks[other].function,
                blocks[other].executions,
                mapped[other],
                blocks[other].pinned,
            )
        )

    inner = {
        other
        for one in executed
        if len(after[one]) == 1
        for other in after[one]
        if follows(one, other)
    }
    chains: dict[int, list[int]] = {}
    for first in executed:
        if first in inner:
            continue
        chain = [first]
        while len(after[chain[-1]]) == 1 and follows(chain[-1], *after[chain[-1]]):
            chain += after[chain[-1]]
        chains[first] = chain
    placed = {each for chain in chains.values() for each in chain}
    return chains | {each: [each] for each in executed if each not in placed}


def _node(findings: PartitionReport, chain: Sequence[int], whole: Fraction) -> DrawnNode:
    found = findings.partition
    blocks = [found.case.problem.blocks[each] for each in chain]
    lines = [line for block in blocks for line in (block.first_line, block.last_line) if line]
    label = blocks[0].name.rpartition(":")[2]
    if lines:
        label = str(min(lines)) if min(lines) == max(lines) else f"{min(lines)}-{max(lines)}"
    time = sum((findings.account.cpu_only[each] for each in chain), Fraction())
    return DrawnNode(
        label=label,
        group=blocks[0].function,
        share=float(time / whole) if whole else 0.0,
        percent=f"{percent(float(time), float(whole))} %",
        mapped=bool(found.mapped[chain[0]]),
        pinned=blocks[0].pinned,
    )
