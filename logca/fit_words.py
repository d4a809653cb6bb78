"""What a fit says, in words: whether offloading pays, and how its numbers are written."""

from collections.abc import Callable
from math import isfinite, isnan

from logca.numeric.fitting.fit import Fit
from logca.numeric.fitting.intervals import Interval
from logca.numeric.fitting.threshold_words import percent
from logca.numeric.sizes import format_size

__all__ = ["answer", "ends_text", "time_text", "unit_of", "within"]

_PREFIXES = {1e-15: "f", 1e-12: "p", 1e-9: "n", 1e-6: "µ", 1e-3: "m", 1.0: ""}
_UNITS = {"o": "s", "C": "s/B**beta", "A": "1", "beta": "1", "peak": "1"}


def answer(fit: Fit) -> str:
    """Whether offloading pays, and from which size on: one sentence [text].

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    g1, doubt = fit.intervals["g1"], (1 - fit.level) / 2
    smallest, largest = float(fit.timings.granularity[0]), float(fit.timings.granularity[-1])
    if g1.none > 1 - doubt:
        return "Offloading does not pay at any size."
    if g1.none > doubt:
        return (
            "Whether offloading pays cannot be told from these timings: there is no break-even "
            f"with a confidence of {percent(g1.none)}."
        )
    if g1.upper < smallest:
        start = f"Offloading pays at every size measured, from {format_size(smallest)} on"
    else:
        start = f"Offloading pays from {_point(fit)} on{within(g1, fit.level)}"
        if g1.lower > largest:
            start += ", beyond the largest size measured"
    return f"{start}{_until(fit, doubt)}."


def _point(fit: Fit) -> str:
    """The most likely break-even, or where it is if that is not told [text]."""
    found = fit.accelerator.break_even() if fit.parameters["A"] > 1 else None
    if found is None or isnan(found.lower):
        return "a size that is not known well"
    return format_size(found.lower)


def _until(fit: Fit, doubt: float) -> str:
    upper = fit.intervals["g1_upper"]
    if upper.none > 1 - doubt:
        return ""
    ends = [*fit.accelerator.break_even()][1:] if fit.parameters["A"] > 1 else []
    if upper.none > doubt or not ends:
        return f"; that it ceases to pay at some larger size cannot be ruled out ({_sure(upper)})"
    return f", up to {format_size(ends[0])}{within(upper, fit.level)}"


def _sure(upper: Interval) -> str:
    return f"{percent(1 - upper.none)} confidence"


def within(interval: Interval, level: float) -> str:
    """An interval of a size, in brackets; empty if there is none [text].

    Parameters
    ----------
    interval : Interval
        The interval [B].
    level : float
        Its confidence [1].

    Examples
    --------
    >>> within(Interval(1024.0, 4096.0), 0.95)
    ' (95 % interval: 1 KiB to 4 KiB)'
    """
    ends = ends_text(interval, format_size)
    return f" ({percent(level)} interval: {ends})" if ends else ""


def ends_text(interval: Interval, written: Callable[[float], str]) -> str:
    """Both ends of an interval; empty if there is none [text].

    Parameters
    ----------
    interval : Interval
        The interval [any unit].
    written : callable
        How an end is written.

    Examples
    --------
    >>> ends_text(Interval(1024.0, float("inf")), format_size)
    '1 KiB or more'
    """
    low, high, _ = interval
    if isnan(low):
        return ""
    if not isfinite(high):
        return f"{written(low)} or more" if low > 0 else "any"
    return f"{written(low)} to {written(high)}" if low > 0 else f"up to {written(high)}"


def time_text(time: float) -> str:
    """A time with three digits and a unit; empty if there is none [text].

    Parameters
    ----------
    time : float
        The time [s].

    Examples
    --------
    >>> time_text(1.234e-5), time_text(9.999e-10), time_text(float("nan"))
    ('12.3 µs', '1 ns', '')
    """
    if isnan(time):
        return ""
    rounded = float(f"{time:.3g}")
    factor = max((each for each in _PREFIXES if each <= rounded), default=1e-15)
    return f"{rounded / factor:.3g} {_PREFIXES[factor]}s"


def unit_of(name: str, fit: Fit, scale: float) -> tuple[float, str]:
    """A factor and a unit with which numbers of about a scale are easy to read [1], [text].

    Parameters
    ----------
    name : str
        o, L, C, A, beta or peak [text].
    fit : Fit
        The fit, whose forms of latency say what L is.
    scale : float
        Such a number [s], [s/B], [s/B**beta] or [1].
    """
    linear = "linear" in fit.estimates
    unit = ("s/B" if linear else "s") if name == "L" else _UNITS[name]
    if unit == "1" or not 0 < scale < float("inf"):
        return 1.0, unit
    factor = max((each for each in _PREFIXES if each <= scale * (1 + 1e-12)), default=1e-15)
    return 1 / factor, f"{_PREFIXES[factor]}{unit}"
