"""Where the parts of a graph are drawn: Graphviz lays out boxes whose sizes are given.

No text goes to Graphviz, so that the picture does not depend on the fonts of a machine.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from logca.common.extras import require
from logca.show.partition.graph import Graph

__all__ = ["Box", "PictureLayout", "layout_of", "require_graphviz"]

Point = tuple[float, float]

_PER_INCH = 72
_HIGH = 12
_COLUMN = 345
"""Largest width of a picture that is legible in a column of a paper [pt]."""
_BETWEEN = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle, y downwards."""

    # x, y: its upper left corner [pt]
    x: float
    y: float
    # width, height: its size [pt]
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLayout:
    """Where everything is, y downwards."""

    # width, height: size of it all [pt]
    width: float
    height: float
    nodes: tuple[Box, ...]  # the nodes
    groups: dict[str, Box]  # around the nodes of each function
    # for each edge the points of its Bezier curves, and the tip of its arrow [pt]
    edges: tuple[tuple[Point, ...], ...]
    labels: tuple[Point, ...]  # the middles of the labels of edges [pt]


def require_graphviz() -> Any:
    """The library that lays graphs out."""
    return require("pygraphviz", "partition")


def layout_of(
    graph: Graph,
    sizes: Sequence[tuple[float, float]],
    labels: Sequence[float],
    heads: Mapping[str, float],
) -> PictureLayout:
    """Lay a graph out from top to bottom; parts that do not hang together stand in rows."""
    sizing = _Sizing(graph=graph, sizes=sizes, labels=labels, heads=heads)
    parts = [_part(sizing, members) for members in _parts(graph)]
    corners, width, height = _packed([(part.width, part.height) for part in parts])
    nodes: dict[int, Box] = {}
    groups: dict[str, Box] = {}
    edges: dict[int, tuple[Point, ...]] = {}
    middles: dict[int, Point] = {}
    for part, (x, y) in zip(parts, corners, strict=True):
        nodes |= {number: _moved(box, x, y) for number, box in part.nodes.items()}
        groups |= {name: _moved(box, x, y) for name, box in part.groups.items()}
        edges |= {
            number: tuple((a + x, b + y) for a, b in points)
            for number, points in part.edges.items()
        }
        middles |= {number: (a + x, b + y) for number, (a, b) in part.labels.items()}
    return PictureLayout(
        width=width,
        height=height,
        nodes=tuple(nodes[number] for number in range(len(graph.nodes))),
        groups=groups,
        edges=tuple(edges[number] for number in range(len(graph.edges))),
        labels=tuple(middles[number] for number in range(len(graph.edges))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sizing:
    """A graph, and the sizes of all that is drawn of it."""

    graph: Graph
    sizes: Sequence[tuple[float, float]]
    labels: Sequence[float]
    heads: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Where everything of a part is, by number."""

    width: float
    height: float
    nodes: dict[int, Box]
    groups: dict[str, Box]
    edges: dict[int, tuple[Point, ...]]
    labels: dict[int, Point]


def _parts(graph: Graph) -> list[list[int]]:
    """Nodes that edges or a function hold together."""
    home = list(range(len(graph.nodes)))

    def root(number: int) -> int:
        while home[number] != number:
            number = home[number]
        return number

    ties = [(edge.source, edge.target) for edge in graph.edges]
    for name, members in _groups(graph, range(len(graph.nodes))).items():
        ties += [(members[0], member) for member in members if name]
    for one, other in ties:
        low, high = sorted((root(one), root(other)))
        home[high] = low
    found: dict[int, list[int]] = defaultdict(list)
    for number in range(len(graph.nodes)):
        found[root(number)].append(number)
    return list(found.values())


def _packed(sizes: Sequence[tuple[float, float]]) -> tuple[list[Point], float, float]:
    """Each box as high up as there is room, the tallest first; as wide as a column if all fit."""
    room = max([_COLUMN, *(width for width, _ in sizes)])
    placed: dict[int, Box] = {}
    for place in sorted(range(len(sizes)), key=lambda each: -sizes[each][1]):
        width, height = sizes[place]
        rights = [box.x + box.width + _BETWEEN for box in placed.values()]
        fitting = [x for x in (0.0, *rights) if x + width <= room]
        y, x = min((_below(placed.values(), x, width), x) for x in fitting)
        placed[place] = Box(x=x, y=y, width=width, height=height)
    boxes = [placed[place] for place in range(len(sizes))]
    return (
        [(box.x, box.y) for box in boxes],
        max((box.x + box.width for box in boxes), default=0.0),
        max((box.y + box.height for box in boxes), default=0.0),
    )


def _below(placed: Iterable[Box], x: float, width: float) -> float:
    """Where a box of this width has nothing beside or below it."""
    return max(
        (
            box.y + box.height + _BETWEEN
            for box in placed
            if box.x < x + width + _BETWEEN and x < box.x + box.width + _BETWEEN
        ),
        default=0.0,
    )


def _moved(box: Box, x: float, y: float) -> Box:
    return Box(x=box.x + x, y=box.y + y, width=box.width, height=box.height)


def _part(sizing: _Sizing, members: Sequence[int]) -> _Part:
    drawn = require_graphviz().AGraph(string=_dot(sizing, members))
    data = json.loads(drawn.draw(format="json0", prog="dot"))
    _, _, width, height = _numbers(data["bb"])
    names = {_cluster(each): name for each, name in enumerate(_groups(sizing.graph, members))}
    nodes: dict[int, Box] = {}
    groups: dict[str, Box] = {}
    for each in data["objects"]:
        if "bb" in each:
            left, low, right, high = _numbers(each["bb"])
            groups[names[each["name"]]] = Box(
                x=left, y=height - high, width=right - left, height=high - low
            )
        else:
            x, y = _numbers(each["pos"])
            wide, tall = sizing.sizes[int(each["name"])]
            nodes[int(each["name"])] = Box(
                x=x - wide / 2, y=height - y - tall / 2, width=wide, height=tall
            )
    edges: dict[int, tuple[Point, ...]] = {}
    labels: dict[int, Point] = {}
    for each in data.get("edges", []):
        tip, *points = [(x, height - y) for x, y in map(_point, each["pos"].split())]
        edges[int(each["id"])] = (*points, tip)
        x, y = _point(each["lp"])
        labels[int(each["id"])] = (x, height - y)
    return _Part(width=width, height=height, nodes=nodes, groups=groups, edges=edges, labels=labels)


def _groups(graph: Graph, members: Iterable[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for number in members:
        found[graph.nodes[number].group].append(number)
    return found


def _dot(sizing: _Sizing, members: Sequence[int]) -> str:
    graph = sizing.graph
    lines = [
        "digraph {",
        "graph [rankdir=TB, nodesep=0.12, ranksep=0.22, pad=0, margin=0]",
        'node [shape=box, fixedsize=true, label=""]',
        "edge [arrowsize=0.5]",
    ]
    for number, (name, inside) in enumerate(_groups(graph, members).items()):
        nodes = [
            f"{each} [width={sizing.sizes[each][0] / _PER_INCH:.4f}, "
            f"height={sizing.sizes[each][1] / _PER_INCH:.4f}];"
            for each in inside
        ]
        if name:
            head = f"margin=6; labeljust=l; label={_blank(sizing.heads[name])};"
            nodes = [f"subgraph {_cluster(number)} {{ {head}", *nodes, "}"]
        lines += nodes
    known = {*members}
    lines += [
        f'{edge.source} -> {edge.target} [id="{number}", label={_blank(sizing.labels[number])}];'
        for number, edge in enumerate(graph.edges)
        if edge.source in known
    ]
    return "\n".join([*lines, "}"])


def _cluster(number: int) -> str:
    return f"cluster_{number}"


def _blank(width: float) -> str:
    """Room for a text."""
    cell = f'FIXEDSIZE="TRUE" WIDTH="{width:.0f}" HEIGHT="{_HIGH}"'
    return f'<<TABLE BORDER="0" CELLPADDING="0" CELLSPACING="0"><TR><TD {cell}></TD></TR></TABLE>>'


def _numbers(text: str) -> list[float]:
    return [float(each) for each in text.split(",")]


def _point(text: str) -> Point:
    x, y = (float(each) for each in re.findall(r"-?[\d.]+(?:e[+-]?\d+)?", text)[-2:])
    return x, y
