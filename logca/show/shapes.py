"""Fits of shapes and their decisions: words, tables, JSON, and as Python shows them."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from logca.common.json_output import attributes
from logca.common.readable_numbers import duration, percent, probability
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.shapes.boundary import BoundaryRow, boundary_at, boundary_rows
from logca.numeric.shapes.decide import ShapeDecision
from logca.numeric.shapes.fit import ShapeFit
from logca.plots.shapes import ShapePicture
from logca.show.results import View

__all__ = [
    "VIEWS",
    "boundary_table",
    "part_table",
    "shape_answer",
    "shape_decision_data",
    "shape_decision_table",
    "shape_explanation",
    "shape_explanation_data",
    "shape_fit_data",
    "shapes_table",
]

_MEANINGS = {
    "call": "a call",
    "item": "each item",
    "byte": "each byte",
    "work": "work of one",
}
_ROLES = {"item": "items", "byte": "bytes", "work": "work"}
_IN_FULL = 1e7
_LITTLE = 1.005  # times as fast, of which a sentence says nothing
_TOLD = 2
"""Rows of the boundary that a sentence tells [1]."""


def shape_answer(fit: ShapeFit) -> str:
    """Sentence that tells at how many shapes offloading pays, and where the boundary is."""
    pays, count = int(fit.pays(**fit.timings.columns).sum()), len(fit.timings)
    where = f"{pays} of the {count} shapes measured"
    if pays in (0, count):
        where = f"{'every' if pays else 'no'} shape measured, of {count}"
    known = [row for row in boundary_rows(fit) if isfinite(row.above) and _ends(row)]
    middle = known[:: max(len(known) // _TOLD, 1)][:_TOLD]
    told = "; ".join(f"{_held(fit, row)}{_where(fit, row)}" for row in middle)
    if told and fit.contradicted:
        told += f", by a model that the times contradict at {len(fit.contradicted)} shapes"
        told = told.removesuffix("s") if len(fit.contradicted) == 1 else told
    return f"Offloading pays at {where}{f': {told}' if told else ''}."


def _ends(row: BoundaryRow) -> bool:
    return row.above > 0 or isfinite(row.below)


def _held(fit: ShapeFit, row: BoundaryRow) -> str:
    return f"with {_amounts(fit, row)} " if row.held else ""


def _amounts(fit: ShapeFit, row: BoundaryRow) -> str:
    return ", ".join(_amount(fit, role, amount) for role, amount in row.held.items())


def _amount(fit: ShapeFit, role: str, amount: float) -> str:
    """Bytes with their unit, items by the name of their column, if they are one."""
    if role == "bytes":
        return format_size(amount)
    formula = fit.formulas[role]
    noun = formula.text if formula.text in formula.columns else role
    return f"{_number(amount)} {noun}" if role == "items" else _number(amount)


def _number(value: float) -> str:
    """Four digits, a large number in full up to ten millions."""
    rounded = float(f"{value:.4g}")
    return f"{rounded:,.10g}" if rounded < _IN_FULL else f"{value:.4g}"


def _where(fit: ShapeFit, row: BoundaryRow) -> str:
    """Where it pays, in words."""
    if not row.above < row.below:
        return f"at no {row.varied}"
    if not _ends(row):
        return "always"
    end = row.above if row.above > 0 else row.below
    amount = f"{'work of ' * (row.varied == 'work')}{_amount(fit, row.varied, end)}"
    return f"from {amount} on" if row.above > 0 else f"up to {amount}"


def part_table(fit: ShapeFit) -> Table:
    """Time of each part on either path."""
    found = fit.parameters
    parts = [part for part in _MEANINGS if part == "call" or _ROLES[part] in fit.formulas]
    rows = []
    for part in parts:
        times = [found[f"{part}_time_{path}"] for path in ("host", "accelerated")]
        told = [f"{time:.4g}" if fit.relative else duration(time) for time in times]
        formula = "" if part == "call" else fit.formulas[_ROLES[part]].text
        rows.append((_MEANINGS[part], *told, formula))
    notes = [f"exponent of the work: {found['beta']:.4g}"] if "work" in fit.formulas else []
    if isfinite(fit.acceleration):
        notes.append(f"acceleration of the work: {fit.acceleration:.4g}")
    unit = ", in a unit that is not known" if fit.relative else ""
    return Table.by_rows(
        ("time of", Column.number("host"), Column.number("accelerated"), "formula"),
        rows,
        title=f"Times of the parts{unit}",
        notes=notes,
    )


def boundary_table(fit: ShapeFit) -> Table:
    """Where offloading pays, at amounts spread over those measured."""
    rows = boundary_rows(fit)
    held = bool(rows[0].held)
    cells = [(*((_amounts(fit, row),) if held else ()), _where(fit, row)) for row in rows]
    heads = (*((Column.number("with"),) if held else ()), "offloading pays")
    return Table.by_rows(heads, cells, title="The boundary, by the model")


def shape_fit_data(fit: ShapeFit) -> dict[str, Any]:
    """A fit as JSON has it; ends that there are not are null."""
    return {
        "answer": shape_answer(fit),
        "formulas": {role: formula.text for role, formula in fit.formulas.items()},
        "columns": fit.columns,
        **attributes(fit, "level relative parameters acceleration"),
        "boundary": list(_boundary(fit)),
        "shapes": list(_shapes(fit)),
        **attributes(fit, "warnings provenance"),
    }


def _boundary(fit: ShapeFit) -> Iterator[dict[str, Any]]:
    yield from map(_row, boundary_rows(fit))


def _row(row: BoundaryRow) -> dict[str, Any]:
    pays = row.above < row.below
    return {
        **attributes(row, "held varied"),
        "pays": pays,
        "from": row.above if pays else None,
        "to": row.below if pays and isfinite(row.below) else None,
    }


_WINNERS = {1: "accelerated", -1: "host", 0: "unclear"}


def _shapes(fit: ShapeFit) -> Iterator[dict[str, Any]]:
    columns = fit.timings.columns
    fitted, pays = fit.speedup(**columns), fit.pays(**columns)
    for place in range(len(fit.timings)):
        yield {
            **fit.timings.shape(place),
            "speedup": float(fit.timings.speedups[place]),
            "fitted": float(fitted[place]),
            "faster": _WINNERS[fit.measured_faster[place]],
            "offload": bool(pays[place]),
        }


def shape_decision_table(decision: ShapeDecision) -> Table:
    """One decision: speedup, times, what binds, and remarks."""
    fit = decision.fit
    within = decision.speedup_interval
    speedup = f"{decision.speedup:.4g}"
    if within is not None:
        speedup += f" ({probability(fit.level)}: {within.lower:.4g} to {within.upper:.4g})"
    shares = sorted(decision.shares.items(), key=lambda each: -each[1])
    parts = ", ".join(f"{part} {percent(share, 1.0)} %" for part, share in shares if share > 0)
    rows = [("speedup", speedup)]
    if not fit.relative:
        rows.append(("host", duration(decision.time_host)))
        rows.append(("accelerated", duration(decision.time_accelerated)))
    rows.append(("accelerated time", parts))
    rows += [(role, _amount(fit, role, value)) for role, value in decision.features.items()]
    rows.append(("decision", "offload" if decision.offload else "do not offload"))
    return Table.facts([*rows, *(("note", note) for note in decision.notes)])


def shape_decision_data(decision: ShapeDecision, name: str = "") -> dict[str, Any]:
    """A decision as JSON has it; what does not exist is null."""
    within = decision.speedup_interval
    return {
        "answer": decision.answer(name),
        **attributes(decision, "shape offloading offload certainty speedup"),
        "speedup_lower": within.lower if within else None,
        "speedup_upper": within.upper if within else None,
        **attributes(decision, "measured"),
        "time_host": None if decision.fit.relative else decision.time_host,
        "time_accelerated": None if decision.fit.relative else decision.time_accelerated,
        "level": decision.fit.level,
        **attributes(decision, "shares binds features notes"),
    }


def shape_explanation(decision: ShapeDecision, name: str = "") -> list[str]:
    """One shape in words: if it pays, which parts take the time, and what would change that."""
    fit, lines = decision.fit, [decision.answer(name)]
    if not fit.relative:
        host, other = duration(decision.time_host), duration(decision.time_accelerated)
        measured = "As measured, it takes" if decision.as_measured else "It takes"
        lines.append(f"{measured} {other} offloaded, and {host} on the host.")
    binds = _PARTS[decision.binds]
    lines.append(f"The bottleneck is {binds}; of the accelerated time {_of(decision.shares)}.")
    lines.append(f"Of the host's time {_of(decision.shares_host)}.")
    row = boundary_at(fit, decision.features)
    held = f"With {_amounts(fit, row)} offloading" if row.held else "Offloading"
    own = f"{'are' if row.varied != 'work' else 'is'} "
    own += _amount(fit, row.varied, decision.features[row.varied])
    lines.append(f"{held} pays {_where(fit, row)}, by the model; here {row.varied} {own}.")
    gains = sorted(decision.gains.items(), key=lambda each: -each[1])
    told = ", ".join(f"{_PARTS[part]} {gain:.3g}x" for part, gain in gains if gain > _LITTLE)
    lines.append(f"If one part of the accelerated time took a tenth, that would gain: {told}.")
    return [*lines, *(f"Note: {note}." for note in decision.notes)]


_PARTS = {"call": "the call", "item": "items", "byte": "bytes", "work": "work"}


def _of(shares: Mapping[str, float]) -> str:
    some = sorted(shares.items(), key=lambda each: -each[1])
    return ", ".join(f"{_PARTS[part]} {percent(share, 1.0)} %" for part, share in some if share > 0)


def shape_explanation_data(decision: ShapeDecision, name: str = "") -> dict[str, Any]:
    """The explanation as JSON has it."""
    return {
        **shape_decision_data(decision, name),
        **attributes(decision, "shares_host gains"),
        "boundary": _row(boundary_at(decision.fit, decision.features)),
        "text": "\n".join(shape_explanation(decision, name)),
    }


def shapes_table(fit: ShapeFit) -> Table:
    """Speedup of each shape, measured and by the model."""
    heads: list[Column | str] = [*fit.columns]
    heads += [Column.number("speedup"), Column.number("by the model"), "faster"]
    rows = [
        (
            *(f"{row[name]:.10g}" for name in fit.columns),
            f"{row['speedup']:.4g}",
            f"{row['fitted']:.4g}",
            row["faster"],
        )
        for row in _shapes(fit)
    ]
    return Table.by_rows(heads, rows)


def _fit_tables(fit: ShapeFit) -> Iterator[Table]:
    yield part_table(fit)
    yield boundary_table(fit)
    if fit.warnings:
        yield Table.facts([("limit", each) for each in fit.warnings], "Limits of this fit")


VIEWS = {
    "ShapeFit": View(
        answer=shape_answer,
        tables=_fit_tables,
        rows={"shapes": _shapes, "boundary": _boundary},
        picture=lambda found: ShapePicture(title="Boundary", fit=found),
    ),
    "ShapeDecision": View(
        answer=lambda found: found.answer(),
        tables=lambda found: (shape_decision_table(found),),
    ),
}
"""Views of both in Python."""
