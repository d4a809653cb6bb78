"""Partitions as plain data, for JSON."""

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from logca.gpu_data import plain
from logca.numeric.partition.answer import Partition
from logca.numeric.partition.case import Case
from logca.numeric.partition.findings import Findings
from logca.numeric.partition.places import Region
from logca.numeric.partition.times import Times
from logca.partition_words import leaves

__all__ = ["partition_data"]


def partition_data(findings: Findings) -> dict[str, Any]:
    """All that is known; docs/partition.md says what the keys mean.

    Parameters
    ----------
    findings : Findings
        The partition with all that is said of it.
    """
    found = findings.partition
    case = found.case
    data: dict[str, Any] = {
        "name": case.problem.name,
        "platform": _platform(case),
        "design": case.design.name,
        "penalty": case.penalised,
        "area": {"given": case.asked.capacity, "used": found.area},
        **_summary(found, found.gap),
        "theoretical_speedup": found.theoretical_speedup,
        "bound_cycles": _number(found.bound),
        "optimal": found.proven,
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
                "cycles": _number(each.cycles),
            }
            for each in findings.account.crossings
        ],
        "blocks": _blocks(findings),
        "methods": [_summary(each, findings.gap_of(each)) for each in findings.beside],
        "frontier": _frontier(findings),
        "remedies": [asdict(each) for each in findings.remedies],
        "associativity": _associativity(findings),
        "notes": list(case.problem.notes),
    }
    return {name: plain(value) for name, value in data.items()}


def _summary(found: Partition, gap: float) -> dict[str, Any]:
    return {
        "method": found.method,
        "speedup": found.speedup,
        "relative_speedup": found.relative_speedup,
        "cycles": _number(found.time.total),
        "gap": gap,
        "area_used": found.area,
        "blocks_moved": len(found.blocks),
        "seconds": found.elapsed_s,
    }


def _associativity(findings: Findings) -> dict[str, Any] | None:
    found = findings.associativity
    if found is None:
        return None
    return {
        "ways": list(found.ways),
        "speedup": found.speedup,
        "error": found.error,
        "cpu_only_error": found.cpu_alone.error,
    }


def _platform(case: Case) -> dict[str, Any]:
    rows = case.platform.rows()
    values = {str(row["parameter"]): row["value"] for row in rows}
    return {
        "name": case.platform.name,
        "title": case.platform.title,
        "parameters": {
            name: _number(value) if isinstance(value, Fraction) else value
            for name, value in values.items()
        },
    }


def _times(times: Times) -> dict[str, Any]:
    return {name: _number(getattr(times, name)) for name in ("te", "tm", "tc", "tr", "total")}


def _region(region: Region, findings: Findings) -> dict[str, Any]:
    found = findings.partition
    blocks = found.case.problem.blocks
    moved = [each for each in region.blocks if found.mapped[each]]
    return {
        **_place(region),
        "blocks": [blocks[each].name for each in region.blocks],
        "moved": [blocks[each].name for each in moved],
        "cpu_only_cycles": _number(sum(findings.account.alone[each] for each in region.blocks)),
        "moved_cpu_only_cycles": _number(sum(findings.account.alone[each] for each in moved)),
        "moved_area": sum(blocks[each].area for each in moved),
    }


def _staying(findings: Findings) -> list[dict[str, Any]]:
    blocks = findings.partition.case.problem.blocks
    return [
        {
            **_place(each.region),
            "blocks": [blocks[number].name for number in each.blocks],
            "cpu_only_cycles": _number(
                sum(findings.account.alone[number] for number in each.blocks)
            ),
            "reasons": each.reasons,
            "area": each.area,
            "free_area": each.free,
            "change": None if each.change is None else _times(each.change),
        }
        for each in findings.staying
    ]


def _place(region: Region) -> dict[str, Any]:
    names = ("function", "file", "loop", "first_line", "last_line")
    return {name: getattr(region, name) for name in names}


def _blocks(findings: Findings) -> list[dict[str, Any]]:
    found = findings.partition
    names = ("name", "function", "file", "first_line", "last_line", "executions", "area", "pinned")
    return [
        {
            **{name: getattr(block, name) for name in names},
            "core": "accelerator" if found.mapped[number] else "cpu",
            "cpu_only_cycles": _number(findings.account.alone[number]),
            "cycles": _number(findings.account.now[number]),
        }
        for number, block in enumerate(found.case.problem.blocks)
    ]


def _frontier(findings: Findings) -> list[dict[str, Any]]:
    corners = next((each.frontier for each in findings.beside if each.frontier), ())
    return [
        {"area": each.area, "cycles": _number(each.time), "bound_cycles": _number(each.bound)}
        for each in corners
    ]


def _number(value: Fraction | int) -> int | float:
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else float(exact)
