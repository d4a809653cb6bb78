"""Axes of a fit: times with their units, and ratios."""

from math import ceil, floor, log, log10

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from logca.plots.axes import in_points, letters_of
from logca.plots.style import GREY

__all__ = ["ratio_axis", "time_axis"]

_UNITS = {-9: "ns", -6: "µs", -3: "ms", 0: "s"}
_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_LEAST_RATIO, _DOUBLED, _TICKS = 1.02, 2.5, 4.5


def time_axis(axes: Axes, low: float, high: float) -> None:
    """Prepare a vertical axis of times: ticks at powers of ten, with units.

    Parameters
    ----------
    axes : Axes
        The axes.
    low, high : float
        Times to show [s].
    """
    axes.set_yscale("log")
    axes.set_ylim(low / 1.5, high * 1.5)
    first, last = ceil(log10(low / 1.5)), floor(log10(high * 1.5))
    fitting = max(int(in_points(axes)[1] / (1.7 * letters_of(axes))), 1)
    apart = -(-(last - first + 1) // fitting)
    powers = range(first, last + 1, apart)
    axes.set_yticks([10.0**power for power in powers], [_time(power) for power in powers])
    fine = last - first <= 4
    minor = [digit * 10.0**power for power in range(first - 1, last + 1) for digit in range(1, 10)]
    axes.yaxis.set_minor_locator(FixedLocator(minor) if fine else NullLocator())
    axes.yaxis.set_minor_formatter(NullFormatter())


def ratio_axis(axes: Axes, low: float, high: float) -> None:
    """Prepare a logarithmic vertical axis of ratios around one.

    Parameters
    ----------
    axes : Axes
        The axes.
    low, high : float
        Ratios to show [1].
    """
    far = max(high, 1 / low, _LEAST_RATIO) ** 1.15
    axes.set_yscale("log")
    axes.set_ylim(1 / far, far)
    if far > _DOUBLED:
        apart = -(-int(log(far, 2)) // 3)
        powers = range(-3 * apart, 3 * apart + 1, apart)
        ticks = [2.0**power for power in powers]
        labels = [f"1/{2**-power}" if power < 0 else f"{2**power}" for power in powers]
    else:
        step = next((each for each in _STEPS if (far - 1) / each <= _TICKS), _STEPS[-1])
        ticks = [1 + step * number for number in range(-4, 5) if 1 + step * number > 0]
        labels = [f"{tick:g}" for tick in ticks]
    within = [k for k, tick in enumerate(ticks) if 1 / far <= tick <= far]
    axes.set_yticks([ticks[k] for k in within], [labels[k] for k in within])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.axhline(1.0, color=GREY, linewidth=0.5, zorder=1)


def _time(power: int) -> str:
    """A power of ten seconds, as people write it [text]."""
    unit = max((each for each in _UNITS if each <= power), default=-9)
    return f"{10.0 ** (power - unit):g} {_UNITS[unit]}"
