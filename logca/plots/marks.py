"""Break-even and half-peak granularities, marked on a curve and named."""

from collections.abc import Collection, Sequence
from math import inf
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.arrays.arrays import Array
from logca.numeric.fit.break_evens import FARTHEST
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.plots.axes import fraction, short_size, text_size, white_box, write
from logca.plots.style import BLACK, GREY

__all__ = ["Mark", "acceleration_line", "level", "mark", "marks_of", "note", "summary"]

_RIGHT, _HALFWAY, _GAP = 0.97, 0.4, 0.06


class Mark(NamedTuple):
    """A granularity of an accelerator that has a name."""

    symbol: str  # how the name is printed
    speedup: float  # the speedup there [1]
    sizes: Sequence[float]  # all granularities of that speedup, ascending [B]
    rising: Collection[float]  # those of them behind which the speedup is more [B]
    filled: bool  # whether its marker is filled

    def named(self, g: float, size: str) -> str:
        """Label of the mark at one of the granularities."""
        return f"{'' if g in self.rising else 'upper '}{self.symbol} = {size}"


def marks_of(accelerator: Accelerator, fit: Fit | None = None) -> tuple[Mark, ...]:
    """Break-even and half-peak; one mark if they are the same.

    Of a fit whose times have breaks those sizes from which on it pays, and up to which.
    """
    if fit is not None and fit.breaks:
        ranges = thresholds(fit).likely
        rising = [each.above for each in ranges if each.above > 0]
        falling = [each.below for each in ranges if each.below < inf]
        return (Mark("$g_1$", 1.0, sorted(rising + falling), rising, True),)
    even, half = accelerator.break_even(), accelerator.half_peak()
    if accelerator.A == 2:
        return (Mark("$g_1 = g_{A/2}$", 1.0, even, (even.lower,), True),)
    return (
        Mark("$g_1$", 1.0, even, (even.lower,), True),
        Mark("$g_{A/2}$", accelerator.A / 2, half, (half.lower,), False),
    )


def mark(axes: Axes, marks: Sequence[Mark], style: dict[str, Any], *, named: bool) -> None:
    """Draw the marks that lie within the axes, with drop lines to the horizontal axis."""
    low, high = axes.get_xlim()
    bottom, top = axes.get_ylim()
    for each in marks:
        for g in each.sizes:
            if not (low <= g <= high and bottom < each.speedup < top):
                continue
            axes.plot([g, g], [bottom, each.speedup], color=GREY, linewidth=0.5, linestyle=":")
            axes.plot(
                [g],
                [each.speedup],
                color=style["color"],
                marker=style["marker"],
                markerfacecolor=style["color"] if each.filled else "white",
                markeredgewidth=0.8,
                linestyle="none",
                zorder=4,
                label=f"_{each.symbol}",
            )
            if named:
                _name(axes, each.named(g, short_size(g)), g, each.speedup)


def note(axes: Axes, text: str, curves: list[Array], ceiling: float | None = None) -> None:
    """Write below the curves on the right, or if there is no room, above them on the left."""
    width, height = text_size(axes, text)
    lowest = min(
        fraction(axes, 1.0, float(value))[1]
        for curve in curves
        for value in curve[int(max(1 - width, 0) * len(curve)) :]
    )
    if lowest > height + _GAP:
        place, shift, alignment = (1.0, 0.0), (-3, 3), ("right", "bottom")
    else:
        top = _free_below(axes, ceiling)
        place, shift, alignment = (0.0, top), (3, -3), ("left", "top")
    sides = {"ha": alignment[0], "va": alignment[1]}
    look = {"linespacing": 1.25, "bbox": white_box(0.8, 0.8), "zorder": 5}
    write(axes, text, place, "axes fraction", shift, **sides, **look)


def acceleration_line(axes: Axes, A: float, colour: str, digits: int = 6) -> bool:
    """A dashed line where the speedup would be the acceleration, if that is within the axes."""
    bottom, top = axes.get_ylim()
    if not bottom < A < top:
        return False
    axes.axhline(A, color=colour, linewidth=0.6, linestyle=(0, (6, 3)), zorder=1)
    level(axes, f"$A$ = {A:.{digits}g}", A, colour)
    return True


def level(axes: Axes, text: str, speedup: float, colour: str = BLACK) -> None:
    """Write what a horizontal line is, above it on the left, if it is within the axes."""
    bottom, top = axes.get_ylim()
    if not bottom < speedup < top:
        return
    write(axes, text, (0, speedup), ("axes fraction", "data"), (3, 1.5), color=colour)


def summary(
    accelerator: Accelerator, fit: Fit | None = None, *, outside: tuple[float, float] | None = None
) -> list[str]:
    """The marks in words: their sizes, or that there is none."""
    lines = []
    for each in marks_of(accelerator, fit):
        shown = [g for g in each.sizes if outside is None or not outside[0] <= g <= outside[1]]
        only_upper = len(shown) == 1 and shown[0] not in each.rising
        if not each.sizes:
            lines.append(f"no {each.symbol}")
        elif shown:
            which = "upper " if only_upper else ""
            near = [short_size(g) for g in shown if g <= FARTHEST]
            sizes = f"= {' and '.join(near)}" if near else "beyond 1 EiB"
            lines.append(f"{which}{each.symbol} {sizes}")
    return lines


def _free_below(axes: Axes, ceiling: float | None) -> float:
    """Where on the left there are neither curves nor other words, in fractions of the axes [1]."""
    even = fraction(axes, 1.0, 1.0)[1]
    if _HALFWAY < even < 1:
        return even  # above break-even there may be the name of a mark
    return 1.0 if ceiling is None else min(1.0, fraction(axes, 1.0, ceiling)[1])


def _name(axes: Axes, text: str, g: float, speedup: float) -> None:
    """Beside the mark: below on the right, else above on the left, else at the right edge."""
    width, _ = text_size(axes, text)
    place, _ = fraction(axes, g, speedup)
    x, shift, alignment = place, (4, -3), ("left", "top")
    if place + width > _RIGHT:
        x, shift, alignment = place, (-4, 3), ("right", "bottom")
        if place < width:
            x, shift, alignment = 1.0, (-1, -4), ("right", "top")
    sides = {"ha": alignment[0], "va": alignment[1]}
    write(axes, text, (x, speedup), ("axes fraction", "data"), shift, **sides, zorder=5)
