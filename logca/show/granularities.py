"""Break-even and half-peak granularities, for terminal and programs."""

from collections.abc import Sequence
from math import isnan
from typing import Any

from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import Granularities
from logca.numeric.paper.granularities import NewtonComparison, NewtonRow, existence
from logca.numeric.roots.status import RootStatus

__all__ = [
    "newton_data",
    "newton_table",
    "target_data",
    "target_table",
]

_USUAL = "*: the device's own form of latency, in Table 5 that of altaf2017, §4."
_NEWTON_NOTE = (
    "Newton: one step from one byte, altaf2017, Eqs. 11 and 12, for linear latency; for constant "
    "latency the papers solve exactly, Eqs. 5 and 6, and the step is there for comparison. error: "
    "relative. The step is exact for beta = 1. Elsewhere it may be negative though such a "
    "granularity exists, and positive though none does."
)


def newton_table(rows: Sequence[NewtonRow], title: str = "") -> Table:
    """Exact granularities beside Newton steps."""
    table5 = any(row.device for row in rows)
    return Table.by_rows(
        ("accelerator", "", "exactly", Column.number("Newton"), Column.number("error")),
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
        "newton": found.newton,
        "error": found.error,
        "verdict": found.verdict,
    }


def _sizes(accelerator: Accelerator, found: Granularities) -> str:
    if found.status is RootStatus.UPPER_ONLY:
        return f"up to {found}"
    return str(found) if found else f"none: {existence(accelerator, found)}"


def _several(found: Granularities) -> str:
    return found.reason if len(found) > 1 else ""
