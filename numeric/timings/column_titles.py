"""Columns of a table of timings by their titles: what each is of, and in which unit."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.common.errors import LogcaError
from logca.common.readable_numbers import TIMES
from logca.numeric.timings.benchmark_runs import ACCELERATED, HOST, SIZES
from logca.numeric.timings.rates import Rate, rate_in
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import said, unit_in

__all__ = ["TIMED", "TitledColumn", "columns_of", "pieces_in", "time_unit_in", "unit_of"]

_PATH = frozenset({"path", "device", "where", "variant", "target", "side", "implementation"})
_TIME = frozenset({"time", "times", "seconds", "duration", "elapsed", "runtime", "latency"}) | {
    "wall",
    "mean",
    "median",
    "avg",
    "average",
}
_DEVIATION = frozenset({"std", "stddev", "stdev", "sd", "dev", "deviation"})
_VARIANCE = frozenset({"var", "variance"})
_RUNS = frozenset({"n", "runs", "samples", "repeats", "reps", "repetitions"})
_NO_TIME = frozenset({"min", "max", "iqr", "ci", "error", "stderr", "sem", "cv"}) | {
    *("err", "se", "percent", "pct", "rel", "relative", "log", "ln", "speedup", "ratio"),
}
_OF_MEANS = re.compile(r"of[\W_]+(?:the[\W_]+)?mean", re.I)
"""A deviation of these is a standard error."""
_ROLES = (("host", HOST), ("accelerated", ACCELERATED), ("granularity", SIZES), ("time", _TIME))

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
    if "granularity" not in columns:
        given = {title: "granularity" for title in _only_in_bytes(titles)} | given
    spread = any(_kind(title) in ("deviation", "variance") for title in titles)
    found, notes = [], []
    for place, title in enumerate(titles):
        words, rate, unit = _words(title), rate_in(title), units.get(title)
        own = time_unit_in(title) or unit_in(title)
        if rate is not None:
            own = None if isinstance(rate, str) else rate.text
        if isinstance(rate, str) and unit:  # who names the column knows what it has
            rate = None
        kind = "value" if title in given else _kind(title)
        none = isinstance(rate, str) or _is_none(title)
        role = given.get(title) or ("" if none else _role(words, own))
        if every and not (role or none) and kind == "value" and own in TIMES:
            role = "accelerated"
        if kind == "runs":
            own = None
            role = role if role in TIMED else ""
        elif kind != "value" and role not in TIMED:
            role = "time"
        elif role in columns and columns[role] != title and kind == "value":
            role = "accelerated" if every and role in TIMED else ""
        if (not role and kind != "runs") or (kind == "runs" and not spread):
            notes.append(f"column {title!r} is not used")
            continue
        asked = unit or (units.get(role) if kind == "value" else None)
        chosen = unit_of(title, own, asked, where, sizes=role == "granularity")
        if asked and isinstance(rate_in(asked), Rate):
            rate = rate_in(asked)
        found.append(
            TitledColumn(
                title=title,
                place=place,
                role=role,
                kind=kind,
                unit=chosen,
                path=_own_words(title) if every and role == "accelerated" else role,
                rate=rate if isinstance(rate, Rate) else None,
            )
        )
    _one_of_each(found, where, every=every)
    names = [each.title for each in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise TimingsError(
            f"{where}: two columns are called {twice!r}: number those of repetitions, such as "
            "host_1_s and host_2_s, and delete the others"
        )
    return found, notes


def _own_words(title: str) -> str:
    """Words of a title that say which accelerator it is of, not what of it and in which unit."""
    rate = rate_in(title)
    bare = title.replace(rate.text, "") if isinstance(rate, Rate) else title
    known = _DEVIATION | _VARIANCE | _RUNS | _TIME
    words = [
        word
        for word in re.findall(r"[^\W_]+", bare)
        if word not in TIMES and word.lower() not in known and not word.isdigit()
    ]
    return " ".join(words).lower() or title


def _only_in_bytes(titles: Sequence[str]) -> list[str]:
    """The one column with a unit of sizes, if no title says that it is the size."""
    if any(SIZES & {word.lower() for word in _words(title)} for title in titles):
        return []
    found = [title for title in titles if rate_in(title) is None and unit_in(title)]
    return found if len(found) == 1 else []


def _words(title: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", title)


def time_unit_in(title: str) -> str | None:
    """The unit of times that a title has: its last word that is one."""
    return next((word for word in reversed(_words(title)) if word in TIMES), None)


def unit_of(
    title: str,
    own: str | None,
    asked: str | None,
    where: str,
    *,
    sizes: bool = False,
    error: type[LogcaError] = TimingsError,
) -> str | None:
    """The unit of a column: its own, or the one that is asked for, which is no other one."""
    pieces = pieces_in(title, own) if own else ""
    if asked and own and asked not in (own, pieces):
        raise error(
            f"{where}: mixed units: column {title!r} says {own}, the option units says {asked}"
        )
    if pieces and not asked:
        say = said("units", **{title: own or ""})
        if sizes:
            say += f", or --units {shlex.quote(f'{title}={pieces}')}"
        raise error(f"{where}: is {title!r} in {own}, or in pieces of {pieces}? {say}")
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


def _is_none(title: str) -> bool:
    """True of a column of no times, rates or deviations: errors of means, percentages, ratios."""
    small = {word.lower() for word in _words(title)}
    return bool(small & _NO_TIME or "%" in title or _OF_MEANS.search(title))


def _one_of_each(columns: Sequence[TitledColumn], where: str, *, every: bool) -> None:
    """Refuse several columns that may be the same; those of repetitions are one."""
    titles = {role: [each.title for each in columns if each.role == role] for role in TIMED}
    numbers = [re.findall(r"\d+", " ".join(titles[role])) for role in ("host", "accelerated")]
    for role in ("granularity", *TIMED):
        for kind in ("value", "deviation", "variance", "runs"):
            alike = [each for each in columns if (each.role, each.kind) == (role, kind)]
            for same in (
                [x.title for x in alike if not x.rate],
                [x.title for x in alike if x.rate],
            ):
                labels = {_label(title, any_=numbers[0] == numbers[1]) for title in same}
                if len(labels) < 2 or (every and role == "accelerated"):
                    continue
                if role == "granularity" and all(each.unit for each in alike):
                    continue  # they are compared in each row
                ranked = ", or rank all of them: --rank" if role == "accelerated" else ""
                raise TimingsError(
                    f"{where}: {len(same)} columns may be {role}: {', '.join(same)}; say which: "
                    + said("columns", **{role: same[0]})
                    + ranked
                )


def _label(title: str, *, any_: bool) -> str:
    """A title less numbers: host_1_s and host_2_s are repetitions, host_user_s is not.

    gpu0_s and gpu1_s are two devices, unless the host's columns have these numbers as well.
    """
    return re.sub(r"[\W\d_]+" if any_ else r"(?<![^\W_])\d+(?![^\W_])|[\W_]+", "", title)


def _kind(title: str) -> str:
    small = {word.lower() for word in _words(title)}
    kinds = {"deviation": _DEVIATION, "variance": _VARIANCE, "runs": _RUNS}
    if _is_none(title):
        return "value"
    return next((kind for kind, known in kinds.items() if small & known), "value")


def _role(words: Sequence[str], unit: str | None) -> str:
    """Role of a column, from the words of its title."""
    small = {word.lower() for word in words}
    if not unit and small & _PATH:
        return "path"
    for role, known in _ROLES:
        if small & known:
            return role
    return "accelerated" if "device" in small else ""
