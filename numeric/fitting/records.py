"""Fits as JSON: everything that they follow from, so that nothing is fitted again.

``format`` is "logca-fit", ``version`` is 1. ``timings`` has granularity [B], host and accelerated
times [s] and the resolution of the clock [s]. ``models`` has for each form of latency the curve
(natural logarithms of C, o, L and C/A in reference units, and beta) and, for ``host`` and
``accelerated``, the spread, the share of spikes, the
weight of every sample and the root of the precision of every size. ``intervals`` has
[lower, upper, none] for each quantity at ``level``; what is infinite is "inf", what does not exist
"nan".
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from logca.numeric.fitting.estimate import Estimate
from logca.numeric.fitting.families import Curve, free
from logca.numeric.fitting.intervals import Interval
from logca.numeric.fitting.likelihood import Best, Data, deviance, prepare
from logca.numeric.fitting.timings import Timings, TimingsError

__all__ = ["RecordError", "record_of", "restored"]

_ARMS = ("host", "accelerated")


class RecordError(ValueError):
    """A file is no saved fit; the message says what is wrong."""


def record_of(
    timings: Timings,
    estimates: Mapping[str, Estimate],
    level: float,
    intervals: Mapping[str, Interval],
) -> dict[str, Any]:
    """What a file holds.

    Parameters
    ----------
    timings : Timings
        What was measured.
    estimates : mapping of str to Estimate
        For each form of latency what was fitted.
    level : float
        Confidence of the intervals [1].
    intervals : mapping of str to Interval
        Of each quantity.
    """
    return {
        "format": "logca-fit",
        "version": 1,
        "timings": {
            "granularity": list(timings.granularity),
            **{arm: [row.tolist() for row in getattr(timings, arm)] for arm in _ARMS},
            "resolution": timings.resolution,
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
        **{
            name: {
                "spread": arm.spread,
                "spikes": arm.spikes,
                "root": arm.root.tolist(),
                "weight": arm.weight.tolist(),
            }
            for name, arm in arms.items()
        },
    }


def restored(
    text: str, where: str
) -> tuple[Timings, dict[str, Estimate], float, dict[str, Interval]]:
    """Timings, estimates, level [1] and intervals from the text of a file.

    Parameters
    ----------
    text : str
        JSON [text].
    where : str
        Its name, for messages [text].

    Raises
    ------
    RecordError
        If it is no saved fit.
    """
    try:
        record = json.loads(text)
        if record["format"] != "logca-fit" or record["version"] != 1:
            raise RecordError(f"{where} is no fit of version 1; fit the timings again")
        timings = Timings(**record["timings"])
        bare = prepare(timings)
        estimates = {
            latency: _estimate(bare, latency, model) for latency, model in record["models"].items()
        }
        intervals = {
            name: Interval(*map(float, found)) for name, found in record["intervals"].items()
        }
        return timings, estimates, float(record["level"]), intervals
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError, TimingsError) as error:
        raise RecordError(f"{where} is no saved fit: {error}") from error


def _estimate(bare: Data, latency: str, model: Mapping[str, Any]) -> Estimate:
    arms = {
        name: getattr(bare, name)
        .weighted(np.array(model[name]["weight"]), model[name]["spread"], model[name]["spikes"])
        ._replace(root=np.array(model[name]["root"]))
        for name in _ARMS
    }
    data, curve = bare._replace(**arms), Curve(**model["curve"])
    found = Best(curve, deviance(data, curve))
    return Estimate(data, found, latency, free(latency).size)
