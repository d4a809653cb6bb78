"""Speedup over granularity, with break-even and half-peak."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from logca.numeric.accelerator import Accelerator
from logca.plots.axes import (
    granularities,
    granularity_axis,
    small_letters,
    speedup_axis,
    speedup_range,
)
from logca.plots.drawing import Drawing, Panel
from logca.plots.marks import acceleration_line, mark, note, summary
from logca.plots.style import LINES

__all__ = ["curve_handles", "curve_style", "draw_curves", "heading_height"]

_GLYPHS = {"o": "●", "s": "■", "^": "▲", "D": "◆", "v": "▼", "P": "✚", "X": "✖"}
"""The markers of curves as letters [text]."""

_TICK_LABELS, _LIFT = 28.0, 5.0
"""Room to the left of the axes, and above for half of a tick label [pt]."""

_LINE = 1.3
"""Distance of lines, in sizes of letters [1]."""


def draw_curves(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw one curve, with its marks named beside them; or several, with a legend below.

    Parameters
    ----------
    axes : Axes
        Empty axes.
    panel : Panel
        What to draw.
    drawing : Drawing
        The picture that it is part of.
    """
    g = granularities(drawing.low, drawing.high)
    curves = [each.speedup(g) for each in panel.accelerators]
    alone = len(curves) == 1
    granularity_axis(axes, drawing.low, drawing.high)
    speedup_axis(axes, *(panel.speedups or speedup_range(curves, panel.accelerators)))
    for place, (accelerator, curve) in enumerate(zip(panel.accelerators, curves, strict=True)):
        style = curve_style(place)
        axes.plot(g, curve, color=style["color"], linestyle=style["linestyle"], zorder=3)
        mark(axes, accelerator, style, named=alone)
    first = panel.accelerators[0]
    if alone:
        lined = acceleration_line(axes, first, curve_style(0)["color"])
        lines = summary(first, outside=(drawing.low, drawing.high))
        text = "\n".join(filter(None, (*lines, panel.note)))
        if text:
            note(axes, text, curves, first.A if lined else None)
    elif len(drawing.panels) > 1:
        _head(axes, panel)


def heading_height(drawing: Drawing, letters: float) -> float:
    """Height of the words above each panel [pt].

    Parameters
    ----------
    drawing : Drawing
        The picture.
    letters : float
        Size of small letters [pt].
    """
    most = max(len(panel.accelerators) for panel in drawing.panels)
    return _LIFT + _LINE * letters * most if most > 1 and len(drawing.panels) > 1 else 0.0


def _head(axes: Axes, panel: Panel) -> None:
    """Write the marks of all curves above the axes, in the colours of the curves."""
    letters = small_letters(axes)
    for place, (name, accelerator) in enumerate(
        zip(panel.labels(), panel.accelerators, strict=True)
    ):
        style = curve_style(place)
        heading = axes.annotate(
            f"{_GLYPHS[style['marker']]} {name}: {_sizes(accelerator)}",
            (0, 1),
            xycoords="axes fraction",
            xytext=(-_TICK_LABELS, _LIFT + _LINE * letters * (len(panel.accelerators) - 1 - place)),
            textcoords="offset points",
            fontsize="small",
            color=style["color"],
            annotation_clip=False,
        )
        heading.set_in_layout(False)  # it may be as wide as the panel, wider than the axes


def curve_handles(panel: Panel, *, sizes: bool) -> list[Line2D]:
    """What a legend of the curves is made of.

    Parameters
    ----------
    panel : Panel
        A panel with several curves.
    sizes : bool
        Whether the labels have the marks in words.
    """
    handles = []
    for place, (name, accelerator) in enumerate(
        zip(panel.labels(), panel.accelerators, strict=True)
    ):
        label = f"{name}\n{_sizes(accelerator)}" if sizes else name
        handles.append(Line2D([], [], label=label, **curve_style(place)))
    return handles


def curve_style(place: int) -> dict[str, Any]:
    """Colour, dashes and marker of the first curve, the second, and so on.

    Parameters
    ----------
    place : int
        Which curve, from 0 [1].
    """
    return LINES[place % len(LINES)]


def _sizes(accelerator: Accelerator) -> str:
    return ", ".join(summary(accelerator)).replace(" = ", " ")
