"""Pictures of any accelerators."""

from collections.abc import Sequence

from logca.numeric.accelerator import Accelerator
from logca.numeric.measures import HIGH, LOW
from logca.numeric.regions import PARAMETERS
from logca.plots.drawing import Drawing, Panel

__all__ = ["WHAT", "accelerator_drawing"]

WHAT = ("speedup", "metrics", "bounds", "regions", "sensitivity")
"""What can be drawn of an accelerator [text]."""

_TITLES = {
    "speedup": "Speedup over granularity",
    "metrics": "The performance metrics",
    "bounds": "What bounds the speedup",
    "regions": "Optimization regions",
    "sensitivity": "Gain from an improvement of each parameter",
}
_MEANINGS = {"o": "overhead", "L": "latency", "C": "index", "A": "acceleration"}


def accelerator_drawing(
    accelerators: Sequence[Accelerator],
    what: str = "speedup",
    *,
    low: float = LOW,
    high: float = HIGH,
    improvement: float = 10.0,
    gain: float = 1.2,
) -> Drawing:
    """A picture of accelerators: all curves in one panel, or a panel for each.

    Parameters
    ----------
    accelerators : sequence of Accelerator
        What to draw.
    what : str
        One of `WHAT` [text].
    low, high : float
        Range of granularities [B].
    improvement, gain : float
        What makes a bottleneck, as for `Accelerator.regions` [1].

    Examples
    --------
    >>> radix = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear", name="radix")
    >>> [panel.parameter for panel in accelerator_drawing([radix], "sensitivity").panels]
    ['o', 'L', 'C', 'A']
    """
    each = tuple(accelerators)
    if what == "speedup":
        title = each[0].name if len(each) == 1 else ""
        panels = [Panel(kind="speedup", accelerators=each, title=title)]
    elif what == "sensitivity":
        panels = [
            Panel(
                kind="sensitivity",
                accelerators=(one,),
                title=_MEANINGS[name] if len(each) == 1 else f"{one.name}: {_MEANINGS[name]}",
                parameter=name,
            )
            for one in each
            for name in PARAMETERS
        ]
    else:
        panels = [Panel(kind=what, accelerators=(one,), title=one.name) for one in each]
    across = {"column": 2, "page": 4} if what == "sensitivity" else {"column": 1, "page": 2}
    return Drawing(
        name=what,
        title=f"{_TITLES[what]}: {'; '.join(one.name for one in each)}",
        caption="",
        panels=tuple(panels),
        columns=across,
        low=low,
        high=high,
        improvement=improvement,
        gain=gain,
    )
