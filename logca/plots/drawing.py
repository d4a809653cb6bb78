"""Drawings as data: panels with accelerators, and how they are arranged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.regions import PARAMETERS
from logca.numeric.arrays.arrays import Array
from logca.numeric.fit.fit import Fit
from logca.numeric.paper.figure_terms import HIGH, LOW
from logca.plots.kinds import KINDS

__all__ = ["Drawing", "Panel", "accelerator_drawing", "time_ratio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One set of axes."""

    kind: str  # what is drawn, one of `logca.plots.kinds.KINDS`
    # what it is drawn of; only curves take more than one
    accelerators: tuple[Accelerator, ...] = ()
    # the fit that each follows from, whose breaks its curve has; none if left out
    fits: tuple[Fit | None, ...] = ()
    # what the curves are called in the legend; the accelerators' names if left out
    names: tuple[str, ...] = ()
    title: str = ""  # heading
    letter: str = ""  # letter of the panel, such as "a"
    parameter: str = ""  # of a sensitivity panel: what is improved
    note: str = ""  # text in the panel
    # range of the vertical axis; that of the curves if left out [1]
    speedups: tuple[float, float] | None = None

    def labels(self) -> tuple[str, ...]:
        """Names of the curves."""
        return self.names or tuple(each.name or "accelerator" for each in self.accelerators)

    def pairs(self) -> list[tuple[Accelerator, Fit | None]]:
        """Each accelerator with the fit that it follows from."""
        fits = self.fits or (None,) * len(self.accelerators)
        return list(zip(self.accelerators, fits, strict=True))

    def ratio(self, g: Array) -> Array:
        """Factor that breaks make on all speedups of an only accelerator [1]."""
        [(_, fit)] = self.pairs()
        return time_ratio(fit, g)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A picture of one or more panels."""

    name: str  # such as "fig6"
    title: str  # in a few words
    heading: str = ""  # above all panels; nothing if empty
    caption: str  # what there is to see, and what is not drawn and why
    panels: tuple[Panel, ...]  # the panels, row by row
    # panels in a row for each of `logca.plots.style.WIDTHS` [1]
    columns: Mapping[str, int] = field(default_factory=lambda: {"column": 1, "page": 1})
    # low, high: range of granularities [B]
    low: float = LOW
    high: float = HIGH
    # improvement, gain: what makes a bottleneck, as for `Accelerator.regions` [1]
    improvement: float = 10.0
    gain: float = 1.2

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return min(self.columns[width], len(self.panels))


def time_ratio(fit: Fit | None, g: Array) -> Array:
    """Factor on the speedup at sizes that the breaks of a fit make, if it is one [1]."""
    if fit is None:
        return np.ones_like(g)
    host, accelerated = fit.factors(g)
    return host / accelerated


_MEANINGS = {"o": "overhead", "L": "latency", "C": "index", "A": "acceleration"}


def accelerator_drawing(
    accelerators: Sequence[Accelerator],
    what: str = "speedup",
    *,
    low: float = LOW,
    high: float = HIGH,
    improvement: float = 10.0,
    gain: float = 1.2,
    title: str = "",
    fits: Sequence[Fit | None] = (),
) -> Drawing:
    """A picture of accelerators: all curves in one panel, or a panel for each.

    `fits` are those that each follows from, whose breaks the curves have. A title of one's own
    stands above all panels, in place of the name of an only one.

    Examples
    --------
    >>> radix = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear", name="radix")
    >>> [panel.parameter for panel in accelerator_drawing([radix], "sensitivity").panels]
    ['o', 'L', 'C', 'A']
    """
    each = tuple(accelerators)
    known = tuple(fits) or (None,) * len(each)
    if what == "speedup":
        name = each[0].name if len(each) == 1 else ""
        panels = [Panel(kind="speedup", accelerators=each, fits=known, title=name)]
    elif what == "sensitivity":
        panels = [
            Panel(
                kind="sensitivity",
                accelerators=(one,),
                fits=(fit,),
                title=_MEANINGS[name] if len(each) == 1 else f"{one.name}:\n{_MEANINGS[name]}",
                parameter=name,
            )
            for one, fit in zip(each, known, strict=True)
            for name in PARAMETERS
        ]
    else:
        panels = [
            Panel(kind=what, accelerators=(one,), fits=(fit,), title=one.name)
            for one, fit in zip(each, known, strict=True)
        ]
    heading = title
    if len(panels) == 1:
        panels, heading = [replace(panels[0], title=title or panels[0].title)], ""
    elif what == "sensitivity" and len(each) == 1:
        heading = title or each[0].name
    across = {"column": 2, "page": 4} if what == "sensitivity" else {"column": 1, "page": 2}
    return Drawing(
        name=what,
        title=title or f"{KINDS[what].title}: {'; '.join(one.name for one in each)}",
        heading=heading,
        caption="",
        panels=tuple(panels),
        columns=across,
        low=low,
        high=high,
        improvement=improvement,
        gain=gain,
    )
