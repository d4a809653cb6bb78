"""Accelerators and their break-even and half-peak granularities, for terminal and programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any, get_args

import numpy as np

from logca.common.errors import ArgumentError
from logca.common.json_output import attributes
from logca.common.readable_numbers import percent
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import Granularities, Window, exceeding
from logca.numeric.accelerator.explain import where_it_pays
from logca.numeric.accelerator.parameter_ranges import MODEL
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import pays_beside_curve, thresholds
from logca.numeric.fit.intervals import likely_value
from logca.numeric.fit.segmented import SizeStretch, TimeFactor
from logca.numeric.fit.segmented import exceeding as exceeding_ranges
from logca.numeric.fit.size_ranges import Ranges, SizesBetween, common, ranges_text
from logca.numeric.paper.granularities import NewtonComparison, NewtonRow, existence
from logca.numeric.roots.status import RootStatus
from logca.numeric.sweep.plan import entry
from logca.plots.drawing import Drawing, accelerator_drawing
from logca.plots.kinds import What
from logca.show.results import View

__all__ = [
    "VIEWS",
    "accelerator_headline",
    "exceeding_answer",
    "exceeding_data",
    "exceeding_sizes",
    "newton_answer",
    "newton_data",
    "newton_table",
    "stretch_data",
    "stretch_table",
    "target_answer",
    "target_data",
    "target_table",
    "up_to_break",
]

_USUAL = "*: the device's own form of latency, in Table 5 that of altaf2017, §4."
_NEWTON_NOTE = (
    "Newton: one step from one byte, altaf2017, Eqs. 11 and 12, for linear latency; for constant "
    "latency the papers solve exactly, Eqs. 5 and 6, and the step is there for comparison. error: "
    "relative. The step is exact for beta = 1. Elsewhere it may be negative though such a "
    "granularity exists, and positive though none does."
)


def newton_answer(rows: Sequence[NewtonRow], fit: Fit | None = None) -> str:
    """Sentence that says from which size on offloading pays, of one accelerator or of several.

    Each is meant in its own form of latency; the only one may be that of a fit.
    """
    meant = [row for row in rows if row.usual] or [*rows]
    if len(meant) == 1:
        row = meant[0]
        own, half = row.accelerator, row.gA2.exact
        reaches = f"half of its acceleration is reached at {_sizes(own, half)}"
        if not half:
            reaches = f"half of its acceleration is not reached: {existence(own, half)}"
        pays = _pays(own) if fit is None else pays_beside_curve(fit)
        if fit is not None and fit.breaks:
            at = likely_value(fit.estimates[fit.latency], "gA2")
            below = "not reached" if isnan(at) else f"reached at {format_size(at)}"
            reaches = f"half of the acceleration up to the first break is {below}"
        return f"{own.name or 'The accelerator'}: {pays}; {reaches}."
    names = dict.fromkeys(row.accelerator.name for row in meant)
    if len(names) == 1:
        forms = (f"with {r.accelerator.latency} latency {_pays(r.accelerator)}" for r in meant)
        return f"{next(iter(names)) or 'The accelerator'}: {', '.join(forms)}."
    known = {row.accelerator.name: row.g1.exact.lower for row in meant if row.g1.exact}
    said = f"Offloading pays from some size on with {len(known)} of {len(meant)} accelerators"
    if not known:
        return f"{said}."
    least, most = (end(known, key=lambda each: known[each]) for end in (min, max))
    ends = (f"from {format_size(known[least])} ({least})", f"{format_size(known[most])} ({most})")
    return f"{said}: {' to '.join(ends)}."


def _pays(found: Accelerator) -> str:
    sizes = found.break_even()
    return where_it_pays(*exceeding(sizes, float(found.speedup(1.0))), sizes.reason)


def newton_table(rows: Sequence[NewtonRow], title: str = "") -> Table:
    """Exact granularities beside Newton steps."""
    table5 = any(row.device for row in rows)
    return Table.by_rows(
        (
            "accelerator",
            Column(symbol=True),
            "exactly",
            Column.number("Newton"),
            Column.number("error"),
        ),
        (cells for row in rows for cells in _two_rows(row)),
        title=title,
        notes=(_USUAL if table5 else "", _NEWTON_NOTE),
    )


def newton_data(row: NewtonRow) -> dict[str, Any]:
    """A row as JSON has it; what does not exist is null, or an empty list."""
    return {
        "accelerator": row.accelerator.name,
        "device": row.device or None,
        "kernel": row.kernel or None,
        "latency": row.accelerator.latency,
        "usual": row.usual,
        "g1": _newton(row.g1),
        "gA2": _newton(row.gA2),
    }


def stretch_table(fit: Fit) -> Table:
    """Factors on the times between the breaks of a fit, and where it pays there."""
    return Table.by_rows(
        ("sizes", Column.number("host's time"), Column.number("accelerated time"), "pays"),
        (
            (
                str(SizesBetween(above=each.above, below=each.below)),
                _factor(each.host, each.above),
                _factor(each.accelerated, each.above),
                ranges_text(_paying(fit, each)),
            )
            for each in fit.stretches
        ),
        notes=("Times are those of the parameters, which are of the first sizes, times a factor.",),
    )


def stretch_data(fit: Fit) -> list[dict[str, Any]]:
    """Sizes between breaks, factors on the times there, and where it pays, as JSON has them."""
    return [
        {
            **attributes(each, ("above", "below")),
            "host": each.host._asdict(),
            "accelerated": each.accelerated._asdict(),
            "pays": [attributes(found, ("above", "below")) for found in _paying(fit, each)],
        }
        for each in fit.stretches
    ]


def _factor(found: TimeFactor, start: float) -> str:
    if not found.exponent:
        return f"× {found.start:.4g}"
    return f"× {found.start:.4g} (g / {format_size(start)})^{found.exponent:.3g}"


def _paying(fit: Fit, found: SizeStretch) -> Ranges:
    """Where it most likely pays in a stretch."""
    within = SizesBetween(above=found.above, below=found.below)
    return common(thresholds(fit).likely, (within,))


def up_to_break(rows: Sequence[NewtonRow], fit: Fit) -> list[NewtonRow]:
    """Rows of a fit with breaks, whose names say of which sizes the parameters are."""
    end = format_size(fit.stretches[0].below)
    own = [replace(row.accelerator, name=f"{row.accelerator.name} up to {end}") for row in rows]
    return [replace(row, accelerator=each) for row, each in zip(rows, own, strict=True)]


def exceeding_sizes(fit: Fit, speedup: float) -> Ranges:
    """Sizes at which the most likely speedup of a fit with breaks is more than another."""
    found = exceeding_ranges(fit.estimates[fit.latency], speedup)
    return tuple(SizesBetween(above=above, below=below) for above, below in found)


def exceeding_answer(found: Ranges, name: str, speedup: float) -> str:
    """Sentence that says at which sizes a fit has more than a speedup."""
    return f"{name} has a speedup of {speedup:g} or more {ranges_text(found)}."


def exceeding_data(found: Ranges, name: str, speedup: float) -> dict[str, Any]:
    """At which sizes a fit has more than a speedup, as JSON has it."""
    ranges = [attributes(each, ("above", "below")) for each in found]
    return {"accelerator": name, "speedup": speedup, "ranges": ranges}


def target_answer(rows: Sequence[NewtonRow], speedup: float) -> str:
    """Sentence that says at which size accelerators have a speedup."""
    meant = [row.accelerator for row in rows if row.usual] or [row.accelerator for row in rows]
    found = [(each, each.granularity_for(speedup)) for each in meant]
    if len(found) == 1:
        [(own, sizes)] = found
        reaches = f"at {_sizes(own, sizes)}" if sizes else f"at no size: {existence(own, sizes)}"
        return f"{own.name or 'The accelerator'} has a speedup of {speedup:g} {reaches}."
    reached = sum(bool(sizes) for _, sizes in found)
    return f"{reached} of {len(found)} accelerators reach a speedup of {speedup:g}."


def target_table(accelerators: Sequence[Accelerator], speedup: float) -> Table:
    """Where accelerators reach a speedup."""
    found = [(each, each.granularity_for(speedup)) for each in accelerators]
    return Table.by_rows(
        ("accelerator", "latency", f"speedup {speedup:g} at", ""),
        (
            (each.name or "accelerator", each.latency, _sizes(each, sizes), _several(sizes))
            for each, sizes in found
        ),
    )


def target_data(accelerator: Accelerator, speedup: float) -> dict[str, Any]:
    """Where an accelerator reaches a speedup, as JSON has it."""
    found = accelerator.granularity_for(speedup)
    return {
        "accelerator": accelerator.name,
        "latency": accelerator.latency,
        "speedup": speedup,
        "granularities": list(found),
        "reason": existence(accelerator, found) or found.reason,
    }


def _two_rows(row: NewtonRow) -> tuple[tuple[str, ...], ...]:
    """Cells of g1 and of gA/2."""
    name = f"{row.device} {row.kernel}" if row.device else row.accelerator.name
    latency = f"{row.accelerator.latency} latency{' *' if row.device and row.usual else ''}"
    accelerator = row.accelerator
    return (
        (name, "g1", *_cells(accelerator, row.g1)),
        (latency, "gA/2", *_cells(accelerator, row.gA2)),
    )


def _cells(accelerator: Accelerator, found: NewtonComparison) -> tuple[str, ...]:
    error = "" if isnan(found.error) else f"{100 * found.error:.4g} %"
    return _sizes(accelerator, found.exact), _step(found), error


def _step(found: NewtonComparison) -> str:
    return format_size(found.newton) if not isnan(found.newton) else "undefined"


def _newton(found: NewtonComparison) -> dict[str, Any]:
    return {
        "granularities": list(found.exact),
        "statement": found.statement or found.exact.reason,
        **attributes(found, "newton error verdict"),
    }


def _sizes(accelerator: Accelerator, found: Granularities) -> str:
    if found.status is RootStatus.UPPER_ONLY:
        return f"up to {found}"
    return str(found) if found else f"none: {existence(accelerator, found)}"


def _several(found: Granularities) -> str:
    return found.reason if len(found) > 1 else ""


_MOST_LISTED = 24
"""Rows of a table of arrays [1]."""


def accelerator_headline(found: Accelerator) -> str:
    """Sentence that says from which size on offloading pays."""
    return f"{found.name or 'The accelerator'}: {_pays(found)}."


def _accelerator_tables(found: Accelerator) -> Iterator[Table]:
    rows = []
    for name in MODEL:
        unit, meaning = entry(name, found.latency, found.unit)
        rows.append((name, f"{getattr(found, name):.6g}", "" if unit == "1" else unit, meaning))
    yield Table.by_rows(("", Column.number("value"), "unit", "parameter"), rows)
    yield Table.facts(
        (
            ("break-even", str(found.break_even())),
            ("half of A", str(found.half_peak())),
            ("greatest speedup", str(found.peak())),
            ("bound", str(found.bound())),
        )
    )


def _drawing(found: Accelerator, what: str, **options: Any) -> Drawing:
    if what not in get_args(What):
        raise ArgumentError(
            f"nothing is drawn as {what!r}; choose one of {', '.join(get_args(What))}"
        )
    return accelerator_drawing([found], what, **options)


def _window_tables(found: Window) -> Iterator[Table]:
    yield Table.facts(
        (
            ("greatest", f"{found.greatest:.4g} at {format_size(found.best)}"),
            ("least", f"{found.least:.4g}"),
            ("break-even", str(found.break_even)),
        )
    )


def _rows_of_arrays(found: Any) -> Iterator[Mapping[str, Any]]:
    """A row for each element of the arrays of a named tuple; one if they are numbers."""
    columns = np.broadcast_arrays(*map(np.asarray, found))
    for values in zip(*(each.reshape(-1).tolist() for each in columns), strict=True):
        yield dict(zip(found._fields, values, strict=True))


def _table_of_arrays(found: Any) -> Table:
    rows = list(_rows_of_arrays(found))
    left = len(rows) - _MOST_LISTED
    return Table.by_rows(
        map(Column.number, found._fields),
        ([f"{value:.4g}" for value in row.values()] for row in rows[:_MOST_LISTED]),
        notes=(f"{left:,} more rows, which to_frame() has",) if left > 0 else (),
    )


def _arrays(answer: Callable[[Any], str]) -> View:
    return View(
        answer=answer,
        tables=lambda found: [_table_of_arrays(found)],
        rows={"values": _rows_of_arrays},
    )


def _largest_share(found: Any) -> str:
    means = {name: float(np.mean(value)) for name, value in found._asdict().items()}
    name = max(means, key=lambda each: means[each])
    return f"{name} takes most of the accelerated time: {percent(means[name], 1)} %"


def _greatest_elasticity(found: Any) -> str:
    means = {name: float(np.mean(getattr(found, name))) for name in "oLCA"}
    name = max(means, key=lambda each: abs(means[each]))
    return f"The speedup follows {name} most: 1 % more of it changes it by {means[name]:+.2g} %"


VIEWS = {
    "Accelerator": View(answer=accelerator_headline, tables=_accelerator_tables, picture=_drawing),
    "Bound": View(
        answer=str, tables=lambda found: [Table.facts([("limit", f"{found.limit:.4g}")])]
    ),
    "Elasticities": _arrays(_greatest_elasticity),
    "Granularities": View(
        answer=str,
        tables=lambda found: [Table.facts([("speedup", found.reason)])] if found else [],
    ),
    "Peak": View(answer=lambda found: f"Greatest speedup: {found}", tables=lambda _: []),
    "Shares": _arrays(_largest_share),
    "Window": View(answer=str, tables=_window_tables),
}
"""Views of an accelerator and of its answers in Python."""
