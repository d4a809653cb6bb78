"""A run broken down by loop, and by line of the source."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

from logca.common.files import source_text
from logca.trace.ir.program import Program
from logca.trace.profiling.access_statistics import AccessStatistics
from logca.trace.profiling.findings import AccessFindings, LineFindings, LoopFindings
from logca.trace.profiling.region import TracedRegion

__all__ = ["iterations_of", "line_findings", "loop_findings", "source_reader"]


def iterations_of(
    program: Program, loop: int, blocks: Sequence[int], edges: Sequence[int]
) -> tuple[int, int]:
    """Entries of a loop, and the iterations that it made in all [1].

    An iteration counts when control goes on from the header into the loop: the last test of a
    ``while`` is none. Where the header is also the end of the loop, each time it runs is one.
    """
    it = program.loops[loop]
    before, after = program.edges_into[it.header], program.edges_from[it.header]
    back = sum(int(edges[edge.id]) for edge in before if edge.source in it.blocks)
    out = sum(int(edges[edge.id]) for edge in after if edge.target not in it.blocks)
    passes = int(blocks[it.header])
    return passes - back, passes if it.header in it.latches else passes - out


def loop_findings(
    program: Program,
    selection: TracedRegion,
    blocks: Sequence[int],
    edges: Sequence[int],
    summary: AccessStatistics | None,
    text: Callable[[str, int], str],
) -> tuple[LoopFindings, ...]:
    """Findings on each loop of a region, in program order."""
    found = []
    groups = [[access.id for access in program.accesses_of[loop]] for loop in selection.loops]
    footprints = summary.footprints(groups) if summary else [None] * len(groups)
    for loop, sites, footprint in zip(selection.loops, groups, footprints, strict=True):
        entries, iterations = iterations_of(program, loop, blocks, edges)
        found.append(
            LoopFindings(
                loop=loop,
                text=text(program.loops[loop].file, program.loops[loop].line),
                entries=entries,
                iterations=iterations,
                instructions=program.executed_in(loop, blocks),
                accesses=summary.count(sites) if summary else None,
                footprint=footprint,
            )
        )
    return tuple(found)


def source_reader(files: Collection[str]) -> Callable[[str, int], str]:
    """A function that says what stands in a line of one of these files, without indentation.

    It reads each file once, and gives an empty text for a line that is not there, and for other
    files, which a ``#line`` may name.

    Examples
    --------
    >>> source_reader({"no/such/file.c"})("no/such/file.c", 1)
    ''
    """
    known: dict[str, list[str]] = {}

    def text(file: str, line: int) -> str:
        if file not in known:
            # only ends of lines count lines: form feeds, which splitlines() splits at, do not
            known[file] = ((source_text(file) if file in files else "") or "").split("\n")
        lines = known[file]
        return " ".join(lines[line - 1].split()) if 0 < line <= len(lines) else ""

    return text


def line_findings(
    program: Program, summary: AccessStatistics, text: Callable[[str, int], str]
) -> tuple[LineFindings, ...]:
    """The lines of the source whose accesses were executed, by file and line."""
    lines: dict[tuple[str, int], list[AccessFindings]] = defaultdict(list)
    for found in summary.findings():
        access = program.accesses[found.access]
        lines[access.file, access.line].append(found)
    order = {file: place for place, file in enumerate(program.files)}
    places = sorted(lines, key=lambda place: (order.get(place[0], len(order)), *place))
    groups = [[found.access for found in lines[place]] for place in places]
    result = []
    for (file, line), footprint, reuse in zip(
        places, summary.footprints(groups), summary.reuses(groups), strict=True
    ):
        members = lines[file, line]
        written = sum(found.count for found in members if program.accesses[found.access].store)
        result.append(
            LineFindings(
                file=file,
                line=line,
                text=text(file, line),
                loads=sum(found.count for found in members) - written,
                stores=written,
                bytes=sum(found.bytes for found in members),
                footprint=footprint,
                reuse=reuse,
                accesses=tuple(members),
            )
        )
    return tuple(result)
