"""The control flow of a partition as SVG: core by shape, border and colour, time by shade."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from xml.sax.saxutils import escape

from logca.show.partition.graph import DrawnEdge, DrawnNode, Graph
from logca.show.partition.layout import Box, PictureLayout, Point, layout_of

__all__ = ["short", "svg_of"]

# the palette of Okabe and Ito, which people with any colour vision can tell apart
_BLUE, _ORANGE, _RED = (86, 180, 233), (240, 200, 110), "#d55e00"
_INK, _GREY = "#222222", "#777777"
_SIZE, _SMALL = 11, 9
_CHARACTER, _PROSE = 0.6, 0.52
_MARGIN, _LINE = 8.0, 14.0
_LEGEND = 11.0
_NARROWEST = 250.0


def svg_of(graph: Graph) -> str:
    """The picture."""
    sizes = [_size(node) for node in graph.nodes]
    labels = [_wide(short(edge.executions), _SMALL) + 3 for edge in graph.edges]
    heads = {node.group: _wide(node.group, _SMALL) for node in graph.nodes}
    layout = layout_of(graph, sizes, labels, heads)
    width = max(layout.width, _NARROWEST)
    columns = int(width / (_PROSE * _SMALL))
    above = [*wrap(graph.title, columns), *wrap(graph.note, columns)]
    legend = list(_legend(graph, columns))
    top = _MARGIN + _LINE * len(above)
    height = top + layout.height + _MARGIN + sum(_LINE * len(text) for _, text in legend)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2 * _MARGIN:.0f}" '
        f'height="{height + _MARGIN:.0f}" '
        f'viewBox="0 0 {width + 2 * _MARGIN:.0f} {height + _MARGIN:.0f}" '
        'font-family="Helvetica, Arial, sans-serif" role="img" '
        'aria-labelledby="title">',
        f'<title id="title">{_safe(graph.title)}</title>',
        '<rect width="100%" height="100%" fill="white"/>',
        *(
            _text(_MARGIN, _MARGIN + _LINE * (place + 0.6), line, _SMALL, anchor="start")
            for place, line in enumerate(above)
        ),
        f'<g transform="translate({_MARGIN + (width - layout.width) / 2:.1f} {top:.1f})">',
        *_drawn(graph, layout),
        "</g>",
    ]
    y = top + layout.height + _MARGIN
    for drawing, text in legend:
        parts.append(f'<g transform="translate({_MARGIN:.0f} {y:.1f})">{drawing}')
        parts += [
            _text(34, _LINE * (place + 0.7), line, _SMALL, anchor="start")
            for place, line in enumerate(text)
        ]
        parts.append("</g>")
        y += _LINE * len(text)
    return "\n".join([*parts, "</svg>", ""])


def short(number: int) -> str:
    """A count with three digits at most.

    Examples
    --------
    >>> short(842), short(16_384), short(106_496), short(999_999), short(2_500_000_000)
    ('842', '16.4k', '106k', '1M', '2.5G')
    """
    value = float(f"{number:.3g}")
    for power, unit in ((9, "G"), (6, "M"), (3, "k")):
        if value >= 10**power:
            return f"{value / 10**power:.3g}{unit}"
    return f"{number}"


def _size(node: DrawnNode) -> tuple[float, float]:
    return max(_wide(node.label, _SIZE), _wide(node.percent, _SMALL), 34.0) + 12, 30.0


def _wide(text: str, size: float) -> float:
    return _CHARACTER * size * len(text)


def _drawn(graph: Graph, layout: PictureLayout) -> Iterator[str]:
    for box in layout.groups.values():
        yield _rectangle(box, 'fill="none" stroke="#bbbbbb" stroke-width="0.8"')
    most = max((edge.executions for edge in graph.edges), default=1)
    for edge, points in zip(graph.edges, layout.edges, strict=True):
        yield _arrow(edge, points, most)
    for node, box in zip(graph.nodes, layout.nodes, strict=True):
        yield from _node(node, box)
    for name, box in layout.groups.items():
        yield _text(box.x + 5, box.y + 11, name, _SMALL, anchor="start", fill="#555555", halo=True)
    for edge, (x, y) in zip(graph.edges, layout.labels, strict=True):
        fill, weight = (_RED, "bold") if edge.crossing else (_INK, "normal")
        text = short(edge.executions)
        yield _text(x, y + 3, text, _SMALL, fill=fill, weight=weight, halo=True)


def _node(node: DrawnNode, box: Box) -> Iterator[str]:
    yield "<g>"
    where = "accelerator" if node.mapped else "CPU"
    pinned = f", must stay: {node.pinned}" if node.pinned else ""
    yield f"<title>{_safe(f'{node.group} {node.label}: {where}{pinned}')}</title>"
    yield _shape(box, node.mapped, bool(node.pinned), node.share)
    middle = box.x + box.width / 2
    yield _text(middle, box.y + 13, node.label, _SIZE, weight="bold" if node.mapped else "normal")
    yield _text(middle, box.y + 24.5, node.percent, _SMALL)
    yield "</g>"


def _shape(box: Box, mapped: bool, pinned: bool, share: float) -> str:
    colour = _BLUE if mapped else _ORANGE
    depth = 0.12 + 0.88 * min(1.0, share) ** 0.5
    fill = "#" + "".join(f"{round(255 - (255 - each) * depth):02x}" for each in colour)
    if mapped:
        inner = Box(x=box.x + 2.5, y=box.y + 2.5, width=box.width - 5, height=box.height - 5)
        outer = f'fill="{fill}" stroke="{_INK}" stroke-width="1.2"'
        return _rectangle(box, outer) + _rectangle(
            inner, f'fill="none" stroke="{_INK}" stroke-width="0.6"'
        )
    dashes = ' stroke-dasharray="3 2"' if pinned else ""
    return _rectangle(box, f'rx="9" fill="{fill}" stroke="{_INK}" stroke-width="0.9"{dashes}')


def _rectangle(box: Box, style: str) -> str:
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" {style}/>'
    )


def _arrow(edge: DrawnEdge, points: Sequence[Point], most: int) -> str:
    colour = _RED if edge.crossing else _GREY
    share = min(1.0, edge.executions / most)
    width = (1.6 if edge.crossing else 0.7) + share**0.5
    dashes = ' stroke-dasharray="6 2.5"' if edge.crossing else ""
    start, *curve, tip = points
    path = f"M{_at(start)} C{' '.join(map(_at, curve))}"
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:.1f}"{dashes}/>'
        f"{_head(points[-2], tip, colour, 2.2 + width)}"
    )


def _head(base: Point, tip: Point, colour: str, half: float) -> str:
    along = (tip[0] - base[0], tip[1] - base[1])
    length = max((along[0] ** 2 + along[1] ** 2) ** 0.5, 1e-9)
    side = (-along[1] / length * half, along[0] / length * half)
    corners = (
        tip,
        (base[0] + side[0], base[1] + side[1]),
        (base[0] - side[0], base[1] - side[1]),
    )
    return f'<polygon points="{" ".join(map(_at, corners))}" fill="{colour}"/>'


def _at(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    anchor: str = "middle",
    fill: str = _INK,
    weight: str = "normal",
    halo: bool = False,
) -> str:
    behind = ' stroke="white" stroke-width="2.5" paint-order="stroke"' if halo else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{fill}" font-weight="{weight}"{behind}>{_safe(text)}</text>'
    )


def _safe(text: str) -> str:
    """A text for XML, which knows no control characters."""
    return escape("".join(each if each.isprintable() else " " for each in text))


def _legend(graph: Graph, columns: int) -> Iterator[tuple[str, list[str]]]:
    """Drawings, and what they mean, of what there is in the picture."""
    box = Box(x=0, y=1.5, width=26, height=_LEGEND)
    room = columns - 6
    if any(node.mapped for node in graph.nodes):
        yield _shape(box, True, False, 0.2), wrap("on the accelerator (double border)", room)
    if any(not node.mapped and not node.pinned for node in graph.nodes):
        yield _shape(box, False, False, 0.2), wrap("on the CPU (round)", room)
    if any(node.pinned for node in graph.nodes):
        yield _shape(box, False, True, 0.2), wrap("on the CPU, must stay (dashed border)", room)
    for crossing, words in (
        (True, "control changes core (dashed), and how often"),
        (False, "control stays on its core, and how often"),
    ):
        if any(edge.crossing == crossing for edge in graph.edges):
            edge = DrawnEdge(source=0, target=0, executions=1, crossing=crossing)
            line = ((0.0, 7.0), (8.0, 7.0), (12.0, 7.0), (20.0, 7.0), (26.0, 7.0))
            yield _arrow(edge, line, 4), wrap(words, room)
    inside = "in boxes: lines of the source, share of the CPU-only time (darker: more)"
    yield "", wrap(inside, room)
