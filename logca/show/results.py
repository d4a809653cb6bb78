"""Results as Python and notebooks show them: the answer, short tables, rows, a picture.

Each type that has hooks of `logca.common.results` has a view, beside the tables and words of its
verb: a new type is a line in `_HOMES`, and an entry in ``VIEWS`` of that module.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from html import escape
from importlib import import_module
from io import StringIO
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from logca.common.errors import ArgumentError
from logca.common.extras import require
from logca.common.json_output import attributes
from logca.common.readable_numbers import count, percent
from logca.common.sizes import amount
from logca.common.tables import Table, html

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from logca.plots.render import Picture
    from logca.trace.profiling.report import Profile

__all__ = [
    "VIEWS",
    "View",
    "answer_of",
    "frame_of",
    "html_of",
    "picture_of",
    "profile_answer",
    "text_of",
]

Rows = Iterable[Mapping[str, Any]]

_HOMES = {
    "granularities": (
        *("Accelerator", "Bound", "Elasticities", "Granularities", "Peak", "Shares", "Window"),
    ),
    "regions": ("Regions",),
    "cheapest": ("Change",),
    "audit": ("Audit",),
    "decide": ("Decision",),
    "chance": ("UncertainDecision",),
    "in_flight": ("StreamDecision",),
    "fit.data": ("Fit",),
    "shapes": ("ShapeDecision", "ShapeFit"),
    "measure": ("Timings",),
    "devices": ("Device", "Devices"),
    "gpu.data": ("GpuDevice", "KernelPrediction", "Prediction"),
    "gpu.advice": ("Advice", "KernelAdvice"),
    "offload.data": ("Offload",),
    "offload.check": ("OffloadCheck",),
    "results": ("Profile",),
    "partition.data": ("Partition",),
    "check": ("Answer", "Claims", "Formulas", "LedgerClaim", "SmtCertificate", "WeakestHypothesis"),
}
"""Types by the module of `logca.show` that has their views."""

_CACHES = range(4, 21)
"""Caches for which misses are drawn, 1 KiB to 64 MiB: powers of two of lines [1]."""

_DPI = 144
_TERMINAL = (100, 24)
_STYLE = """
div.logca.logca { overflow-x: auto; color: inherit; }
div.logca.logca p { margin: .4em 0; max-width: 60em; }
div.logca.logca p.answer { font-weight: 600; }
div.logca.logca p.title { font-weight: 600; margin-top: .9em; }
div.logca.logca p.note { opacity: .75; font-size: .92em; }
div.logca.logca table { border-collapse: collapse; color: inherit; margin: .3em 0; border: 0; }
div.logca.logca table tr { background: none; }
div.logca.logca table td, div.logca.logca table th { text-align: left; vertical-align: top;
 padding: .22em .8em .22em 0; border: 0; border-bottom: 1px solid rgba(128, 128, 128, .3);
 max-width: 46em; white-space: normal; }
div.logca.logca table thead th { border-bottom: 1px solid rgba(128, 128, 128, .8); }
div.logca.logca table th.section { font-family: monospace; font-weight: 500; }
div.logca.logca table .number { text-align: right; white-space: nowrap;
 font-variant-numeric: tabular-nums; }
