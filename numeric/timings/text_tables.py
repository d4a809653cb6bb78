"""Timings from tables of text: comma, semicolon or tab, wide or long, units in the header.

Wide: a row for each size (and repetition), `granularity_B,host_s,accelerated_s`; a path may have
several columns, one for each repetition: `host_1_ms,host_2_ms`. Long: a row for each run,
`granularity_KiB,path,time_us`. Instead of times there may be rates (`host_GB/s`), and of each time
deviation and number of runs behind it (`host_sd_s,host_n`).
"""

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence

from logca.common.readable_numbers import TIMES
from logca.common.sizes import format_size
from logca.numeric.timings.benchmark_runs import Runs, TimedRun
from logca.numeric.timings.column_titles import TIMED, TitledColumn, columns_of
from logca.numeric.timings.rates import normal
from logca.numeric.timings.timings import Spread, TimingsError
from logca.numeric.timings.titles import REPETITION, RUNS, read_title, read_titles
from logca.numeric.timings.units import (
    agree,
    number,
    plain_size,
    plain_time,
    rounding,
    said,
    size_of,
    spread_of,
    time_of,
)

__all__ = ["Row", "rows_of", "separator_of", "table_runs"]

Row = tuple[int, list[str]]
"""Number and cells of a line."""

_EXACT = 1e-9  # of two sizes that are the same in floating point
_THOUSANDS = re.compile(r"\d{1,3}|[1-9]\d{0,2}(?:\.\d{3})+")
_SURE = 7
"""Digits to which two runs hardly ever take the same time: of a clock with few, they often do."""


def table_runs(
    rows: Sequence[Row],
    columns: Mapping[str, str],
    units: Mapping[str, str],
    *,
    named: Mapping[str, str],
    paths: Sequence[str],
    every: bool,
    thousands: bool,
    file: str,
) -> tuple[Runs, bool]:
    """Runs of a table, read row by row, and whether each row names its path.

    If none does, runs are named host and accelerated, or with `every` by their columns where
    several may be the accelerated path. `paths` are those that the table must have. With
    `thousands` points may stand for them.
    """
    line, titles = rows[0]
    if len(rows) == 1:
        raise TimingsError(f"{file}: line {line}: a header and no rows")
    # of a wide table host= and accelerated= are titles, of a long one they are names in its rows
    columns = {role: name for role, name in named.items() if name in titles} | dict(columns)
    found, notes = columns_of(titles, columns, units, f"{file}: line {line}", every=every)
    roles = {each.role for each in found if each.kind == "value"}
    long = "time" in roles and not {"host", "accelerated"} & roles
    if long and "path" not in roles and len(paths) > 1:
        long = False
    if not long:
        aside = [each.title for each in found if each.role in ("path", "time")]
        notes += [f"column {title!r} is not used" for title in aside]
        found = [each for each in found if each.title not in aside]
        roles = {each.role for each in found if each.kind == "value"}
    wanted = ["granularity", *(["time"] if long else paths)]
    for role in wanted:
        if role not in roles:
            but = _but(titles)
            if role == "granularity" and set(paths) <= roles and not long:
                but += " (several, such as m, n, k, are a shape: `logca fit --work '2*m*n*k'`)"
            raise TimingsError(
                f"{file}: line {line}: no column for {role} among {', '.join(titles)}{but}; name "
                "it in the header, such as granularity_B,host_s,accelerated_s, or give "
                + said("columns", **{role: "TITLE"})
            )
    if not long:
        for role, name in named.items():
            if role in paths and columns.get(role) != name:
                raise TimingsError(
                    f"{file}: there is no column {name!r} for {role}; there are {', '.join(titles)}"
                )
    if thousands:
        _refuse_thousands(
            rows[1:], [each for each in found if not {each.title, each.role} & {*units}], file
        )
    _refuse_other_units(rows, found, file)
    samples: list[TimedRun] = []
    timed = [each.place for each in found if each.role in TIMED and each.kind == "value"]
    copies = _copies(rows[1:], timed)
    for number_, cells in rows[1:]:
        if len(cells) != len(titles):
            raise TimingsError(
                f"{file}: line {number_}: {len(cells)} values, and the header has {len(titles)}; "
                "is a separator missing, or a decimal comma there?"
            )
        if number_ in copies:
            continue
        samples += _row(cells, found, number_, file, every=every)
    if copies:
        line, first = next(iter(copies.items()))
        more = f" ({len(copies)} rows are copies)" if len(copies) > 1 else ""
        notes.append(
            f"line {line} is a copy of line {first}{more}: counted once, as its times agree to "
            f"{_SURE} digits and more"
        )
    notes += _parting(rows, found)
    whole = [each for each in found if each.role == "granularity" and each.unit == "B"]
    part = next((each for each in samples if whole and each.granularity % 1), None)
    if part is not None:
        notes.append(
            f"{part.where}: {part.granularity:g} is no whole number of bytes: does the point stand "
            "for thousands?"
        )
    for inverse, told in (
        (False, "rates, of which a time of a call is the inverse"),
        (True, "times of a byte, of which a call takes as many as it has"),
    ):
        rates = [
            each.title
            for each in found
            if each.kind == "value" and each.rate and each.rate.inverse is inverse
        ]
        if rates:
            notes.append(f"{', '.join(rates)}: {told}")
    if any(each.kind in ("deviation", "variance") for each in found) and not any(
        each.spread for each in samples
    ):
        notes.append("deviations are not used: no column, such as host_n, says of how many runs")
    return Runs(samples=samples, notes=notes), long and "path" in roles


