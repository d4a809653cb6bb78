"""Many partitions of the same programs: each is traced once for each cache, and solved once."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import current_thread, main_thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.answer import Partition
from logca.numeric.partition.case import Case, case_of
from logca.numeric.partition.exploration.points import Point, Setting, point_of
from logca.numeric.partition.partitioning import Source, opened, solved
from logca.numeric.partition.platform import Platform, changed
from logca.numeric.partition.platform import platform as platform_named
from logca.numeric.partition.problem import Problem
from logca.numeric.partition.times import Times, times_of
from logca.numeric.partition.tracing import Traced

__all__ = ["Explorer", "points_of"]

_INTERRUPTED = 130

_TRACED = ("line", "size_L1", "size_L2", "dirty")
"""Keys of a platform that its caches' trace depends on [text]."""


class Explorer:
    """Programs with what was found out about them so far.

    Parameters
    ----------
    programs : mapping of str to source
        What each is called, and where it is from, as for `logca.partition`.
    platform : str or Platform
        The machine whose values settings change.
    time_limit : float
        Of each partition [s].
    opening : mapping
        How C programs are compiled and run, as for `opened`.
    """

    def __init__(
        self,
        programs: Mapping[str, Source],
        platform: str | Platform = "kenter2010",
        *,
        time_limit: float = 60.0,
        opening: Mapping[str, Any] | None = None,
    ) -> None:
        self.programs = dict(programs)
        self.platform = platform_named(platform)
        self.time_limit = time_limit
        self._opening = dict(opening or {})
        self._sources: dict[tuple[object, ...], Problem | Traced] = {}
        self._points: dict[Setting, Point] = {}

    def platform_of(self, setting: Setting) -> Platform:
        """The machine of a setting.

        Raises
        ------
        PlatformError
            If a key is unknown, or a value is out of range.
        """
        return changed(self.platform, dict(setting.changes)) if setting.changes else self.platform

    def trace_of(self, setting: Setting) -> tuple[object, ...]:
        """What the trace of a setting depends on: its program and the caches.

        Raises
        ------
        PlatformError
            If a key is unknown, or a value is out of range.
        """
        machine = self.platform_of(setting)
        return (setting.program, *(getattr(machine, name) for name in _TRACED))

    def only(self, program: str) -> "Explorer":
        """One of the programs alone, without what is known of it: for another process."""
        return Explorer(
            {program: self.programs[program]},
            replace(self.platform, sources=dict(self.platform.sources)),
            time_limit=self.time_limit,
            opening=self._opening,
        )

    def source(self, program: str, machine: Platform) -> Problem | Traced:
        """A program, traced for the caches of a machine.

        Raises
        ------
        ProblemError, TraceError, CompileError
            If it cannot be read, compiled or run.
        """
        given = self.programs[program]
        if isinstance(given, Problem):
            return given
        key = (program, *(getattr(machine, name) for name in _TRACED))
        if key not in self._sources:
            self._sources[key] = opened(given, machine, **self._opening)
        return self._sources[key]

    def case(self, setting: Setting) -> Case:
        """The program of a setting with its costs.

        Raises
        ------
        ProblemError, PlatformError, CacheError
            If there is no such setting, or the program has no hot loop.
        """
        machine = self.platform_of(setting)
        return case_of(
            self.source(setting.program, machine),
            machine,
            setting.design,
            penalty=setting.penalised,
        )

    def partition(self, setting: Setting) -> Partition:
        """The partition of a setting, solved anew.

        Raises
        ------
        ProblemError, PlatformError, CacheError
            If there is no such setting, or the program has no hot loop.
        """
        return solved(self.case(setting), setting.method, time_limit=self.time_limit)

    def times(self, setting: Setting, mapped: NDArray[np.bool_]) -> Times:
        """Where the runtime of any partition goes in a setting.

        Raises
        ------
        ProblemError, PlatformError, CacheError
            If there is no such setting, or the program has no hot loop.
        """
        case = self.case(setting)
        return times_of(case.costs, case.coupling, mapped)

    def at(self, setting: Setting) -> Point:
        """What is found in a setting, solved only once.

        Raises
        ------
        ProblemError, PlatformError, CacheError
            If there is no such setting, or the program has no hot loop.
        """
        if setting not in self._points:
            self._points[setting] = point_of(setting, self.partition(setting))
        return self._points[setting]


def points_of(
    explorer: Explorer,
    settings: Iterable[Setting],
    *,
    processes: int = 1,
    done: Callable[[Point], None] | None = None,
) -> dict[Setting, Point]:
    """What is found in all settings, each solved once.

    Parameters
    ----------
    explorer : Explorer
        The programs.
    settings : iterable of Setting
        What to ask for.
    processes : int
        Programs that are looked at at a time [1].
    done : callable, optional
        Told of each point.

    Raises
    ------
    ProblemError, PlatformError, CacheError, TraceError, CompileError
        If a setting or a program is not possible.
    """
    tell = done or (lambda _point: None)
    groups: dict[tuple[object, ...], list[Setting]] = {}
    for setting in dict.fromkeys(settings):
        groups.setdefault(explorer.trace_of(setting), []).append(setting)
    found: dict[Setting, Point] = {}

    def take(points: Iterable[Point]) -> None:
        for point in points:
            found[point.setting] = point
            tell(point)

    if processes == 1 or len(groups) < 2:
        for own in groups.values():
            take(explorer.at(setting) for setting in own)
        return found
    parts = [(explorer.only(own[0].program), own) for own in groups.values()]
    _side_by_side(parts, min(processes, len(parts)), take)
    return found


def _side_by_side(
    parts: Sequence[tuple[Explorer, Sequence[Setting]]],
    processes: int,
    take: Callable[[Iterable[Point]], None],
) -> None:
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import active_children, get_context

    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=_stop_quietly) as pool:
        try:
            with _deaf():  # a process that is only loading would tell of an interrupt at length
                asked = [pool.submit(_all_of, *part) for part in parts]
            for future in as_completed(asked):
                take(future.result())
        except BaseException:
            for child in active_children():
                child.terminate()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are begun here ignore interrupts until they say otherwise."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _all_of(explorer: Explorer, settings: Sequence[Setting]) -> list[Point]:
    return [explorer.at(setting) for setting in settings]


def _stop_quietly() -> None:
    """An interrupt ends a process without a word; who asked for its work says so."""
    signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(_INTERRUPTED))
