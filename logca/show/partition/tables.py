"""Partitions as tables: times, regions, what stays, other ways of finding one."""

from collections.abc import Iterator, Sequence
from math import isfinite

from logca.common.readable_numbers import count, duration, percent
from logca.common.tables import Column, Section, Table
from logca.numeric.partition.answer.findings import PartitionReport
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.problem.costs import Times
from logca.numeric.partition.program.locations import SourceRegion
from logca.show.partition.words import (
    PARTS,
    associativity_words,
    certificate_words,
    design_words,
    executed_blocks,
    larger_words,
    machine_words,
    optimum_words,
    region_words,
    remedy_words,
    speedup_words,
    staying_words,
    times_words,
)
from logca.trace.profiling.names import short_names

__all__ = [
    "partition_tables",
    "time_table",
]

MOST = 12
"""Rows of a table of regions [1]."""

_REMEDIES = {"area": "more area", "pin": "no pin", "block": "all may move"}

LEAST = 0.005
"""Share of the time from which on something that stays is told [1]."""


def partition_tables(findings: PartitionReport) -> tuple[Table, ...]:
    """All but the headline."""
    tables = [_facts(findings)]
    if findings.partition.mapped.any():
        tables.append(_moving(findings))
    stays = tuple(_staying(findings))
    if stays:
        title = "What stays (share of the CPU-only time; why)"
        tables.append(Table.facts(stays, title))
    tables += [time_table(findings.partition), _methods(findings)]
    tables.append(Table.facts(_outlook(findings), "What would increase the speedup"))
    if findings.partition.case.problem.notes:
        notes = findings.partition.case.problem.notes
        tables.append(Table.facts(("note", note) for note in notes))
    return tuple(tables)


def _facts(findings: PartitionReport) -> Table:
    found = findings.partition
    case, blocks = found.case, found.blocks
    alone = sum(t for t, on in zip(findings.account.cpu_only, found.mapped, strict=True) if on)
    share = percent(float(alone), float(case.baseline.total))
    other = findings.associativity
    return Table.facts(
        (
            ("speedup", speedup_words(found)),
            ("bound", optimum_words(found)),
            ("proof", certificate_words(findings)),
            ("platform", machine_words(case)),
            ("design", design_words(case)),
            *((("caches", associativity_words(other)),) if other is not None else ()),
            (
                "moved",
                f"{len(blocks):,} of {executed_blocks(found):,} blocks that are executed, "
                f"{share} % of the CPU-only time; area {found.area:,} of "
                f"{case.instance.capacity:,}",
            ),
        )
    )


def _moving(findings: PartitionReport) -> Table:
    found = findings.partition
    whole, capacity = float(found.case.baseline.total), found.case.instance.capacity
    regions = []
    for region in findings.regions:
        on = tuple(each for each in region.blocks if found.mapped[each])
        if on:
            regions.append((_alone(findings, on), on, region))
    regions.sort(key=lambda each: -each[0])
    shown, rest = regions[:MOST], regions[MOST:]
    rows: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    blocks = found.case.problem.blocks
    for time, on, region in shown:
        area = sum(blocks[each].area for each in on)
        rows.setdefault((region.file, region.function), []).append(
            (
                f"  {region_words(region, found.case)}",
                f"{len(on)} of {len(region.blocks)}",
                count(max(blocks[each].executions for each in on)),
                percent(time, whole),
                f"{area:,}",
                percent(area, capacity),
            )
        )
    sections = [
        Section(heading=_function(findings, *place), rows=tuple(found_rows))
        for place, found_rows in rows.items()
    ]
    if rest:
        area = sum(blocks[each].area for _, on, _ in rest for each in on)
        time = sum(each[0] for each in rest)
        row = (
            f"  in {len(rest):,} other places",
            str(sum(len(on) for _, on, _ in rest)),
            "",
            percent(time, whole),
            f"{area:,}",
            percent(area, capacity),
        )
        sections.append(Section(heading="the rest", rows=(row,)))
    return Table(
        title="What moves",
        columns=(
            *(Column("lines"), Column.number("blocks"), Column.number("executions")),
            Column.number("% of\ntime", heat=True),
            *(Column.number("area"), Column.number("% of\narea")),
        ),
        sections=tuple(sections),
    )


def _function(findings: PartitionReport, file: str, function: str) -> str:
    names = short_names(region.file for region in findings.regions if region.file)
    known = [each for each in (names.get(file, "") if len(names) > 1 else "", function) if each]
    return ": ".join(known) or "the program"


def _staying(findings: PartitionReport) -> Iterator[tuple[str, str]]:
    found = findings.partition
    whole = float(found.case.baseline.total)
    shares = [(_alone(findings, each.blocks) / whole, each) for each in findings.staying]
    told = sorted((each for each in shares if each[0] >= LEAST), key=lambda each: -each[0])
    for share, each in told[:MOST]:
        yield _where(findings, each.region), staying_words(each, share, found)
    rest = [share for share, _ in shares if share < LEAST]
    rest += [share for share, _ in told[MOST:]]
    if rest:
        places = "1 other place" if len(rest) == 1 else f"{len(rest):,} other places"
        yield "others", f"{percent(sum(rest), 1)} % in {places}"


def _where(findings: PartitionReport, region: SourceRegion) -> str:
    lines = region_words(region, findings.partition.case)
    bare = _function(findings, region.file, region.function)
    return f"{bare}, {lines}" if region.function or region.file else lines


def _alone(findings: PartitionReport, blocks: Sequence[int]) -> float:
    return float(sum(findings.account.cpu_only[each] for each in blocks))


def time_table(found: Partition) -> Table:
    """The parts of the time, with everything on the CPU and in the partition."""
    before, after = found.case.baseline, found.time
    rows = [(f"{key}, {name}", *_beside(before, after, key)) for key, name in PARTS.items()]
    rows.append(("t, all", *_beside(before, after, "total")))
    heads = ("CPU only\ncycles", "%", "partition\ncycles", "%", "change\ncycles")
    return Table.by_rows(("", *map(Column.number, heads)), rows, title="Time")


def _beside(before: Times, after: Times, key: str) -> tuple[str, ...]:
    old, new = getattr(before, key), getattr(after, key)
    difference = round(new - old)
    return (
        count(round(old)),
        percent(float(old), float(before.total)),
        count(round(new)),
        percent(float(new), float(after.total)),
        f"{'+' if difference > 0 else ''}{count(difference)}",
    )


def _methods(findings: PartitionReport) -> Table:
    rows = (
        (
            f"{each.method}{' *' if each is findings.partition else ''}",
            times_words(each.speedup),
            f"{100 * each.relative_speedup:.1f}" if isfinite(each.relative_speedup) else "",
            f"{each.area:,}",
            f"{len(each.blocks):,}",
            _gap(findings.gap_of(each)),
            duration(each.elapsed_s),
        )
        for each in findings.beside
    )
    heads = ("speedup", "relative\n%", "area", "blocks", "gap\n%", "found in")
    return Table.by_rows(
        ("method", *map(Column.number, heads)),
        rows,
        title="Methods compared",
        notes=(
            "*: the one shown above; gap: how far its time can be above the optimum, relative to "
            "its time",
        ),
    )


def _gap(share: float) -> str:
    return f"{100 * share:.2g}" if share else "0"


def _outlook(findings: PartitionReport) -> Iterator[tuple[str, str]]:
    for remedy in findings.remedies:
        yield _REMEDIES[remedy.kind], remedy_words(remedy)
    if not any(each.kind == "area" for each in findings.remedies):
        yield "more area", "gains nothing on the frontier"
    yield "largest part", larger_words(findings.partition)
