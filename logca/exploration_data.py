"""Sweeps, ranges and links as plain data: for JSON, and as CSV."""

import csv
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import StringIO
from math import isfinite
from typing import Any

from logca.columns import Columns, as_grid
from logca.exploration import Swept
from logca.numeric.partition.exploration.ranges import Range
from logca.numeric.partition.exploration.sweeps import settings_of
from logca.numeric.partition.links import INTERFACE, Link

__all__ = ["as_csv", "links_data", "ranges_data", "sweep_data"]


def sweep_data(swept: Swept) -> dict[str, Any]:
    """All points of a sweep; times in cycles, shares not in percent.

    Parameters
    ----------
    swept : Swept
        The sweep.
    """
    rows = []
    for step in swept.steps:
        for setting in settings_of([step], swept.programs, swept.methods):
            point = swept.points[setting]
            rows.append(
                {
                    "program": setting.program,
                    "method": setting.method,
                    "label": step.label,
                    "value": None if step.value is None else float(step.value),
                    "design": step.design,
                    "penalty": step.penalised,
                    "changes": {key: _plain(value) for key, value in step.changes},
                    "speedup": _number(point.speedup),
                    "theoretical_speedup": _number(point.theoretical),
                    "relative_speedup": _number(point.relative),
                    "gap": point.gap,
                    "proven": point.proven,
                    "traced": point.traced,
                    "area": point.area,
                    "te": float(point.te),
                    "tm": float(point.tm),
                    "tc": float(point.tc),
                    "tr": float(point.tr),
                    "blocks": list(point.mapped),
                    "elapsed_s": point.elapsed_s,
                }
            )
    known = swept.sweep
    return {
        "sweep": known.name,
        "figure": known.figure or None,
        "axis": known.axis,
        "points": rows,
    }


def ranges_data(found: Mapping[str, Sequence[Range]]) -> list[dict[str, Any]]:
    """The ranges of all programs; factors as fractions and as numbers.

    Parameters
    ----------
    found : mapping of str to sequence of Range
        The ranges of each program.
    """
    return [
        {
            "program": name,
            "low": str(each.low),
            "high": None if each.high is None else str(each.high),
            "low_number": float(each.low),
            "high_number": None if each.high is None else float(each.high),
            "proven": each.proven,
            "area": each.line.area,
            "blocks": list(each.line.mapped),
            "fixed_cycles": str(each.line.fixed),
            "communication_cycles": str(each.line.communication),
            "speedup_low": each.speedups[0],
            "speedup_high": each.speedups[1],
        }
        for name, ranges in found.items()
        for each in ranges
    ]


def links_data(links: Mapping[str, Link]) -> list[dict[str, Any]]:
    """The links; times in cycles.

    Parameters
    ----------
    links : mapping of str to Link
        The links.
    """
    return [
        {
            "name": each.name,
            "title": each.title,
            **{way: float(getattr(each, way)) for way in INTERFACE},
            "clock_GHz": None if each.clock_GHz is None else float(each.clock_GHz),
            "published": each.published,
            "taken": each.taken,
            "source": each.source,
            "note": each.note,
        }
        for each in links.values()
    ]


def as_csv(table: Columns) -> str:
    """A table as comma-separated values, with a line of headings [text].

    Parameters
    ----------
    table : Columns
        The table.
    """
    grid, text = as_grid(table), StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(grid.headings)
    writer.writerows(grid.rows)
    return text.getvalue()


def _number(value: float) -> float | None:
    return value if isfinite(value) else None


def _plain(value: int | Fraction | str) -> int | float | str:
    return float(value) if isinstance(value, Fraction) else value
