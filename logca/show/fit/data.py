"""A fit as plain data for JSON."""

from collections.abc import Sequence
from typing import Any

from logca.numeric.fit.fit import Fit
from logca.numeric.fit.information_criterion import akaike_weights
from logca.show.fit.tables import peak_of, sizes_of, unit_of
from logca.show.fit.words import answer

__all__ = [
    "fit_data",
]


def fit_data(fit: Fit, notes: Sequence[str] = ()) -> dict[str, Any]:
    """A fit as JSON has it; what does not exist is null, and so is an end that data do not give."""
    values = {**fit.parameters, **sizes_of(fit), "peak": peak_of(fit)}
    units = {name: unit_of(name, fit, 0.0)[1] for name in values if name not in sizes_of(fit)}
    weights = akaike_weights(fit.models)
    return {
        "answer": answer(fit),
        "latency": fit.latency,
        "level": fit.level,
        "quantities": {
            name: {
                "value": values[name],
                "lower": each.lower,
                "upper": each.upper,
                "none": each.none,
                "unit": units.get(name, "B"),
            }
            for name, each in fit.intervals.items()
        },
        "models": {
            name: {"aicc": aicc, "weight": weights[name]} for name, aicc in fit.models.items()
        },
        "warnings": fit.warnings,
        "next_sizes": fit.next_sizes,
        "notes": notes,
        "provenance": fit.provenance,
    }
