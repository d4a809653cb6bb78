"""Columns of a table of timings by their titles: what each is of, and in which unit."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from logca.common.errors import LogcaError
from logca.common.readable_numbers import TIMES
from logca.numeric.timings.benchmark_runs import ACCELERATED, HOST, SIZES
from logca.numeric.timings.rates import Rate, normal, rate_in
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.titles import (
    DEVIATION,
    RUNS,
    TIME_WORDS,
    VARIANCE,
    Title,
    counts,
    read_titles,
)
from logca.numeric.timings.units import bytes_in, said

__all__ = ["TIMED", "TitledColumn", "columns_of", "pieces_in", "unit_of"]

_PATH = frozenset({"path", "device", "where", "variant", "target", "side", "implementation"})
_ROLES = (
    ("host", HOST),
    ("accelerated", ACCELERATED),
    ("granularity", SIZES),
    ("time", TIME_WORDS),
)
_KINDS = {"deviation": DEVIATION, "variance": VARIANCE, "runs": RUNS}

TIMED = ("host", "accelerated", "time")
"""Roles of columns of times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TitledColumn:
    """A column of a table."""

    title: str
    place: int
    role: str  # granularity, path, host, accelerated or time; empty: runs of all paths
    kind: str  # value, deviation, variance or runs
    unit: str | None
    path: str  # which path: the role, or with several accelerators the words of its own
    rate: Rate | None = None


