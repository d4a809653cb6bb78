"""Which nests of a program are predicted: by directives, or by what its loops carry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.regions import (
    Nest,
    candidates,
    computes,
    directed,
    mapped,
    nest_at,
    obstacle,
    work,
)
from logca.gpu.serial import Serial, serial_loops
from logca.gpu.watching import watched
from logca.gpu.workload import Workload, collapsed_loops
from logca.trace.errors import RegionError
from logca.trace.nesting import loops_of
from logca.trace.program import Program

__all__ = ["chosen_nests"]

_COMPUTING = 0.1
"""Loops that read and write are what a program is for, if they do this share of the work [1]."""

_ALIKE = 1.25
"""Numbers of dependences are not exact, because of large arrays a share is watched [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What is parallel in a hot loop, and its innermost serial loops."""

    top: int
    nests: tuple[Nest, ...]
    leaves: tuple[int, ...]


def chosen_nests(
    load: Workload, function: str | None = None
) -> tuple[tuple[Nest, ...], tuple[str, ...]]:
    """The nests to predict, in program order, and what to say of the choice [text].

    Loops that only write, or only read, are taken for the preparation of data or a look at results
    where there are others that do both. If no loop can run its iterations side by side, the one
    that was seen to carry the fewest dependences is predicted as if it could.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    function : str, optional
        The function whose loops are meant [text].

    Raises
    ------
    RegionError
        If there is no loop to choose, or the iterations of none can be numbered as threads.
    """
    try:
        nests, told = _chosen(load, function)
    except RegionError as error:
        raise RegionError(f"{error}; {load.ending}" if load.ending else str(error)) from None
    return nests, (*told, load.ending) if load.ending else told


def _chosen(load: Workload, function: str | None) -> tuple[tuple[Nest, ...], tuple[str, ...]]:
    """The same, whatever the program said at its end."""
    static = load.static
    counts = load.traced[: len(static.blocks)]
    nests = directed(static, counts, function)
    if nests:
        return nests, _warnings(static, nests)
    tops = candidates(static, counts, function)
    edges = load.traced[len(static.blocks) :]
    serial = serial_loops(static, edges, watched(load.programs[0], tops))
    found = []
    for top in tops:
        inside, leaves = mapped(static, counts, top, serial)
        found.append(_Found(top=top, nests=inside, leaves=leaves))
    computing = _computing(static, counts, tops)
    kept = [each for each in found if each.top in computing]
    nests = tuple(nest for each in kept for nest in each.nests)
    if not nests:
        nest = _least_serial(static, counts, computing, serial)
        return (nest,), (f"predicted against its dependences: {serial[nest.loop].reason}",)
    told = [f"stays on the host: {serial[leaf].reason}" for each in kept for leaf in each.leaves]
    left = [nest.loop for each in found if each not in kept for nest in each.nests]
    if left:
        places = ", ".join(f"line {static.loops[loop].line}" for loop in left)
        told.append(f"taken for the preparation of data or a look at results: loops at {places}")
    return nests, tuple(dict.fromkeys(told))


def _warnings(static: Program, nests: Sequence[Nest]) -> tuple[str, ...]:
    """What to say of nests that directives name."""
    told = []
    for nest in nests:
        calls = obstacle(static, nest.loop)
        if calls:
            told.append(f"what is called is not predicted: {calls}")
        for loop in (static.loops[each] for each in collapsed_loops(static, nest)):
            if loop.carried:
                told.append(
                    f"predicted against its dependences: the loop at line {loop.line} carries "
                    f"{', '.join(loop.carried)}"
                )
    return tuple(dict.fromkeys(told))


def _computing(static: Program, counts: Sequence[int], tops: Sequence[int]) -> tuple[int, ...]:
    """The loops that read and write, and those beside them in their functions."""
    works = {top: work(static, counts, top) for top in tops}
    busy = {top for top in tops if computes(static, counts, top)}
    if sum(works[top] for top in busy) < _COMPUTING * sum(works.values()):
        return tuple(tops)
    functions = {static.loops[top].source_function for top in busy} - {"main"}
    return tuple(
        top for top in tops if top in busy or static.loops[top].source_function in functions
    )


def _least_serial(
    static: Program, counts: Sequence[int], tops: Sequence[int], serial: Mapping[int, Serial]
) -> Nest:
    """The loop that carries the fewest dependences of those in which most of the work is."""
    order = sorted(
        tops,
        key=lambda top: (not computes(static, counts, top), -work(static, counts, top)),
    )
    for top in order:
        most = work(static, counts, top) / 2
        within = [
            loop.id
            for loop in loops_of(static, top)
            if loop.id in serial
            and serial[loop.id].countable
            and work(static, counts, loop.id) >= most
        ]
        if within:
            plain = [loop for loop in within if not serial[loop].recurrent] or within
            few = _ALIKE * min(serial[loop].dependences for loop in plain)
            alike = [loop for loop in plain if serial[loop].dependences <= few]
            best = min(alike, key=lambda loop: static.loops[loop].depth)
            worse = serial.keys() - set(alike)
            return nest_at(
                static,
                counts,
                best,
                worse,
                "no loop runs its iterations side by side; this one was seen to carry the fewest "
                "dependences",
            )
    raise RegionError(
        "no loop can become threads: "
        + "; ".join(dict.fromkeys(serial[top].reason for top in tops if top in serial))
    )
