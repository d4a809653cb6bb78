"""The boundary between shapes that pay and those that do not: in numbers, and over a plane."""

from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np

from logca.numeric.generated.shapes import shape_speedup
from logca.numeric.shapes.fit import ShapeFit
from logca.numeric.timings.timings import Samples

__all__ = ["BoundaryRow", "Plane", "boundary_rows", "plane_of"]

_ROWS = 5  # amounts at which the boundary is told
_FINE = 201  # points of a plane along each axis
_EDGE = 1.4  # factor of its margins


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryRow:
    """Between which amounts offloading pays, with another amount held."""

    held: str  # bytes or items; empty if nothing is held
    amount: float  # of what is held [B, 1]
    varied: str  # work, bytes or items
    # above, below: it pays between them, at none if they are infinite [1, B]
    above: float
    below: float


def boundary_rows(fit: ShapeFit) -> tuple[BoundaryRow, ...]:
    """Where it most likely pays, by the model, at amounts spread over those that were measured.

    Work is told for given bytes, else bytes for given items; items are as at the median shape where
    they are neither.
    """
    features = fit.features(**fit.timings.columns)
    told = [role for role in ("work", "bytes", "items") if role in fit.formulas]
    varied, *others = told
    held = others[0] if others else ""
    amounts = np.array([nan])
    if held:
        some = features[held][features[held] > 0]
        least, most = (float(some.min()), float(some.max())) if some.size else (1.0, 1.0)
        amounts = np.unique(np.geomspace(least, most, _ROWS).round(6))
    items = float(np.median(features["items"]))
    rows = []
    for amount in map(float, amounts):
        at = {"data_bytes": 0.0, "work": 0.0, "items": items}
        if held:
            at["data_bytes" if held == "bytes" else "items"] = amount
        above, below = _between(fit, varied, at)
        rows.append(BoundaryRow(held=held, amount=amount, varied=varied, above=above, below=below))
    return tuple(rows)


def _between(fit: ShapeFit, varied: str, at: dict[str, float]) -> tuple[float, float]:
    """Amounts between which the speedup, which is monotone, is more than one."""
    symbol = "data_bytes" if varied == "bytes" else varied

    def speedup(amount: float) -> float:
        return float(shape_speedup(**{**at, symbol: amount}, **fit.parameters))

    if varied == "work":
        root = float(fit.work_boundary(at["data_bytes"], at["items"]))
    elif varied == "bytes":
        root = float(fit.bytes_boundary(at["work"], at["items"]))
    else:
        found = fit.parameters
        loss = float(fit.loss(at["data_bytes"], 0.0))
        each = found["item_time_host"] - found["item_time_accelerated"]
        root = loss / each if each and loss / each > 0 else nan
    if np.isnan(root):
        return (0.0, inf) if speedup(1.0) > 1 else (inf, inf)
    return (root, inf) if speedup(2 * root) > 1 else (0.0, root)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plane:
    """Speedups over two columns, or over bytes and work, and the shapes measured."""

    # across, up: what the axes are, with units
    across: str
    up: str
    # x, y: values along the axes, evenly spread on logarithmic ones
    x: Samples
    y: Samples
    speedup: Samples  # a row for each y; NaN where a formula has no value [1]
    # measured_x, measured_y: the shapes measured
    measured_x: Samples
    measured_y: Samples
    faster: tuple[int, ...]  # at these the faster path, as `ShapeFit.measured_faster` tells
    held: str  # what is held, in words; empty if nothing is


def plane_of(fit: ShapeFit) -> Plane:
    """The plane of the shape's columns if they are two, else of two of bytes, work and items."""
    columns, features = fit.timings.columns, fit.features(**fit.timings.columns)
    titles = {"bytes": "bytes [B]", "work": "work [1]", "items": "items [1]"}
    if len(columns) == 2:
        (across, measured_x), (up, measured_y) = columns.items()
        x, y = _axis(measured_x), _axis(measured_y)
        grid_x, grid_y = np.meshgrid(x, y)
        values = {across: grid_x, up: grid_y}
        at = {role: formula(values) for role, formula in fit.formulas.items()}
        fine = np.all([np.isfinite(each) & (each >= 0) for each in at.values()], axis=0)
        at = {role: np.where(fine, each, np.nan) for role, each in at.items()}
        held = ""
    else:
        varied = [role for role in ("bytes", "work", "items") if np.ptp(features[role])]
        one, other = (varied + [role for role in titles if role not in varied])[:2]
        across, up = titles[one], titles[other]
        measured_x, measured_y = features[one], features[other]
        x, y = _axis(measured_x), _axis(measured_y)
        at = dict(zip((one, other), np.meshgrid(x, y), strict=True))
        rest = {role: float(np.median(features[role])) for role in varied[2:]}
        at |= {role: np.full_like(at[one], value) for role, value in rest.items()}
        held = ", ".join(f"{role} = {value:.4g}" for role, value in rest.items())
    none = np.zeros((y.size, x.size))
    speedup = shape_speedup(
        data_bytes=at.get("bytes", none),
        work=at.get("work", none),
        items=at.get("items", none),
        **fit.parameters,
    )
    return Plane(
        across=across,
        up=up,
        x=x,
        y=y,
        speedup=np.asarray(speedup),
        measured_x=np.asarray(measured_x),
        measured_y=np.asarray(measured_y),
        faster=fit.measured_faster,
        held=held,
    )


def _axis(measured: Any) -> Samples:
    some = measured[measured > 0]
    low, high = (float(some.min()), float(some.max())) if some.size else (1.0, 1.0)
    return np.geomspace(low / _EDGE, high * _EDGE, _FINE)
