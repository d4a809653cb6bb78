"""Sensitivity to an improvement: the curve as it is and with one parameter better."""

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from logca.numeric.accelerator.regions import PARAMETERS
from logca.plots.axes import (
    granularities,
    granularity_axis,
    speedup_axis,
    speedup_range,
)
from logca.plots.drawing import Drawing, Panel
from logca.plots.marks import note
from logca.plots.style import BLACK, IMPROVED

__all__ = ["draw_sensitivity", "improvement_handles", "improvement_label"]


def improvement_label(parameter: str, factor: float) -> str:
    """Label of an improvement, such as "o / 10"."""
    sign = "/" if parameter in "oL" else "\\times"
    return f"${parameter} {sign} {factor:g}$"


def draw_sensitivity(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw the curve before and after, shaded where the gain is large enough."""
    [accelerator] = panel.accelerators
    parameter = panel.parameter
    g = granularities(drawing.low, drawing.high)
    ratio = panel.ratio(g)
    base = ratio * accelerator.speedup(g)
    better = ratio * accelerator.improve(**{parameter: drawing.improvement}).speedup(g)
    granularity_axis(axes, drawing.low, drawing.high)
    every = [
        ratio * accelerator.improve(**{each: drawing.improvement}).speedup(g)
        for each in ("o", "C", "A")
    ]
    speedup_axis(axes, *(panel.speedups or speedup_range([base, *every], panel.accelerators)))
    style = IMPROVED[parameter]
    axes.plot(g, base, color=BLACK, zorder=3, label="as it is")
    axes.plot(g, better, zorder=3, label=improvement_label(parameter, drawing.improvement), **style)
    ranges = accelerator.regions(drawing.improvement, drawing.gain).cutoffs[parameter]
    for each in ranges:
        inside = (g >= each.start) & (g <= each.end)
        axes.fill_between(
            g, base, better, where=inside, color=style["color"], alpha=0.25, linewidth=0
        )
        for end in (each.start, each.end):
            if drawing.low < end < drawing.high:
                axes.axvline(end, color=style["color"], linewidth=0.6, linestyle=":", zorder=1)
    percent = f"{100 * (drawing.gain - 1):.4g} %"
    where = " and ".join(map(str, ranges)) if ranges else "nowhere"
    note(axes, f"gain ≥ {percent}:\n{where}", [base, better])


def improvement_handles(drawing: Drawing) -> list[Line2D]:
    """Handles of a legend of improvements: those that the panels have."""
    shown = {panel.parameter for panel in drawing.panels if panel.kind == "sensitivity"}
    if any(panel.kind == "regions" for panel in drawing.panels):
        shown = set(PARAMETERS)
    return [
        Line2D([], [], color=BLACK, label="as it is"),
        *(
            Line2D([], [], label=improvement_label(name, drawing.improvement), **IMPROVED[name])
            for name in PARAMETERS
            if name in shown
        ),
    ]
