"""Fits as tables: parameters, granularities, forms of latency, times beside fitted ones."""

from math import inf, isnan

from logca.common.readable_numbers import PREFIXES, duration, prefix_of, probability
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.fit.break_evens import FARTHEST
from logca.numeric.fit.estimate import akaike_weights, observed
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import exactly, thresholds
from logca.numeric.fit.intervals import likely_value
from logca.show.fit.words import ends_text

__all__ = [
    "granularity_table",
    "model_table",
    "parameter_table",
    "peak_of",
    "sizes_of",
    "times_table",
    "unit_of",
]

_UNITS = {"o": "s", "C": "s/B**beta", "A": "1", "beta": "1", "peak": "1"}


def unit_of(name: str, fit: Fit, scale: float) -> tuple[float, str]:
    """A factor and a unit with which numbers of about a scale are easy to read [1],."""
    linear = "linear" in fit.estimates
    unit = ("s/B" if linear else "s") if name == "L" else _UNITS[name]
    if unit == "1" or not 0 < scale < float("inf"):
        return 1.0, unit
    factor = prefix_of(scale * (1 + 1e-12))
    return 1 / factor, f"{PREFIXES[factor]}{unit}"


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
_SYMBOL = Column(symbol=True)


def parameter_table(fit: Fit) -> Table:
    """Parameters with intervals and units."""
    values = fit.parameters
    rows = [
        (name, meaning, *_numbers(fit, name, values[name])) for name, meaning in _PARAMETERS.items()
    ]
    return Table.by_rows(
        (_SYMBOL, "parameter", Column.number("estimate"), "interval", "unit"),
        rows,
        title=f"Parameters ({fit.latency} latency, intervals of {probability(fit.level)})",
        notes=("without breaks: those of the curve up to the first",) * bool(fit.breaks),
    )


def granularity_table(fit: Fit) -> Table:
    """Break-evens, half the acceleration and the greatest speedup."""
    found = sizes_of(fit)
    rows = [
        (
            name,
            meaning,
            format_size(found[name]) if not isnan(found[name]) else "none",
            ends_text(fit.intervals[name], format_size),
            probability(fit.intervals[name].none),
        )
        for name, meaning in _SIZES.items()
    ]
    if "peak" in fit.intervals:
        value, ends, _ = _numbers(fit, "peak", peak_of(fit))
        rows.append(("peak", "greatest speedup", value, ends, ""))
    return Table.by_rows(
        (_SYMBOL, "what", Column.number("estimate"), "interval", Column.number("none")),
        rows,
        title=f"Granularities (intervals of {probability(fit.level)})",
        notes=(
            *("of the curve, which the times contradict: the answer above is theirs",)
            * bool(thresholds(fit).contradicted),
            "none: confidence that there is no such size below 1 EiB.",
        ),
    )


def model_table(fit: Fit) -> Table:
    """Forms of latency that were compared."""
    weights = akaike_weights(fit.models)
    least = min(fit.models.values())
    return Table.by_rows(
        ("latency", *map(Column.number, ("AIC", "above the best", "weight"))),
        (
            (latency, f"{each:.1f}", f"{each - least:.1f}", probability(weights[latency]))
            for latency, each in sorted(fit.models.items(), key=lambda each: each[1])
        ),
        title="Forms of latency",
    )


def times_table(fit: Fit) -> Table:
    """Medians of the times that are no outliers, beside the fitted times."""
    estimate = fit.estimates[fit.latency]
    cells: dict[float, dict[str, str]] = {}
    for path in ("host", "accelerated"):
        seen = observed(estimate, path)
        for size, median, fitted in zip(seen.size, seen.median, seen.fitted, strict=True):
            row = cells.setdefault(float(f"{size:.12g}"), {})
            row[path], row[f"{path} fitted"] = duration(median, 3), duration(fitted, 3)
    columns = ("host", "host fitted", "accelerated", "accelerated fitted")
    headings = ("size", "host", "fitted", "accelerated", "fitted")
    return Table.by_rows(
        map(Column.number, headings),
        (
            (format_size(size), *(cells[size].get(each, "") for each in columns))
            for size in sorted(cells)
        ),
    )


def sizes_of(fit: Fit) -> dict[str, float]:
    """The most likely granularities, NaN where there is none; zero if every size pays [B]."""
    nan = float("nan")
    if fit.breaks:
        estimate = fit.estimates[fit.latency]
        return {name: likely_value(estimate, name) for name in _SIZES}
    if fit.parameters["A"] <= 1:
        return dict.fromkeys(_SIZES, nan)
    likely, half = exactly(fit.accelerator), fit.accelerator.half_peak().lower
    found = {"g1": likely.above, "g1_upper": likely.below, "gA2": half}
    return {name: size if size <= FARTHEST else nan for name, size in found.items()}


def peak_of(fit: Fit) -> float:
    """The most likely greatest speedup at any size up to 1 EiB [1]."""
    return likely_value(fit.estimates[fit.latency], "peak")


def _numbers(fit: Fit, name: str, value: float) -> tuple[str, str, str]:
    """Estimate, interval and unit."""
    interval = fit.intervals[name]
    scale = next((each for each in (value, interval.upper, interval.lower) if 0 < each < inf), 0.0)
    factor, unit = unit_of(name, fit, scale)
    ends = ends_text(interval, lambda end: f"{end * factor:.4g}")
    return f"{value * factor:.4g}", ends, unit
