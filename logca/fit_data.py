"""A fit as programs read it."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from logca.fit_tables import peak_of, sizes_of
from logca.fit_words import answer, unit_of
from logca.numeric.fitting.fit import Fit
from logca.numeric.fitting.observed import akaike_weights

__all__ = ["fit_data"]


def fit_data(fit: Fit, notes: Sequence[str] = ()) -> dict[str, Any]:
    """A fit as JSON has it; what does not exist is null, and so is an end that data do not give.

    Parameters
    ----------
    fit : Fit
        The fit.
    notes : sequence of str
        What was left out, sorted or assumed in reading the timings [text].
    """
    values = {**fit.parameters, **sizes_of(fit), "peak": peak_of(fit)}
    units = {name: unit_of(name, fit, 0.0)[1] for name in values if name not in sizes_of(fit)}
    weights = akaike_weights(fit.models)
    return {
        "answer": answer(fit),
        "latency": fit.latency,
        "level": fit.level,
        "quantities": {
            name: {
                "value": _finite(values[name]),
                "lower": _finite(each.lower),
                "upper": _finite(each.upper),
                "none": each.none,
                "unit": units.get(name, "B"),
            }
            for name, each in fit.intervals.items()
        },
        "models": {
            name: {"aicc": _finite(aicc), "weight": weights[name]}
            for name, aicc in fit.models.items()
        },
        "warnings": list(fit.warnings),
        "next_sizes": list(fit.next_sizes),
        "notes": list(notes),
        "provenance": dict(fit.provenance),
    }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
