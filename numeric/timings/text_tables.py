"""Timings from tables of text: comma, semicolon or tab, wide or long, units in the header.

Wide: a row for each size (and repetition), `granularity_B,host_s,accelerated_s`; a path may have
several columns, one for each repetition: `host_1_ms,host_2_ms`. Long: a row for each run,
`granularity_KiB,path,time_us`.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.common.readable_numbers import TIMES
from logca.numeric.timings.benchmark_runs import ACCELERATED, HOST, SIZES, TimedRun
from logca.numeric.timings.pairing import Reading, assembled
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import said, size_of, time_of, unit_in

__all__ = ["table_timings"]

_PATH = frozenset({"path", "device", "where", "variant", "target", "side", "implementation"})
_TIME = frozenset({"time", "times", "seconds", "duration", "elapsed", "runtime", "latency", "wall"})
_NO_TIME = frozenset(
    {"std", "stddev", "stdev", "sd", "var", "variance", "min", "max", "iqr", "ci", "error", "cv"}
)
_ROLES = (("host", HOST), ("accelerated", ACCELERATED), ("granularity", SIZES), ("time", _TIME))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    title: str
    place: int
    role: str
    unit: str | None


def table_timings(
    text: str,
    columns: Mapping[str, str],
    units: Mapping[str, str],
    *,
    host: str | None,
    accelerated: str | None,
    file: str,
) -> Reading:
    """Timings of a table, read row by row."""
    rows = _rows(text, file)
    line, titles = rows[0]
    if len(rows) == 1:
        raise TimingsError(f"{file}: line {line}: a header and no rows")
    # of a wide table host= and accelerated= are titles, of a long one they are names in its rows
    names = {"host": host, "accelerated": accelerated}
    named = {role: name for role, name in names.items() if name is not None}
    columns = {role: name for role, name in named.items() if name in titles} | dict(columns)
    found, notes = _columns(titles, columns, units, f"{file}: line {line}")
    roles = {each.role for each in found}
    long = "path" in roles and "time" in roles and not {"host", "accelerated"} & roles
    if not long:
        found = [each for each in found if each.role not in ("path", "time")]
        roles = {each.role for each in found}
    wanted = ("granularity", "path", "time") if long else ("granularity", "host", "accelerated")
    for role in wanted:
        if role not in roles:
            raise TimingsError(
                f"{file}: line {line}: no column for {role} among {', '.join(titles)}; name it in "
                "the header, such as granularity_B,host_s,accelerated_s, or give "
                + said("columns", **{role: "TITLE"})
            )
    samples = []
    for number, cells in rows[1:]:
        if len(cells) != len(titles):
            raise TimingsError(
                f"{file}: line {number}: {len(cells)} values, and the header has {len(titles)}; is "
                "a separator missing, or a decimal comma there?"
            )
        samples += _row(cells, found, number, file)
    if not long:
        for role, name in named.items():
            if columns.get(role) != name:
                raise TimingsError(
                    f"{file}: there is no column {name!r} for {role}; there are {', '.join(titles)}"
                )
        host, accelerated = "host", "accelerated"
    return assembled(samples, notes, host=host, accelerated=accelerated, file=file)


def _rows(text: str, file: str) -> list[tuple[int, list[str]]]:
    """Numbers and cells of the lines that are no comments."""
    lines = ["" if line.lstrip().startswith("#") else line for line in text.splitlines()]
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise TimingsError(f"{file}: empty; write a header such as granularity_B,host_s,...")
    separator = max(",;\t", key=first.count)
    if not first.count(separator):
        raise TimingsError(
            f"{file}: the header {first.strip()!r:.60} has one column only; separate them with "
            "commas, semicolons or tabs"
        )
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=separator, skipinitialspace=True)
    rows = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((reader.line_num, [cell.strip() for cell in cells]))
    except csv.Error as error:
        raise TimingsError(f"{file}: line {reader.line_num}: {error}") from None
    return rows


def _columns(
    titles: Sequence[str], columns: Mapping[str, str], units: Mapping[str, str], where: str
) -> tuple[list[_Column], list[str]]:
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
    found, notes = [], []
    for place, title in enumerate(titles):
        words = re.findall(r"[^\W\d_]+", title)
        unit = units.get(title)
        own = next((word for word in reversed(words) if word in TIMES), None) or unit_in(title)
        role = given.get(title) or _role(words, own)
        if role in columns and columns[role] != title:
            role = ""
        if not role:
            notes.append(f"column {title!r} is not used")
            continue
        asked = unit or units.get(role)
        if asked and own and asked != own:
            raise TimingsError(
                f"{where}: mixed units: column {title!r} says {own}, the option units says {asked}"
            )
        found.append(_Column(title=title, place=place, role=role, unit=asked or own))
    for role in ("granularity", "host", "accelerated", "time"):
        same = [each.title for each in found if each.role == role]
        # host_1_s and host_2_s are repetitions, host_user_s and host_wall_s are not
        kinds = {re.sub(r"[\W\d_]+", "", title) for title in same}
        if len(kinds) > 1 or (role == "granularity" and len(same) > 1):
            raise TimingsError(
                f"{where}: {len(same)} columns may be {role}: {', '.join(same)}; say which: "
                + said("columns", **{role: same[0]})
            )
    return found, notes


def _role(words: Sequence[str], unit: str | None) -> str:
    """Role of a column, from the words of its title."""
    small = {word.lower() for word in words}
    if small & _NO_TIME:
        return ""
    if not unit and small & _PATH:
        return "path"
    for role, known in _ROLES:
        if small & known:
            return role
    return "accelerated" if "device" in small else ""


def _row(cells: Sequence[str], columns: Sequence[_Column], line: int, file: str) -> list[TimedRun]:
    size, paths, samples = 0.0, [], []
    for each in columns:
        value = cells[each.place]
        if each.role == "granularity":
            size = size_of(_filled(value, each, line, file), each.unit, _where(each, line, file))
        elif each.role == "path":
            paths.append(_filled(value, each, line, file))
    times = [each for each in columns if each.role not in ("granularity", "path")]
    for each in times:
        value = cells[each.place]
        alone = sum(other.role == each.role for other in times) == 1
        if not value and not alone:
            continue
        seconds = time_of(_filled(value, each, line, file), each.unit, _where(each, line, file))
        name = " ".join(paths) if each.role == "time" else each.role
        samples.append(
            TimedRun(name=name, granularity=size, seconds=(seconds,), where=f"line {line}")
        )
    return samples


def _where(column: _Column, line: int, file: str) -> str:
    return f"{file}: line {line}: {column.title}"


def _filled(value: str, column: _Column, line: int, file: str) -> str:
    if value:
        return value
    raise TimingsError(
        f"{_where(column, line, file)}: empty; fill it in, or write missing runs in the long form "
        "(granularity_B,path,time_s), where rows may be missing"
    )
