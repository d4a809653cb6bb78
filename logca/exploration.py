"""What a sweep found, and what is drawn and tabulated of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from logca.numeric.partition.exploration.points import Point, Setting
from logca.numeric.partition.exploration.sweeps import SWEEPS, Step, Sweep, settings_of
from logca.plots.series import Series

__all__ = ["NAMES", "Swept", "means", "points_by", "series_of", "swept_of"]

NAMES = {
    "greedy": "greedy",
    "optimal": "optimum",
    "clusters": "loop clusters",
    "frontier": "frontier",
}
"""What methods are called in pictures and tables [text]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """A sweep with what was found.

    Parameters
    ----------
    sweep : Sweep
        What is varied.
    steps : tuple of Step
        Its places.
    programs, methods : tuple of str
        Programs and methods [text].
    points : mapping of Setting to Point
        What was found, at least at all places by all methods.
    """

    sweep: Sweep
    steps: tuple[Step, ...]
    programs: tuple[str, ...]
    methods: tuple[str, ...]
    points: Mapping[Setting, Point]


def swept_of(
    steps: Mapping[str, tuple[Step, ...]],
    programs: Iterable[str],
    methods: Iterable[str],
    points: Mapping[Setting, Point],
) -> tuple[Swept, ...]:
    """Sweeps over the same programs by the same methods.

    Parameters
    ----------
    steps : mapping of str to tuple of Step
        The places of each sweep.
    programs, methods : iterable of str
        Programs and methods [text].
    points : mapping of Setting to Point
        What was found.
    """
    names, ways = tuple(programs), tuple(methods)
    return tuple(
        Swept(sweep=SWEEPS[sweep], steps=own, programs=names, methods=ways, points=points)
        for sweep, own in steps.items()
    )


def points_by(swept: Swept, method: str) -> list[Point]:
    """What a method found for all programs at all places, program by program.

    Parameters
    ----------
    swept : Swept
        The sweep.
    method : str
        The method [text].
    """
    return [swept.points[each] for each in settings_of(swept.steps, swept.programs, [method])]


def series_of(swept: Swept, method: str) -> tuple[Series, ...]:
    """What is drawn of each program by a method: relative speedup, or speedup of Fig. 2 [%].

    Parameters
    ----------
    swept : Swept
        The sweep.
    method : str
        The method [text].
    """
    found = []
    for program in swept.programs:
        own = [swept.points[each] for each in settings_of(swept.steps, [program], [method])]
        values = [p.speedup - 1 if swept.sweep.name == "default" else p.relative for p in own]
        found.append(Series(name=program, values=tuple(100 * value for value in values)))
    return tuple(found)


def means(series: tuple[Series, ...]) -> tuple[float, ...]:
    """The mean of all series at each place [unit of the series].

    Parameters
    ----------
    series : tuple of Series
        The series, all over the same places.
    """
    return tuple(
        sum(values) / len(values) for values in zip(*(s.values for s in series), strict=True)
    )
