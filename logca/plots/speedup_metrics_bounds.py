"""Panels of speedup over granularity: curves, break-even, half-peak, bounds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.arrays.arrays import Array
from logca.numeric.evaluation.by_name import evaluate
from logca.numeric.fit.fit import Fit
from logca.plots.axes import (
    fraction,
    granularities,
    granularity_axis,
    short_size,
    small_letters,
    speedup_axis,
    speedup_range,
    text_size,
    write,
)
from logca.plots.drawing import Drawing, Panel, time_ratio
from logca.plots.marks import acceleration_line, level, mark, marks_of, note, summary
from logca.plots.style import BLACK, GREY, IMPROVED, LINES

__all__ = [
    "bound_handles",
    "ceilings",
    "curve_handles",
    "curve_style",
    "draw_bounds",
    "draw_curves",
    "draw_metrics",
    "draw_missing",
    "heading_height",
]

_GLYPHS = {"o": "●", "s": "■", "^": "▲", "D": "◆", "v": "▼", "P": "✚", "X": "✖"}
"""The markers of curves as letters."""

_TICK_LABELS, _LIFT = 28.0, 5.0
"""Room to the left of the axes, and above for half of a tick label [pt]."""

_LINE = 1.3
"""Distance of lines, in sizes of letters [1]."""


def draw_curves(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw one curve, with its marks named beside them; or several, with a legend below."""
    g = granularities(drawing.low, drawing.high)
    curves = [time_ratio(fit, g) * each.speedup(g) for each, fit in panel.pairs()]
    alone = len(curves) == 1
    granularity_axis(axes, drawing.low, drawing.high)
    speedup_axis(axes, *(panel.speedups or speedup_range(curves, panel.accelerators)))
    for place, ((accelerator, fit), curve) in enumerate(zip(panel.pairs(), curves, strict=True)):
        style = curve_style(place)
        axes.plot(g, curve, color=style["color"], linestyle=style["linestyle"], zorder=3)
        mark(axes, marks_of(accelerator, fit), style, named=alone)
    first, first_fit = panel.pairs()[0]
    if alone:
        lined = (first_fit is None or not first_fit.breaks) and acceleration_line(
            axes, first.A, curve_style(0)["color"], digits=3 if first_fit else 6
        )
        lines = summary(first, first_fit, outside=(drawing.low, drawing.high))
        text = "\n".join(filter(None, (*lines, panel.note)))
        if text:
            note(axes, text, curves, first.A if lined else None)
    elif len(drawing.panels) > 1:
        _head(axes, panel)


def heading_height(drawing: Drawing, letters: float) -> float:
    """Height of the words above each panel [pt]."""
    most = max(len(panel.accelerators) for panel in drawing.panels)
    return _LIFT + _LINE * letters * most if most > 1 and len(drawing.panels) > 1 else 0.0


def _head(axes: Axes, panel: Panel) -> None:
    """Write the marks of all curves above the axes, in the colours of the curves."""
    letters = small_letters(axes)
    for place, (name, pair) in enumerate(zip(panel.labels(), panel.pairs(), strict=True)):
        style = curve_style(place)
        text = f"{_GLYPHS[style['marker']]} {name}: {_sizes(*pair)}"
        shift = (-_TICK_LABELS, _LIFT + _LINE * letters * (len(panel.accelerators) - 1 - place))
        look = {"color": style["color"], "annotation_clip": False}
        heading = write(axes, text, (0, 1), "axes fraction", shift, **look)
        heading.set_in_layout(False)  # it may be as wide as the panel, wider than the axes


def curve_handles(panel: Panel, *, sizes: bool) -> list[Line2D]:
    """Handles of a legend of the curves."""
    handles = []
    for place, (name, pair) in enumerate(zip(panel.labels(), panel.pairs(), strict=True)):
        label = f"{name}\n{_sizes(*pair)}" if sizes else name
        handles.append(Line2D([], [], label=label, **curve_style(place)))
    return handles


def curve_style(place: int) -> dict[str, Any]:
    """Colour, dashes and marker of the first curve, the second, and so on."""
    return LINES[place % len(LINES)]


def _sizes(accelerator: Accelerator, fit: Fit | None) -> str:
    return ", ".join(summary(accelerator, fit)).replace(" = ", " ")


