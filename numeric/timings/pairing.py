"""From samples of any number of paths, the timings of two: host and accelerated."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from logca.common.sizes import format_size
from logca.numeric.timings.benchmark_runs import ACCELERATED, HOST, TimedRun, words
from logca.numeric.timings.timings import Timings, TimingsError

__all__ = ["Reading", "assembled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Timings from a file, with notes and provenance."""

    timings: Timings  # what can be fitted [s]
    notes: tuple[str, ...]  # what was left out, sorted or assumed
    # where the times come from, such as "machine", as far as the file says
    provenance: Mapping[str, str] = field(default_factory=dict)


def assembled(
    samples: Sequence[TimedRun],
    notes: Iterable[str],
    *,
    host: str | None,
    accelerated: str | None,
    file: str,
) -> Reading:
    """Timings of two paths, by size in ascending order."""
    names = list(dict.fromkeys(each.name for each in samples))
    if not names:
        raise TimingsError(f"{file}: no timings")
    paths = {
        "host": _named(names, host, HOST, "host", file),
        "accelerated": _named(names, accelerated, ACCELERATED, "accelerated", file),
    }
    if paths["host"] == paths["accelerated"]:
        raise TimingsError(f"{file}: host and accelerated are both {paths['host']!r}")
    told = [*notes, *(f"{name}: left out" for name in names if name not in paths.values())]
    told += _disorder(samples, paths)
    by_size: dict[float, dict[str, list[float]]] = {}
    for each in samples:
        for path, name in paths.items():
            if each.name == name:
                row = by_size.setdefault(each.granularity, {"host": [], "accelerated": []})
                row[path].extend(each.seconds)
    sizes = sorted(by_size)
    for path in paths:
        without = [format_size(size) for size in sizes if not by_size[size][path]]
        if without:
            told.append(f"sizes without {path} times: {', '.join(without)}")
    try:
        timings = Timings(
            granularity=sizes,
            host=[by_size[size]["host"] for size in sizes],
            accelerated=[by_size[size]["accelerated"] for size in sizes],
        )
    except TimingsError as error:
        why = f" ({'; '.join(told[:3])})" if told else ""
        raise TimingsError(f"{file}: {error}{why}") from None
    return Reading(timings=timings, notes=tuple(dict.fromkeys(told)))


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


def _named(
    names: Sequence[str], wanted: str | None, usual: frozenset[str], path: str, file: str
) -> str:
    if wanted is not None:
        found = [name for name in names if name == wanted] or [
            name for name in names if wanted in name
        ]
    else:
        found = [name for name in names if usual & set(words(name))]
    if len(found) == 1:
        return found[0]
    what = "none" if not found else f"{len(found)}"
    said = f"matches {wanted!r}" if wanted is not None else f"is clearly the {path} path"
    raise TimingsError(
        f"{file}: of {', '.join(map(repr, names[:8]))}{', ...' if len(names) > 8 else ''} {what} "
        f"{said}; give {path}='NAME', a name from this list"
    )
