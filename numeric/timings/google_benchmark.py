"""Timings from Google Benchmark: --benchmark_out=FILE --benchmark_out_format=json.

Fields: google/benchmark, docs/user_guide.md and src/json_reporter.cc.
"""

import re
from collections.abc import Mapping
from typing import Any

from logca.numeric.timings.benchmark_runs import Benchmark, entries, field
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import time_of

__all__ = ["google_benchmarks", "name_and_arguments"]

_SETTINGS = re.compile(
    r"(iterations|repeats|min_time|min_warmup_time):.*|process_time|real_time|manual_time"
)
_ARGUMENT = re.compile(r"(?:([^:]+):)?(-?\d+)")
_AGGREGATES = ("_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS", "_min", "_max")


def name_and_arguments(run_name: str) -> tuple[str, dict[str, object]]:
    """The name of a benchmark and its arguments.

    Arguments without names are called "argument 1", "argument 2", ...; settings that are part of
    the name (iterations, repeats, real_time, ...) are dropped; threads are an argument.

    Examples
    --------
    >>> name_and_arguments("BM_host/4096/real_time")
    ('BM_host', {'argument 1': '4096'})
    >>> name_and_arguments("BM_gemm<float>/n:64/2/repeats:3")
    ('BM_gemm<float>', {'n': '64', 'argument 2': '2'})
    """
    names: list[str] = []
    arguments: dict[str, object] = {}
    # a template's arguments may have slashes and numbers of their own
    head = run_name[: run_name.rfind(">") + 1]
    for part in run_name[len(head) :].split("/"):
        found = _ARGUMENT.fullmatch(part)
        if _SETTINGS.fullmatch(part):
            continue
        if found and (names or head):
            arguments[found[1] or f"argument {len(arguments) + 1}"] = found[2]
        elif part:
            names.append(part)
    return head + "/".join(names), arguments


def google_benchmarks(data: Mapping[str, Any], file: str) -> tuple[list[Benchmark], list[str]]:
    """Runs of a file: each repetition a time; of aggregates only the median, if that is all."""
    runs: list[Benchmark] = []
    summaries: dict[str, dict[str, Benchmark]] = {}
    notes: list[str] = []
    listed = entries(data, "benchmarks", file)
    names = {str(each.get("name")) for _, each in listed}
    labels: dict[str, set[str]] = {}
    for _, each in listed:
        run_name, aggregate = _run_name(each, names)
        if not (_has_failed(each) or aggregate):
            labels.setdefault(run_name, set()).add(str(each.get("label", "")))
    for place, each in listed:
        where = f"{file}: {place}"
        name = str(field(each, "name", where))
        if _has_failed(each):
            said = each.get("error_message") or each.get("skip_message") or "no message"
            notes.append(f"{place}: {name} failed ({said}); left out")
            continue
        run_name, aggregate = _run_name(each, names)
        if aggregate and aggregate not in ("median", "mean"):
            continue
        found, arguments = name_and_arguments(run_name)
        if len(labels.get(run_name, ())) > 1 and each.get("label"):
            found = f"{found} {each['label']}"  # of another benchmark, not of a repetition
        made = Benchmark(
            name=found,
            parameters=arguments,
            seconds=(_seconds(each, where),),
            where=f"{place} ({name})",
        )
        if aggregate:
            summaries.setdefault(run_name, {})[aggregate] = made
        else:
            runs.append(made)
    # with --benchmark_report_aggregates_only there is nothing else
    for run_name, by_name in summaries.items():
        best = by_name.get("median") or by_name["mean"]
        if run_name not in labels:
            runs.append(best)
            notes.append(f"{best.where}: aggregates only; their spread is not used")
    return runs, notes


def _has_failed(each: Mapping[str, Any]) -> bool:
    return bool(each.get("error_occurred") or each.get("skipped"))


def _run_name(each: Mapping[str, Any], names: set[str]) -> tuple[str, str]:
    """The name of a run without that of an aggregate, and the latter, if it is one."""
    name = str(each.get("name"))
    aggregate = _aggregate(each, name, names)
    return str(each.get("run_name", name.removesuffix(f"_{aggregate}"))), aggregate


def _aggregate(each: Mapping[str, Any], name: str, names: set[str]) -> str:
    """The name of an aggregate; none for a run. Files before version 1.5 have no run_type."""
    if "run_type" in each:
        if each["run_type"] != "aggregate":
            return ""
        return str(each.get("aggregate_name", "other"))
    for ending in _AGGREGATES:
        if name.endswith(ending) and (name.removesuffix(ending) in names or "/" in name):
            return ending[1:]
    return ""


def _seconds(each: Mapping[str, Any], where: str) -> float:
    # an accelerator works while the CPU's clock stands still: only real_time counts its work
    unit = each.get("time_unit", "ns")
    if unit not in ("ns", "us", "ms", "s"):
        raise TimingsError(f"{where}: time_unit {unit!r} is not one of ns, us, ms, s")
    return time_of(field(each, "real_time", where), unit, f"{where}: real_time")
