"""A fit as plain data for JSON, and as it shows itself in Python."""

from collections.abc import Iterator, Sequence
from typing import Any

from logca.common.json_output import attributes
from logca.common.tables import Table
from logca.numeric.fit.estimate import akaike_weights
from logca.numeric.fit.fit import Fit
from logca.plots.fit import FitPicture
from logca.show.fit.tables import granularity_table, parameter_table, peak_of, sizes_of, unit_of
from logca.show.fit.words import answer
from logca.show.results import View

__all__ = [
    "VIEWS",
    "fit_data",
]


def fit_data(fit: Fit, notes: Sequence[str] = ()) -> dict[str, Any]:
    """A fit as JSON has it; what does not exist is null, and so is an end that data do not give."""
    values = {**fit.parameters, **sizes_of(fit), "peak": peak_of(fit)}
    units = {name: unit_of(name, fit, 0.0)[1] for name in values if name not in sizes_of(fit)}
    weights = akaike_weights(fit.models)
    return {
        "answer": answer(fit),
        **attributes(fit, "latency level"),
        "quantities": {
            name: {
                "value": values[name],
                **each._asdict(),
                "unit": units.get(name, "B"),
            }
            for name, each in fit.intervals.items()
        },
        "models": {
            name: {"aic": each, "weight": weights[name]} for name, each in fit.models.items()
        },
        **attributes(fit, "warnings next_sizes"),
        "notes": notes,
        "provenance": fit.provenance,
    }


def _tables(fit: Fit) -> Iterator[Table]:
    yield parameter_table(fit)
    yield granularity_table(fit)
    if fit.warnings:
        yield Table.facts([("limit", each) for each in fit.warnings], "Limits of this fit")


def _rows(fit: Fit, of: str, key: str) -> Iterator[dict[str, Any]]:
    return ({key: name, **each} for name, each in fit_data(fit)[of].items())


VIEWS = {
    "Fit": View(
        answer=answer,
        tables=_tables,
        rows={
            "quantities": lambda found: _rows(found, "quantities", "quantity"),
            "models": lambda found: _rows(found, "models", "latency"),
        },
        picture=lambda found: FitPicture(title="Fit", fit=found),
    )
}
"""View of a fit in Python."""
