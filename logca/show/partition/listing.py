"""The source of a program, line by line: executions, time, core, crossings of control."""

from collections import defaultdict
from collections.abc import Iterable

from logca.common.files import source_text
from logca.common.readable_numbers import count, percent
from logca.numeric.partition.answer.breakdown import LineAccount, line_accounts
from logca.numeric.partition.answer.findings import PartitionReport
from logca.numeric.partition.problem.blocks import Problem, ProblemError
from logca.numeric.partition.program.tracing import Traced
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
        source = _source(file, findings.source, known)
        parts.append("\n".join([file, *_annotated(source, known, whole)]))
    return "\n\n".join(parts)


def _source(file: str, program: Problem | Traced, known: Iterable[int]) -> dict[int, str]:
    """The lines of a file; of one that is not there, or was not compiled, those that are known."""
    # where a problem comes from a file, nobody knows what was compiled
    compiled = isinstance(program, Problem) or file in program.compiled.program.compiled_files
    text = source_text(file) if compiled else None
    if text is None:
        return dict.fromkeys(known, "(no source)")
    # a `#line` may give the lines of a file any numbers
    lines = enumerate(text.removesuffix("\n").split("\n"), start=1)
    return dict.fromkeys(known, "(no source)") | dict(lines)


def _annotated(source: dict[int, str], known: dict[int, LineAccount], whole: float) -> list[str]:
    numbers = sorted(source)
    rows: list[tuple[str, ...]] = [_HEADS]
    rows += [_cells(number, known.get(number), whole) for number in numbers]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    result = []
    for row, text in zip(rows, ["", *(source[number] for number in numbers)], strict=True):
        cells = [
            cell.ljust(width) if column in (3, 4) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        result.append(f"{'  '.join(cells)}  | {text.expandtabs(4)}".rstrip())
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
