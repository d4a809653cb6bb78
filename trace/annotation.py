"""What accesses did, line by line of the source."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np

from logca.trace.findings import AccessFindings, LineFindings
from logca.trace.program import Program
from logca.trace.summary import Summary

__all__ = ["line_findings", "source_reader"]


def source_reader() -> Callable[[str, int], str]:
    """A function that says what stands in a line of a file, without indentation.

    It reads each file once, and gives an empty text for a line that is not there.

    Examples
    --------
    >>> source_reader()("no/such/file.c", 1)
    ''
    """
    known: dict[str, list[str]] = {}

    def text(file: str, line: int) -> str:
        if file not in known:
            try:
                # only ends of lines count lines: form feeds, which splitlines() splits at, do not
                known[file] = Path(file).read_text("utf-8", errors="replace").split("\n")
            except OSError:
                known[file] = []
        lines = known[file]
        return " ".join(lines[line - 1].split()) if 0 < line <= len(lines) else ""

    return text


def line_findings(
    program: Program, summary: Summary, text: Callable[[str, int], str]
) -> tuple[LineFindings, ...]:
    """The lines of the source whose accesses were executed, by file and line.

    Parameters
    ----------
    program : Program
        The program.
    summary : Summary
        Its accesses, counted.
    text : callable
        What stands in a line of a file, as from `source_reader`.
    """
    lines: dict[tuple[str, int], list[AccessFindings]] = defaultdict(list)
    for found in summary.findings():
        access = program.accesses[found.access]
        lines[access.file, access.line].append(found)
    order = {file: place for place, file in enumerate(program.files)}
    places = sorted(lines, key=lambda place: (order.get(place[0], len(order)), *place))
    groups = np.full(len(program.accesses), -1, dtype=np.int64)
    for number, place in enumerate(places):
        groups[[found.access for found in lines[place]]] = number
    result = []
    for (file, line), footprint in zip(places, summary.footprints(groups), strict=True):
        members = lines[file, line]
        sites = [found.access for found in members]
        written = summary.count(site for site in sites if program.accesses[site].store)
        result.append(
            LineFindings(
                file=file,
                line=line,
                text=text(file, line),
                loads=summary.count(sites) - written,
                stores=written,
                bytes=summary.moved(sites),
                footprint=footprint,
                reuse=summary.reuse(sites),
                accesses=tuple(members),
            )
        )
    return tuple(result)
