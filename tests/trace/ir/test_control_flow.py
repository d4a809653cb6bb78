"""Loops, dominance and order of graphs, against definitions written out."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.trace.ir.control_flow import loops_and_order


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    """Control-flow graphs of which every block can be reached."""
    size = draw(st.integers(1, 9))
    after = [draw(st.lists(st.integers(0, size - 1), max_size=3, unique=True)) for _ in range(size)]
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from((a, b) for a, targets in enumerate(after) for b in targets)
    reached = sorted({0} | nx.descendants(graph, 0))
    names = {block: number for number, block in enumerate(reached)}
    return [[names[target] for target in after[block]] for block in reached]


def graph_of(after: list[list[int]]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(after)))
    graph.add_edges_from((a, b) for a, targets in enumerate(after) for b in targets)
    return graph


def dominates(graph: nx.DiGraph, a: int, b: int) -> bool:
    """By definition: without `a` the entry does not reach `b`."""
    if a == b or a == 0:
        return True
    rest = graph.subgraph(set(graph) - {a})
    return b not in rest or not nx.has_path(rest, 0, b)


@settings(max_examples=300)
@given(graphs())
def test_loops_are_those_of_the_definition(after: list[list[int]]) -> None:
    graph = graph_of(after)
    found = loops_and_order(after)
    latches: dict[int, set[int]] = {}
    for a, b in graph.edges:
        if dominates(graph, b, a):
            latches.setdefault(b, set()).add(a)
    assert {header: set(loop.latches) for header, loop in found.loops.items()} == latches
    for header, loop in found.loops.items():
        rest = graph.subgraph(set(graph) - {header})
        inside = {header} | {
            block
            for block in rest
            if any(end in rest and nx.has_path(rest, block, end) for end in latches[header])
        }
        assert loop.blocks == inside


@settings(max_examples=300)
@given(graphs())
def test_what_remains_cyclic_without_back_edges_is_irreducible(after: list[list[int]]) -> None:
    graph = graph_of(after)
    found = loops_and_order(after)
    graph.remove_edges_from([(a, b) for a, b in list(graph.edges) if dominates(graph, b, a)])
    cyclic = {
        block
        for group in nx.strongly_connected_components(graph)
        if len(group) > 1
        for block in group
    }
    assert found.irreducible == cyclic


@settings(max_examples=300)
@given(graphs())
def test_order_is_topological_and_keeps_loops_together(after: list[list[int]]) -> None:
    found = loops_and_order(after)
    assert sorted(found.order) == list(range(len(after)))
    rank = {block: number for number, block in enumerate(found.order)}
    for header, loop in found.loops.items():
        places = sorted(rank[block] for block in loop.blocks)
        assert places == list(range(places[0], places[0] + len(places)))
        if not found.irreducible:
            assert rank[header] == places[0]
    if not found.irreducible:
        for block, targets in enumerate(after):
            for target in targets:
                back = target in found.loops and block in found.loops[target].latches
                assert back or rank[block] < rank[target]


def test_a_loop_stands_before_what_follows_it_however_it_is_printed() -> None:
    #  0 -> 1 (header) -> 2 (exit), 3 (body) -> 1
    assert loops_and_order([[1], [2, 3], [], [1]]).order == (0, 1, 3, 2)


def test_parents() -> None:
    #  for (1) { for (2) { 3 } 4 } 5
    found = loops_and_order([[1], [2, 5], [3, 4], [2], [1], []])
    assert {header: loop.parent for header, loop in found.loops.items()} == {1: None, 2: 1}
    assert found.innermost == {1: 1, 2: 2, 3: 2, 4: 1}


def test_two_back_edges_to_one_header_are_one_loop() -> None:
    found = loops_and_order([[1], [2, 4], [1, 3], [1], []])
    assert found.loops[1].latches == (2, 3)


def test_a_cycle_with_two_entries_is_no_loop() -> None:
    found = loops_and_order([[1, 2], [2], [1, 3], []])
    assert found.loops == {}
    assert found.irreducible == {1, 2}


def test_deep_nests() -> None:
    depth = 200
    after = [[block + 1] for block in range(depth)] + [[]]
    after += [[]]
    after[depth] = [depth - 1, depth + 1]
    found = loops_and_order(after)
    assert list(found.loops) == [depth - 1]