def draw_metrics(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw the curve, and lines from its two marks to both axes."""
    [accelerator] = panel.accelerators
    g = granularities(drawing.low, drawing.high)
    curve = panel.ratio(g) * accelerator.speedup(g)
    granularity_axis(axes, drawing.low, drawing.high)
    speedup_axis(axes, *(panel.speedups or speedup_range([curve], panel.accelerators)))
    axes.plot(g, curve, color=LINES[0]["color"], zorder=3)
    axes.axhline(accelerator.A, color=BLACK, linewidth=0.7, linestyle=(0, (6, 3)))
    level(axes, f"speedup $A$ = {accelerator.A:g}", accelerator.A)
    bottom, top = axes.get_ylim()
    for each in marks_of(*panel.pairs()[0]):
        if bottom < each.speedup < top:
            words = "speedup 1" if each.filled else f"speedup $A/2$ = {each.speedup:g}"
            level(axes, words, each.speedup)
        for size in each.sizes:
            if drawing.low <= size <= drawing.high:
                _drop(axes, each.named(size, short_size(size)), size, each.speedup, each.filled)


def _drop(axes: Axes, text: str, size: float, speedup: float, filled: bool) -> None:
    low, bottom = axes.get_xlim()[0], axes.get_ylim()[0]
    corner = ([low, size, size], [speedup, speedup, bottom])
    axes.plot(*corner, color=GREY, linewidth=0.7, linestyle=":", zorder=2)
    colour = LINES[0]["color"]
    axes.plot(
        [size],
        [speedup],
        marker="o",
        color=colour,
        markerfacecolor=colour if filled else "white",
        linestyle="none",
        zorder=4,
    )
    width, height = text_size(axes, text)
    across, _ = fraction(axes, size, speedup)
    left = across > width if filled else across + width > 1
    row = 0 if filled else 1
    place, side = (size, row * 1.3 * height), "right" if left else "left"
    write(axes, text, place, ("data", "axes fraction"), (-3 if left else 3, 4), ha=side)


_PARAMETERS = ("o", "L", "C", "beta")
_LEVELS = {"A": "A", "L": "C/L"}


def draw_bounds(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw the curve under its ceilings, and say which of them bounds it in the end."""
    [accelerator] = panel.accelerators
    g = granularities(drawing.low, drawing.high)
    curve = panel.ratio(g) * accelerator.speedup(g)
    granularity_axis(axes, drawing.low, drawing.high)
    speedup_axis(axes, *(panel.speedups or speedup_range([curve], panel.accelerators)))
    axes.plot(g, curve, color=BLACK, zorder=3, label="speedup")
    ratio = panel.ratio(g)
    for (name, parameter), values in ceilings(accelerator, g).items():
        axes.plot(g, ratio * values, linewidth=0.9, label=name, zorder=2, **IMPROVED[parameter])
        if parameter == "A" or (parameter == "L" and accelerator.beta == 1):
            text = f"${_LEVELS[parameter]}$ = {values[0]:.3g}"
            level(axes, text, float(values[0]), IMPROVED[parameter]["color"])
    if (ratio == 1).all():  # else the limit is another one
        note(axes, f"limit {accelerator.limit():.3g}", [curve])


def ceilings(accelerator: Accelerator, g: Array) -> dict[tuple[str, str], Array]:
    """Ceilings of the speedup [1]; by the name and the parameter that sets it."""
    found = {("acceleration $A$", "A"): accelerator.A + 0 * g}
    per_byte = accelerator.latency == "linear" and accelerator.L > 0
    if per_byte:
        given = {name: getattr(accelerator, name) for name in ("L", "C", "beta")}
        name = "latency per byte, $(C/L)\\,g^{\\beta-1}$"
        found[name, "L"] = evaluate("latency_ceiling", latency="linear", g=g, **given)
    once = replace(accelerator, L=0.0) if per_byte else accelerator
    if once.o + once.L > 0:
        given = {name: getattr(once, name) for name in _PARAMETERS}
        found["what an offload pays once", "o"] = evaluate(
            "speedup_infinite", latency=once.latency, g=g, **given
        )
    return found


def bound_handles(panels: Sequence[Panel]) -> list[Line2D]:
    """Handles of a legend of the speedup and its ceilings."""
    names = {
        key: None for panel in panels for key in ceilings(panel.accelerators[0], np.array([1.0]))
    }
    return [
        Line2D([], [], color=BLACK, label="speedup"),
        *(Line2D([], [], linewidth=0.9, label=name, **IMPROVED[by]) for name, by in names),
    ]


def draw_missing(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """An empty frame that says what is not known."""
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_linestyle(":")
    axes.text(
        0.5,
        0.5,
        panel.note,
        transform=axes.transAxes,
        ha="center",
        va="center",
        fontsize="small",
        fontstyle="italic",
        linespacing=1.4,
    )
