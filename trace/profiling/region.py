"""Which part of a program is analysed: all of it, a function, marked loops, the hottest nest."""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.common.errors import RegionError, TraceError
from logca.trace.ir.program import Loop, Program
from logca.trace.profiling.names import short_names
from logca.trace.source.pragmas import offloaded

__all__ = ["REGIONS", "TracedRegion", "checked_region", "hottest", "select"]

REGIONS = ("all", "pragma", "auto")


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRegion:
    """A part of a program."""

    title: str  # what it is
    # outermost loops that it consists of; None if it is no loops but functions [1]
    nests: tuple[int, ...] | None
    # blocks, loops, accesses: what it contains, in program order [1]
    blocks: tuple[int, ...]
    loops: tuple[int, ...]
    accesses: tuple[int, ...]


def checked_region(region: str) -> str:
    """The kind of a region.

    Examples
    --------
    >>> checked_region("auto")
    'auto'
    """
    if region not in REGIONS:
        raise TraceError(f"region must be one of {', '.join(REGIONS)}, not {region!r}")
    return region


def select(
    program: Program,
    region: str,
    function: str | None = None,
    counts: Sequence[int] = (),
) -> TracedRegion:
    """Find a part of a program."""
    where = "the program" if function is None else f"function {function}"
    if region == "all":
        return _functions(program, function, where)
    if region == "pragma":
        loops = tuple(
            loop for loop in offloaded(program) if function in (None, loop.source_function)
        )
        if not loops:
            _known(program, function)
            raise RegionError(f"no loop of {where} has `#pragma logca offload` before it")
        return _nests(program, loops, "marked loop")
    return _nests(program, hottest(program, counts, function), "hottest loop nest")


def hottest(
    program: Program, counts: Sequence[int], function: str | None = None
) -> tuple[Loop, ...]:
    """The outermost loop in which most instructions were executed.

    It is several loops if calls to its function were inlined in several places.
    """
    works: dict[tuple[str, str, int, int], int] = {}
    outermost: dict[tuple[str, str, int, int], list[Loop]] = {}
    for loop in program.loops:
        around = {program.loops[each].source_function for each in program.chain_of(loop.parent)}
        top = function not in around if function else loop.parent is None
        if not top or function not in (None, loop.source_function) or not counts[loop.header]:
            continue
        copies = (loop.file, loop.source_function, loop.line, loop.end_line)
        works[copies] = works.get(copies, 0) + program.executed_in(loop.id, counts)
        outermost.setdefault(copies, []).append(loop)
    if not works:
        _known(program, function)
        where = "the program" if function is None else f"function {function}"
        raise RegionError(f"no loop of {where} was executed: there is nothing to look at")
    return tuple(outermost[max(works, key=lambda copies: works[copies])])


def _nests(program: Program, nests: tuple[Loop, ...], title: str) -> TracedRegion:
    names = short_names(program.files)
    places = dict.fromkeys(f"{names.get(loop.file, loop.file)}:{loop.line}" for loop in nests)
    blocks = frozenset().union(*(loop.blocks for loop in nests))
    return TracedRegion(
        title=f"{title}{'s' * (len(places) > 1)} at {', '.join(places)}",
        nests=tuple(loop.id for loop in nests),
        blocks=tuple(sorted(blocks)),
        loops=tuple(sorted(inner.id for loop in nests for inner in program.loops_of[loop.id])),
        accesses=tuple(access.id for access in program.accesses if access.block in blocks),
    )


def _functions(program: Program, function: str | None, where: str) -> TracedRegion:
    _known(program, function)
    chosen = {
        each.name for each in program.functions if function is None or each.source_name == function
    }
    return TracedRegion(
        title="the whole program" if function is None else where,
        nests=None,
        blocks=tuple(block.id for block in program.blocks if block.function in chosen),
        loops=tuple(loop.id for loop in program.loops if loop.function in chosen),
        accesses=tuple(each.id for each in program.accesses if each.function in chosen),
    )


def _known(program: Program, function: str | None) -> None:
    written = sorted(
        {each.source_name for each in program.functions}
        | {each.source_function for each in program.loops}
    )
    if function is not None and function not in written:
        raise RegionError(f"there is no function {function!r}; there are {', '.join(written)}")
