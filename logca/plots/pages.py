"""Pictures with the table beside each, for people and for programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType

from logca.figure_tables import comparison_data, comparison_grid, comparison_table
from logca.granularity_tables import (
    cutoff_grid,
    newton_data,
    newton_grid,
    region_grid,
    regions_data,
)
from logca.grids import Grid, rendered
from logca.numeric.accelerator import Accelerator
from logca.numeric.comparisons import RULE, comparisons
from logca.numeric.newton_table import newton_row
from logca.plots.drawing import Drawing

__all__ = ["Page", "accelerator_page", "paper_page"]

_WITH_REGIONS = ("regions", "sensitivity")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A picture and its table.

    Parameters
    ----------
    drawing : Drawing
        The picture.
    shown : tuple of renderable
        The table for the terminal.
    grids : tuple of Grid
        The table as text.
    data : dict
        The table as JSON has it.
    """

    drawing: Drawing
    shown: tuple[RenderableType, ...]
    grids: tuple[Grid, ...]
    data: dict[str, Any]


def paper_page(drawing: Drawing) -> Page:
    """A figure of the paper: what is said of it beside what its Table 5 gives.

    Parameters
    ----------
    drawing : Drawing
        The figure.
    """
    rows = comparisons(drawing.name)
    title = f"Fig. {drawing.name.removeprefix('fig')}: {drawing.title}"
    return Page(
        drawing=drawing,
        shown=(comparison_table(rows, title=title, caption=drawing.caption),),
        grids=(comparison_grid(rows, title=title, caption=drawing.caption),),
        data={
            "figure": drawing.name,
            "title": drawing.title,
            "caption": drawing.caption,
            "rule": RULE,
            "rows": [comparison_data(row) for row in rows],
        },
    )


def accelerator_page(accelerators: Sequence[Accelerator], drawing: Drawing) -> Page:
    """Any accelerators: their granularities, and where regions are drawn those of each.

    Parameters
    ----------
    accelerators : sequence of Accelerator
        What is drawn.
    drawing : Drawing
        The picture.
    """
    newton = [newton_row(each) for each in accelerators]
    grids = [newton_grid(newton, title=drawing.title)]
    rows = [newton_data(row) for row in newton]
    if drawing.name in _WITH_REGIONS:
        for each, row in zip(accelerators, rows, strict=True):
            found = each.regions(
                drawing.improvement, drawing.gain, low=drawing.low, high=drawing.high
            )
            grids += [region_grid(found, title=each.name), cutoff_grid(found)]
            row |= regions_data(found)
    return Page(
        drawing=drawing,
        shown=tuple(part for grid in grids for part in (rendered(grid), "")),
        grids=tuple(grids),
        data={"what": drawing.name, "title": drawing.title, "rows": rows},
    )
