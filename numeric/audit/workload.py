"""The sizes that people use, and how often."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from os import PathLike, fspath
from typing import Self

from logca.common.errors import ArgumentError
from logca.common.real_numbers import is_real
from logca.common.sizes import parse_size
from logca.common.toml import text_of
from logca.numeric.timings.benchmark_runs import SIZES
from logca.numeric.timings.column_titles import pieces_in
from logca.numeric.timings.text_tables import rows_of
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.titles import read_title
from logca.numeric.timings.units import number, size_of

__all__ = ["CallsBySize", "read_workload"]

_HEADER = "granularity_B,calls"
_CALLS = frozenset({"calls", "call", "count", "counts", "number", "weight"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsBySize:
    """Calls by size, ascending.

    Examples
    --------
    >>> CallsBySize.of({4096: 10, 1024: 1000}, "mine")
    CallsBySize(sizes=(1024.0, 4096.0), calls=(1000.0, 10.0), name='mine')
    """

    sizes: tuple[float, ...]  # granularities [B]
    calls: tuple[float, ...]  # calls of each [1]
    name: str  # what it is, in a sentence

    @classmethod
    def of(cls, calls: Mapping[float | str, float], name: str) -> Self:
        """Calls by size, without those that never occur; equal sizes are added."""
        found = dict[float, float]()
        for size, count in calls.items():
            if not is_real(count) or not 0 <= count < inf:
                raise ArgumentError(f"workload: {count!r} calls of {size!r}; write a number from 0")
            g = parse_size(size)
            found[g] = found.get(g, 0.0) + float(count)
        kept = {size: found[size] for size in sorted(found) if found[size] > 0}
        if not 0 < sum(kept.values()) < inf:
            what = "too many calls" if kept else "no calls at any size"
            raise ArgumentError(f"{name}: {what}; give sizes with the number of calls of each")
        return cls(sizes=tuple(kept), calls=tuple(kept.values()), name=name)


def read_workload(path: str | PathLike[str]) -> CallsBySize:
    """Calls by size from a table with a column of sizes and one of calls; equal sizes are added."""
    file = fspath(path)
    text = text_of(path, error=TimingsError, not_text=f"not UTF-8 text; write {_HEADER}")
    (line, titles), *rows = rows_of(text, file, _HEADER)
    words = [{word.lower() for word in title.replace("_", " ").split()} for title in titles]
    places = {
        role: [place for place, each in enumerate(words) if each & known]
        for role, known in (("granularity", SIZES), ("calls", _CALLS))
    }
    for role, found in places.items():
        if len(found) != 1:
            raise TimingsError(
                f"{file}: line {line}: {len(found) or 'no'} column{'s' * (len(found) > 1)} for "
                f"{role} among {', '.join(titles)}; write a header such as {_HEADER}"
            )
    [size_at], [calls_at] = places.values()
    told, calls = read_title(titles[size_at]), dict[float | str, float]()
    unit = told.unit
    if told.doubt:
        pieces = pieces_in(titles[size_at], unit or "")
        asked = f"in {unit}, or in pieces of {pieces}" if pieces else f"clear ({told.doubt!r})"
        raise TimingsError(
            f"{file}: line {line}: is {titles[size_at]!r} {asked}? Write a header such as {_HEADER}"
        )
    for place, cells in rows:
        where = f"{file}: line {place}"
        if len(cells) != len(titles):
            raise TimingsError(
                f"{where}: {len(cells)} values, and the header has {len(titles)}; write both"
            )
        size = size_of(cells[size_at], unit, where)
        count = number(cells[calls_at], where)
        if count < 0:
            raise TimingsError(f"{where}: {cells[calls_at]} calls; write 0 or more")
        calls[size] = calls.get(size, 0.0) + count
    if not sum(calls.values()) > 0:
        raise TimingsError(f"{file}: no calls at any size; write a row for each, as {_HEADER}")
    return CallsBySize.of(calls, f"calls as in {file}")