def _refuse_thousands(rows: Sequence[Row], columns: Sequence[TitledColumn], file: str) -> None:
    """Refuse sizes, or times, of which every point may be one of thousands, as in 1.024."""
    for roles in (("granularity",), TIMED):
        few = [each for each in columns if each.role in roles and each.kind == "value"]
        cells = [
            (line, each, row[each.place])
            for line, row in rows
            for each in few
            if each.place < len(row)
        ]
        first = next((each for each in cells if "." in each[2]), None)
        if first and all(_THOUSANDS.fullmatch(cell) for _, _, cell in cells):
            line, column, cell = first
            raise TimingsError(
                f"{file}: line {line}: {column.title}: is {cell} {cell.replace('.', '')}? Each "
                f"point of the {len(cells)} numbers may stand for thousands: write them without, "
                "or if they are decimals " + said("units", **{column.title: column.unit or "s"})
            )


def _refuse_other_units(rows: Sequence[Row], columns: Sequence[TitledColumn], file: str) -> None:
    """Refuse a column of units that says another one of times than their title."""
    own = {each.unit for each in columns if each.role in TIMED and each.unit in TIMES}
    for place, title in enumerate(rows[0][1]):
        if not {"unit", "units"} & read_title(title).words:
            continue
        for line, cells in rows[1:]:
            said_there = normal(cells[place]) if place < len(cells) else ""
            if said_there in TIMES and own and own != {said_there}:
                raise TimingsError(
                    f"{file}: line {line}: mixed units: {title} is {said_there}, and times are in "
                    f"{', '.join(sorted(map(str, own)))} by their titles: write all in one unit"
                )


_COUNTS = RUNS | REPETITION | {"iteration", "index"}


def _parting(rows: Sequence[Row], columns: Sequence[TitledColumn]) -> list[str]:
    """Notes on columns without use that part rows of one size and path: by text, or by threads."""
    used = {each.place for each in columns}
    keys = [each.place for each in columns if each.role in ("granularity", "path")]
    notes = []
    for place, title in enumerate(rows[0][1]):
        values: dict[tuple[str, ...], dict[str, None]] = {}
        for _, cells in rows[1:]:
            values.setdefault(tuple(cells[key] for key in keys), {})[cells[place]] = None
        several = [few for few in values.values() if len(few) > 1]
        if place in used or not several:
            continue
        apart = several[0]
        alike = len(several) > 1 and all(few.keys() == apart.keys() for few in several)
        counted = bool(_COUNTS & read_title(title).words)
        if all(each[:1].isalpha() for each in apart) or (alike and not counted):
            notes.append(
                f"rows of one size differ in {title!r} ({', '.join(list(apart)[:3])}) and count as "
                "repetitions: delete those of the others"
            )
    return notes


