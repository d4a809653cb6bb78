"""Logarithmic axes: granularities in powers of two, speedups in powers of ten."""

import re
from math import ceil, floor, log2, log10
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from logca.common.sizes import format_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.arrays.arrays import Array
from logca.plots.style import GREY

__all__ = [
    "fraction",
    "granularities",
    "granularity_axis",
    "in_points",
    "letters_of",
    "short_size",
    "small_letters",
    "speedup_axis",
    "speedup_range",
    "text_size",
    "white_box",
    "write",
]

_OCTAVES_APART = (1, 2, 3, 4, 5, 6, 7, 10, 20, 40, 100)
_DECADES_APART = (1, 2, 3, 4, 5, 10, 20, 50, 100)
_LABEL_WIDTH = 4.6
_BESIDE = 40.0
_LETTER, _LINE = 0.53, 1.35
_MOST_MINOR = 64
_POINTS = 481
_LEAST_DECADES, _MOST_DECADES = 1, 5
_NEAR, _MARGIN = 30.0, 0.1
_PLAIN = range(-3, 5)


def granularities(low: float, high: float) -> Array:
    """Granularities to draw a curve through, evenly spread on a logarithmic axis [B]."""
    return np.geomspace(low, high, _POINTS)


def in_points(axes: Axes) -> tuple[float, float]:
    """About how wide and high axes will be [pt]; they are laid out only when they are drawn."""
    figure, place = axes.get_figure(root=True), axes.get_subplotspec()
    assert figure is not None
    assert place is not None
    rows, columns, *_ = place.get_geometry()
    width, height = figure.get_size_inches()
    return 72 * width / columns - _BESIDE, 72 * height / rows - _BESIDE


def text_size(axes: Axes, text: str) -> tuple[float, float]:
    """About how large small letters make a text, in fractions of the axes [1]."""
    letters = small_letters(axes)
    lines = re.sub(r"[${}_\\]", "", text).split("\n")
    width, height = in_points(axes)
    return (
        _LETTER * letters * max(map(len, lines)) / width,
        _LINE * letters * len(lines) / height,
    )


def write(
    axes: Axes,
    text: str,
    at: tuple[float, float],
    coordinates: Any,
    shift: tuple[float, float],
    **style: Any,
) -> Annotation:
    """Write in small letters, shifted by points from a place in coordinates of matplotlib."""
    place = {"xy": at, "xycoords": coordinates, "xytext": shift, "textcoords": "offset points"}
    return axes.annotate(text, **{"fontsize": "small"} | place | style)


def white_box(pad: float, alpha: float | None = None) -> dict[str, Any]:
    """Style of a text that is to be legible on curves: the box behind it."""
    return {"facecolor": "white", "edgecolor": "none", "pad": pad, "alpha": alpha}


def letters_of(axes: Axes) -> float:
    """Size of the letters of a picture [pt]."""
    return float(axes.xaxis.label.get_fontsize())


def small_letters(axes: Axes) -> float:
    """Size of the smaller letters of a picture [pt]."""
    return float(axes.xaxis.get_ticklabels()[0].get_fontsize())


def short_size(size: float) -> str:
    """A size with three digits, for pictures.

    Examples
    --------
    >>> short_size(6438.9), short_size(1046000), short_size(16)
    ('6.29 KiB', '1021 KiB', '16 B')
    """
    number, unit = format_size(size).split()
    digits = 4 if 1000 <= float(number) < 1024 else 3
    return f"{float(number):.{digits}g} {unit}"


def fraction(axes: Axes, g: float, speedup: float) -> tuple[float, float]:
    """Where a point is, in fractions of the axes from the lower left corner [1]."""
    shown = axes.transData.transform((g, max(speedup, axes.get_ylim()[0] / 10)))
    x, y = axes.transAxes.inverted().transform(shown)
    return float(x), float(y)


def granularity_axis(axes: Axes, low: float, high: float) -> None:
    """Prepare the horizontal axis: ticks at powers of two."""
    axes.set_xscale("log", base=2)
    axes.set_xlim(low, high)
    first, last = ceil(log2(low) - 1e-9), floor(log2(high) + 1e-9)
    letters = letters_of(axes)
    fitting = max(in_points(axes)[0] / (_LABEL_WIDTH * letters), 1.0)
    apart = _apart(log2(high / low), fitting, _OCTAVES_APART)
    ticks = [2.0**power for power in range(first, last + 1, apart)]
    axes.set_xticks(ticks, [format_size(tick) for tick in ticks])
    minor = [2.0**power for power in range(first, last + 1) if (power - first) % apart]
    axes.xaxis.set_minor_locator(FixedLocator(minor) if len(minor) < _MOST_MINOR else NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def speedup_axis(axes: Axes, low: float, high: float) -> None:
    """Prepare the vertical axis: ticks at powers of ten, a line where offloading breaks even."""
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
    letters = letters_of(axes)
    apart = _apart(log10(high / low), max(in_points(axes)[1] / (2 * letters), 1.0), _DECADES_APART)
    powers = [power for power in range(first, last + 1) if power % apart == 0]
    axes.set_yticks([10.0**power for power in powers], [_decade(power) for power in powers])
    fine = last - first <= _MOST_DECADES
    digits = range(1, 10) if fine else (1,)
    minor = [digit * 10.0**power for power in range(first - 1, last + 1) for digit in digits]
    minor = [tick for tick in minor if low <= tick <= high]
    axes.yaxis.set_minor_locator(FixedLocator(minor) if len(minor) < _MOST_MINOR else NullLocator())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.axhline(1.0, color=GREY, linewidth=0.5, zorder=1)


def speedup_range(
    curves: list[Array], accelerators: tuple[Accelerator, ...], *, headroom: float = 0.1
) -> tuple[float, float]:
    """Ends of a vertical axis that shows the curves [1]."""
    positive = np.concatenate([curve[curve > 0] for curve in curves])
    highest = float(positive.max())
    near = [a.A for a in accelerators if highest > a.A / _NEAR]
    top = log10(max(highest, *near, 1.0 if highest > 1 / _NEAR else 0.0))
    bottom = float(floor(log10(float(positive.min()))))
    bottom = min(max(bottom, floor(top) - _MOST_DECADES), ceil(top) - _LEAST_DECADES)
    top = max(top + headroom * (top - bottom) / (1 - headroom), float(ceil(top + _MARGIN)))
    return 10.0**bottom, 10.0**top


def _apart(span: float, fitting: float, choices: tuple[int, ...]) -> int:
    """The least distance of labels at which no more than fit are drawn [1]."""
    return next((each for each in choices if span / each <= fitting), choices[-1])


def _decade(power: int) -> str:
    return f"{10.0**power:g}" if power in _PLAIN else f"$10^{{{power}}}$"
