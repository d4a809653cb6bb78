"""A partition as plain data for JSON, and as it shows itself in Python."""

from collections.abc import Iterator
from typing import Any

from logca.common.json_output import attributes
from logca.common.tables import Table
from logca.numeric.partition.answer.case import Case
from logca.numeric.partition.answer.findings import PartitionReport
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.problem.costs import Times
from logca.numeric.partition.program.locations import SourceRegion
from logca.plots.charts import Bars, Lines, Series, SeriesPanel
from logca.show.partition.tables import time_table
from logca.show.partition.words import (
    PARTS,
    design_words,
    executed_blocks,
    headline,
    leaves,
    machine_words,
    optimum_words,
    speedup_words,
)
from logca.show.results import View

__all__ = [
    "VIEWS",
    "partition_data",
]


def partition_data(findings: PartitionReport) -> dict[str, Any]:
    """All that is known; docs/partition.md says what the keys mean."""
    found = findings.partition
    case = found.case
    data: dict[str, Any] = {
        "answer": headline(found),
        "name": case.problem.name,
        "platform": _platform(case),
        "design": case.design.name,
        "penalty": case.penalised,
        "area": {"given": case.instance.capacity, "used": found.area},
        **_summary(found, found.gap),
        "theoretical_speedup": found.theoretical_speedup,
        "bound_cycles": found.bound,
        "optimal": found.proven,
        "out_of_time": found.found.out_of_time,
        "proof": found.found.proof,
        "certificate": {
            "nodes": len(found.found.certificate.nodes),
            "leaves": leaves(found),
            "checked": True,
            "proves_bound": findings.proved,
            "seconds": findings.checked_s,
        },
        "time": {"cpu_only": _times(case.baseline), "partition": _times(found.time)},
        "regions": [_region(region, findings) for region in findings.regions],
        "staying": _staying(findings),
        "crossings": [
            {
                "from": case.problem.blocks[each.source].name,
                "to": case.problem.blocks[each.target].name,
                "executions": each.executions,
                "cycles": each.cycles,
            }
            for each in findings.account.crossings
        ],
        "blocks": _blocks(findings),
        "methods": [_summary(each, findings.gap_of(each)) for each in findings.beside],
        "frontier": _frontier(findings),
        "remedies": findings.remedies,
        "associativity": _associativity(findings),
        "notes": case.problem.notes,
    }
    return data


def _summary(found: Partition, gap: float) -> dict[str, Any]:
    return {
        **attributes(found, "method speedup relative_speedup"),
        "cycles": found.time.total,
        "gap": gap,
        "area_used": found.area,
        "blocks_moved": len(found.blocks),
        "seconds": found.elapsed_s,
    }


def _associativity(findings: PartitionReport) -> dict[str, Any] | None:
    found = findings.associativity
    if found is None:
        return None
    return {
        **attributes(found, "ways speedup error"),
        "cpu_only_error": found.cpu_alone.error,
    }


def _platform(case: Case) -> dict[str, Any]:
    rows = case.platform.rows()
    return {
        **attributes(case.platform, "name title"),
        "parameters": {row["parameter"]: row["value"] for row in rows},
    }


def _times(times: Times) -> dict[str, Any]:
    return attributes(times, "te tm tc tr total")


def _region(region: SourceRegion, findings: PartitionReport) -> dict[str, Any]:
    found = findings.partition
    blocks = found.case.problem.blocks
    moved = [each for each in region.blocks if found.mapped[each]]
    return {
        **_place(region),
        "blocks": [blocks[each].name for each in region.blocks],
        "moved": [blocks[each].name for each in moved],
        "cpu_only_cycles": sum(findings.account.cpu_only[each] for each in region.blocks),
        "moved_cpu_only_cycles": sum(findings.account.cpu_only[each] for each in moved),
        "moved_area": sum(blocks[each].area for each in moved),
    }


def _staying(findings: PartitionReport) -> list[dict[str, Any]]:
    blocks = findings.partition.case.problem.blocks
    return [
        {
            **_place(each.region),
            "blocks": [blocks[number].name for number in each.blocks],
            "cpu_only_cycles": sum(findings.account.cpu_only[number] for number in each.blocks),
            "reasons": each.reasons,
            "area": each.area,
            "free_area": each.free,
            "change": None if each.change is None else _times(each.change),
        }
        for each in findings.staying
    ]


def _place(region: SourceRegion) -> dict[str, Any]:
    return attributes(region, "function file loop first_line last_line")


def _blocks(findings: PartitionReport) -> list[dict[str, Any]]:
    account = findings.account
    return [
        {**row, "cpu_only_cycles": alone, "cycles": partitioned}
        for row, alone, partitioned in zip(
            _placed(findings.partition), account.cpu_only, account.partitioned, strict=True
        )
    ]


def _placed(found: Partition) -> Iterator[dict[str, Any]]:
    """The blocks, and on which core each runs."""
    names = "name function file first_line last_line executions area pinned"
    for block, on in zip(found.case.problem.blocks, found.mapped.tolist(), strict=True):
        yield {**attributes(block, names), "core": "accelerator" if on else "cpu"}


def _frontier(findings: PartitionReport) -> list[dict[str, Any]]:
    return next((_corners(each) for each in findings.beside if each.frontier), [])


def _corners(found: Partition) -> list[dict[str, Any]]:
    return [
        {"area": each.area, "cycles": each.time, "bound_cycles": each.bound}
        for each in found.frontier
    ]


def _tables(found: Partition) -> Iterator[Table]:
    case = found.case
    yield Table.facts(
        (
            ("speedup", speedup_words(found)),
            ("bound", optimum_words(found)),
            ("platform", machine_words(case)),
            ("design", design_words(case)),
            (
                "moved",
                f"{len(found.blocks):,} of {executed_blocks(found):,} blocks that are executed; "
                f"area {found.area:,} of {case.instance.capacity:,}",
            ),
        )
    )
    yield time_table(found)


def _picture(found: Partition) -> Bars | Lines:
    """The parts of the time; of a frontier the speedup over the area."""
    if found.frontier:
        whole = found.case.baseline.total
        gained = tuple(float(whole / each.time) for each in found.frontier)
        return Lines(
            title=headline(found),
            places=tuple(float(each.area) for each in found.frontier),
            panels=(SeriesPanel(title="", series=(Series(name="frontier", values=gained),)),),
            across="area [instructions]",
            up="speedup [1]",
        )
    return Bars(
        title=headline(found),
        groups=tuple(PARTS.values()),
        kinds=(
            Series(name="all on the CPU", values=_shares(found.case.baseline, found)),
            Series(name=f"partition, {found.method}", values=_shares(found.time, found)),
        ),
        across="part of the runtime",
        up="time [% of all on the CPU]",
    )


def _shares(times: Times, found: Partition) -> tuple[float, ...]:
    """Parts of the time, of what everything on the CPU takes [%]."""
    whole = found.case.baseline.total or 1
    return tuple(float(100 * getattr(times, name) / whole) for name in PARTS)


VIEWS = {
    "Partition": View(
        answer=headline,
        tables=_tables,
        rows={"blocks": _placed, "frontier": _corners},
        picture=_picture,
    )
}
"""View of a partition in Python."""
