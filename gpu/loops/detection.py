"""Loop detection: which nests are predicted, by directives or by the dependences they carry.

The hottest loop is named where it stays on the host.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from logca.common.errors import RegionError
from logca.gpu.loops.carried_dependences import as_seen, watched
from logca.gpu.loops.directives import directed, passed_over, warnings
from logca.gpu.loops.hot_loops import computing, hot, only_reading, outermost, suited
from logca.gpu.loops.parallelism import Serial, serial_loops, with_deeper
from logca.gpu.nests.nest import Nest, computes, iterations, mapped, nest_at, obstacle, work
from logca.gpu.program.workload import Workload
from logca.gpu.stages.result import LeftOut
from logca.trace.ir.program import Program

__all__ = [
    "Choice",
    "chosen_nests",
    "left_out",
]


def left_out(
    program: Program,
    counts: Sequence[int],
    nests: Sequence[Nest],
    tops: Collection[int],
    serial: Mapping[int, Serial],
    function: str | None = None,
) -> LeftOut | None:
    """The hottest loop that stays on the host, if it executes more than all nests; else None."""
    works = {nest.loop: work(program, counts, nest.loop) for nest in nests}
    inside = {
        loop.id: [n for n in works if program.loops[n].header in loop.blocks]
        for loop in program.loops
    }

    def rest(loop: int) -> int:
        return work(program, counts, loop) - sum(works[nest] for nest in inside[loop])

    calling = {
        loop
        for loop in outermost(program, counts, function)
        if obstacle(program, loop) and computes(program, counts, loop)
    }
    loop = max({*tops, *calling}, key=rest, default=None)
    if loop is None or rest(loop) <= sum(works.values()):
        return None
    while inside[loop]:
        within = [
            each.id
            for each in program.loops
            if each.parent == loop and iterations(program, counts, each.id) and each.id not in works
        ]
        if not within:
            break
        loop = max(within, key=rest)
    whole = sum(
        count * len(block.instructions)
        for count, block in zip(counts, program.blocks, strict=False)
    )
    share = rest(loop) / whole
    return LeftOut(
        loop=loop,
        share=share,
        offloaded=sum(works.values()) / whole,
        note=_told(program, loop, share, nests, serial, function),
    )


def _told(
    program: Program,
    number: int,
    share: float,
    nests: Sequence[Nest],
    serial: Mapping[int, Serial],
    function: str | None,
) -> str:
    loop = program.loops[number]
    found, calls = serial.get(number), obstacle(program, number)
    if found is not None:
        why, fix = f"it {found.why}", found.fix
    elif calls is not None:
        why, fix = calls.what, calls.fix
    else:
        why, fix = "what is in it cannot run side by side", ""
    functions = {program.loops[nest.loop].source_function for nest in nests}
    if found is not None and found.countable:
        own = loop.source_function
        alone = function is None and own not in functions and not program.scops
        named = (
            f"`--function {own}`"
            if alone
            else "`#pragma logca offload` before the loop that is to be threads"
        )
        fix = f"{named} predicts it against its dependences"
    return (
        f"the hottest loop, at line {loop.line} in {loop.source_function}, has "
        f"{100 * share:.3g} % of the executed instructions and stays on the host, which these "
        f"times leave out: {why}" + (f"; {fix}" if fix else "")
    )


_ALIKE = 1.25
"""Numbers of dependences are not exact, because of large arrays a share is watched [1]."""


_WARP = 32
"""Of loops that cannot run side by side anyway, one with fewer iterations fills no warp [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The nests to predict."""

    nests: tuple[Nest, ...]  # in program order
    notes: tuple[str, ...]  # what to say of the choice
    # the hottest loop, if it stays on the host and executes more than all nests; the first note
    # is about it
    left_out: LeftOut | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What is parallel in a hot loop, and its innermost serial loops."""

    top: int
    nests: tuple[Nest, ...]
    leaves: tuple[int, ...]


def chosen_nests(load: Workload, function: str | None = None) -> Choice:
    """The nests to predict.

    Loops that only write, or only read, are taken for the preparation of data or a look at results
    where there are others that do both. If none of these others can run its iterations side by
    side, the one that was seen to carry the fewest dependences is predicted as if it could.
    """
    try:
        choice = _chosen(load, function)
    except RegionError as error:
        raise RegionError(f"{error}; {load.ending}" if load.ending else str(error)) from None
    return replace(choice, notes=(*choice.notes, load.ending)) if load.ending else choice


def _chosen(load: Workload, function: str | None) -> Choice:
    """The same, whatever the program said at its end."""
    static = load.static
    counts, edges = load.traced[: len(static.blocks)], load.traced[len(static.blocks) :]
    there = load.work[: len(static.blocks)]
    nests = directed(static, counts, function)
    if nests:
        return Choice(nests=nests, notes=warnings(static, nests, edges))
    every = suited(static, counts, function)
    tops = hot(static, there, every)
    seen = watched(load.programs[0], tops)
    serial = serial_loops(static, edges, seen)
    found = []
    for top in tops:
        inside, leaves = mapped(static, counts, there, top, serial)
        inside = tuple(with_deeper(static, each, serial) for each in as_seen(inside, seen[top]))
        found.append(_Found(top=top, nests=inside, leaves=leaves))
    main = computing(static, there, tops)
    kept = [each for each in found if each.top in main]
    nests = tuple(nest for each in kept for nest in each.nests)
    beside = _beside(static, there, every, found, main)
    if not nests:
        nest = _least_serial(load, main, serial)
        reason = f"predicted against its dependences: {serial[nest.loop].reason}"
        return Choice(nests=(nest,), notes=(reason, *beside))
    hosts = {*main, *only_reading(static, there, tops)}
    missing = left_out(static, there, nests, hosts, serial, function)
    told = [] if missing is None else [missing.note]
    told += [
        f"stays on the host: {serial[leaf].reason}"
        for each in kept
        for leaf in each.leaves
        if missing is None or serial[leaf].why not in missing.note
    ]
    return Choice(nests=nests, notes=tuple(dict.fromkeys([*told, *beside])), left_out=missing)


def _beside(
    static: Program,
    counts: Sequence[int],
    every: Sequence[int],
    found: Sequence[_Found],
    main: Sequence[int],
) -> list[str]:
    """What to say of parallel loops that are not predicted, and of directives on none that runs."""
    told = list(passed_over(static))
    left = [nest.loop for each in found if each.top not in main for nest in each.nests]
    if left:
        told.append(
            "taken for the preparation of data or a look at results: loops at "
            + _places(static, left)
        )
    tops = {each.top for each in found}
    small = [loop for loop in computing(static, counts, every) if loop not in tops]
    if small:
        told.append(_too_small(static, counts, small))
    return told


def _places(static: Program, loops: Sequence[int]) -> str:
    return ", ".join(dict.fromkeys(f"line {static.loops[loop].line}" for loop in loops))


def _too_small(static: Program, counts: Sequence[int], loops: Sequence[int]) -> str:
    """What to say of loops that execute next to nothing."""
    whole = sum(
        count * len(block.instructions) for count, block in zip(counts, static.blocks, strict=True)
    )
    share = 100 * sum(work(static, counts, loop) for loop in loops) / whole
    many = "1 loop is" if len(loops) == 1 else f"{len(loops)} loops are"
    return (
        f"{many} left out, with less than 1 % of the hottest one's instructions and {share:.2g} % "
        f"of all: {_places(static, loops)}"
    )


def _least_serial(load: Workload, tops: Sequence[int], serial: Mapping[int, Serial]) -> Nest:
    """The loop that carries the fewest dependences of those in which most of the work is."""
    static = load.static
    counts, there = (each[: len(static.blocks)] for each in (load.traced, load.work))
    order = sorted(
        tops,
        key=lambda top: (not computes(static, there, top), -work(static, there, top)),
    )
    for top in order:
        most = work(static, there, top) / 2
        within = [
            loop.id
            for loop in static.loops_of(top)
            if loop.id in serial
            and serial[loop.id].countable
            and work(static, there, loop.id) >= most
        ]
        if within:
            trips = {loop: load.trips(loop).mean for loop in within}
            wide = [loop for loop in within if trips[loop] >= _WARP] or within
            plain = [loop for loop in wide if not serial[loop].recurrent] or wide
            few = _ALIKE * min(serial[loop].dependences for loop in plain)
            alike = [loop for loop in plain if serial[loop].dependences <= few]
            best = min(alike, key=lambda loop: static.loops[loop].depth)
            worse = serial.keys() - set(alike)
            return nest_at(
                static,
                counts,
                there,
                best,
                worse,
                "no loop runs its iterations side by side; this one was seen to carry the fewest "
                "dependences",
            )
    reasons = [serial[top] for top in tops if top in serial]
    raise RegionError(
        "no loop can become threads: "
        + "; ".join(
            dict.fromkeys(each.reason + (f": {each.fix}" if each.fix else "") for each in reasons)
        )
    )
