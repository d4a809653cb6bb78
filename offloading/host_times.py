"""Times of a program's loops on this machine, size by size, until they take too long."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np

from logca.common.errors import LogcaError, TraceError
from logca.gpu.program.running import Executable
from logca.offloading.sizes import MacroRange
from logca.trace.execute.loop_times import timed_program

__all__ = ["ENOUGH_S", "LONGEST_S", "HostTimes", "expected", "expected_loops", "host_times"]

_RUNS = 7
"""Runs of the program at each size, at most [1]."""
_TOO_SMALL = 2
"""Sizes at which a program may fail before it first succeeds: it may have a least one [1]."""
_SCATTER = 1.05
"""Times by which the least times of runs scatter on a quiet machine [1]."""
LONGEST_S = 2.0
"""Time of the loops beyond which no size is tried [s]."""
ENOUGH_S = 0.5
"""Time of all runs at a size from which on no further run is begun [s]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTimes:
    """Measured times of the loops."""

    # for each size the times of its runs, over all loops and their entries [s]
    runs: Mapping[int, tuple[float, ...]]
    loops: Mapping[int, tuple[float, ...]]  # of each loop in the fastest of these runs [s]
    programs: Mapping[int, float]  # for each of them the least time of the whole program [s]
    # sizes that were not measured, and why
    left_out: Mapping[int, str]


def host_times(
    build: Callable[[Mapping[str, int]], Executable],
    loops: Sequence[int],
    sizes: MacroRange,
    values: Sequence[int],
    *,
    known: HostTimes,
    executed: Mapping[int, float],
    progress: Callable[[str], None] = lambda step: None,
) -> HostTimes:
    """Time loops of a program at several sizes, ascending, beside those that are `known`.

    Sizes whose time would be too long are left out. `executed` are the loops' instructions by size,
    as far as they are known [1].
    """
    runs, each_loop = dict(known.runs), dict(known.loops)
    programs, left_out = dict(known.programs), dict(known.left_out)

    def timed(size: int) -> tuple[tuple[float, ...], tuple[float, ...], float]:
        program = build(sizes.at(size))
        arguments = sizes.arguments(program.arguments, size)
        return _timed(replace(program, arguments=arguments), loops)

    for size in sorted(values):
        before = expected(runs, size, executed) if len(runs) > 1 else 0.0
        if before > LONGEST_S:
            left_out[size] = f"its loops would take about {before:.0f} s"
            continue
        progress(f"timing the host, {sizes.name} = {size}")
        try:
            times, own, whole = timed(size)
        except TraceError as error:
            left_out[size] = str(error)
            if not runs and len(left_out) <= _TOO_SMALL:
                continue
            break
        except LogcaError as error:  # other blocks than elsewhere: a macro chooses between them
            left_out[size] = str(error)
            continue
        if min(times) > 0:
            runs[size], each_loop[size], programs[size] = times, own, whole
        else:
            left_out[size] = "its loops are not entered"
    for size in _disturbed(runs, executed):
        progress(f"timing the host once more, {sizes.name} = {size}")
        times, own, whole = timed(size)
        if min(times) < min(runs[size]):
            each_loop[size] = own
        runs[size] = (*runs[size], *times)
        programs[size] = min(programs[size], whole)
    return HostTimes(runs=runs, loops=each_loop, programs=programs, left_out=left_out)


def _disturbed(
    runs: Mapping[int, Sequence[float]], executed: Mapping[int, float]
) -> tuple[int, ...]:
    """Sizes at which all runs took longer than at a larger one, where more is executed.

    Something else ran beside them all.

    Examples
    --------
    >>> _disturbed({8: [2.0, 2.5], 16: [1.0], 32: [4.0]}, {8: 10, 16: 20, 32: 40})
    (8,)
    """
    known = sorted(size for size in runs if size in executed)
    return tuple(
        size
        for place, size in enumerate(known)
        if any(
            executed[size] < executed[larger] and min(runs[size]) > _SCATTER * min(runs[larger])
            for larger in known[place + 1 :]
        )
    )


def _timed(
    program: Executable, loops: Sequence[int]
) -> tuple[tuple[float, ...], tuple[float, ...], float]:
    """Times of all loops, one a run, of each in the fastest, and the least of the program [s]."""
    found: list[float] = []
    fastest: tuple[float, ...] = ()
    whole: list[float] = []
    with timed_program(
        program.compiled,
        loops,
        arguments=program.arguments,
        stdin=program.stdin,
        limits=program.limits,
    ) as timed:
        while len(found) < _RUNS and sum(found) < ENOUGH_S:
            run = timed.run()
            found.append(float(np.sum(run.seconds)))
            if found[-1] == min(found):
                fastest = tuple(map(float, run.seconds))
            whole.append(run.program_s)
    return tuple(found), fastest, min(whole)


def expected_loops(host: HostTimes, size: int, executed: Mapping[int, float]) -> tuple[float, ...]:
    """The time of each loop at a size: their shares are those of the largest that was measured."""
    if size in host.loops:
        return host.loops[size]
    largest = max(host.loops)
    times = expected(host.runs, size, executed) / min(host.runs[largest])
    return tuple(times * each for each in host.loops[largest])


def expected(
    runs: Mapping[int, Sequence[float]], size: int, executed: Mapping[int, float]
) -> float:
    """The time at a size that was not measured [s].

    It goes on from the largest that was as instructions do. A power through the last two sizes
    would take a step between them, as where data leave a cache, for growth; it is what is left
    where instructions are not known.

    Examples
    --------
    >>> runs = {10: [1.0], 20: [32.0]}
    >>> expected(runs, 40, {20: 100, 40: 400}), expected(runs, 40, {})
    (128.0, 1024.0)
    """
    (small, first), (large, last) = sorted(runs.items())[-2:]
    if size > large and executed.get(large) and size in executed:
        return float(min(last) * executed[size] / executed[large])
    power = log(min(last) / min(first)) / log(large / small)
    return float(min(last) * (size / large) ** max(0.0, power))
