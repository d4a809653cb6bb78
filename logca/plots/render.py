"""From a drawing to a figure of matplotlib, and to the bytes of an SVG, PNG or PDF file.

The bytes are the same every time.
"""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any

from logca.common.visible_text import visible
from logca.plots.chance import ChancePicture, draw_chance
from logca.plots.charts import Bars, Dots, Lines, draw_bars, draw_dots, draw_lines
from logca.plots.drawing import Drawing, Panel
from logca.plots.fit import FitPicture, draw_fit
from logca.plots.kinds import KINDS
from logca.plots.offload import OffloadPicture, draw_offload
from logca.plots.shapes import ShapePicture, draw_shapes
from logca.plots.style import SMALL, WIDTHS, drawing_settings, empty_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SUFFIXES", "draw", "figure_of", "picture", "saved"]

_SHAPE, _HIGHEST = 0.62, 190.0
"""Height of axes over the width of their panel [1], and their greatest height [pt]."""

_EMPTY = 0.35
"""Height of a row of empty frames over that of others [1]."""

_HEADING = 1.8
"""Height of what stands above all panels [letters]."""


def draw(drawing: Drawing, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window."""
    columns = drawing.abreast(width)
    with drawing_settings(width, columns) as letters:
        from logca.plots.legends import legend_of

        above = _above(drawing, letters)
        legend = legend_of(drawing, 72 * WIDTHS[width] / (SMALL * letters))
        row = min(_SHAPE * 72 * WIDTHS[width] / columns, _HIGHEST) + above + 3.2 * letters
        heights = [row * share for share in _shares(drawing.panels, columns)]
        height = sum(heights) + 1.5 * letters + SMALL * letters * legend.height()
        height += _HEADING * letters if drawing.heading else 0.0
        figure = empty_figure(width, height / 72)
        grid = figure.subplots(
            len(heights), columns, squeeze=False, gridspec_kw={"height_ratios": heights}
        )
        for axes, panel in zip(grid.ravel(), drawing.panels, strict=False):
            KINDS[panel.kind].draw(axes, panel, drawing)
            title = f"({panel.letter}) {panel.title}" if panel.letter else panel.title
            pad = 3 if panel.kind == "missing" else 3 + above
            axes.set_title(title, pad=pad, parse_math=False)  # a name may have dollar signs
        for axes in grid.ravel()[len(drawing.panels) :]:
            axes.set_axis_off()
        _label(grid.tolist(), drawing.panels)
        if drawing.heading:
            figure.suptitle(drawing.heading, parse_math=False)
        legend.draw(figure)
    return figure


def _shares(panels: tuple[Panel, ...], columns: int) -> list[float]:
    """Heights of the rows; less for one that has nothing but empty frames [1]."""
    rows = [panels[start : start + columns] for start in range(0, len(panels), columns)]
    return [_EMPTY if {panel.kind for panel in row} == {"missing"} else 1.0 for row in rows]


def _above(drawing: Drawing, letters: float) -> float:
    """Distance of the titles of the panels from their axes [pt]."""
    from logca.plots.regions import strip_height
    from logca.plots.speedup_metrics_bounds import heading_height

    if any(panel.kind == "regions" for panel in drawing.panels):
        return strip_height(SMALL * letters)
    return heading_height(drawing, SMALL * letters)


def _label(grid: "list[list[Axes]]", panels: tuple[Panel, ...]) -> None:
    """Name the axes: below the lowest panel of each column, beside the first of each row."""
    columns = len(grid[0])
    kinds = [panel.kind for panel in panels]
    for row, places in enumerate(grid):
        drawn = [k for k in range(columns) if _is_drawn(kinds, row * columns + k)]
        if drawn:
            places[drawn[0]].set_ylabel("speedup [1]")
    for column in range(columns):
        rows = [row for row in range(len(grid)) if _is_drawn(kinds, row * columns + column)]
        if rows:
            grid[rows[-1]][column].set_xlabel("granularity $g$ [bytes]")


def _is_drawn(kinds: list[str], place: int) -> bool:
    return place < len(kinds) and kinds[place] != "missing"


SUFFIXES = (".svg", ".png", ".pdf")
"""Endings of files that a picture can be written to."""

_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": "logca"},
    ".pdf": {"CreationDate": None, "Creator": "logca", "Producer": None},
    ".png": {"Software": "logca"},
}
"""Metadata of files; no times and versions, which would differ from run to run."""


Picture = Drawing | Lines | Bars | Dots | ChancePicture | FitPicture | ShapePicture | OffloadPicture
"""Pictures that can be drawn."""


def picture(drawn: Picture, suffix: str, *, width: str = "column", dpi: int = 300) -> bytes:
    """The contents of a file."""
    if suffix not in SUFFIXES:
        raise ValueError(f"a picture must end in {', '.join(SUFFIXES)}, not {suffix!r}")
    return saved(_drawn(drawn, width), drawn, suffix, width=width, dpi=dpi)


def figure_of(drawn: Picture, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which can be shown and saved in several formats."""
    with drawing_settings(width, drawn.abreast(width)):
        figure = _drawn(drawn, width)
        layout = figure.get_layout_engine()
        assert layout is not None
        layout.execute(figure)  # or ticks would be made later, by the user's settings
    return figure


def _drawn(drawn: Picture, width: str) -> "Figure":
    match drawn:
        case Lines():
            return draw_lines(drawn, width=width)
        case Bars():
            return draw_bars(drawn, width=width)
        case Dots():
            return draw_dots(drawn, width=width)
        case ChancePicture():
            return draw_chance(drawn, width=width)
        case FitPicture():
            return draw_fit(drawn, width=width)
        case ShapePicture():
            return draw_shapes(drawn, width=width)
        case OffloadPicture():
            return draw_offload(drawn, width=width)
    return draw(drawn, width=width)


def saved(
    figure: "Figure", drawn: Picture, suffix: str, *, width: str = "column", dpi: int = 300
) -> bytes:
    """The contents of a file with a figure of the picture, drawn for the same width."""
    contents = BytesIO()
    metadata = _METADATA[suffix] | {"Title": visible(drawn.title)}
    with drawing_settings(width, drawn.abreast(width)), warnings.catch_warnings():
        # a letter that the font lacks is drawn as a box; the warning quotes it, whatever it is
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        # what is laid out anew keeps its letters
        figure.savefig(contents, format=suffix[1:], dpi=dpi, metadata=metadata)
    if suffix == ".svg":
        # comments beside drawn text hold it as it is, and XML does not allow every letter
        return visible(contents.getvalue().decode()).encode()
    return contents.getvalue()
