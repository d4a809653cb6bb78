"""Runs with names, parameters or sizes, as all readers hand them over; fields of their JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from logca.numeric.timings.timings import Spread, TimingsError
from logca.numeric.timings.units import said, size_of, time_of, unit_in

__all__ = [
    "ACCELERATED",
    "HOST",
    "SIZES",
    "Benchmark",
    "Runs",
    "TimedRun",
    "entries",
    "field",
    "median_or_mean",
    "sized",
    "table",
    "times",
    "words",
]

SIZES = frozenset({"granularity", "size", "sizes", "bytes", "nbytes", "length", "message"})
HOST = frozenset({"host", "cpu", "baseline", "software", "sw", "scalar", "unaccelerated"})
ACCELERATED = frozenset({"accelerated", "accelerator", "gpu", "fpga", "cuda", "hip", "opencl"}) | {
    "hardware",
    "hw",
    "offload",
    "offloaded",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """Runs of one benchmark with one set of parameters."""

    name: str  # what ran, without its parameters
    parameters: Mapping[str, object]  # their names and values as the file has them
    seconds: tuple[float, ...]  # a time for each run, each above 0 [s]
    where: str  # the place in the file
    spread: Spread | None = None  # of the runs behind a mean, which is then the only time


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedRun:
    """Runs of one path at one size."""

    name: str  # which path
    granularity: float  # size of the offloaded data [B]
    seconds: tuple[float, ...]  # a time for each run, each above 0 [s]
    where: str  # the place in the file
    spread: Spread | None = None  # of the runs behind a mean, which is then the only time
    kind: str = ""  # what a time is of, where times of another kind cannot be compared with it
    shape: Mapping[str, float] | None = None  # such as M, N, K, where the file has them


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Runs of a file."""

    samples: Sequence[TimedRun]
    notes: Sequence[str] = ()  # what was left out or assumed
    resolution: float = 0.0  # smallest step of the times, as they are written [s]


def words(text: str) -> list[str]:
    """Words of a name, in small letters.

    Examples
    --------
    >>> words("BM_GemmHost<float>")
    ['bm', 'gemm', 'host', 'float']
    """
    found, last = [""], ""
    for letter in text:
        camel = letter.isupper() and last.islower()
        if not letter.isalpha() or camel:
            found.append("")
        if letter.isalpha():
            found[-1] += letter.lower()
        last = letter
    return [word for word in found if word]


def sized(
    benchmarks: Sequence[Benchmark], wanted: str | None, unit: str | None, file: str
) -> tuple[list[TimedRun], list[str]]:
    """Samples from benchmarks: one parameter is the size, the others become part of the name."""
    if not benchmarks:
        raise TimingsError(f"{file}: no runs; is it the right file?")
    key = _size_parameter(benchmarks, wanted, file)
    unit = unit or unit_in(key)
    notes: list[str] = []
    follow = _following(benchmarks, key)
    if follow:
        notes.append(f"{', '.join(follow)}: left out, as each goes with {key}")
    samples: list[TimedRun] = []
    assumed = False
    for each in benchmarks:
        if key not in each.parameters:
            notes.append(f"{each.where}: {each.name} has no {key!r}, which is the size; left out")
            continue
        value = each.parameters[key]
        bare = unit is None and _is_number(value)
        if bare and not assumed:
            assumed = True
            notes.append(
                f"{key} is taken as bytes; other units: {said('units', granularity='KiB')}"
            )
        rest = [
            f"{name}={other}"
            for name, other in each.parameters.items()
            if name not in (key, *follow)
        ]
        where = f"{file}: {each.where}: {key}"
        samples.append(
            TimedRun(
                name=", ".join([each.name, *rest]),
                granularity=size_of(value, "B" if bare else unit, where),
                seconds=each.seconds,
                where=each.where,
                spread=each.spread,
            )
        )
    return samples, notes


def _following(benchmarks: Sequence[Benchmark], key: str) -> list[str]:
    """Parameters that have one value for each size, and another one for each: they tell it too."""
    found = []
    for name in dict.fromkeys(name for each in benchmarks for name in each.parameters):
        pairs = {
            (str(each.parameters.get(key)), str(each.parameters.get(name))) for each in benchmarks
        }
        sizes, values = ({pair[side] for pair in pairs} for side in (0, 1))
        if name != key and len(sizes) == len(values) == len(pairs) > 1:
            found.append(name)
    return found


def _size_parameter(benchmarks: Sequence[Benchmark], wanted: str | None, file: str) -> str:
    values: dict[str, list[str]] = {}
    for each in benchmarks:
        for name, value in each.parameters.items():
            values.setdefault(name, []).append(str(value))
    if wanted is not None:
        if wanted not in values:
            known = f"known are {', '.join(values)}" if values else "there are none"
            raise TimingsError(f"{file}: there is no parameter {wanted!r}; {known}")
        return wanted
    if not values:
        raise TimingsError(
            f"{file}: no benchmark has a parameter, so sizes are unknown; run it over sizes, such "
            "as BENCHMARK(...)->Range(...), pytest.mark.parametrize, hyperfine -L bytes 4096,8192"
        )
    varying = [name for name in values if len(set(values[name])) > 1]
    speaking = [name for name in varying or values if SIZES & set(words(name))]
    numeric = [name for name in varying if any(each[:1].isdigit() for each in values[name])]
    for found in (list(values), speaking, numeric):
        # if several tell the same, the first does
        if found and {*found[1:]} <= {*_following(benchmarks, found[0])}:
            return found[0]
    raise TimingsError(
        f"{file}: several parameters may be the size: {', '.join(numeric or values)}; say which: "
        + said("columns", granularity=next(iter(numeric or values)))
    )


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True


def table(value: object, where: str) -> dict[str, Any]:
    """A JSON object, or a complaint."""
    if not isinstance(value, dict):
        raise TimingsError(f"{where}: must be an object, not {type(value).__name__}")
    return value


def entries(data: Mapping[str, Any], key: str, where: str) -> list[tuple[str, dict[str, Any]]]:
    """The objects of a list, each with its place."""
    listed = field(data, key, where)
    if not isinstance(listed, list):
        raise TimingsError(f"{where}: {key} must be a list, not {type(listed).__name__}")
    places = [f"{key}[{index}]" for index in range(len(listed))]
    return [
        (place, table(each, f"{where}: {place}"))
        for place, each in zip(places, listed, strict=True)
    ]


def field(data: Mapping[str, Any], key: str, where: str) -> Any:
    """The value of a key."""
    if key not in data:
        raise TimingsError(f"{where}: key {key!r} is missing; was the file cut or edited?")
    return data[key]


def times(values: object, unit: str, where: str) -> tuple[float, ...]:
    """A list of times [s]."""
    if not isinstance(values, list) or not values:
        raise TimingsError(f"{where}: must be a list of times, not {values!r:.40}")
    return tuple(time_of(each, unit, f"{where}[{index}]") for index, each in enumerate(values))


def median_or_mean(data: Mapping[str, Any], unit: str, where: str) -> float:
    """The median of a summary, or else the mean [s]."""
    key = "median" if "median" in data else "mean"
    return time_of(field(data, key, where), unit, f"{where}.{key}")
