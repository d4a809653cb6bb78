"""Optimization regions: coloured bands with labels, and the curves that they come from."""

from matplotlib.axes import Axes

from logca.numeric.regions import PARAMETERS, Region
from logca.plots.arrows import draw_arrows
from logca.plots.axes import (
    fraction,
    granularities,
    granularity_axis,
    in_points,
    letters_of,
    speedup_axis,
    speedup_range,
)
from logca.plots.drawing import Drawing, Panel
from logca.plots.sensitivity import improvement_label
from logca.plots.style import BANDS, BLACK, GREY, IMPROVED

__all__ = ["draw_regions"]

_LETTER, _UPRIGHT = 0.8, 1.0
"""Width of a bold letter, and of a label written upwards, over the size of letters [1]."""

_HEADROOM, _MIDDLE = 0.16, 0.75


def draw_regions(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw bands, the curve as it is and with each parameter improved, and arrows above.

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
    curves = {
        name: accelerator.improve(**{name: drawing.improvement}).speedup(g) for name in PARAMETERS
    }
    base = accelerator.speedup(g)
    granularity_axis(axes, drawing.low, drawing.high)
    shown = [base, *curves.values()]
    limits = speedup_range(shown, panel.accelerators, headroom=_HEADROOM)
    speedup_axis(axes, *(panel.speedups or limits))
    for name, curve in curves.items():
        label = improvement_label(name, drawing.improvement)
        axes.plot(g, curve, linewidth=0.9, zorder=3, label=label, **IMPROVED[name])
    axes.plot(g, base, color=BLACK, zorder=4, label="as it is")
    found = accelerator.regions(
        drawing.improvement, drawing.gain, low=drawing.low, high=drawing.high
    )
    _draw_bands(axes, found.regions)
    draw_arrows(axes, found.cutoffs)


def _draw_bands(axes: Axes, regions: tuple[Region, ...]) -> None:
    letters = letters_of(axes)
    narrow: list[tuple[float, str]] = []
    for region in regions:
        start, end = region.interval.start, region.interval.end
        tint = BANDS[region.label]
        axes.axvspan(start, end, color=tint, linewidth=0, zorder=0, label=f"_{region.label}")
        if start > axes.get_xlim()[0]:
            axes.axvline(start, color=GREY, linewidth=0.4, zorder=1)
        left, right = (fraction(axes, each, 1.0)[0] for each in (start, end))
        text = region.label or "none"
        room = (right - left) * in_points(axes)[0] / letters
        if room < _UPRIGHT:
            narrow.append(((left + right) / 2, text))
            continue
        axes.annotate(
            text,
            ((left + right) / 2, 1),
            xycoords="axes fraction",
            xytext=(0, -3),
            textcoords="offset points",
            ha="center",
            va="top",
            fontweight="bold",
            rotation=0 if room > _LETTER * len(text) else 90,
            zorder=5,
        )
    for place, (across, text) in enumerate(reversed(narrow)):
        _lead_to(axes, across, text, place)


def _lead_to(axes: Axes, across: float, text: str, place: int) -> None:
    """A label outside of a band that is too narrow for it, with a line, where no curves are."""
    letters = letters_of(axes)
    right = across < _MIDDLE
    line = {"arrowstyle": "-", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0}
    axes.annotate(
        text,
        (across, 0),
        xycoords="axes fraction",
        xytext=(6 if right else -6, 6 + 1.4 * letters * place),
        textcoords="offset points",
        ha="left" if right else "right",
        fontweight="bold",
        arrowprops={**line, "relpos": (0.0 if right else 1.0, 0.2)},
        zorder=5,
    )
