"""The kinds of panels: what each is called, and the function that draws it.

A new kind is a line in `What`, one in `KINDS`, and a function ``draw(axes, panel, drawing)``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, cast

__all__ = ["KINDS", "PanelKind", "What"]

What = Literal["speedup", "metrics", "bounds", "regions", "sensitivity"]
"""Kinds of pictures of an accelerator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelKind:
    """Kind of a panel: the function that draws it, and the title of a picture."""

    drawn_in: str  # module of `logca.plots` that draws it, and loads matplotlib
    drawn_by: str  # its function there
    title: str = ""  # of a picture of an accelerator; nothing for what is not in `What`

    @property
    def draw(self) -> Callable[..., Any]:
        """Draws a panel: of its axes, the panel, and the drawing that it belongs to."""
        module = import_module(f"logca.plots.{self.drawn_in}")
        return cast("Callable[..., Any]", getattr(module, self.drawn_by))


KINDS = {
    "speedup": PanelKind(
        title="Speedup over granularity", drawn_in="speedup_metrics_bounds", drawn_by="draw_curves"
    ),
    "metrics": PanelKind(
        title="The performance metrics", drawn_in="speedup_metrics_bounds", drawn_by="draw_metrics"
    ),
    "bounds": PanelKind(
        title="What bounds the speedup", drawn_in="speedup_metrics_bounds", drawn_by="draw_bounds"
    ),
    "regions": PanelKind(title="Optimization regions", drawn_in="regions", drawn_by="draw_regions"),
    "sensitivity": PanelKind(
        title="Gain from an improvement of each parameter",
        drawn_in="sensitivity",
        drawn_by="draw_sensitivity",
    ),
    "missing": PanelKind(drawn_in="speedup_metrics_bounds", drawn_by="draw_missing"),
}
"""Kinds of panels; "missing" is an empty frame that says what is not known."""
