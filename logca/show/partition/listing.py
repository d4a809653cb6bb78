"""The source of a program, line by line: executions, time, core, crossings of control."""

from collections import defaultdict

from logca.common.files import source_text
from logca.common.readable_numbers import count, percent
from logca.numeric.partition.answer.breakdown import LineAccount, line_accounts
from logca.numeric.partition.answer.findings import PartitionReport
from logca.numeric.partition.problem.blocks import ProblemError
from logca.show.partition.words import (
    headline,
)

__all__ = [
    "listing_of",
]

_HEADS = ("line", "executed", "%", "core", "crossings")
_CORES = {"cpu": "cpu", "accelerator": "ACC", "both": "both"}


def listing_of(findings: PartitionReport) -> str:
    """The source of a program, annotated; only files with lines that are executed."""
    found = findings.partition
    lines = line_accounts(findings.source, found, findings.account)
    if not lines:
        raise ProblemError(
            f"{found.case.problem.name} has no listing: no block has file, first_line and last_line"
        )
    files: dict[str, dict[int, LineAccount]] = defaultdict(dict)
    for each in lines:
        files[each.file][each.line] = each
    whole = float(found.case.baseline.total)
    parts = [
        headline(found),
        "executed: by the line's most frequent block; %: of the CPU-only time; core: cpu, ACC for\n"
        "the accelerator, or both; crossings: how often control comes to the line from the CPU\n"
        "(>) and from the accelerator (<)",
    ]
    for file, known in files.items():
        parts.append("\n".join([file, *_annotated(_source(file, max(known)), known, whole)]))
    return "\n\n".join(parts)


def _source(file: str, last: int) -> list[str]:
    """The lines of a file; of one that cannot be read, as many as are known."""
    text = source_text(file)
    if text is None:
        return ["(no source)"] * last
    return text.removesuffix("\n").split("\n")


def _annotated(text: list[str], known: dict[int, LineAccount], whole: float) -> list[str]:
    rows: list[tuple[str, ...]] = [_HEADS]
    rows += [
        _cells(number, known.get(number), whole) for number in range(1, max(len(text), *known) + 1)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    sources = ["", *text, *[""] * (len(rows) - 1 - len(text))]
    result = []
    for row, source in zip(rows, sources, strict=True):
        cells = [
            cell.ljust(width) if column in (3, 4) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        result.append(f"{'  '.join(cells)}  | {source.expandtabs(4)}".rstrip())
    return result


def _cells(number: int, line: LineAccount | None, whole: float) -> tuple[str, ...]:
    if line is None:
        return (str(number), "", "", "", "")
    arrivals = [
        f"{sign}{count(times)}"
        for sign, times in ((">", line.to_accelerator), ("<", line.to_cpu))
        if times
    ]
    share = percent(float(line.cpu_only), whole)
    return (str(number), count(line.executions), share, _CORES[line.core], " ".join(arrivals))
