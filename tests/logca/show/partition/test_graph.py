"""Pictures of control flow: what is drawn, that it is well-formed, and that nothing overlaps."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.numeric.partition.answer.case import case_of
from logca.numeric.partition.answer.findings import PartitionReport, findings
from logca.numeric.partition.problem.files import FORMAT, problem_from
from logca.numeric.partition.problem.platform import platform
from logca.show.partition.graph import DrawnEdge, DrawnNode, Graph, graph_of
from logca.show.partition.layout import Box, layout_of
from logca.show.partition.svg_picture import short, svg_of

for library in ("numba", "ortools", "pygraphviz"):
    pytest.importorskip(library)

SVG = "{http://www.w3.org/2000/svg}"


def chain_of(functions: int, *, pinned: str = "") -> PartitionReport:
    """Functions of three blocks, called one after the other, each with a loop."""
    blocks: list[dict[str, Any]] = []
    flows: list[dict[str, Any]] = []
    for each in range(functions):
        times = 100 * (each + 1)
        head, body, tail = (f"f{each}:{part}" for part in ("head", "body", "tail"))
        blocks += [
            {"name": head, "executions": 10, "operations": 2, "function": f"f{each}"},
            {"name": body, "executions": times, "operations": 5, "function": f"f{each}"},
            {"name": tail, "executions": 10, "operations": 1, "function": f"f{each}"},
        ]
        flows += [
            {"from": head, "to": body, "executions": 10},
            {"from": body, "to": body, "executions": times - 10},
            {"from": body, "to": tail, "executions": 10},
        ]
        if each:
            flows.append({"from": f"f{each - 1}:tail", "to": head, "executions": 10})
    blocks[0]["pinned"] = pinned
    data = {"format": FORMAT, "name": "chain", "blocks": blocks, "flows": flows}
    problem = problem_from(data | {"entries": ["f0:head"], "exits": [tail]}, "chain.json")
    return findings(problem, case_of(problem, platform("kenter2010"), area=25))


def test_edges_that_leave_the_picture_are_told() -> None:
    """Of a chain of two functions all blocks, and the edges between them."""
    found = chain_of(2)
    whole = graph_of(found)
    assert "edge" not in whole.note
    part = graph_of(found, most=4)
    drawn = sum(edge.source != edge.target for edge in part.edges)
    told = re.search(r"; (\d+) edges? between them and other blocks not drawn$", part.note)
    assert told
    # each block but the first and the last has one before and one behind it
    assert 2 * drawn + int(told[1]) == sum(
        (node.label, node.group) != ("head", "f0") for node in part.nodes
    ) + sum((node.label, node.group) != ("tail", "f1") for node in part.nodes)


def test_a_small_program_is_drawn_whole() -> None:
    found = chain_of(2)
    graph = graph_of(found)
    assert graph.note == ""
    # the tail of the first and the head of the second are in different functions
    assert [node.label for node in graph.nodes] == ["head", "body", "tail"] * 2
    assert sum(node.share for node in graph.nodes) == pytest.approx(1)
    counts = {(edge.source, edge.target): edge.executions for edge in graph.edges}
    assert counts[1, 1] == 90
    assert counts[2, 3] == 10
    assert len(counts) == 7


def test_blocks_that_always_follow_each_other_are_one_node() -> None:
    names = [f"b{each}" for each in range(4)]
    blocks = [{"name": name, "executions": 50, "operations": 3} for name in names]
    flows = [{"from": one, "to": other, "executions": 50} for one, other in pairwise(names)]
    data = {"format": FORMAT, "blocks": blocks, "flows": flows}
    problem = problem_from(data, "line.json")
    graph = graph_of(findings(problem, case_of(problem, platform("kenter2010"))))
    assert [node.share for node in graph.nodes] == [1]
    assert graph.edges == ()


def test_a_ring_of_blocks_is_drawn() -> None:
    names = ["one", "other"]
    blocks = [{"name": name, "executions": 50, "operations": 3} for name in names]
    flows = [
        {"from": "one", "to": "other", "executions": 50},
        {"from": "other", "to": "one", "executions": 50},
    ]
    data = {"format": FORMAT, "blocks": blocks, "flows": flows}
    problem = problem_from(data, "ring.json")
    graph = graph_of(findings(problem, case_of(problem, platform("kenter2010"))))
    assert len(graph.nodes) == 2
    assert sum(node.share for node in graph.nodes) == pytest.approx(1)


def test_of_a_large_program_the_hot_part() -> None:
    found = chain_of(20)
    graph = graph_of(found, most=12)
    assert len(graph.nodes) == 12
    shown = sum(node.share for node in graph.nodes)
    said = re.fullmatch(r"only the hot part: 12 of 60 executed blocks, with (.*) % .*", graph.note)
    assert said is not None
    assert float(said[1]) == pytest.approx(100 * shown, abs=0.06)
    assert any(edge.crossing for edge in graph.edges)
    hottest = max(node.share for node in graph_of(found, most=60).nodes)
    assert hottest in [node.share for node in graph.nodes]


def test_the_file_is_well_formed_and_tells_cores_apart() -> None:
    found = chain_of(6, pinned='calls <sin> & "cos"')
    graph = graph_of(found)
    root = ET.fromstring(svg_of(graph))
    assert root.tag == f"{SVG}svg"
    boxes = [each for each in root.iter(f"{SVG}g") if each.find(f"{SVG}title") is not None]
    assert len(boxes) == len(graph.nodes)
    for node, box in zip(graph.nodes, boxes, strict=True):
        title = box.findtext(f"{SVG}title") or ""
        shapes = box.findall(f"{SVG}rect")
        assert (": accelerator" in title) == node.mapped
        assert len(shapes) == (2 if node.mapped else 1)  # a double border
        assert ("rx" in shapes[0].attrib) == (not node.mapped)
        assert ("stroke-dasharray" in shapes[0].attrib) == bool(node.pinned)
    assert any(
        'must stay: calls <sin> & "cos"' in (box.findtext(f"{SVG}title") or "") for box in boxes
    )
    dashed = [each for each in root.iter(f"{SVG}path") if "stroke-dasharray" in each.attrib]
    crossing = sum(edge.crossing for edge in graph.edges)
    assert crossing
    assert len(dashed) == crossing + 1  # and the legend's
    texts = [each.text or "" for each in root.iter(f"{SVG}text")]
    assert "control changes core (dashed), and how often" in texts
    for edge in graph.edges:
        assert short(edge.executions) in texts


def test_the_same_every_time() -> None:
    graph = graph_of(chain_of(5))
    assert svg_of(graph) == svg_of(graph)


def apart(one: Box, other: Box) -> bool:
    return (
        one.x + one.width <= other.x + 0.1
        or other.x + other.width <= one.x + 0.1
        or one.y + one.height <= other.y + 0.1
        or other.y + other.height <= one.y + 0.1
    )


def inside(one: Box, other: Box) -> bool:
    return (
        other.x <= one.x + 0.1
        and other.y <= one.y + 0.1
        and one.x + one.width <= other.x + other.width + 0.1
        and one.y + one.height <= other.y + other.height + 0.1
    )


@given(st.data())
@settings(max_examples=25)
def test_nothing_overlaps(data: st.DataObject) -> None:
    number = data.draw(st.integers(min_value=1, max_value=12))
    place = st.integers(min_value=0, max_value=number - 1)
    groups = st.sampled_from(["", "f", "longer name", 'q"uote', "back\\Nslash"])
    nodes = tuple(
        DrawnNode(
            label=str(each),
            group=data.draw(groups),
            share=0.1,
            percent="10 %",
            mapped=False,
            pinned="",
        )
        for each in range(number)
    )
    ends = data.draw(st.lists(st.tuples(place, place), max_size=14, unique=True))
    edges = tuple(DrawnEdge(source=a, target=b, executions=5, crossing=False) for a, b in ends)
    graph = Graph(title="random", note="", nodes=nodes, edges=edges)
    heads = dict.fromkeys({node.group for node in nodes}, 50.0)
    found = layout_of(graph, [(60.0, 30.0)] * number, [20.0] * len(edges), heads)
    whole = Box(x=0, y=0, width=found.width, height=found.height)
    assert all(apart(one, other) for one, other in combinations(found.nodes, 2))
    assert all(apart(one, other) for one, other in combinations(found.groups.values(), 2))
    assert all(inside(box, whole) for box in (*found.nodes, *found.groups.values()))
    for node, box in zip(nodes, found.nodes, strict=True):
        for name, around in found.groups.items():
            assert inside(box, around) if name == node.group else apart(box, around)
    for (source, target), points, label in zip(ends, found.edges, found.labels, strict=True):
        assert near(points[0], found.nodes[source])
        assert near(points[-1], found.nodes[target])
        assert 0 <= label[0] <= found.width
        assert 0 <= label[1] <= found.height


def near(point: tuple[float, float], box: Box) -> bool:
    wide = Box(x=box.x - 3, y=box.y - 3, width=box.width + 6, height=box.height + 6)
    return inside(Box(x=point[0], y=point[1], width=0, height=0), wide)


def test_nothing_to_draw_is_a_picture_too() -> None:
    found = chain_of(1)
    graph = replace(graph_of(found), nodes=(), edges=())
    assert ET.fromstring(svg_of(graph)).tag == f"{SVG}svg"
    assert found.partition.case.baseline.total == Fraction(100 * 5 + 10 * 3)