"""
"""Letters and colours are inherited, so that it fits every theme; the class is named twice to
prevail over the rules that notebooks have for tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Answer, tables, rows and picture of a type of results."""

    answer: Callable[[Any], str]  # the first line
    tables: Callable[[Any], Iterable[Table]]  # what stands below it
    # rows of a data frame by what they are; the first kind is the usual one
    rows: Mapping[str, Callable[[Any], Rows]] | None = None
    picture: Callable[..., "Picture"] | None = None


def answer_of(result: Any) -> str:
    """The answer alone, one sentence."""
    return _view(result).answer(result)


def text_of(result: Any) -> str:
    """The answer and the tables as text, as wide as the terminal."""
    from logca.common.terminal import drawn, safe_console

    view, wide = _view(result), get_terminal_size(_TERMINAL).columns
    written = StringIO()
    # in a notebook Rich would show the tables there and write nothing
    console = safe_console(file=written, width=wide, color_system=None, force_jupyter=False)
    console.print(drawn(tuple(view.tables(result)), wide))
    lines = (line.rstrip() for line in written.getvalue().splitlines())
    return "\n".join([view.answer(result), *lines]).rstrip()


def html_of(result: Any) -> str:
    """The answer and the tables as HTML that needs no other file and runs nothing."""
    view = _view(result)
    parts = [f'<p class="answer">{escape(view.answer(result))}</p>']
    for table in view.tables(result):
        parts += [f'<p class="title">{escape(table.title)}</p>'] * bool(table.title)
        parts += [html(table)] * bool(table.rows)
        parts += [f'<p class="note">{escape(note)}</p>' for note in table.notes if note]
    shown = "\n".join(parts)
    return f'<div class="logca"><style>{_STYLE}</style>\n{shown}\n</div>'


def picture_of(result: Any, *, width: str, **options: Any) -> "Figure":
    """The figure of a result, which shows itself in notebooks."""
    require("matplotlib", "plot")
    from logca.plots.render import figure_of, saved
    from logca.plots.style import WIDTHS

    if width not in WIDTHS:
        raise ArgumentError(f"width = {width!r} must be one of {', '.join(WIDTHS)}")
    make = _view(result).picture
    assert make is not None, f"{type(result).__name__} has the hook and no picture"
    drawn = make(result, **options)
    figure = figure_of(drawn, width=width)
    # IPython shows figures of pyplot by itself; this one is tied to no window
    shown: Any = figure
    shown._repr_png_ = partial(saved, figure, drawn, ".png", width=width, dpi=_DPI)
    return figure


def frame_of(result: Any, rows: str | None) -> "pd.DataFrame":
    """Rows of a result as a data frame."""
    kinds = _view(result).rows or {}
    chosen = next(iter(kinds)) if rows is None else rows
    if chosen not in kinds:
        raise ArgumentError(f"there are no rows {chosen!r}; choose one of {', '.join(kinds)}")
    pandas = require("pandas", "frame")
    found = [
        {name: float(v) if isinstance(v, Fraction) else v for name, v in row.items()}
        for row in kinds[chosen](result)
    ]
    frame = pandas.DataFrame(found)
    frame.attrs["rows"] = chosen
    return frame


def _view(result: Any) -> View:
    """The view of a result's type."""
    name = type(result).__name__
    [home] = (home for home, names in _HOMES.items() if name in names)
    view: View = import_module(f"logca.show.{home}").VIEWS[name]
    return view


def _loops(profile: "Profile") -> Iterator[dict[str, Any]]:
    for found in profile.loops:
        loop = profile.program.loops[found.loop]
        yield {
            **attributes(loop, "file line"),
            "function": loop.source_function,
            **attributes(found, "text entries iterations trip instructions accesses"),
            "footprint": found.footprint.bytes if found.footprint else None,
        }


def _lines(profile: "Profile") -> Iterator[dict[str, Any]]:
    for found in profile.lines:
        row = attributes(found, "file line text loads stores bytes")
        yield {**row, "footprint": found.footprint.bytes}


def profile_answer(profile: "Profile") -> str:
    """Sentence: what ran, how many instructions and accesses that were, and in which loop most."""
    from logca.trace.profiling.names import short_names

    names = short_names(profile.program.files)
    region = profile.region
    whole = len(region.blocks) == len(profile.program.blocks)
    ran = next(iter(names.values()), "The program") if whole else f"The {region.title}"
    accesses = profile.loads + profile.stores
    said = f"{ran} executes {count(profile.executed)} instructions"
    if accesses:
        footprint = f"with a footprint of {amount(profile.footprint.bytes)}"
        said += f" and makes {count(accesses)} accesses to memory, {footprint}"
    if region.nests is None and profile.loops and profile.executed:
        hottest = max(profile.loops, key=lambda each: each.instructions)
        loop = profile.program.loops[hottest.loop]
        share = percent(hottest.instructions, profile.executed)
        said += f"; {share} % of the instructions are in the loop at {names[loop.file]}:{loop.line}"
    return f"{said}; {profile.run.message}." if profile.run.message else f"{said}."


def _profile_tables(profile: "Profile") -> tuple[Table, ...]:
    from logca.trace.profiling.report import loops, overview

    return *overview(profile), *loops(profile)


def _misses(profile: "Profile") -> "Picture":
    """Misses of a fully associative LRU cache of any capacity."""
    from logca.plots.charts import Lines, Series, SeriesPanel

    touches = max(profile.reuse.touches, 1)
    misses = tuple(100 * profile.reuse.misses(1 << power) / touches for power in _CACHES)
    return Lines(
        title="Misses",
        places=tuple(64.0 * 2**power / 1024 for power in _CACHES),
        panels=(SeriesPanel(title="", series=(Series(name="all accesses", values=misses),)),),
        across="capacity of a fully associative LRU cache with lines of 64 B [KiB]",
        up="misses [%]",
        logarithmic=True,
    )


VIEWS = {
    "Profile": View(
        answer=profile_answer,
        tables=_profile_tables,
        rows={"loops": _loops, "lines": _lines},
        picture=_misses,
    )
}
"""View of profiles, whose tables are in `logca.trace`."""
