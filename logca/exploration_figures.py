"""Pictures of sweeps: the paper's Figs. 2 to 6 for any programs."""

from collections.abc import Mapping, Sequence

from logca.numeric.partition.points import Point, Setting
from logca.numeric.partition.sweeps import SWEEPS, Step, settings_of
from logca.plots.bars import Bars, bars_picture
from logca.plots.lines import Curve, LinePanel, Lines, lines_picture

__all__ = ["NAMES", "curves", "means", "picture_file", "picture_of"]

Points = Mapping[Setting, Point]

NAMES = {
    "greedy": "greedy",
    "optimal": "optimum",
    "clusters": "loop clusters",
    "frontier": "frontier",
}
"""What methods are called in pictures and tables [text]."""

_RELATIVE = "relative speedup [%]"


def curves(
    sweep: str, steps: Sequence[Step], programs: Sequence[str], method: str, points: Points
) -> tuple[Curve, ...]:
    """What is drawn of each program by a method: relative speedup, or speedup of Fig. 2 [%].

    Parameters
    ----------
    sweep : str
        One of `SWEEPS` [text].
    steps : sequence of Step
        Its places.
    programs : sequence of str
        The programs [text].
    method : str
        The method [text].
    points : mapping of Setting to Point
        What was found.
    """
    found = []
    for program in programs:
        own = [points[each] for each in settings_of(steps, [program], [method])]
        values = [p.speedup - 1 if sweep == "default" else p.relative for p in own]
        found.append(Curve(name=program, values=tuple(100 * value for value in values)))
    return tuple(found)


def means(drawn: Sequence[Curve]) -> tuple[float, ...]:
    """The mean of all programs at each place [unit of the curves]."""
    return tuple(
        sum(values) / len(values) for values in zip(*(c.values for c in drawn), strict=True)
    )


def picture_of(
    sweep: str,
    steps: Sequence[Step],
    programs: Sequence[str],
    methods: Sequence[str],
    points: Points,
) -> Bars | Lines:
    """The picture of a sweep.

    Parameters
    ----------
    sweep : str
        One of `SWEEPS` [text].
    steps : sequence of Step
        Its places.
    programs, methods : sequence of str
        Programs and methods [text].
    points : mapping of Setting to Point
        What was found.
    """
    known = SWEEPS[sweep]
    drawn = {each: curves(sweep, steps, programs, each, points) for each in methods}
    if sweep == "default":
        return Bars(
            title=known.title,
            groups=tuple(programs),
            kinds=tuple(
                Curve(name=NAMES[each], values=tuple(c.values[0] for c in drawn[each]))
                for each in methods
            ),
            across="program",
            up="speedup less 1 [%]",
        )
    if sweep == "design":
        kinds = []
        for method in methods:
            mean = means(drawn[method])
            for slow in (False, True):
                values = (m for m, s in zip(mean, steps, strict=True) if s.penalised == slow)
                name = f"{NAMES[method]}, penalty of 1 cycle" if slow else NAMES[method]
                kinds.append(Curve(name=name, values=tuple(values)))
        return Bars(
            title=known.title,
            groups=tuple(step.design for step in steps if not step.penalised),
            kinds=tuple(kinds),
            across="design point",
            up=f"mean {_RELATIVE}",
        )
    named = sweep == "link"
    return Lines(
        title=known.title,
        places=tuple(range(len(steps))) if named else tuple(float(s.value or 0) for s in steps),
        names=tuple(step.label for step in steps) if named else (),
        panels=tuple(LinePanel(title=NAMES[each], curves=drawn[each]) for each in methods),
        across=known.axis,
        up=_RELATIVE,
        logarithmic=sweep in ("area", "latency") and all(step.value for step in steps),
        reverse=sweep == "efficiency",
    )


def picture_file(picture: Bars | Lines, suffix: str, *, width: str = "column") -> bytes:
    """The contents of a file with a picture.

    Parameters
    ----------
    picture : Bars or Lines
        What to draw.
    suffix : str
        One of `logca.plots.files.SUFFIXES` [text].
    width : str
        "column" or "page" [text].

    Raises
    ------
    ValueError
        If the suffix is none of them.
    MissingLibraryError
        If matplotlib is not installed.
    """
    if isinstance(picture, Bars):
        return bars_picture(picture, suffix, width=width)
    return lines_picture(picture, suffix, width=width)
