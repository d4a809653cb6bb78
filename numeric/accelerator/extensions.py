"""An accelerator of which more is asked: batches, whole applications, energy, uncertain values.

Each is an accelerator again (logca2026), so that all that an accelerator answers holds for it.
"""

from collections.abc import Mapping
from math import isnan
from typing import Any, NamedTuple

from logca.common.sizes import parse_size
from logca.numeric.accelerator.parameter_ranges import DomainError, check
from logca.numeric.evaluation.by_name import evaluate, parameters_of
from logca.numeric.roots.extensions import as_logca

__all__ = ["Chunks", "Sharing", "chunks", "extended", "sharing"]


class Sharing(NamedTuple):
    """Work that host and accelerator share so that both are done at once."""

    host_share: float  # part of the work that the host keeps; 1 if it does all of it [1]
    speedup: float  # over the host alone [1]


class Chunks(NamedTuple):
    """A stream cut into chunks, so that link and accelerator work at the same time."""

    number: float  # of chunks with least time, as a real number: of the integers, a neighbour [1]
    size: float  # of a chunk [B]
    time: float  # of the whole stream, in the accelerator's unit


def extended(
    model: Mapping[str, float], latency: str, extension: str, why: str, **given: float
) -> dict[str, Any]:
    """Parameters of the accelerator that an extension is again; `why` says what A <= 1 means."""
    checked = {name: check(name, value) for name, value in given.items()}
    bare = {name: model[name] for name in ("o", "L", "C", "A")}
    found = as_logca(extension, **bare, latency=latency, **checked)
    values = {name: float(value) for name, value in found.items()}
    if not values["A"] > 1:
        raise DomainError(f"{why}: its acceleration would be {values['A']:.4g}, which is 1 or less")
    return values


def sharing(model: Mapping[str, float], latency: str, g: float | str) -> Sharing:
    """The best part of the work to keep on the host at g bytes."""
    at = {**model, "g": parse_size(g)}
    return Sharing(*(_value(name, latency, at) for name in ("host_share", "speedup_shared")))


def chunks(model: Mapping[str, float], latency: str, length: float | str) -> Chunks:
    """The best chunks of a stream of so many bytes."""
    at = {**model, "N": parse_size(length)}
    if model["beta"] != 1:
        raise DomainError(
            f"beta = {model['beta']:g}: a stream can be cut into chunks only if the work is "
            "linear, beta = 1: else chunks are another computation"
        )
    number = _value("chunks_optimal", latency, at)
    if isnan(number):
        raise DomainError("no offload pays anything once, so that there is no best size of chunks")
    return Chunks(
        number=number, size=at["N"] / number, time=_value("chunked_time_optimal", latency, at)
    )


def _value(quantity: str, latency: str, at: Mapping[str, float]) -> float:
    wanted: dict[str, Any] = {name: at[name] for name in parameters_of(quantity)}
    return float(evaluate(quantity, latency=latency, **wanted))
