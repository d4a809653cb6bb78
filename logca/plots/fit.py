"""A fit beside what was measured: times, speedup with break-even, and what the curve misses."""

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from logca.numeric.fit.fit import Fit
from logca.plots.style import WIDTHS, drawing_settings, empty_figure, legend_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PANELS", "FitPicture", "draw_fit", "shown_sizes"]

PANELS = ("times", "speedup", "residuals")
"""Panels that can be drawn of a fit."""

_SHAPES = {"times": 0.62, "speedup": 0.62, "residuals": 0.4}
"""Height of a panel over its width [1]."""

_FLAT = 0.5
"""Factor on the height of a panel that is as wide as a page [1]."""

_FAR, _EDGE = 1024.0, 1.4
"""Largest factor from the data to a break-even that is shown; factor of the margins [1]."""

_MOST_ABREAST = 5
"""Entries of a legend beside each other on a page [1]."""

_EDGES, _LINE = 4.4, 1.45
"""Height of what is below and above a panel, and distance of lines [letters]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitPicture:
    """A picture of a fit."""

    title: str  # in a few words; stands in the file, not in the picture
    fit: Fit  # what is drawn
    # which of `PANELS`: on a page two beside each other and a third across, in a column below
    # each other
    panels: tuple[str, ...] = PANELS
    thresholds: tuple[float, ...] = ()  # sizes of a rule that is there now, to be marked [B]

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return 1 if width == "column" else min(len(self.panels), 2)


def draw_fit(picture: FitPicture, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window."""
    across = picture.abreast(width)
    with drawing_settings(width, across) as letters:
        from logca.plots.fit_panels import PRESENT, fit_handles

        rows = [picture.panels[k : k + across] for k in range(0, len(picture.panels), across)]
        wide = [width == "page" and len(row) == 1 for row in rows]
        heights = [
            _height(row[0], WIDTHS[width] / (1 if alone else across), letters, wide=alone)
            for row, alone in zip(rows, wide, strict=True)
        ]
        handles = fit_handles(picture.fit, picture.panels, present=bool(picture.thresholds))
        columns = 2 if width == "column" else -(-len(handles) // -(-len(handles) // _MOST_ABREAST))
        legend = _LINE * letters * -(-len(handles) // columns)
        figure = empty_figure(width, (sum(heights) + legend) / 72)
        grid = figure.add_gridspec(len(rows), across, height_ratios=heights)
        for down, row in enumerate(rows):
            lowest = down == len(rows) - 1 or wide[-1]
            for place, panel in enumerate(row):
                axes = figure.add_subplot(grid[down, :] if wide[down] else grid[down, place])
                _draw_panel(axes, panel, picture.fit)
                for size in picture.thresholds:
                    axes.axvline(size, **PRESENT)
                if lowest:
                    axes.set_xlabel("granularity $g$ [bytes]")
        legend_below(
            figure, columns, handles=handles, handlelength=2.2, handletextpad=0.4, columnspacing=1.2
        )
    return figure


def shown_sizes(fit: Fit) -> tuple[float, float]:
    """Sizes to draw: those that were measured, and break-evens that are not too far off [B]."""
    data = fit.estimates[fit.latency].data
    sizes = np.concatenate([data.host.x, data.accelerated.x]) * np.exp(data.log_size)
    low, high = float(sizes.min()), float(sizes.max())
    ends = [end for name in ("g1", "g1_upper") for end in fit.intervals[name][:2]]
    near = [end for end in ends if isfinite(end) and low / _FAR < end < high * _FAR]
    return min(low, *near, high) / _EDGE, max(high, *near, low) * _EDGE


def _height(panel: str, width: float, letters: float, *, wide: bool) -> float:
    """Height of a row of panels with their labels, of a width in inches [pt]."""
    return 72 * width * _SHAPES[panel] * (_FLAT if wide else 1.0) + _EDGES * letters


def _draw_panel(axes: "Axes", panel: str, fit: Fit) -> None:
    from logca.plots.fit_panels import draw_residuals, draw_speedup, draw_times

    kinds = {"times": draw_times, "speedup": draw_speedup, "residuals": draw_residuals}
    kinds[panel](axes, fit, *shown_sizes(fit))