def columns_of(
    titles: Sequence[str],
    columns: Mapping[str, str],
    units: Mapping[str, str],
    where: str,
    *,
    every: bool,
) -> tuple[list[TitledColumn], list[str]]:
    """The columns that are used, and notes on those that are not."""
    for role, title in columns.items():
        if title not in titles:
            raise TimingsError(
                f"{where}: there is no column {title!r} for {role}; there are {', '.join(titles)}"
            )
    for key in units:
        if key not in (*titles, "granularity", "host", "accelerated", "time"):
            raise TimingsError(
                f"{where}: units: there is no column {key!r}; there are {', '.join(titles)}"
            )
    given = {title: role for role, title in columns.items()}
    for role, title in columns.items():
        if given[title] != role:
            raise TimingsError(
                f"{where}: {role} and {given[title]} are both {title!r}; name another for one of "
                "them"
            )
    read = read_titles(titles)
    if "granularity" not in columns:
        given = {title: "granularity" for title in _only_in_bytes(titles, read)} | given
    named = {*given} | {*units}
    read = _only_counts(
        read, [each for title, each in zip(titles, read, strict=True) if title in named]
    )
    spread = any(_kind(each) in ("deviation", "variance") for each in read)
    found, used, notes = [], [], []
    doubtful: list[tuple[str, str]] = []
    for place, (title, told) in enumerate(zip(titles, read, strict=True)):
        kind = "value" if title in given else _kind(told)
        # who names the column's unit knows what it has
        doubt = "" if title in units else told.doubt
        sure = not (told.other or doubt)
        role = given.get(title) or _role(told)
        if title not in given and (told.other or (doubt and role != "granularity")):
            role = ""
        if every and sure and not role and kind == "value" and told.unit in TIMES:
            role = "accelerated"
        own = None if told.doubt else told.unit
        if kind == "runs":
            own = None
            role = role if role in TIMED else ""
        elif kind != "value" and role not in TIMED:
            role = "time" if sure else ""
        elif role in columns and columns[role] != title and kind == "value":
            role = "accelerated" if every and role in TIMED and sure else ""
        if (not role and kind != "runs") or (kind == "runs" and not spread):
            notes.append(f"column {title!r} is not used")
            if doubt and not told.other and kind == "value" and told.unit in TIMES:
                doubtful.append((_role(told), title))
            continue
        asked = units.get(title) or (units.get(role) if kind == "value" else None)
        chosen = unit_of(title, told, asked, where)
        rate: Rate | str | None = told.rate if own else None
        if asked and isinstance(rate_in(asked), Rate):
            rate = rate_in(asked)
        found.append(
            TitledColumn(
                title=title,
                place=place,
                role=role,
                kind=kind,
                unit=chosen,
                path=_own_words(told) or title if every and role == "accelerated" else role,
                rate=rate if isinstance(rate, Rate) else None,
            )
        )
        used.append(told)
    names = [each.title for each in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise TimingsError(
            f"{where}: two columns are called {twice!r}: number those of repetitions, such as "
            "host_1_s and host_2_s, and delete the others"
        )
    _one_of_each(found, used, where, every=every)
    for role, title in doubtful:
        clear = [each.title for each in found if (each.role, each.kind) == (role, "value")]
        if clear and role not in columns and not every:
            raise _several(role, [*clear, title], where)
    return found, notes


def _own_words(told: Title) -> str:
    """Words of a title that say which accelerator it is of, not what of it."""
    label = told.label if told.device else told.stem
    return " ".join(word for word in label if word not in _OF_PATH)


_OF_PATH = DEVIATION | VARIANCE | RUNS | TIME_WORDS
_COUNTING = frozenset({"number", "num", "no", "count", "of", "the"})


def _only_counts(read: Sequence[Title], named: Sequence[Title]) -> list[Title]:
    """Titles, those of numbers left out that may be of anything else than the runs of a path.

    Such as n_threads and failed_runs: of a count every word must be known, or name a path here.
    """
    timed = [*named, *(each for each in read if each.unit in TIMES or each.rate)]
    paths = {word for each in timed for word in each.label} | HOST | ACCELERATED
    known = _OF_PATH | _COUNTING | paths
    return [
        replace(each, other=doubtful)
        if _kind(each) == "runs"
        and (doubtful := next((word for word in each.label if word not in known), each.doubt))
        else each
        for each in read
    ]


_MEMORY = frozenset({"mem", "memory", "rss", "peak", "heap", "allocated", "free", "used"})


def _only_in_bytes(titles: Sequence[str], read: Sequence[Title]) -> list[str]:
    """The one column with a unit of sizes, but of memory, if no title says that it is the size."""
    if any(SIZES & each.words for each in read):
        return []
    found = [
        title
        for title, each in zip(titles, read, strict=True)
        if each.unit and not each.rate and each.unit not in TIMES and not each.other
        if _MEMORY.isdisjoint(each.words)
    ]
    return found if len(found) == 1 else []


def unit_of(
    title: str,
    told: Title,
    asked: str | None,
    where: str,
    *,
    error: type[LogcaError] = TimingsError,
) -> str | None:
    """The unit of a column: its own, or the one that is asked for, which is no other one."""
    own = told.unit
    if told.doubt and not asked:
        if pieces := pieces_in(title, own or ""):
            say = f"{said('units', **{title: own or ''})}, or --units " + shlex.quote(
                f"{title}={pieces}"
            )
            raise error(f"{where}: is {title!r} in {own}, or in pieces of {pieces}? {say}")
        is_size = bool(SIZES & told.words)
        unit = own if own and (own in TIMES or bytes_in(own)) else "kB" if is_size else "s"
        other = " (1000 bytes, KiB: 1024 bytes)" if unit == "kB" else ""
        raise error(
            f"{where}: {title!r} is not clear ({told.doubt!r}): say its unit, such as "
            f"{said('units', **{title: unit})}{other}"
        )
    if asked and own and not told.doubt and normal(asked) != own:
        raise error(
            f"{where}: mixed units: column {title!r} says {own}, the option units says {asked}"
        )
    return asked or own


def pieces_in(title: str, unit: str) -> str:
    """Number and unit of a title in pieces of several units, such as "size [8 B]"; or none."""
    number = r"(\d+(?:\.\d+)?)"
    ways = (rf"[\[(]\s*{number} ?", rf"of[ _]{number}[ _]?", rf"(?<![^\W_]){number}")
    for way in ways:
        found = re.search(rf"{way}{re.escape(unit)}(?![^\W_])", title)
        if found and float(found[1]) != 1:
            return f"{found[1]} {unit}"
    return ""


def _one_of_each(
    columns: Sequence[TitledColumn], read: Sequence[Title], where: str, *, every: bool
) -> None:
    """Refuse several columns that may be the same; those of repetitions are one."""
    pairs = list(zip(columns, read, strict=True))
    numbers = [
        sorted({told.run for each, told in pairs if each.role == role and told.run is not None})
        for role in ("host", "accelerated")
    ]
    counts_of_all = [each.title for each in columns if each.role == ""]
    if len(counts_of_all) > 1:
        raise TimingsError(
            f"{where}: {len(counts_of_all)} columns may be the number of runs: "
            f"{', '.join(counts_of_all)}; leave one"
        )
    for role in ("granularity", *TIMED):
        if every and role == "accelerated":
            continue
        for kind in ("value", *_KINDS):
            alike = [pair for pair in pairs if (pair[0].role, pair[0].kind) == (role, kind)]
            if role == "granularity" and all(each.unit for each, _ in alike):
                continue  # they are compared in each row
            for rated in (False, True):
                same = [pair for pair in alike if bool(pair[0].rate) is rated]
                if len(same) < 2 or _are_runs([told for _, told in same], numbers):
                    continue
                raise _several(role, [each.title for each, _ in same], where)


def _several(role: str, titles: Sequence[str], where: str) -> TimingsError:
    ranked = ", or rank all of them: --rank" if role == "accelerated" else ""
    return TimingsError(
        f"{where}: {len(titles)} columns may be {role}: {', '.join(titles)}; say which: "
        + said("columns", **{role: titles[0]})
        + ranked
    )


def _are_runs(read: Sequence[Title], numbers: Sequence[Sequence[int]]) -> bool:
    """True of titles that differ by numbers of repetitions alone.

    gpu0_s and gpu1_s are two devices, unless the host's columns have these numbers as well.
    """
    one = len({each.stem for each in read}) == 1 and all(each.run is not None for each in read)
    both = len(numbers[0]) > 1 and numbers[0] == numbers[1]
    first = min(each.run or 0 for each in read)
    return (
        one
        and counts([each.run or 0 for each in read])
        and (both or not (any(each.device for each in read) or first == 0))
    )


def _kind(told: Title) -> str:
    if told.other:
        return "value"
    return next((kind for kind, known in _KINDS.items() if told.words & known), "value")


def _role(told: Title) -> str:
    """Role of a column, from the words of its title."""
    if not told.unit and told.words & _PATH:
        return "path"
    for role, known in _ROLES:
        if told.words & known:
            return role
    return "accelerated" if "device" in told.words else ""
