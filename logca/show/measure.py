"""Measurements as tables and as JSON data."""

from collections.abc import Iterator, Sequence
from typing import Any

from logca.common.json_output import attributes
from logca.common.readable_numbers import duration
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.measure.known_experiments import Known
from logca.numeric.measure.measure import Measured
from logca.numeric.timings.crossing import Compared, Crossing, Median
from logca.numeric.timings.timings import Timings, compared_timings, crossing
from logca.show.results import View

__all__ = ["VIEWS", "experiments_table", "measured_data", "measured_table"]

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
