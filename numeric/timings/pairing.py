"""From samples of any number of paths, the timings of two: host and accelerated."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from statistics import fmean

from logca.common.sizes import format_size
from logca.numeric.timings.benchmark_runs import ACCELERATED, HOST, TimedRun, words
from logca.numeric.timings.timings import Spread, Timings, TimingsError

__all__ = ["Reading", "assembled", "names_of", "path_of"]

_USUAL = {"host": HOST, "accelerated": ACCELERATED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Timings from a file, with notes and provenance."""

    timings: Timings  # what can be fitted [s]
    notes: tuple[str, ...]  # what was left out, sorted or assumed
    # where the times come from, such as "machine", as far as the file says
    provenance: Mapping[str, str] = field(default_factory=dict)


def names_of(samples: Iterable[TimedRun]) -> list[str]:
    """Names of all paths, in the order in which they occur."""
    return list(dict.fromkeys(each.name for each in samples))


def assembled(
    samples: Sequence[TimedRun],
    notes: Iterable[str],
    *,
    host: str | None,
    accelerated: str | None,
    file: str,
    resolution: float = 0.0,
) -> Reading:
    """Timings of two paths, by size in ascending order."""
    names = names_of(samples)
    if not names:
        why = "".join(f"; {note}" for note in notes)
        raise TimingsError(f"{file}: no timings{why}")
    if len(names) == 1:
        raise TimingsError(
            f"{file}: one path only, {names[0]!r}; name the file of the other one as well, that of "
            "the host first: logca fit HOST ACCELERATED"
        )
    paths = {
        "host": path_of(names, host, "host", file),
        "accelerated": path_of(names, accelerated, "accelerated", file),
    }
    if paths["host"] == paths["accelerated"]:
        raise TimingsError(
            f"{file}: host and accelerated are both {paths['host']!r}; name another for one of "
            f"them, of {', '.join(map(repr, names))}"
        )
    _comparable(samples, paths, file)
    told = [*notes, *(f"{name}: left out" for name in names if name not in paths.values())]
    told += _disorder(samples, paths)
    by_size: dict[float, dict[str, list[TimedRun]]] = {}
    for each in samples:
        for path, name in paths.items():
            if each.name == name:
                row = by_size.setdefault(each.granularity, {"host": [], "accelerated": []})
                row[path].append(each)
    sizes = sorted(by_size)
    for path in paths:
        without = [format_size(size) for size in sizes if not by_size[size][path]]
        if without:
            told.append(f"sizes without {path} times: {', '.join(without)}")
    own, other = ([_joined(by_size[size][path]) for size in sizes] for path in paths)
    try:
        timings = Timings(
            granularity=sizes,
            host=[seconds for seconds, _ in own],
            accelerated=[seconds for seconds, _ in other],
            resolution=resolution,
            host_spread=[spread for _, spread in own],
            accelerated_spread=[spread for _, spread in other],
        )
    except TimingsError as error:
        why = f" ({'; '.join(told[:3])})" if told else ""
        raise TimingsError(f"{file}: {error}{why}") from None
    return Reading(timings=timings, notes=tuple(dict.fromkeys(told)))


def _comparable(samples: Sequence[TimedRun], paths: Mapping[str, str], file: str) -> None:
    """Refuse paths whose times are of different kinds, such as one request and one of several."""
    kinds = {
        path: {each.kind for each in samples if each.name == name} for path, name in paths.items()
    }
    own, other = kinds["host"], kinds["accelerated"]
    if len(own | other) > 1:
        said = (
            " and ".join(sorted(each or "single calls" for each in few)) for few in (own, other)
        )
        raise TimingsError(
            f"{file}: times of the host are of {next(said)}, and those of the accelerated path of "
            f"{next(said)}, which cannot be compared; measure both in one way"
        )


def _joined(runs: Sequence[TimedRun]) -> tuple[list[float], Spread | None]:
    """Times of one path at one size, or the mean of several means with the spread of all runs."""
    times = [time for each in runs for time in each.seconds]
    spreads = [each.spread for each in runs]
    if not any(spreads):
        return times, None
    known = [each or Spread(0.0, 1) for each in spreads]
    count = sum(each.runs for each in known)
    means = [fmean(each.seconds) for each in runs]
    mean = sum(each.runs * one for each, one in zip(known, means, strict=True)) / count
    # hypot does not overflow, where a power does with an error
    deviation = hypot(
        *(sqrt(each.runs - 1) * each.deviation for each in known),
        *(sqrt(each.runs) * (one - mean) for each, one in zip(known, means, strict=True)),
    )
    return [mean], Spread(deviation / sqrt(max(count - 1, 1)), count)


def _disorder(samples: Sequence[TimedRun], paths: Mapping[str, str]) -> list[str]:
    """A note on the first size that is smaller than the one before it on its path."""
    last: dict[str, float] = {}
    for each in samples:
        before = last.get(each.name, 0.0)
        if each.granularity < before and each.name in paths.values():
            return [
                f"{each.where}: sizes are not in ascending order "
                f"({format_size(each.granularity)} after {format_size(before)}): sorted"
            ]
        last[each.name] = each.granularity
    return []


def path_of(names: Sequence[str], wanted: str | None, path: str, file: str) -> str:
    """The name that is wanted, or a part of it; else the only one, or the one that says so."""
    if wanted is not None:
        found = [name for name in names if name == wanted] or [
            name for name in names if wanted in name
        ]
    else:
        found = [name for name in names if _USUAL[path] & set(words(name))]
        if len(names) == 1:
            found = list(names)
    if len(found) == 1:
        return found[0]
    several = found or names
    listed = f"{', '.join(map(repr, several[:8]))}{', ...' if len(several) > 8 else ''}"
    fix = f"give {path}='NAME', a name from this list"
    if found:
        what = f"match {wanted!r}" if wanted is not None else f"may be the {path} path"
        ranked = ", or rank all of them: --rank" if path == "accelerated" else ""
        raise TimingsError(f"{file}: {listed} {what}; {fix}{ranked}")
    what = f"matches {wanted!r}" if wanted is not None else f"is clearly the {path} path"
    raise TimingsError(f"{file}: of {listed} none {what}; {fix}")
