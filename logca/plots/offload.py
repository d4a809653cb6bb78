"""Both paths of an offload over the size, and what the accelerated time consists of."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from logca.offloading.break_even import whole_size
from logca.offloading.result import Offload
from logca.plots.style import (
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

__all__ = ["OffloadPicture", "draw_offload"]

_SHAPE, _EDGES = 0.66, 5.0
"""Height of a panel over its width; what is above, below and between panels [letters]."""

_PARTS = (("#B4DFCF", ""), ("#D6E9F8", "..."), ("#FDEACD", "///"), ("#D3C7E8", "xxx"))
"""Tints of the parts of the accelerated time, and hatches, which grey print keeps apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffloadPicture:
    """A picture of an offload."""

    title: str  # in a few words; stands in the file, not in the picture
    found: Offload  # what is drawn

    def abreast(self, width: str) -> int:
        """Panels beside each other in a picture of that width [1]."""
        return 2 if width == "page" else 1


def draw_offload(picture: OffloadPicture, *, width: str = "column") -> "Figure":
    """The picture as a matplotlib figure, which is not tied to a window."""
    across = picture.abreast(width)
    down = 2 // across
    with drawing_settings(width, across) as letters:
        panel = WIDTHS[width] / across
        figure = empty_figure(width, down * _SHAPE * panel + (4 + _EDGES * down) * letters / 72)
        times, parts = figure.subplots(down, across, squeeze=False).ravel()
        _times(times, picture.found)
        _parts(parts, picture.found)
        handles, labels = (
            [each for axes in (times, parts) for each in axes.get_legend_handles_labels()[which]]
            for which in (0, 1)
        )
        legend_below(
            figure,
            2 if width == "column" else 4,
            handles=handles,
            labels=labels,
            handlelength=2.4,
            handletextpad=0.5,
            columnspacing=1.2,
        )
    return figure


def _times(axes: "Axes", found: Offload) -> None:
    """Times of both paths, with the interval of the accelerated one, and the break-even."""
    host, accelerated = LINES[0], LINES[1]
    axes.set_yscale("log")
    axes.plot(
        found.sizes,
        [point.host_s for point in found.points],
        label="host",
        markersize=3.2,
        linewidth=1.0,
        zorder=3,
        **host,
    )
    low, high = zip(*found.way.interval_s, strict=True)
    axes.fill_between(
        found.sizes, low, high, color=accelerated["color"], alpha=0.2, linewidth=0, zorder=1
    )
    axes.plot(
        found.sizes,
        found.way.accelerated_s,
        label="accelerated, with its interval",
        markersize=3.2,
        markerfacecolor="white",
        linewidth=1.0,
        zorder=3,
        **accelerated,
    )
    least = found.break_even.least
    if least is not None:
        axes.axvline(least, color=BLACK, linewidth=0.8, linestyle=(0, (2, 2)), zorder=2)
        axes.annotate(
            f" {found.macro} = {whole_size(least):,}",
            (least, 0.98),
            xycoords=("data", "axes fraction"),
            va="top",
            fontsize="small",
        )
    axes.set_ylabel("time of the loops [s]")
    _size_axis(axes, found)


def _parts(axes: "Axes", found: Offload) -> None:
    """Shares of the accelerated time."""
    rows = [found.parts_at(place) for place in range(len(found.points))]
    bottom = [0.0] * len(rows)
    for (colour, hatch), name in zip(_PARTS, rows[0], strict=True):
        shares = [100 * row[name] / sum(row.values()) for row in rows]
        top = [low + share for low, share in zip(bottom, shares, strict=True)]
        axes.fill_between(
            found.sizes,
            bottom,
            top,
            facecolor=colour,
            hatch=hatch,
            edgecolor=GREY,
            linewidth=0.4,
            label=name,
        )
        bottom = top
    axes.set_ylim(0, 100)
    axes.set_ylabel("share of the accelerated time [%]")
    _size_axis(axes, found)


def _size_axis(axes: "Axes", found: Offload) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_xscale("log")
    axes.set_xlim(found.sizes[0], found.sizes[-1])
    axes.set_xlabel(f"{found.macro} [1]")
    few = found.sizes[-1] < 100 * found.sizes[0]  # otherwise labels would lie on each other
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,), numticks=9))
    if found.sizes[-1] < 100_000:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _place: f"{x:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(color=GREY, alpha=0.25, linewidth=0.4)
    axes.set_axisbelow(True)
