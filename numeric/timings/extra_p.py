"""Timings from Extra-P's JSON files, the new format and the one with ids.

Fields: extra-p/extrap, docs/file-formats.md.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from logca.numeric.timings.benchmark_runs import Benchmark, entries, field, table, times
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import said

__all__ = ["extra_p_benchmarks"]

_T = TypeVar("_T")
_Entry = tuple[str, str, dict[str, object], list[object], str]


def extra_p_benchmarks(
    data: Mapping[str, Any], metric: str | None, unit: str | None, file: str
) -> tuple[list[Benchmark], list[str]]:
    """Runs of a file, one benchmark for each call path and point."""
    read = _with_ids if "callpaths" in data else _by_callpath
    listed = read(data, file)
    chosen = _metric(list(dict.fromkeys(metric for _, metric, *_ in listed)), metric, file)
    found = [
        Benchmark(
            name=callpath,
            parameters=point,
            seconds=times(values, unit or "s", f"{file}: {place}"),
            where=place,
        )
        for callpath, of, point, values, place in listed
        if of == chosen
    ]
    notes = [f"{chosen!r} is taken as seconds; other units: {said('units', time='ms')}"]
    return found, [] if unit else notes


def _metric(metrics: list[str], wanted: str | None, file: str) -> str:
    if wanted is not None and wanted not in metrics:
        raise TimingsError(f"{file}: there is no metric {wanted!r}; known: {', '.join(metrics)}")
    times_ = [each for each in metrics if "time" in each.lower()]
    for found in ([wanted] if wanted else [], metrics, times_):
        if len(found) == 1:
            return found[0]
    raise TimingsError(
        f"{file}: which metric is the time? There are {', '.join(metrics) or 'none'}; say "
        + said("columns", time="METRIC")
    )


def _by_callpath(data: Mapping[str, Any], file: str) -> list[_Entry]:
    parameters = field(data, "parameters", file)
    if not isinstance(parameters, list) or not parameters:
        raise TimingsError(f"{file}: parameters must be a list of names")
    found: list[_Entry] = []
    measurements = table(field(data, "measurements", file), f"{file}: measurements")
    for callpath, by_metric in measurements.items():
        where = f"measurements.{callpath}"
        for metric in table(by_metric, f"{file}: {where}"):
            for place, each in entries(by_metric, metric, f"{file}: {where}"):
                here = f"{where}.{place}"
                point = field(each, "point", f"{file}: {here}")
                if not isinstance(point, list) or len(point) != len(parameters):
                    raise TimingsError(
                        f"{file}: {here}: point must have {len(parameters)} value(s), one for each "
                        f"of {', '.join(map(str, parameters))}"
                    )
                named = dict(zip(map(str, parameters), point, strict=True))
                values = field(each, "values", f"{file}: {here}")
                found.append((callpath, metric, named, values, f"{here}.values"))
    return found


def _with_ids(data: Mapping[str, Any], file: str) -> list[_Entry]:
    callpaths, metrics, parameters = (
        {
            _id(each, "id", f"{file}: {place}"): str(field(each, "name", f"{file}: {place}"))
            for place, each in entries(data, key, file)
        }
        for key in ("callpaths", "metrics", "parameters")
    )
    points: dict[object, dict[str, object]] = {}
    for place, each in entries(data, "coordinates", file):
        where = f"{file}: {place}"
        pairs = entries(each, "parameter_value_pairs", where)
        points[_id(each, "id", where)] = {
            _known(parameters, pair, "parameter_id", f"{where}.{inner}"): field(
                pair, "parameter_value", f"{where}.{inner}"
            )
            for inner, pair in pairs
        }
    return [
        (
            _known(callpaths, each, "callpath_id", f"{file}: {place}"),
            _known(metrics, each, "metric_id", f"{file}: {place}"),
            _known(points, each, "coordinate_id", f"{file}: {place}"),
            [field(each, "value", f"{file}: {place}")],
            f"{place}.value",
        )
        for place, each in entries(data, "measurements", file)
    ]


def _known(named: Mapping[Any, _T], entry: Mapping[str, Any], key: str, where: str) -> _T:
    found = _id(entry, key, where)
    if found in named:
        return named[found]
    raise TimingsError(f"{where}: {key} {found!r} is not defined in the file")


def _id(entry: Mapping[str, Any], key: str, where: str) -> str | int:
    found = field(entry, key, where)
    if isinstance(found, str | int):
        return found
    raise TimingsError(f"{where}: {key} must be a number or a text, not {found!r:.40}")
