"""The boundary of a fit of shapes: where offloading pays, and which path won where measured."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.common.readable_numbers import duration
from logca.numeric.shapes.boundary import Plane, plane_of
from logca.numeric.shapes.fit import ShapeFit
from logca.plots.style import (
    BANDS,
    BLACK,
    GREY,
    LINES,
    WIDTHS,
    drawing_settings,
    empty_figure,
    legend_below,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ShapePicture", "draw_shapes"]

_SHAPE, _EDGES, _LINE = 0.72, 3.4, 1.45
_FEW = 100.0  # times as much at the end of an axis that has ticks between powers of ten
_LEVELS = (1 / 8, 1 / 4, 1 / 2, 2, 4, 8, 16, 32, 64, 128)
_MARKS: dict[int, dict[str, Any]] = {
    1: {"marker": "o", "facecolors": LINES[0]["color"], "label": "accelerated path faster"},
    -1: {"marker": "s", "facecolors": "white", "label": "host faster"},
    0: {"marker": "x", "facecolors": GREY, "label": "too close to tell"},
}
"""Marks of what was measured, by the faster path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapePicture:
    """A picture of a fit of shapes."""

    title: str  # in a few words; stands in the file, not in the picture
    fit: ShapeFit  # what is drawn
    heading: str = ""  # above the picture

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return 1


def draw_shapes(picture: ShapePicture, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window."""
    with drawing_settings(width) as letters:
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        plane = plane_of(picture.fit)
        wide = 72 * WIDTHS[width]
        shown = [sign for sign in _MARKS if sign in plane.faster]
        handles: list[Any] = [
            Line2D([], [], color=BLACK, linewidth=1.6, label="speedup 1: the boundary"),
            Patch(facecolor=BANDS["oC"], label="offloading pays"),
        ]
        for sign in shown:
            mark = _MARKS[sign]
            edge = GREY if sign == 0 else LINES[0 if sign > 0 else 1]["color"]
            handles.append(
                Line2D(
                    [],
                    [],
                    linestyle="none",
                    marker=mark["marker"],
                    markeredgecolor=edge,
                    markerfacecolor=mark["facecolors"],
                    label=mark["label"],
                )
            )
        across = 2 if width == "column" else len(handles)
        rows = -(-len(handles) // across)
        height = wide * _SHAPE * (1 if width == "column" else 0.62)
        figure = empty_figure(width, (height + (_EDGES + _LINE * rows) * letters) / 72)
        axes = figure.add_subplot()
        axes.set_title(picture.heading)
        _draw(axes, plane)
        legend_below(
            figure, across, handles=handles, handlelength=1.8, handletextpad=0.5, columnspacing=1.2
        )
    return figure


def _draw(axes: "Axes", plane: Plane) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(plane.x[0], plane.x[-1])
    axes.set_ylim(plane.y[0], plane.y[-1])
    axes.set_xlabel(plane.across)
    axes.set_ylabel(plane.up)
    for axis, values, title in (
        (axes.xaxis, plane.x, plane.across),
        (axes.yaxis, plane.y, plane.up),
    ):
        few = values[-1] < _FEW * values[0]
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,), numticks=9))
        axis.set_minor_formatter(NullFormatter())
        if "[s]" in title:
            axis.set_major_formatter(FuncFormatter(lambda value, _: duration(value, 3)))
        elif few:
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = np.log2(plane.speedup)
    least, most = float(np.nanmin(logs)), float(np.nanmax(logs))
    if most > 0:
        axes.contourf(
            plane.x, plane.y, logs, levels=[0.0, max(most, 1e-9) * 1.01], colors=[BANDS["oC"]]
        )
    levels = [each for each in np.log2(_LEVELS) if least < each < most]
    if levels:
        lines = axes.contour(
            plane.x, plane.y, logs, levels=levels, colors=GREY, linewidths=0.5, linestyles="solid"
        )
        axes.clabel(lines, fmt=lambda level: f"{2**level:.3g}", fontsize="small")
    if least < 0 < most:
        axes.contour(plane.x, plane.y, logs, levels=[0.0], colors=BLACK, linewidths=1.6)
    for sign, mark in _MARKS.items():
        chosen = np.array(plane.faster) == sign
        if not chosen.any():
            continue
        edge = GREY if sign == 0 else LINES[0 if sign > 0 else 1]["color"]
        shape = {"marker": mark["marker"], "s": 16, "linewidths": 0.9, "zorder": 3}
        if sign:
            shape |= {"facecolors": mark["facecolors"], "edgecolors": edge}
        else:
            shape |= {"color": GREY}
        axes.scatter(plane.measured_x[chosen], plane.measured_y[chosen], **shape)
