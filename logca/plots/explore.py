"""Sweeps over designs as series of numbers and as pictures (kenter2010, Figs. 2 to 6)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from logca.numeric.partition.exploration.explorer import Point, Setting
from logca.numeric.partition.exploration.sweeps import SWEEPS, KenterSweep, SweepPoint, settings_of
from logca.plots.charts import Bars, Lines, Series, SeriesPanel

__all__ = [
    "METHOD_NAMES",
    "SweepResult",
    "means",
    "picture_of",
    "points_of_method",
    "series_of",
    "sweep_results",
]

METHOD_NAMES = {
    "greedy": "greedy",
    "optimal": "optimum",
    "clusters": "loop clusters",
    "frontier": "frontier",
}
"""Names of the methods in pictures and tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """A sweep with what was found."""

    sweep: KenterSweep  # what is varied
    steps: tuple[SweepPoint, ...]  # its places
    # programs, methods: programs and methods
    programs: tuple[str, ...]
    methods: tuple[str, ...]
    points: Mapping[Setting, Point]  # what was found, at least at all places by all methods


def sweep_results(
    steps: Mapping[str, tuple[SweepPoint, ...]],
    programs: Iterable[str],
    methods: Iterable[str],
    points: Mapping[Setting, Point],
) -> tuple[SweepResult, ...]:
    """Sweeps over the same programs by the same methods."""
    names, ways = tuple(programs), tuple(methods)
    return tuple(
        SweepResult(sweep=SWEEPS[sweep], steps=own, programs=names, methods=ways, points=points)
        for sweep, own in steps.items()
    )


def points_of_method(swept: SweepResult, method: str) -> list[Point]:
    """Points that a method found for all programs at all places, program by program."""
    return [swept.points[each] for each in settings_of(swept.steps, swept.programs, [method])]


def series_of(swept: SweepResult, method: str) -> tuple[Series, ...]:
    """Series of each program by a method: relative speedup, or speedup of Fig. 2 [%]."""
    found = []
    for program in swept.programs:
        own = [swept.points[each] for each in settings_of(swept.steps, [program], [method])]
        values = [p.speedup - 1 if swept.sweep.name == "default" else p.relative for p in own]
        found.append(Series(name=program, values=tuple(100 * value for value in values)))
    return tuple(found)


def means(series: tuple[Series, ...]) -> tuple[float, ...]:
    """The mean of all series at each place [unit of the series]."""
    return tuple(
        sum(values) / len(values) for values in zip(*(s.values for s in series), strict=True)
    )


_RELATIVE = "relative speedup [%]"


def picture_of(swept: SweepResult) -> Bars | Lines:
    """The picture of a sweep."""
    known, steps = swept.sweep, swept.steps
    drawn = {each: series_of(swept, each) for each in swept.methods}
    if known.name == "default":
        return Bars(
            title=known.title,
            groups=swept.programs,
            kinds=tuple(
                Series(name=METHOD_NAMES[each], values=tuple(c.values[0] for c in drawn[each]))
                for each in swept.methods
            ),
            across="program",
            up="speedup less 1 [%]",
        )
    if known.name == "design":
        kinds = []
        for method in swept.methods:
            mean = means(drawn[method])
            for slow in (False, True):
                values = (m for m, s in zip(mean, steps, strict=True) if s.penalised == slow)
                name = (
                    f"{METHOD_NAMES[method]}, penalty of 1 cycle" if slow else METHOD_NAMES[method]
                )
                kinds.append(Series(name=name, values=tuple(values)))
        return Bars(
            title=known.title,
            groups=tuple(step.design for step in steps if not step.penalised),
            kinds=tuple(kinds),
            across="design point",
            up=f"mean {_RELATIVE}",
        )
    named = known.name == "link"
    return Lines(
        title=known.title,
        places=tuple(range(len(steps))) if named else tuple(float(s.value or 0) for s in steps),
        names=tuple(step.label for step in steps) if named else (),
        panels=tuple(
            SeriesPanel(title=METHOD_NAMES[each], series=drawn[each]) for each in swept.methods
        ),
        across=known.axis,
        up=_RELATIVE,
        logarithmic=known.name in ("area", "latency") and all(step.value for step in steps),
        reverse=known.name == "efficiency",
    )