def _but(titles: Sequence[str]) -> str:
    """The first title that was not clear, and why, for a message."""
    pairs = list(zip(titles, read_titles(titles), strict=True))
    for title, told in pairs:
        if "KB" in told.doubt:
            return f" (KB of {title!r} may be 1000 or 1024 bytes: write kB or KiB)"
        if told.doubt and told.doubt == told.unit:
            return f" ({title!r} is no time, and no rate of bytes or calls)"
        if told.doubt:
            unit = told.unit if told.unit in TIMES else "s"
            return (
                f" ({title!r} is no time, and no rate of bytes or calls, that is clear: "
                f"{told.doubt!r}; if it is one, {said('units', **{title: unit or 's'})})"
            )
    others = (
        f" ({title!r} is another figure: {told.other!r})" for title, told in pairs if told.other
    )
    return next(others, "")


def rows_of(text: str, file: str, header: str = "granularity_B,host_s,...") -> list[Row]:
    """Numbers and cells of the lines that are no comments; `header` is what one looks like."""
    lines = ["" if line.lstrip().startswith("#") else line for line in text.splitlines()]
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise TimingsError(f"{file}: empty; write a header such as {header}")
    separator = separator_of(text)
    if not first.count(separator):
        raise TimingsError(
            f"{file}: the header {first.strip()!r:.60} has one column only; separate them with "
            "commas, semicolons or tabs"
        )
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=separator, skipinitialspace=True)
    rows: list[Row] = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((reader.line_num, [cell.strip() for cell in cells]))
    except csv.Error as error:
        raise TimingsError(f"{file}: line {reader.line_num}: {error}") from None
    if not rows:
        raise TimingsError(f"{file}: empty; write a header such as {header}")
    return rows


def separator_of(text: str) -> str:
    """The sign between the cells of a table: a comma, a semicolon or a tab."""
    lines = (line for line in text.splitlines() if line.strip())
    first = next((line for line in lines if not line.lstrip().startswith("#")), "")
    return max(",;\t", key=first.count)


def _copies(rows: Sequence[Row], timed: Sequence[int]) -> dict[int, int]:
    """The lines that repeat another one in every cell, and which; not those of a coarse clock.

    Such a clock, perhaps divided by a number of calls, tells the same time in different rows, too.
    """
    first: dict[tuple[str, ...], int] = {}
    for line, cells in rows:
        first.setdefault(tuple(cells), line)
    # rows with a cell too few or too many are refused where they are read
    whole = [cells for cells in first if len(cells) > max(timed, default=0)]
    fine = [place for place in timed if len({cells[place] for cells in whole}) == len(whole)]
    return {
        line: first[tuple(cells)]
        for line, cells in rows
        if first[tuple(cells)] != line
        and any(place < len(cells) and _digits(cells[place]) >= _SURE for place in fine)
    }


def _digits(cell: str) -> int:
    """Significant digits of a number that is written, without zeros at its end [1].

    Examples
    --------
    >>> _digits("0.001230e-4"), _digits("100000")
    (3, 1)
    """
    return len(re.sub(r"[eE].*|\D", "", cell).strip("0"))


