"""Fits as JSON: everything that they follow from, so that nothing is fitted again."""

import json
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

import numpy as np

from logca.common.errors import FileError
from logca.common.files import read_text
from logca.numeric.accelerator.parameter_ranges import LATENCIES
from logca.numeric.fit.break_evens import GRANULARITIES
from logca.numeric.fit.breaks import KINDS, PATHS, Break
from logca.numeric.fit.constrained_curves import Curve
from logca.numeric.fit.data import Data, prepare
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.intervals import QUANTITIES
from logca.numeric.fit.likelihood import Best, deviance, predicted
from logca.numeric.fit.profile_likelihood import ConfidenceInterval
from logca.numeric.in_flight.units import restored_units
from logca.numeric.timings.timings import Samples, Timings

__all__ = [
    "SHAPES_FORMAT",
    "SHARPEST",
    "other_modes_record",
    "record_of",
    "refuse_astray",
    "refuse_strange_intervals",
    "restored",
    "text_of",
]

SHAPES_FORMAT = "logca-fit-shapes"
"""Format of fits of shapes, whose verbs are fewer."""

_ARMS = ("host", "accelerated")
_FAR = 1e6
_ASTRAY = float(np.log(100))
_CLOSE = 1e-3  # ends are searched as closely
SHARPEST = 1e15
"""The largest root of a weight over a variance, and spread, that a fit may have [1]."""


def record_of(
    timings: Timings,
    estimates: Mapping[str, Estimate],
    level: float,
    intervals: Mapping[str, ConfidenceInterval],
    provenance: Mapping[str, str],
) -> dict[str, Any]:
    """Contents of a fit's file."""
    return {
        "format": "logca-fit",
        "version": 1,
        "provenance": dict(provenance),
        "timings": {
            "granularity": list(timings.granularity),
            **{arm: [row.tolist() for row in getattr(timings, arm)] for arm in _ARMS},
            "resolution": timings.resolution,
            **{
                f"{arm}_spread": list(spreads)
                for arm in _ARMS
                if (spreads := getattr(timings, f"{arm}_spread"))
            },
        },
        "level": level,
        "models": {latency: _model(found) for latency, found in estimates.items()},
        "intervals": {
            name: [each if np.isfinite(each) else str(each) for each in found]
            for name, found in intervals.items()
        },
    }


def _model(found: Estimate) -> dict[str, Any]:
    arms = {name: getattr(found.data, name) for name in _ARMS}
    return {
        "curve": found.best.curve._asdict(),
        "breaks": [list(each) for each in found.data.breaks],
        **{
            name: {
                "spread": arm.spread,
                "spikes": arm.spikes,
                "apart": arm.apart,
                "root": arm.root.tolist(),
                "weight": arm.weight.tolist(),
            }
            for name, arm in arms.items()
        },
    }


def other_modes_record(estimates: Sequence[Estimate]) -> list[dict[str, Any]]:
    """Record of the estimates of less frequent modes, as JSON has it."""
    return [{"chance": each.chance, **_model(each)} for each in estimates]


def _writes(timings: str = "TIMINGS") -> str:
    """The command that makes a fit of timings, which it is often confused with."""
    return f"`logca fit {timings} -o fit.json` writes a fit of timings"


