"""What bounds the speedup: the acceleration, or latency per byte; and overhead before them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from logca.numeric.accelerator import Accelerator
from logca.numeric.arrays import Array
from logca.numeric.evaluation import evaluate
from logca.plots.axes import granularities, granularity_axis, speedup_axis, speedup_range
from logca.plots.drawing import Drawing, Panel
from logca.plots.marks import level, note
from logca.plots.style import BLACK, IMPROVED

__all__ = ["bound_handles", "ceilings", "draw_bounds"]

_PARAMETERS = ("o", "L", "C", "beta")
_LEVELS = {"A": "A", "L": "C/L"}


def draw_bounds(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw the curve under its ceilings, and say which of them bounds it in the end.

    Parameters
    ----------
    axes : Axes
        Empty axes.
    panel : Panel
        What to draw.
    drawing : Drawing
        The picture that it is part of.
    """
    [accelerator] = panel.accelerators
    g = granularities(drawing.low, drawing.high)
    curve = accelerator.speedup(g)
    granularity_axis(axes, drawing.low, drawing.high)
    speedup_axis(axes, *(panel.speedups or speedup_range([curve], panel.accelerators)))
    axes.plot(g, curve, color=BLACK, zorder=3, label="speedup")
    for (name, parameter), values in ceilings(accelerator, g).items():
        axes.plot(g, values, linewidth=0.9, label=name, zorder=2, **IMPROVED[parameter])
        if parameter == "A" or (parameter == "L" and accelerator.beta == 1):
            text = f"${_LEVELS[parameter]}$ = {values[0]:.3g}"
            level(axes, text, float(values[0]), IMPROVED[parameter]["color"])
    note(axes, f"limit {accelerator.limit():.3g}", [curve])


def ceilings(accelerator: Accelerator, g: Array) -> dict[tuple[str, str], Array]:
    """What the speedup stays below [1]; by its name and the parameter that sets it.

    Parameters
    ----------
    accelerator : Accelerator
        The accelerator.
    g : array
        Granularities [B].
    """
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
    """What a legend of the ceilings is made of.

    Parameters
    ----------
    panels : sequence of Panel
        The panels.
    """
    names = {
        key: None for panel in panels for key in ceilings(panel.accelerators[0], np.array([1.0]))
    }
    return [
        Line2D([], [], color=BLACK, label="speedup"),
        *(Line2D([], [], linewidth=0.9, label=name, **IMPROVED[by]) for name, by in names),
    ]
