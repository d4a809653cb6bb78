"""Timings from hyperfine: --export-json FILE, with sizes from -L or -P.

Fields: hyperfine, README.md and src/benchmark/benchmark_result.rs (version 1), tests/snapshots
(version 2). Times are wall-clock, in seconds.
"""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Any

from logca.numeric.timings.benchmark_runs import Benchmark, entries, field, median_or_mean, table
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import time_of

__all__ = ["hyperfine_benchmarks"]

_OCCURRENCES = 6  # of a value in a command, that are distinguished


def hyperfine_benchmarks(
    data: Mapping[str, Any], wanted: str | None, file: str
) -> tuple[list[Benchmark], list[str]]:
    """Runs of a file; those with an exit code other than 0 are left out."""
    listed = entries(data, "results", file)
    notes: list[str] = []
    commands, parameters = [], []
    for place, each in listed:
        commands.append(str(each.get("name") or field(each, "command", f"{file}: {place}")))
        parameters.append(_parameters(each, f"{file}: {place}"))
    found = []
    for name, given, (place, each) in zip(
        _templates(commands, parameters), parameters, listed, strict=True
    ):
        seconds = _seconds(each, place, file, notes)
        if seconds:
            found.append(Benchmark(name=name, parameters=given, seconds=seconds, where=place))
        else:
            notes.append(f"{place}: {each.get('command')} failed each time; left out")
    if found and wanted is None and not any(each.parameters for each in found):
        raise TimingsError(
            f"{file}: no sizes; let hyperfine know them: hyperfine -L bytes 4096,8192,16384 "
            "--export-json timings.json './host {bytes}' './accelerated {bytes}'"
        )
    return found, notes


def _parameters(each: Mapping[str, Any], where: str) -> dict[str, object]:
    given = table(each.get("parameters") or {}, f"{where}: parameters")
    return {
        key: value.get("value") if isinstance(value, dict) else value
        for key, value in given.items()
    }


def _seconds(each: Mapping[str, Any], place: str, file: str, notes: list[str]) -> tuple[float, ...]:
    where = f"{file}: {place}"
    if "measurements" in each:
        runs, codes = [], []
        for inner, measured in entries(each, "measurements", where):
            clock = table(
                field(measured, "time_wall_clock", f"{where}.{inner}"), f"{where}.{inner}"
            )
            runs.append((f"{inner}.time_wall_clock", clock.get("value"), clock.get("unit", "s")))
            codes.append(measured.get("exit_code", 0))
    elif each.get("times"):
        values = each["times"] if isinstance(each["times"], list) else [each["times"]]
        runs = [(f"times[{index}]", value, "s") for index, value in enumerate(values)]
        codes = each.get("exit_codes") or []
    else:
        notes.append(f"{place}: no single runs, only their median")
        return (median_or_mean(each, "s", where),)
    if not isinstance(codes, list) or len(codes) != len(runs):
        codes = [0] * len(runs)
    failed = sum(code != 0 for code in codes)
    if 0 < failed < len(runs):
        notes.append(f"{place}: {failed} of {len(runs)} runs failed (exit code); left out")
    return tuple(
        time_of(value, str(unit), f"{where}.{key}")
        for (key, value, unit), code in zip(runs, codes, strict=True)
        if code == 0
    )


def _templates(commands: list[str], parameters: list[dict[str, object]]) -> list[str]:
    """Commands as they were before hyperfine put parameters in.

    A value may stand in a command by chance, like the 1 of "-t 1 --bytes 1": of all ways to put
    parameters back, that counts which fits most commands.
    """
    ways = [_ways(command, given) for command, given in zip(commands, parameters, strict=True)]
    count = Counter(way for each in ways for way in each)
    return [max(each, key=lambda way: (count[way], way.count("{"), way)) for each in ways]


def _ways(command: str, parameters: Mapping[str, object]) -> set[str]:
    ways = {command}
    for key, value in parameters.items():
        pattern = rf"(?<![\w.]){re.escape(str(value))}(?![\w.])"
        ways = {each for way in ways for each in _put_back(way, pattern, f"{{{key}}}")}
    return ways


def _put_back(command: str, pattern: str, name: str) -> set[str]:
    pieces = re.split(pattern, command, maxsplit=_OCCURRENCES)
    originals = re.findall(pattern, command)[: len(pieces) - 1]
    return {
        "".join(map("".join, zip(pieces, (*chosen, ""), strict=True)))
        for chosen in product(*((original, name) for original in originals))
    }
