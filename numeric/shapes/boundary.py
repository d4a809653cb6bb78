"""The boundary between shapes that pay and those that do not: in numbers, and over a plane."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np

from logca.numeric.generated.shapes import shape_speedup
from logca.numeric.shapes.fit import ShapeFit
from logca.numeric.timings.timings import Samples

__all__ = ["BoundaryRow", "Plane", "boundary_at", "boundary_rows", "plane_of"]

_ROWS = 5  # amounts at which the boundary is told
_FINE = 201  # points of a plane along each axis
_EDGE = 1.4  # factor of its margins


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryRow:
    """Between which amounts offloading pays, with other amounts held."""

    held: Mapping[str, float]  # bytes [B] and items [1], as far as they are told
    varied: str  # work, bytes or items
    # above, below: it pays between them, at none if they are infinite [1, B]
    above: float
    below: float


def boundary_rows(fit: ShapeFit) -> tuple[BoundaryRow, ...]:
    """Where it most likely pays, by the model, at amounts spread over those that were measured.

    Work is told for given bytes and items, else bytes for given items. Where both are given they
    are those of shapes that were measured, as items seldom vary apart from bytes.
    """
    features = fit.features(**fit.timings.columns)
    _, *held = _told(fit)
    return tuple(boundary_at(fit, amounts) for amounts in _held(held, features))


def boundary_at(fit: ShapeFit, amounts: Mapping[str, float]) -> BoundaryRow:
    """Where it most likely pays, by the model, with the amounts of a shape but the first told."""
    varied, *held = _told(fit)
    at = {"data_bytes": 0.0, "items": 0.0, "work": 0.0}
    at |= {"data_bytes" if role == "bytes" else role: amounts[role] for role in held}
    above, below = _between(fit, varied, at)
    return BoundaryRow(
        held={role: amounts[role] for role in held}, varied=varied, above=above, below=below
    )


def _told(fit: ShapeFit) -> list[str]:
    """Amounts that formulas tell, first the one whose boundary is told."""
    return [role for role in ("work", "bytes", "items") if role in fit.formulas]


def _held(roles: Sequence[str], features: Mapping[str, Samples]) -> Iterator[dict[str, float]]:
    """Amounts that are held, spread over those that were measured."""
    if not roles:
        yield {}
        return
    first = features[roles[0]]
    if len(roles) == 1:
        some = first[first > 0]
        least, most = (float(some.min()), float(some.max())) if some.size else (1.0, 1.0)
        for amount in np.unique(np.geomspace(least, most, _ROWS).round(6)):
            yield {roles[0]: float(amount)}
        return
    order = np.argsort(first)
    for place in order[np.linspace(0, order.size - 1, min(_ROWS, order.size)).round().astype(int)]:
        yield {role: float(features[role][place]) for role in roles}


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
        # what is lost is linear in the items
        none, one = (float(fit.loss(at["data_bytes"], items)) for items in (0.0, 1.0))
        root = none / (none - one) if none * (none - one) > 0 else nan
    if np.isnan(root):
        return (0.0, inf) if speedup(1.0) > 1 else (inf, inf)
    return (root, inf) if speedup(2 * root) > 1 else (0.0, root)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plane:
    """Speedups over two columns, over two of bytes, work and items, or over both times."""

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


def plane_of(fit: ShapeFit) -> Plane:
    """The plane of the shape's columns if they are two, else of two of bytes, work and items.

    Where all three vary no plane of them has the boundary as a line: then it is that of the times
    of both paths, by the model.
    """
    columns, features = fit.timings.columns, fit.features(**fit.timings.columns)
    titles = {"bytes": "bytes [B]", "work": "work [1]", "items": "items [1]"}
    varied = [role for role in titles if np.ptp(features[role])]
    if len(columns) == 2:
        (across, measured_x), (up, measured_y) = columns.items()
    elif len(varied) < len(titles):
        one, other = (varied + [role for role in titles if role not in varied])[:2]
        across, up = titles[one], titles[other]
        measured_x, measured_y = features[one], features[other]
    else:
        unit = "unit not known" if fit.relative else "s"
        across, up = (f"{path} time by the model [{unit}]" for path in ("accelerated", "host"))
        measured_y, measured_x = fit.times(**columns)
    x, y = _axis(measured_x), _axis(measured_y)
    grid = dict(zip((across, up), np.meshgrid(x, y), strict=True))
    if len(columns) == 2:
        at = {role: formula(grid) for role, formula in fit.formulas.items()}
        fine = np.all([np.isfinite(each) & (each >= 0) for each in at.values()], axis=0)
        at = {role: np.where(fine, each, np.nan) for role, each in at.items()}
    elif len(varied) < len(titles):
        at = {role: grid[title] for role, title in titles.items() if title in grid}
    else:
        at = {}
    if at:
        none = np.zeros((y.size, x.size))
        amounts = {role: at.get(role, none) for role in titles}
        data = amounts.pop("bytes")
        speedup = np.asarray(shape_speedup(data_bytes=data, **amounts, **fit.parameters))
    else:
        speedup = grid[up] / grid[across]
    return Plane(
        across=across,
        up=up,
        x=x,
        y=y,
        speedup=speedup,
        measured_x=np.asarray(measured_x),
        measured_y=np.asarray(measured_y),
        faster=fit.measured_faster,
    )


def _axis(measured: Any) -> Samples:
    some = measured[measured > 0]
    low, high = (float(some.min()), float(some.max())) if some.size else (1.0, 1.0)
    return np.geomspace(low / _EDGE, high * _EDGE, _FINE)