def restored(text: str, where: str) -> dict[str, Any]:
    """Timings, estimates, level [1], intervals and provenance from the text of a file."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        timings = "TIMINGS" if where.lower().endswith(".json") else where
        raise FileError(f"{where} is no saved fit, as it is no JSON; {_writes(timings)}") from None
    if isinstance(record, dict) and record.get("format") == SHAPES_FORMAT:
        raise FileError(
            f"{where} is a fit of shapes, of two variables, which `logca decide`, `explain`, "
            "`report`, `plot` and `codegen` take; sizes alone need a fit of one variable"
        )
    if not isinstance(record, dict) or record.get("format") != "logca-fit":
        raise FileError(f"{where} is no saved fit: its format is not 'logca-fit'; {_writes()}")
    if record.get("version") != 1:
        raise FileError(
            f"{where} is a fit of version {record.get('version')!r}, not 1; fit the timings again"
        )
    try:
        return _parts(record)
    except KeyError as error:
        raise FileError(f"{where} is no saved fit: it has no {error}") from None
    except (TypeError, AttributeError, ValueError, OverflowError) as error:
        raise FileError(f"{where} is no saved fit: {error}") from None


def _parts(record: Mapping[str, Any]) -> dict[str, Any]:
    timings = Timings(**record["timings"])
    bare, models = prepare(timings), record["models"]
    if not models or not set(models) <= set(LATENCIES):
        raise ValueError(f"models {', '.join(models) or 'none'} must be of {', '.join(LATENCIES)}")
    estimates = {latency: _estimate(bare, latency, model) for latency, model in models.items()}
    general = "linear" if "linear" in models else "constant"
    return {
        "timings": timings,
        "estimates": estimates,
        "level": _number(record["level"], "level", 0, 1),
        "intervals": _intervals(record["intervals"]),
        "provenance": _texts(record["provenance"]),
        "other_modes": tuple(
            _estimate(bare, general, model)._replace(
                chance=_number(model["chance"], "chance of another mode", 0, 1)
            )
            for model in record.get("other_modes", ())
        ),
        "in_flight": restored_units(record.get("in_flight")),
    }


def _texts(saved: Mapping[str, Any]) -> dict[str, str]:
    for key, value in saved.items():
        if not isinstance(value, str):
            raise ValueError(f"provenance {key!r} = {value!r} must be a text")
    return dict(saved)


def _estimate(bare: Data, latency: str, model: Mapping[str, Any]) -> Estimate:
    arms = {name: _arm(getattr(bare, name), model[name], f"{latency} {name}") for name in _ARMS}
    logs = {
        name: _number(log, f"{latency} curve {name}", -_FAR, _FAR)
        for name, log in model["curve"].items()
    }
    if not {*Curve._fields} - {*Curve._field_defaults} <= {*logs} <= {*Curve._fields}:
        raise ValueError(
            f"{latency} curve must have {', '.join(Curve._fields)}, not {', '.join(logs)}"
        )
    breaks = tuple(_break(each) for each in model.get("breaks", ()))
    data, curve = bare._replace(**arms, breaks=breaks), Curve(**logs)
    if not curve.beta > 0:
        raise ValueError(f"{latency} curve beta = {curve.beta} must be positive")
    _check_curve(data, curve, latency)
    return Estimate(data, Best(curve, deviance(data, curve)), latency)


def _check_curve(data: Data, curve: Curve, latency: str) -> None:
    with np.errstate(all="ignore"):
        times = predicted(data, curve, data.host.x, data.accelerated.x)
    for name, arm, logs in zip(_ARMS, (data.host, data.accelerated), times, strict=True):
        refuse_astray(f"{latency} curve", f"{name} times", arm.y, logs[arm.place])


def refuse_astray(
    curve: str, what: str, measured: Samples, fitted: Samples, spread: float = 0.0
) -> None:
    """Refuse a curve that is none of these timings: somebody has changed the one or the other.

    Both are logarithms; who fits times that scatter by more than that finds such a curve, too.
    """
    apart = float(np.median(np.abs(measured - fitted))) if measured.size else 0.0
    if not apart < max(_ASTRAY, spread):
        raise ValueError(
            f"the {curve} is not that of its {what}, which it misses by more than a factor of 100: "
            "fit the timings again"
        )


def _break(saved: Sequence[Any]) -> Break:
    path, kind, below, above = saved
    found = Break(str(path), str(kind), float(below), float(above))
    if path not in PATHS or kind not in KINDS or not 0 < found.below <= found.above < np.inf:
        raise ValueError(f"break {saved!r} must be a path, a kind and two sizes")
    return found


def _arm(bare: Any, saved: Mapping[str, Any], what: str) -> Any:
    spread = _number(saved["spread"], f"{what} spread", 0, SHARPEST)
    spikes = _number(saved["spikes"], f"{what} spikes", 0, 1)
    weight = _numbers(saved["weight"], f"{what} weight", bare.y.size, 1.0)
    root = _numbers(saved["root"], f"{what} root", bare.x.size, SHARPEST)
    apart = float(_numbers([saved["apart"]], f"{what} apart", 1, SHARPEST)[0])
    return bare.weighted(weight, spread, spikes)._replace(root=root, apart=apart)


def _intervals(saved: Mapping[str, Any]) -> dict[str, ConfidenceInterval]:
    if set(saved) != set(QUANTITIES):
        raise ValueError(f"intervals must be those of {', '.join(QUANTITIES)}")
    found = {name: ConfidenceInterval(*map(float, ends)) for name, ends in saved.items()}
    for name, (lower, upper, none) in found.items():
        ordered = 0 <= lower <= upper or (np.isnan(lower) and np.isnan(upper))
        if not ordered or not 0 <= none <= 1:
            raise ValueError(f"interval of {name} = {saved[name]} must be lower, upper, confidence")
    return {name: found[name] for name in QUANTITIES}


def refuse_strange_intervals(
    intervals: Mapping[str, ConfidenceInterval], values: Mapping[str, float], sure: float
) -> None:
    """Refuse intervals that no fit with these most likely values has.

    A fit has every value in its interval, which has no ends where the confidence that there is no
    such quantity is more than `sure` [1], or those of the most likely value alone.
    """
    for name, (lower, upper, none) in intervals.items():
        value = values[name]
        within = lower * (1 - _CLOSE) <= value <= upper * (1 + _CLOSE)
        if not (within or np.isnan(value)):
            raise ValueError(
                f"its {name} = {value:.4g} is outside its interval, {lower:.4g} to {upper:.4g}: "
                "fit the timings again"
            )
        if none > (sure if name in GRANULARITIES else 0.0) and lower < upper:
            raise ValueError(
                f"the interval of {name}, {lower:.4g} to {upper:.4g}, is one of confidence "
                f"{none:.4g} that there is none: fit the timings again"
            )


def _number(given: Any, what: str, above: float = -np.inf, below: float = np.inf) -> float:
    number = float(given)
    if not above < number < below:
        raise ValueError(f"{what} = {given!r} must be between {above:g} and {below:g}")
    return number


def _numbers(given: Any, what: str, count: int, most: float) -> Samples:
    found = np.array(given, dtype=np.float64)
    if found.shape != (count,):
        raise ValueError(f"{what} must be {count} numbers, not {np.shape(given)}")
    if not ((found >= 0) & (found <= most) & np.isfinite(found)).all():
        raise ValueError(f"{what} must be numbers from 0 to {most:g}")
    return found


def text_of(path: str | PathLike[str]) -> str:
    """The text of a saved fit."""
    where = fspath(path)
    try:
        return read_text(where, "utf-8")
    except OSError as error:
        raise FileError(f"cannot read {where}: {error.strerror}; {_writes()}") from None
    except UnicodeDecodeError:
        raise FileError(f"{where} is no saved fit, as it is no text; {_writes()}") from None
    except ValueError as error:  # a name that no file can have
        raise FileError(f"cannot read {where!r}: {error}") from None