def _row(
    cells: Sequence[str], columns: Sequence[TitledColumn], line: int, file: str, *, every: bool
) -> list[TimedRun]:
    size = _size(cells, columns, line, file)
    names = [
        _filled(cells[each.place], each, line, file) for each in columns if each.role == "path"
    ]
    samples = []
    values = [each for each in columns if each.role in TIMED and each.kind == "value"]
    titles = {each.path: each.title for each in reversed(values)}  # of repetitions the first
    done = set()
    for each in values:
        rates = [other for other in values if other.path == each.path and other.rate]
        timed = [other for other in values if other.path == each.path and not other.rate]
        if each.rate and timed:
            continue  # a check of the times
        value = cells[each.place]
        if not value and (len(rates if each.rate else timed) > 1 or each.path != each.role):
            continue
        seconds = _seconds(value, each, size, line, file)
        if len(rates) == len(timed) == 1 and cells[rates[0].place]:
            other = rates[0]
            agree(
                (value, each.title, seconds),
                (
                    cells[other.place],
                    other.title,
                    _seconds(cells[other.place], other, size, line, file),
                ),
                f"{file}: line {line}",
            )
        name = each.role
        if name == "time":
            name = " ".join(names) or "time"
        elif every and name == "accelerated":
            name = titles[each.path]
        spread = None
        if each.path not in done:
            spread = _spread(cells, columns, each, (value, seconds), f"{file}: line {line}")
            done.add(each.path)
        samples.append(
            TimedRun(
                name=name, granularity=size, seconds=(seconds,), where=f"line {line}", spread=spread
            )
        )
    return samples


def _size(cells: Sequence[str], columns: Sequence[TitledColumn], line: int, file: str) -> float:
    """The size of a row, of which several columns must tell the same."""
    sizes = []
    for each in columns:
        if each.role == "granularity" and each.kind == "value":
            value = cells[each.place]
            found = plain_size(value, each.unit)
            if not found:
                where = _where(each, line, file)
                found = size_of(_filled(value, each, line, file), each.unit, where)
            sizes.append((each, value, found))
    first, text, size = sizes[0]
    for each, value, other in sizes[1:]:
        if abs(math.log(other / size)) > rounding(text) + rounding(value) + _EXACT:
            raise TimingsError(
                f"{file}: line {line}: {first.title} {text} is {format_size(size)}, and "
                f"{each.title} {value} is {format_size(other)}: mend it, or say which is the size: "
                + said("columns", granularity=first.title)
            )
    return size


def _seconds(value: str, column: TitledColumn, size: float, line: int, file: str) -> float:
    if not column.rate and (plain := plain_time(value, column.unit)):
        return plain
    where = _where(column, line, file)
    filled = _filled(value, column, line, file)
    if column.rate:
        return column.rate.seconds(filled, size, where)
    return time_of(filled, column.unit, where)


def _spread(
    cells: Sequence[str],
    columns: Sequence[TitledColumn],
    column: TitledColumn,
    value: tuple[str, float],
    where: str,
) -> Spread | None:
    """Deviation and number of the runs behind a time, if columns have both."""
    text, seconds = value
    beside = {
        each.kind: each
        for each in sorted(columns, key=lambda other: other.path == column.path)
        if each.kind != "value" and each.path in (column.path, "")
    }
    scatter = beside.get("deviation") or beside.get("variance")
    runs = beside.get("runs")
    if scatter is None or runs is None or not cells[scatter.place] or not cells[runs.place]:
        return None
    if column.rate and (scatter.rate or not scatter.unit):
        own = scatter.rate or column.rate
        if (own.of_bytes, own.inverse) != (column.rate.of_bytes, column.rate.inverse):
            raise TimingsError(f"{where}: {scatter.title} is no deviation of {column.title}")
        unit = seconds / number(text, where) * (own.amount / column.rate.amount)
    else:
        written = scatter.unit or column.unit or "s"
        if written not in TIMES:
            raise TimingsError(
                f"{where}: {scatter.title}: {written!r} is no unit of time; write s, ms, us or ns"
            )
        unit = TIMES[written]
    found = cells[scatter.place]
    if scatter.kind == "variance" and number(found, f"{where}: {scatter.title}") >= 0:
        found = str(math.sqrt(float(found)))
    return spread_of(
        found, cells[runs.place], unit, f"{where}: {scatter.title}", f"{where}: {runs.title}"
    )


def _where(column: TitledColumn, line: int, file: str) -> str:
    return f"{file}: line {line}: {column.title}"


def _filled(value: str, column: TitledColumn, line: int, file: str) -> str:
    if value:
        return value
    raise TimingsError(
        f"{_where(column, line, file)}: empty; fill it in, or write missing runs in the long form "
        "(granularity_B,path,time_s), where rows may be missing"
    )
