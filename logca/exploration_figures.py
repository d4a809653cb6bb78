"""Pictures of sweeps: the paper's Figs. 2 to 6 for any programs."""

from logca.exploration import NAMES, Swept, means, series_of
from logca.plots.bars import Bars
from logca.plots.lines import Lines
from logca.plots.series import Series, SeriesPanel

__all__ = ["picture_of"]

_RELATIVE = "relative speedup [%]"


def picture_of(swept: Swept) -> Bars | Lines:
    """The picture of a sweep.

    Parameters
    ----------
    swept : Swept
        The sweep.
    """
    known, steps = swept.sweep, swept.steps
    drawn = {each: series_of(swept, each) for each in swept.methods}
    if known.name == "default":
        return Bars(
            title=known.title,
            groups=swept.programs,
            kinds=tuple(
                Series(name=NAMES[each], values=tuple(c.values[0] for c in drawn[each]))
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
                name = f"{NAMES[method]}, penalty of 1 cycle" if slow else NAMES[method]
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
        panels=tuple(SeriesPanel(title=NAMES[each], series=drawn[each]) for each in swept.methods),
        across=known.axis,
        up=_RELATIVE,
        logarithmic=known.name in ("area", "latency") and all(step.value for step in steps),
        reverse=known.name == "efficiency",
    )
