"""The performance metrics on one curve: break-even, half-peak, and the acceleration above all."""

from matplotlib.axes import Axes

from logca.plots.axes import (
    fraction,
    granularities,
    granularity_axis,
    short_size,
    speedup_axis,
    speedup_range,
    text_size,
)
from logca.plots.drawing import Drawing, Panel
from logca.plots.marks import level, marks_of
from logca.plots.style import BLACK, GREY, LINES

__all__ = ["draw_metrics"]


def draw_metrics(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw the curve, and lines from its two marks to both axes.

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
    axes.plot(g, curve, color=LINES[0]["color"], zorder=3)
    axes.axhline(accelerator.A, color=BLACK, linewidth=0.7, linestyle=(0, (6, 3)))
    level(axes, f"speedup $A$ = {accelerator.A:g}", accelerator.A)
    bottom, top = axes.get_ylim()
    for each in marks_of(accelerator):
        if bottom < each.speedup < top:
            words = "speedup 1" if each.filled else f"speedup $A/2$ = {each.speedup:g}"
            level(axes, words, each.speedup)
        for size in each.found:
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
    place, _ = fraction(axes, size, speedup)
    left = place > width if filled else place + width > 1
    row = 0 if filled else 1
    axes.annotate(
        text,
        (size, row * 1.3 * height),
        xycoords=("data", "axes fraction"),
        xytext=(-3 if left else 3, 4),
        textcoords="offset points",
        ha="right" if left else "left",
        fontsize="small",
    )
