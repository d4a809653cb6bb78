"""Timings from pytest-benchmark: --benchmark-json=FILE, or --benchmark-save-data.

Fields: pytest-benchmark, docs/usage.rst and src/pytest_benchmark/stats.py. Times are for one call.
"""

from collections.abc import Mapping
from typing import Any

from logca.numeric.timings.benchmark_runs import (
    SIZES,
    Benchmark,
    entries,
    field,
    median_or_mean,
    table,
    times,
    words,
)

__all__ = ["pytest_benchmarks"]


def pytest_benchmarks(
    data: Mapping[str, Any], wanted: str | None, file: str
) -> tuple[list[Benchmark], list[str]]:
    """Runs of a file: each round a time, or the median where rounds were not saved."""
    listed = entries(data, "benchmarks", file)
    fullnames: dict[str, set[str]] = {}
    for place, each in listed:
        short = _base(field(each, "name", f"{file}: {place}"))
        fullnames.setdefault(short, set()).add(_base(each.get("fullname", short)))
    found, summarised = [], []
    for place, each in listed:
        where = f"{file}: {place}"
        short = _base(each["name"])
        alone = len(fullnames[short]) == 1
        stats = table(field(each, "stats", where), f"{where}: stats")
        if stats.get("data"):
            seconds = times(stats["data"], "s", f"{where}: stats.data")
        else:
            seconds = (median_or_mean(stats, "s", f"{where}: stats"),)
            summarised.append(place)
        found.append(
            Benchmark(
                name=short if alone else _base(each.get("fullname", short)),
                parameters=_parameters(each, wanted, where),
                seconds=seconds,
                where=f"{place} ({each['name']})",
            )
        )
    notes = []
    if summarised:
        notes.append(
            f"{summarised[0]} and {len(summarised) - 1} more have medians only; "
            "--benchmark-save-data or --benchmark-json keeps each round"
        )
    return found, notes


def _base(name: object) -> str:
    return str(name).partition("[")[0]


def _parameters(each: Mapping[str, Any], wanted: str | None, where: str) -> dict[str, object]:
    """Parameters of the test; what it wrote in extra_info only if that says the size."""
    parameters = table(each.get("params") or {}, f"{where}: params")
    extra = table(each.get("extra_info") or {}, f"{where}: extra_info")
    if wanted in parameters or (wanted is None and parameters):
        return dict(parameters)
    sizes = {
        key: value
        for key, value in extra.items()
        if key == wanted or (wanted is None and SIZES & set(words(key)))
    }
    return {**parameters, **sizes}
