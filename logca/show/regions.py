"""Optimization regions and cut-offs, for terminal and programs."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.regions import Regions, SizeInterval
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import pays_beside_curve
from logca.numeric.paper.figure_terms import HIGH, LOW
from logca.plots.drawing import Drawing, accelerator_drawing
from logca.show.results import View

__all__ = [
    "VIEWS",
    "cutoff_table",
    "region_table",
    "regions_answer",
    "regions_data",
]


def regions_answer(found: Regions, basis: Fit | Accelerator | None = None, name: str = "") -> str:
    """Where improving which parameter gains enough, and where offloading pays at all."""
    ranges = {key: " and ".join(map(str, sizes)) for key, sizes in found.cutoffs.items()}
    said = [f"{key} {text}" for key, text in ranges.items() if text]
    said += [f"{key} nowhere" for key, text in ranges.items() if not text]
    by = "By the most likely values of" if isinstance(basis, Fit) else "On"
    of = f"{by} {name}, " if name else ""
    text = (
        f"{of}improving one parameter {found.improvement:g}-fold gains "
        f"{100 * (found.gain - 1):.4g} % or more: {', '.join(said)}."
    )
    where = ""
    if isinstance(basis, Fit):
        same = " The breaks in its times change none of these gains." if basis.breaks else ""
        where = f"{same} Offloading: {pays_beside_curve(basis)}."
    return text[0].upper() + text[1:] + where


def region_table(found: Regions, title: str = "") -> Table:
    """The regions, one row each."""
    return Table.by_rows(
        ("region", Column.number("from"), Column.number("to")),
        ((region.label or "none", *_ends(region.interval)) for region in found.regions),
        title=title,
    )


def cutoff_table(found: Regions) -> Table:
    """Where improving each parameter pays."""
    return Table.by_rows(
        (Column("improving", symbol=True), "pays"),
        (
            (name, " and ".join(map(str, ranges)) or "nowhere")
            for name, ranges in found.cutoffs.items()
        ),
        notes=(
            f"A parameter pays where a {found.improvement:g}-fold improvement gains at least "
            f"{100 * (found.gain - 1):.4g} % (altaf2017, §3.2).",
        ),
    )


def regions_data(found: Regions) -> dict[str, Any]:
    """Regions and cut-offs as JSON has them; no lower end is 0, no upper end null."""
    return {
        "improvement": found.improvement,
        "gain": found.gain,
        "regions": [{"label": each.label, **_interval(each.interval)} for each in found.regions],
        "cutoffs": {name: [*map(_interval, ranges)] for name, ranges in found.cutoffs.items()},
    }


def _ends(interval: SizeInterval) -> tuple[str, str]:
    start = format_size(interval.start) if interval.start else "the smallest"
    end = format_size(interval.end) if isfinite(interval.end) else "the largest"
    # a narrow region between two cut-offs that are alike to four digits
    return (start, end) if start != end else (f"{interval.start:.8g} B", f"{interval.end:.8g} B")


def _interval(interval: SizeInterval) -> dict[str, float]:
    return {"start": interval.start, "end": interval.end}


def _cutoff_rows(found: Regions) -> Iterator[dict[str, Any]]:
    for name, ranges in found.cutoffs.items():
        for each in ranges:
            yield {"parameter": name, **_interval(each)}


def _drawing(found: Regions) -> Drawing:
    values: Any = found.parameters
    span = found.span
    return accelerator_drawing(
        [Accelerator(**values, latency=found.latency)],
        "regions",
        low=span.start or LOW,
        high=span.end if isfinite(span.end) else HIGH,
        improvement=found.improvement,
        gain=found.gain,
    )


VIEWS = {
    "Regions": View(
        answer=regions_answer,
        tables=lambda found: [region_table(found), cutoff_table(found)],
        rows={"regions": lambda found: regions_data(found)["regions"], "cutoffs": _cutoff_rows},
        picture=_drawing,
    )
}
"""View of regions in Python."""
