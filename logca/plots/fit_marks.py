"""Break-evens and half the acceleration on the speedup of a fit, named where there is room."""

from typing import Any

from matplotlib.axes import Axes

from logca.numeric.accelerator import Accelerator
from logca.plots.axes import fraction, short_size, small_letters, text_size
from logca.plots.style import GREY, LINES

__all__ = ["MARKS", "mark_granularities", "write_below"]

MARKS: dict[str, Any] = {"color": LINES[2]["color"], "marker": "D"}
"""Colour and marker."""

_LINE = 1.3
"""Distance of lines [letters]."""


def mark_granularities(axes: Axes, accelerator: Accelerator) -> int:
    """Mark those that lie within the axes, with lines down to where they are named.

    Half the acceleration is marked where it is first reached. The names stand at the bottom, each
    on a line of its own: right of a break-even there is no curve, however close the points are.

    Parameters
    ----------
    axes : Axes
        Axes with their final range.
    accelerator : Accelerator
        Whose marks.

    Returns
    -------
    int
        How many lines are taken [1].
    """
    even, half = accelerator.break_even(), accelerator.half_peak()
    marks = [(f"{'upper ' * (g != even.lower)}$g_1$", g, 1.0) for g in even]
    marks.append(("$g_{A/2}$", half.lower, accelerator.A / 2))
    low, high = axes.get_xlim()
    bottom, top = axes.get_ylim()
    line = 0
    for name, g, speedup in marks:
        if low <= g <= high and bottom < speedup < top:
            _mark(axes, name, g, speedup)
            text = f"{name} = {short_size(g)}"
            fits = fraction(axes, g, speedup)[0] + text_size(axes, text)[0] < 1
            write_below(axes, text, g, line, right=fits)
            line += 1
    return line


def write_below(axes: Axes, text: str, g: float, line: int, *, right: bool) -> None:
    """Write beside a granularity, so many lines above the bottom of the axes.

    Parameters
    ----------
    axes : Axes
        Axes with their final range.
    text : str
        What to write [text].
    g : float
        Where [B].
    line : int
        Lines that are taken [1].
    right : bool
        Whether it stands right of it.
    """
    axes.annotate(
        text,
        (g, 0),
        xycoords=("data", "axes fraction"),
        xytext=(3 if right else -3, 3 + _LINE * small_letters(axes) * line),
        textcoords="offset points",
        ha="left" if right else "right",
        fontsize="small",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.3},
        zorder=6,
    )


def _mark(axes: Axes, name: str, g: float, speedup: float) -> None:
    axes.plot([g, g], [axes.get_ylim()[0], speedup], color=GREY, linewidth=0.5, linestyle=":")
    axes.plot(
        [g],
        [speedup],
        markerfacecolor=MARKS["color"] if speedup == 1 else "white",
        markeredgewidth=0.8,
        linestyle="none",
        zorder=5,
        label=f"_{name}",
        **MARKS,
    )
