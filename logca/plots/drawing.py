"""What is drawn, as data: panels with accelerators, and how they are arranged."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from logca.numeric.accelerator import Accelerator
from logca.numeric.measures import HIGH, LOW

__all__ = ["KINDS", "WIDTHS", "Drawing", "Panel"]

KINDS = ("speedup", "metrics", "bounds", "sensitivity", "regions", "missing")
"""Kinds of panels; "missing" is an empty frame that says what is not known [text]."""

WIDTHS = {"column": 3.3, "page": 7.0}
"""Widths of a picture [in]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One set of axes.

    Parameters
    ----------
    kind : str
        What is drawn, one of `KINDS` [text].
    accelerators : tuple of Accelerator
        What it is drawn of; only curves take more than one.
    names : tuple of str
        What the curves are called in the legend; the accelerators' names if left out [text].
    title : str
        Heading [text].
    letter : str
        Letter of the panel, such as "a" [text].
    parameter : str
        Of a sensitivity panel: what is improved [text].
    note : str
        Text in the panel [text].
    speedups : tuple of (float, float), optional
        Range of the vertical axis; that of the curves if left out [1].
    """

    kind: str
    accelerators: tuple[Accelerator, ...] = ()
    names: tuple[str, ...] = ()
    title: str = ""
    letter: str = ""
    parameter: str = ""
    note: str = ""
    speedups: tuple[float, float] | None = None

    def labels(self) -> tuple[str, ...]:
        """What the curves are called [text]."""
        return self.names or tuple(each.name or "accelerator" for each in self.accelerators)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A picture of one or more panels.

    Parameters
    ----------
    name : str
        Such as "fig6" [text].
    title : str
        In a few words [text].
    caption : str
        What there is to see, and what is not drawn and why [text].
    panels : tuple of Panel
        The panels, row by row.
    columns : mapping of str to int
        Panels in a row for each of `WIDTHS` [1].
    low, high : float
        Range of granularities [B].
    improvement, gain : float
        What makes a bottleneck, as for `Accelerator.regions` [1].
    """

    name: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    columns: Mapping[str, int] = field(default_factory=lambda: {"column": 1, "page": 1})
    low: float = LOW
    high: float = HIGH
    improvement: float = 10.0
    gain: float = 1.2

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return min(self.columns[width], len(self.panels))
