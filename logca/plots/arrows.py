"""Rows of arrows above the axes: over which granularities improving a parameter pays."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation, Transform, blended_transform_factory

from logca.numeric.regions import PARAMETERS, Interval
from logca.plots.axes import fraction, short_size, small_letters, text_size
from logca.plots.style import IMPROVED

__all__ = ["draw_arrows", "strip_height"]

_BESIDE, _GAP = 7.0, 3.0
_ROW = 1.4
"""Distance of the rows, in sizes of small letters [1]."""


def strip_height(letters: float) -> float:
    """How high the rows are together [pt].

    Parameters
    ----------
    letters : float
        Size of small letters [pt].
    """
    return letters * (_ROW * len(PARAMETERS) + 0.5)


def draw_arrows(axes: Axes, cutoffs: Mapping[str, tuple[Interval, ...]]) -> None:
    """Draw one row for each parameter: a bar at each cut-off, an arrow where it goes on.

    Parameters
    ----------
    axes : Axes
        Axes with their final horizontal range.
    cutoffs : mapping of str to tuple of Interval
        For each parameter where improving it pays [B].
    """
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


def _draw_arrow(axes: Axes, place: Transform, name: str, interval: Interval) -> None:
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
    axes.annotate(
        text,
        (across, 1.0),
        xycoords=blended_transform_factory(axes.transAxes, place),
        xytext=(shift, 0),
        textcoords="offset points",
        ha=side,
        va="center_baseline",
        fontsize="small",
        annotation_clip=False,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3},
    )


def _above(axes: Axes, points: float) -> Transform:
    """Granularities across, and upwards a distance from the top of the axes in points."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    shift = ScaledTranslation(0, points / 72, figure.dpi_scale_trans)
    return blended_transform_factory(axes.transData, axes.transAxes) + shift
