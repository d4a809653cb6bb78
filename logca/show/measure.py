"""What was measured, as tables and as JSON data."""

from collections.abc import Sequence
from typing import Any

from logca.common.columns import Column, Columns
from logca.common.sizes import format_size
from logca.numeric.measure.measure import Measured
from logca.numeric.measure.registry import Known
from logca.numeric.timings.crossing import Compared, Crossing, Median
from logca.show.gpu.words import duration

__all__ = ["experiments_table", "measured_data", "measured_table"]

_FASTER = {1: "accelerated", 0: "unclear", -1: "host"}


def measured_table(rows: Sequence[Compared]) -> Columns:
    """Medians of both paths by size, how well they are known, and the speedup."""
    medians = {path: [getattr(row, path) for row in rows] for path in ("host", "accelerated")}
    columns = [Column(heading="size", cells=tuple(format_size(row.size) for row in rows))]
    for path, found in medians.items():
        columns += [
            Column(group=path, heading="median", cells=tuple(duration(m.value) for m in found)),
            Column(group=path, heading="±", cells=tuple(map(_precision, found))),
            Column(
                group=path, heading="times", cells=tuple(str(m.repeats) for m in found), spare=True
            ),
        ]
    columns += [
        Column(heading="speedup", cells=tuple(f"{row.speedup:.4g}" for row in rows)),
        Column(heading="faster", cells=tuple(_FASTER[row.sign] for row in rows), right=False),
    ]
    few = any(median.level < 0.95 for found in medians.values() for median in found)
    return Columns(
        title="",
        columns=tuple(columns),
        notes=("± of fewer than 6 times is their range, less sure than 95 %",) if few else (),
    )


def _precision(found: Median) -> str:
    return f"{found.precision:.1%}" if found.repeats > 1 else "-"


def measured_data(found: Measured, crossing: Crossing, notes: Sequence[str]) -> dict[str, Any]:
    """What was measured, for JSON: times in seconds, sizes in bytes."""
    header = found.recorded.header
    low, high = crossing.bracket
    return {
        "experiment": header.experiment,
        "title": header.title,
        "machine": header.machine,
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
            "outcome": crossing.outcome,
            "size": crossing.size,
            "lower": low,
            "upper": high,
            "passages": crossing.passages,
            "unclear": crossing.unclear,
        },
        "notes": notes,
    }


def experiments_table(known: Sequence[Known]) -> Columns:
    """Experiments that can be named."""
    return Columns(
        title="",
        columns=(
            Column(heading="experiment", cells=tuple(each.name for each in known), right=False),
            Column(
                heading="what it times",
                cells=tuple(each.description for each in known),
                right=False,
            ),
            Column(heading="from", cells=tuple(each.source for each in known), right=False),
        ),
    )


def _median_data(found: Median) -> dict[str, Any]:
    return {
        "median": found.value,
        "lower": found.lower,
        "upper": found.upper,
        "level": found.level,
        "repeats": found.repeats,
    }
