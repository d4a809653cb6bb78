"""Many partitions of the same programs: each is traced once for each cache, and solved once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from logca.common.kept_results import KeptResults
from logca.common.processes import unless_stopped, workers
from logca.numeric.partition.answer.case import Case, case_of
from logca.numeric.partition.answer.partition import Source, open_source, solve
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.problem.blocks import Problem
from logca.numeric.partition.problem.platform import Platform, changed
from logca.numeric.partition.problem.platform import platform as platform_named
from logca.numeric.partition.program.tracing import Traced

__all__ = [
    "TRACED",
    "Explorer",
    "Point",
    "Setting",
    "Value",
    "differing",
    "point_of",
    "points_of",
]

Value = int | Fraction | str
"""Value of a key of a platform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One run to make: a program, a method, a design, and keys of the platform that are changed."""

    program: str  # which program
    method: str = "optimal"  # ``optimal``, ``greedy``, ``clusters`` or ``frontier``
    design: str = "SL2+"  # how the accelerator is attached to the memory
    penalised: bool = False  # whether the shared cache takes longer for being shared
    # keys of the platform that have another value here, in the order of their names
    changes: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(sorted(self.changes)))


def differing(platform: Platform, values: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    """The values that a platform has not already, so that equal settings are the same.

    Examples
    --------
    >>> from logca.numeric.partition.problem.platform import platform
    >>> differing(platform("kenter2010"), {"control": 2, "pull": 6})
    (('pull', 6),)
    """
    return tuple((key, value) for key, value in values.items() if getattr(platform, key) != value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Result of a setting: speedups, gap, area and time of its partition."""

    setting: Setting  # what was asked for
    # speedup, theoretical, relative: speedup, what it would be without limits, and the share of
    # the gain that is achieved; NaN if there is no gain to achieve [1]
    speedup: float
    theoretical: float
    relative: float
    # by what share of its runtime the partition can be too slow; of methods other than
    # ``optimal`` as the bound of a price of area has it [1]
    gap: float
    proven: bool  # whether its certificate proves that no partition that fits is faster
    # whether the program was traced; if not, its memory time is the same in all designs
    traced: bool
    area: int  # what the partition takes of the accelerator, in instructions [1]
    # te, tm, tc, tr: where its runtime goes [cycles]
    te: Fraction
    tm: Fraction
    tc: Fraction
    tr: Fraction
    # cpu_te, cpu_tm: the same of everything on the CPU [cycles]
    cpu_te: Fraction
    cpu_tm: Fraction
    mapped: tuple[int, ...]  # the blocks on the accelerator [1]
    elapsed_s: float  # how long it took to find [s]

    @property
    def total(self) -> Fraction:
        """Its runtime, t [cycles]."""
        return self.te + self.tm + self.tc + self.tr

    @property
    def gains(self) -> bool:
        """True if the program becomes faster at all."""
        return self.speedup > 1


def point_of(setting: Setting, found: Partition) -> Point:
    """Point of a setting, with the numbers that are kept of its partition."""
    return Point(
        setting=setting,
        speedup=found.speedup,
        theoretical=found.theoretical_speedup,
        relative=found.relative_speedup,
        gap=found.gap,
        proven=found.proven,
        traced=found.case.coupling is not None,
        area=found.area,
        te=found.time.te,
        tm=found.time.tm,
        tc=found.time.tc,
        tr=found.time.tr,
        cpu_te=found.case.baseline.te,
        cpu_tm=found.case.baseline.tm,
        mapped=tuple(found.mapped.nonzero()[0].tolist()),
        elapsed_s=found.elapsed_s,
    )


TRACED = ("line", "size_L1", "size_L2", "dirty")
"""Keys of a platform that its caches' trace depends on."""


class Explorer:
    """Programs with what was found out about them so far."""

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
        """The machine of a setting."""
        return changed(self.platform, dict(setting.changes)) if setting.changes else self.platform

    def trace_of(self, setting: Setting) -> tuple[object, ...]:
        """Key of a setting's trace: its program and the caches."""
        machine = self.platform_of(setting)
        return (setting.program, *(getattr(machine, name) for name in TRACED))

    def only(self, program: str) -> "Explorer":
        """One of the programs alone, without what is known of it: for another process."""
        return Explorer(
            {program: self.programs[program]},
            replace(self.platform, sources=dict(self.platform.sources)),
            time_limit=self.time_limit,
            opening=self._opening,
        )

    def case(self, setting: Setting) -> Case:
        """The program of a setting with its costs; it is traced once for the same caches."""
        machine, source = self.platform_of(setting), self.programs[setting.program]
        if not isinstance(source, Problem):
            trace = self.trace_of(setting)
            if trace not in self._sources:
                self._sources[trace] = open_source(source, machine, **self._opening)
            source = self._sources[trace]
        return case_of(source, machine, setting.design, penalty=setting.penalised)

    def partition(self, setting: Setting) -> Partition:
        """The partition of a setting, solved anew."""
        return solve(self.case(setting), setting.method, time_limit=self.time_limit)

    def at(self, setting: Setting) -> Point:
        """Point of a setting, solved only once."""
        if setting not in self._points:
            self._points[setting] = point_of(setting, self.partition(setting))
        return self._points[setting]


def points_of(
    explorer: Explorer,
    settings: Iterable[Setting],
    *,
    processes: int = 1,
    done: Callable[[Point], None] | None = None,
    kept: KeptResults | None = None,
) -> dict[Setting, Point]:
    """Points of all settings, each solved once; not those that an interrupted command has kept."""
    tell = done or (lambda _point: None)
    groups: dict[tuple[object, ...], list[Setting]] = {}
    found: dict[Setting, Point] = {}
    for setting in dict.fromkeys(settings):
        if kept is not None and (known := kept.get(setting)) is not None:
            found[setting] = known
            tell(known)
        else:
            groups.setdefault(explorer.trace_of(setting), []).append(setting)

    def take(points: Iterable[Point]) -> None:
        for point in points:
            found[point.setting] = point
            if kept is not None:
                kept.put(point.setting, point)
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
    from concurrent.futures import as_completed

    with workers(processes) as pool:
        asked = [pool.submit(unless_stopped, _all_of, part, settings) for part, settings in parts]
        for future in as_completed(asked):
            take(future.result())


def _all_of(explorer: Explorer, settings: Sequence[Setting]) -> list[Point]:
    return [explorer.at(setting) for setting in settings]
