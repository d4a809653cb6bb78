"""JSON of the tools that time programs: which tool wrote a file, and its benchmarks.

A format is a module that makes benchmarks of a tool's JSON, and the keys that it is known by here.
"""

import json
from collections.abc import Mapping
from typing import Any

from logca.numeric.timings.benchmark_runs import Benchmark
from logca.numeric.timings.extra_p import extra_p_benchmarks
from logca.numeric.timings.google_benchmark import google_benchmarks
from logca.numeric.timings.hyperfine import hyperfine_benchmarks
from logca.numeric.timings.pytest_benchmark import pytest_benchmarks
from logca.numeric.timings.timings import TimingsError

__all__ = ["benchmarks_of"]


def benchmarks_of(
    text: str, columns: Mapping[str, str], units: Mapping[str, str], file: str
) -> tuple[list[Benchmark], list[str]]:
    """Benchmarks of a JSON file, by the keys that only one tool writes."""
    data = _json(text, file)
    for role in ("host", "accelerated"):
        if role in columns:
            raise TimingsError(f"columns: {role!r} is for tables; give {role}='NAME' for JSON")
    known = set(units) - ({"granularity", "time"} if "measurements" in data else {"granularity"})
    if known:
        raise TimingsError(
            f"units: {', '.join(sorted(known))}: times in {file} have units of their own"
        )
    wanted = columns.get("granularity")
    if isinstance(data, dict):
        if "benchmarks" in data and "machine_info" in data:
            return pytest_benchmarks(data, wanted, file)
        if "benchmarks" in data:
            return google_benchmarks(data, file)
        if "results" in data:
            return hyperfine_benchmarks(data, wanted, file)
        if "measurements" in data and "parameters" in data:
            return extra_p_benchmarks(data, columns.get("time"), units.get("time"), file)
    if isinstance(data, dict) and str(data.get("format")).startswith("logca-fit"):
        raise TimingsError(f"{file}: is a fit already, for `logca decide`, `codegen` and `report`")
    raise TimingsError(
        f"{file}: JSON of no known tool; known are Google Benchmark (key benchmarks), "
        "pytest-benchmark (benchmarks, machine_info), hyperfine (results), Extra-P (measurements, "
        "parameters); or write a table granularity_B,host_s,accelerated_s"
    )


def _json(text: str, file: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise TimingsError(
            f"{file}: line {error.lineno}: no JSON: {error.msg}; write a table as CSV, or JSON of "
            "a known tool"
        ) from None
    except (RecursionError, ValueError) as error:
        raise TimingsError(f"{file}: JSON that cannot be read: {error}") from None
