"""The numbers of a fit as tables: parameters, granularities, forms of latency."""

from math import exp, inf, isnan

from logca.fit_words import ends_text, time_text, unit_of
from logca.grids import Grid
from logca.numeric.fitting.derived import FARTHEST, log_peak
from logca.numeric.fitting.fit import Fit
from logca.numeric.fitting.observed import akaike_weights, observed
from logca.numeric.fitting.threshold_words import percent
from logca.numeric.fitting.thresholds import thresholds
from logca.numeric.sizes import format_size

__all__ = [
    "granularity_grid",
    "model_grid",
    "parameter_grid",
    "peak_of",
    "sizes_of",
    "times_grid",
]

_PARAMETERS = {
    "o": "overhead",
    "L": "latency",
    "C": "computational index",
    "A": "acceleration",
    "beta": "exponent of complexity",
}
_SIZES = {
    "g1": "break-even: pays from here on",
    "g1_upper": "upper break-even: pays up to here",
    "gA2": "half the acceleration",
}
_NUMBERS = frozenset({"estimate", "none"})


def parameter_grid(fit: Fit) -> Grid:
    """Parameters with intervals and units.

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    values = fit.parameters
    rows = [
        (name, meaning, *_numbers(fit, name, values[name])) for name, meaning in _PARAMETERS.items()
    ]
    return Grid(
        title=f"Parameters ({fit.latency} latency, intervals of {percent(fit.level)})",
        headings=("", "parameter", "estimate", "interval", "unit"),
        rows=tuple(rows),
        right=_NUMBERS,
    )


def granularity_grid(fit: Fit) -> Grid:
    """Break-evens, half the acceleration and the greatest speedup.

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    found = sizes_of(fit)
    rows = [
        (
            name,
            meaning,
            format_size(found[name]) if not isnan(found[name]) else "none",
            ends_text(fit.intervals[name], format_size),
            percent(fit.intervals[name].none),
        )
        for name, meaning in _SIZES.items()
    ]
    if "peak" in fit.intervals:
        value, ends, _ = _numbers(fit, "peak", peak_of(fit))
        rows.append(("peak", "greatest speedup", value, ends, ""))
    return Grid(
        title=f"Granularities (intervals of {percent(fit.level)})",
        headings=("", "what", "estimate", "interval", "none"),
        rows=tuple(rows),
        notes=("none: confidence that there is no such size below 1 EiB.",),
        right=_NUMBERS,
    )


def model_grid(fit: Fit) -> Grid:
    """Forms of latency that were compared.

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    weights = akaike_weights(fit.models)
    least = min(fit.models.values())
    return Grid(
        title="Forms of latency",
        headings=("latency", "AICc", "above the least", "weight"),
        rows=tuple(
            (latency, f"{aicc:.1f}", f"{aicc - least:.1f}", percent(weights[latency]))
            for latency, aicc in sorted(fit.models.items(), key=lambda each: each[1])
        ),
        right=frozenset({"AICc", "above the least", "weight"}),
    )


def times_grid(fit: Fit) -> Grid:
    """Medians of the times that are no spikes, beside the fitted times.

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    estimate = fit.estimates[fit.latency]
    cells: dict[float, dict[str, str]] = {}
    for path in ("host", "accelerated"):
        seen = observed(estimate, path)
        for size, median, fitted in zip(seen.size, seen.median, seen.fitted, strict=True):
            row = cells.setdefault(float(f"{size:.12g}"), {})
            row[path], row[f"{path} fitted"] = time_text(median), time_text(fitted)
    columns = ("host", "host fitted", "accelerated", "accelerated fitted")
    headings = ("size", "host", "fitted", "accelerated", "fitted")
    return Grid(
        headings=headings,
        rows=tuple(
            (format_size(size), *(cells[size].get(each, "") for each in columns))
            for size in sorted(cells)
        ),
        right=frozenset(headings),
    )


def sizes_of(fit: Fit) -> dict[str, float]:
    """The most likely granularities, NaN where there is none; zero if every size pays [B].

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    likely, nan = thresholds(fit).likely, float("nan")
    if fit.parameters["A"] <= 1:
        return dict.fromkeys(_SIZES, nan)
    half = fit.accelerator.half_peak().lower
    found = {"g1": likely.above, "g1_upper": likely.below, "gA2": half}
    return {name: size if size <= FARTHEST else nan for name, size in found.items()}


def peak_of(fit: Fit) -> float:
    """The most likely greatest speedup at any size up to 1 EiB [1].

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    return exp(log_peak(fit.estimates[fit.latency]))


def _numbers(fit: Fit, name: str, value: float) -> tuple[str, str, str]:
    """Estimate, interval and unit [text]."""
    interval = fit.intervals[name]
    scale = next((each for each in (value, interval.upper, interval.lower) if 0 < each < inf), 0.0)
    factor, unit = unit_of(name, fit, scale)
    ends = ends_text(interval, lambda end: f"{end * factor:.4g}")
    return f"{value * factor:.4g}", ends, unit
