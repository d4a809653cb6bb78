"""Legends of pictures: what stands in them, and how much room they take."""

import re

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from logca.plots.drawing import Drawing
from logca.plots.sensitivity import improvement_handles
from logca.plots.speedup_metrics_bounds import bound_handles, curve_handles
from logca.plots.style import legend_below

__all__ = [
    "Legend",
    "legend_of",
]

_LETTER, _HANDLE, _LEGEND_LINE = 0.53, 3.6, 1.45
"""Widths of a letter and of a line with its gaps, distance of lines [sizes of letters]."""

_MARKS = "filled: $g_1$, open: $g_{A/2}$"


class Legend:
    """Legend of a picture: its handles and title, and the room that it takes."""

    def __init__(self, handles: list[Line2D], title: str, room: float) -> None:
        self.handles, self.title = handles, title
        widths = [_HANDLE + _LETTER * _length(str(handle.get_label())) for handle in handles]
        fitting = [
            across for across in range(1, len(handles) + 1) if _width(widths, across) <= room
        ]
        self.across = max(fitting, default=1)

    def height(self) -> float:
        """Its height, in sizes of letters [1]."""
        if not self.handles:
            return 0.0
        rows = -(-len(self.handles) // self.across)
        lines = 1 + str(self.handles[0].get_label()).count("\n")
        return _LEGEND_LINE * (rows * lines + bool(self.title))

    def draw(self, figure: Figure) -> None:
        """Put it below the axes."""
        if self.handles:
            legend_below(
                figure,
                self.across,
                handles=self.handles,
                title=self.title or None,
                title_fontsize="small",
                handlelength=2.2,
                handletextpad=0.4,
                columnspacing=0.9,
            )


def legend_of(drawing: Drawing, room: float) -> Legend:
    """The legend of a picture; empty if every curve is named where it is drawn."""
    drawn = [panel for panel in drawing.panels if panel.kind != "missing"]
    kinds = {panel.kind for panel in drawn}
    handles: list[Line2D] = []
    title = ""
    if kinds & {"regions", "sensitivity"}:
        handles = improvement_handles(drawing)
    elif "bounds" in kinds:
        handles = bound_handles(drawn)
    elif len(drawn) == 1 and len(drawn[0].accelerators) > 1:
        handles, title = curve_handles(drawn[0], sizes=True), _MARKS
    elif any(len(panel.accelerators) > 1 for panel in drawn):
        handles, title = curve_handles(drawn[0], sizes=False), _MARKS
    return Legend(handles, title, room)


def _width(widths: list[float], across: int) -> float:
    """The legend's width with so many columns; entries go down one column after the other [1]."""
    return float(sum(max(column) for column in np.array_split(widths, across)))


def _length(label: str) -> int:
    """Letters in the longest line of a label, about as it is printed [1]."""
    return max(len(re.sub(r"[${}_\\]|times", "", line)) for line in label.split("\n"))
