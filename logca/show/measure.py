"""Measurements as tables and as JSON data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from logca.common.json_output import attributes
from logca.common.readable_numbers import duration
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.measure.known_experiments import Known
from logca.numeric.measure.measure import Measured
from logca.numeric.timings.crossing import Compared, Crossing, Median
from logca.numeric.timings.sample_file import notes_of
from logca.numeric.timings.timings import Timings, compared_timings, crossing
from logca.show.results import View

__all__ = [
    "VIEWS",
    "experiments_table",
    "in_flight_answer",
    "in_flight_data",
    "in_flight_table",
    "measured_data",
    "measured_table",
]

_FASTER = {1: "accelerated", 0: "unclear", -1: "host"}


def measured_table(rows: Sequence[Compared]) -> Table:
    """Medians of both paths by size, how well they are known, and the speedup."""
    medians = {path: [getattr(row, path) for row in rows] for path in ("host", "accelerated")}
    columns = [(Column.number("size"), [format_size(row.size) for row in rows])]
    for path, found in medians.items():
        columns += [
            (Column.number("median", path), [duration(m.value) for m in found]),
            (Column.number("±", path), [_precision(median) for median in found]),
            (Column.number("times", path, spare=1), [str(m.repeats) for m in found]),
        ]
    columns += [
        (Column.number("speedup"), [f"{row.speedup:.4g}" for row in rows]),
        (Column("faster"), [_FASTER[row.sign] for row in rows]),
    ]
    few = any(median.level < 0.95 for found in medians.values() for median in found)
    return Table.by_columns(
        columns,
        notes=("± of fewer than 6 times is their range, less sure than 95 %",) if few else (),
    )


def _precision(found: Median) -> str:
    return f"{found.precision:.1%}" if found.repeats > 1 else "-"


def measured_data(found: Measured, crossing: Crossing, notes: Sequence[str]) -> dict[str, Any]:
    """Measurements for JSON: times in seconds, sizes in bytes."""
    header = found.recorded.header
    low, high = crossing.bracket
    return {
        "answer": f"{header.title}: {crossing}.",
        **attributes(header, "experiment title machine"),
        "taken": found.ended.taken,
        "sizes": [
            {
                "size": row.size,
                "host": _median_data(row.host),
                "accelerated": _median_data(row.accelerated),
                "speedup": row.speedup,
                "faster": _FASTER[row.sign],
            }
            for row in found.rows
        ],
        "crossing": {
            **attributes(crossing, "outcome size"),
            "lower": low,
            "upper": high,
            **attributes(crossing, "passages unclear"),
        },
        "notes": notes,
    }


def in_flight_answer(found: Mapping[int, Measured], crossings: Mapping[int, Crossing]) -> str:
    """Sentence that says where the accelerated path wins, for each number of requests in flight."""
    title = next(iter(found.values())).recorded.header.title
    told = (f"{number} in flight: {each}" for number, each in crossings.items())
    return f"{title}; {'; '.join(told)}."


def in_flight_table(found: Mapping[int, Measured]) -> Table:
    """Time of a request on both paths by size, for each number of requests in flight."""
    rows = {number: {row.size: row for row in each.rows} for number, each in found.items()}
    sizes = sorted({size for each in rows.values() for size in each})
    columns = [(Column.number("size"), [*map(format_size, sizes)])]
    for number, each in rows.items():
        there = [each.get(size) for size in sizes]
        group = f"{number} in flight"
        columns += [
            (
                Column.number(path, group),
                [duration(getattr(row, path).value) if row else "-" for row in there],
            )
            for path in ("host", "accelerated")
        ]
        columns.append(
            (
                Column.number("speedup", group),
                [f"{row.speedup:.4g}" if row else "-" for row in there],
            )
        )
    return Table.by_columns(columns, notes=("time of a request: that of all over their number",))


def in_flight_data(
    found: Mapping[int, Measured], crossings: Mapping[int, Crossing]
) -> dict[str, Any]:
    """Measurements with several requests in flight for JSON."""
    return {
        "answer": in_flight_answer(found, crossings),
        "in_flight": [
            {
                "in_flight": number,
                **measured_data(each, crossings[number], notes_of(each.recorded)),
            }
            for number, each in found.items()
        ],
    }


def experiments_table(known: Sequence[Known]) -> Table:
    """Experiments that can be named."""
    return Table.by_columns(
        (
            (Column("experiment"), [each.name for each in known]),
            (Column("what it times"), [each.description for each in known]),
            (Column("from"), [each.source for each in known]),
        )
    )


def _median_data(found: Median) -> dict[str, Any]:
    return {"median": found.value, **attributes(found, "lower upper level repeats")}


def _medians(timings: Timings) -> Table:
    return measured_table(compared_timings(timings))


def _times(timings: Timings) -> Iterator[dict[str, Any]]:
    for path in ("host", "accelerated"):
        for size, seconds in zip(timings.granularity, getattr(timings, path), strict=True):
            for each in seconds.tolist():
                yield {"size": size, "path": path, "seconds": each}


VIEWS = {
    "Timings": View(
        answer=lambda found: f"{len(found)} sizes: {crossing(found)}",
        tables=lambda found: [_medians(found)],
        rows={"times": _times},
    )
}
"""View of timings in Python."""
