"""Panels of optimization regions: arrows where improving a parameter pays, bands, sensitivity."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation, Transform, blended_transform_factory

from logca.numeric.accelerator.regions import PARAMETERS, Region, SizeInterval
from logca.plots.axes import (
    fraction,
    granularities,
    granularity_axis,
    in_points,
    letters_of,
    short_size,
    small_letters,
    speedup_axis,
    speedup_range,
    text_size,
    white_box,
    write,
)
from logca.plots.drawing import Drawing, Panel
from logca.plots.sensitivity import improvement_label
from logca.plots.style import BANDS, BLACK, GREY, IMPROVED

__all__ = ["draw_arrows", "draw_regions", "strip_height"]

_BESIDE, _GAP = 7.0, 3.0
_ROW = 1.4
"""Distance of the rows, in sizes of small letters [1]."""


def strip_height(letters: float) -> float:
    """Height of the rows together [pt]."""
    return letters * (_ROW * len(PARAMETERS) + 0.5)


def draw_arrows(axes: Axes, cutoffs: Mapping[str, tuple[SizeInterval, ...]]) -> None:
    """Draw one row for each parameter: a bar at each cut-off, an arrow where it goes on."""
    letters = small_letters(axes)
    for row, name in enumerate(reversed(PARAMETERS)):
        place = _above(axes, letters * (_ROW * (row + 0.75)))
        _words(axes, place, 0.0, f"${name}$", "right", _BESIDE)
        low, high = axes.get_xlim()
        shown = [each for each in cutoffs[name] if each.start < high and each.end > low]
        for each in shown:
            _draw_arrow(axes, place, name, each)
        if not shown:
            outside = " and ".join(map(str, cutoffs[name]))
            _words(axes, place, 0.5, f"only {outside}" if outside else "nowhere", "center")


def _draw_arrow(axes: Axes, place: Transform, name: str, interval: SizeInterval) -> None:
    low, high = axes.get_xlim()
    start, end = max(interval.start, low), min(interval.end, high)
    style = {"color": IMPROVED[name]["color"], "transform": place, "clip_on": False}
    axes.plot([start, end], [1, 1], linewidth=1.0, solid_capstyle="butt", **style)
    cut = interval.start > low, interval.end < high
    for size, stops, open_ended in ((start, cut[0], "<"), (end, cut[1], ">")):
        marker = "|" if stops else open_ended
        axes.plot([size], [1], marker=marker, markersize=3.5, **style)
    left, right = (fraction(axes, each, 1.0)[0] for each in (start, end))
    if cut[0]:
        text = short_size(interval.start)
        before = left > text_size(axes, text)[0]
        _words(axes, place, left, text, "right" if before else "left", _GAP)
    if cut[1]:
        text = short_size(interval.end)
        after = 1 - right > text_size(axes, text)[0]
        _words(axes, place, right, text, "left" if after else "right", _GAP)


def _words(
    axes: Axes, place: Transform, across: float, text: str, side: str, gap: float = 0.0
) -> None:
    """Text beside the end of an arrow; where there is no room, on the arrow."""
    shift = {"left": gap, "right": -gap, "center": 0.0}[side]
    beside = blended_transform_factory(axes.transAxes, place)
    style = {"ha": side, "va": "center_baseline", "bbox": white_box(0.3)}
    write(axes, text, (across, 1.0), beside, (shift, 0), annotation_clip=False, **style)


def _above(axes: Axes, points: float) -> Transform:
    """Granularities across, and upwards a distance from the top of the axes in points."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    shift = ScaledTranslation(0, points / 72, figure.dpi_scale_trans)
    return blended_transform_factory(axes.transData, axes.transAxes) + shift


_LETTER, _UPRIGHT = 0.8, 1.0
"""Width of a bold letter, and of a label written upwards, over the size of letters [1]."""

_HEADROOM, _MIDDLE = 0.16, 0.75
_BOLD: dict[str, Any] = {"fontsize": "medium", "fontweight": "bold", "zorder": 5}


def draw_regions(axes: Axes, panel: Panel, drawing: Drawing) -> None:
    """Draw bands, the curve as it is and with each parameter improved, and arrows above."""
    [accelerator] = panel.accelerators
    g = granularities(drawing.low, drawing.high)
    ratio = panel.ratio(g)
    curves = {
        name: ratio * accelerator.improve(**{name: drawing.improvement}).speedup(g)
        for name in PARAMETERS
    }
    base = ratio * accelerator.speedup(g)
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
        turned = 0 if room > _LETTER * len(text) else 90
        style = {"ha": "center", "va": "top", "rotation": turned, **_BOLD}
        write(axes, text, ((left + right) / 2, 1), "axes fraction", (0, -3), **style)
    for place, (across, text) in enumerate(reversed(narrow)):
        _lead_to(axes, across, text, place)


def _lead_to(axes: Axes, across: float, text: str, place: int) -> None:
    """A label outside of a band that is too narrow for it, with a line, where no curves are."""
    letters = letters_of(axes)
    right = across < _MIDDLE
    line = {"arrowstyle": "-", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0}
    shift = (6 if right else -6, 6 + 1.4 * letters * place)
    arrow = {**line, "relpos": (0.0 if right else 1.0, 0.2)}
    side = "left" if right else "right"
    write(axes, text, (across, 0), "axes fraction", shift, ha=side, arrowprops=arrow, **_BOLD)
