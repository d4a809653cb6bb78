"""Fits of shapes as JSON: everything that they follow from, so that nothing is fitted again."""

import json
from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any

import numpy as np

from logca.common.errors import FileError
from logca.numeric.fit.storage import SHAPES_FORMAT, SHARPEST, refuse_astray, text_of
from logca.numeric.shapes.estimate import LEAST_BETA, MOST_BETA, ShapeEstimate, predicted
from logca.numeric.shapes.formulas import ROLES, ShapeError, ShapeFormula, shape_formula
from logca.numeric.shapes.observed import PARTS, ObservedShapes
from logca.numeric.shapes.timings import PATHS, STATE, ShapeTimings

__all__ = ["is_fit_of_shapes", "parts_of", "record_of", "restored_estimate"]

_TIMES = (*PATHS, "ratio")
_VERSION = 1
_ROUNDED = 1 + 1e-9


def record_of(
    timings: ShapeTimings,
    formulas: Mapping[str, ShapeFormula],
    level: float,
    found: ShapeEstimate,
    provenance: Mapping[str, str],
) -> dict[str, Any]:
    """Contents of a fit's file."""
    return {
        "format": SHAPES_FORMAT,
        "version": _VERSION,
        "provenance": dict(provenance),
        "formulas": {role: formula.text for role, formula in formulas.items()},
        "columns": {name: values.tolist() for name, values in timings.columns.items()},
        "times": {
            name: [row.tolist() for row in rows]
            for name in _TIMES
            if (rows := getattr(timings, name))
        },
        "level": level,
        "model": {
            "times": found.times.tolist(),
            "beta": found.beta,
            "free": found.free.tolist(),
            "general": found.general.tolist(),
            "root": found.root.tolist(),
            **{name: getattr(found, name) for name in ("spread", "freedom", "deviance")},
        },
    }


def is_fit_of_shapes(path: str | PathLike[str]) -> bool:
    """True if a file is one of these; what cannot be read is none."""
    try:
        record = json.loads(text_of(path))
    except (FileError, ValueError, RecursionError):
        return False
    return isinstance(record, dict) and record.get("format") == SHAPES_FORMAT


def parts_of(path: str | PathLike[str]) -> dict[str, Any]:
    """Timings, formulas, level [1], provenance and model from such a file."""
    where, writes = (
        fspath(path),
        "`logca fit TIMINGS --bytes ... --work ... -o fit.json` writes one",
    )
    try:
        record = json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{where} is no fit of shapes, as it is no JSON; {writes}") from None
    if not isinstance(record, dict) or record.get("format") != SHAPES_FORMAT:
        one = isinstance(record, dict) and record.get("format") == "logca-fit"
        what = "a fit of one variable" if one else f"its format is not {SHAPES_FORMAT!r}"
        raise FileError(f"{where} is no fit of shapes: {what}; {writes}")
    if record.get("version") != _VERSION:
        raise FileError(
            f"{where} is a fit of version {record.get('version')!r}, not {_VERSION}; fit the "
            "timings again"
        )
    try:
        return _parts(record)
    except KeyError as error:
        raise FileError(f"{where} is no fit of shapes: it has no {error}") from None
    except (TypeError, AttributeError, ValueError, OverflowError) as error:
        raise FileError(f"{where} is no fit of shapes: {error}") from None


def _parts(record: Mapping[str, Any]) -> dict[str, Any]:
    columns = {name: _numbers(values, name) for name, values in record["columns"].items()}
    rows = {
        name: tuple(_numbers(row, name) for row in values)
        for name, values in record["times"].items()
    }
    count = {*map(len, columns.values()), *map(len, rows.values())}
    if set(rows) not in ({*PATHS}, {"ratio"}) or len(count) != 1:
        raise ValueError("times must be those of both paths, or ratios, one list for each shape")
    if any(not row.size or not (row > 0).all() for each in rows.values() for row in each):
        raise ValueError("times must be positive")
    formulas = {role: shape_formula(role, text) for role, text in record["formulas"].items()}
    used = {name for formula in formulas.values() for name in formula.columns}
    if not formulas or not set(formulas) <= set(ROLES) or used != set(columns):
        raise ShapeError(f"formulas of {', '.join(formulas)} do not fit its columns")
    if STATE in columns:
        raise ShapeError(f"call the column {STATE!r} otherwise, as decisions have it")
    provenance = record["provenance"]
    if not all(isinstance(each, str) for pair in provenance.items() for each in pair):
        raise ValueError("provenance must be texts")
    level = float(record["level"])
    if not 0 < level < 1:
        raise ValueError(f"level = {level:g} must be between 0 and 1")
    return {
        "timings": ShapeTimings(columns=columns, **rows),
        "formulas": formulas,
        "level": level,
        "provenance": dict(provenance),
        "model": record["model"],
    }


def restored_estimate(observed: ObservedShapes, model: Mapping[str, Any]) -> ShapeEstimate:
    """An estimate from its part of a file."""
    size = 2 * len(PARTS)
    times, root = _numbers(model["times"], "times"), _numbers(model["root"], "root")
    masks = [np.array(model[name], dtype=bool) for name in ("free", "general")]
    shapes = (times.shape, root.shape, *(mask.shape for mask in masks))
    if shapes != ((size,), observed.y.shape, (size + 1,), (size + 1,)):
        raise ValueError("times, root, free and general do not have the right lengths")
    numbers = {name: float(model[name]) for name in ("beta", "spread", "freedom", "deviance")}
    fine = (times >= 0).all() and (root >= 0).all() and numbers["beta"] > 0
    if not fine or not all(0 <= each < np.inf for each in numbers.values()):
        raise ValueError("times, root, beta, spread, freedom and deviance must not be negative")
    if not LEAST_BETA <= numbers["beta"] <= MOST_BETA:
        raise ValueError(f"beta = {numbers['beta']:g} must be from {LEAST_BETA:g} to {MOST_BETA:g}")
    found = ShapeEstimate(observed, times, free=masks[0], general=masks[1], root=root, **numbers)
    _check_estimate(found)
    return found


def _check_estimate(found: ShapeEstimate) -> None:
    """Refuse what no fit of these timings is: somebody has changed the one or the other."""
    observed, logs = found.observed, predicted(found)
    paths = ("ratios",) if observed.ratios else tuple(f"{path} times" for path in PATHS)
    measured, fitted, roots = (
        np.split(each, len(paths)) for each in (observed.y, logs, found.root)
    )
    with np.errstate(all="ignore"):
        for what, times, told in zip(paths, measured, fitted, strict=True):
            refuse_astray("model", what, times, told, spread=found.spread)
        most = {
            "root": (found.root.max(), SHARPEST),
            # no weight is more than one
            "spread": (found.spread, np.hypot.reduce([1 / each.max() for each in roots])),
            "freedom": (found.freedom, observed.y.size),
            # which is that of a family that the estimate belongs to
            "deviance": (found.deviance, (((observed.y - logs) * found.root) ** 2).sum()),
        }
    for name, (value, limit) in most.items():
        if not value <= limit * _ROUNDED:
            raise ValueError(f"{name} = {value:g} is more than {limit:g}: fit the timings again")
    if not found.root.any():
        raise ValueError("root must have a number that is not zero: fit the timings again")


def _numbers(given: Any, what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    found = np.array(given, dtype=np.float64)
    if found.ndim != 1 or not np.isfinite(found).all():
        raise ValueError(f"{what} must be a list of finite numbers")
    return found
