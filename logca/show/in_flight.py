"""Streams of requests of which several are in flight: decisions and fits of them in words."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.common.json_output import attributes
from logca.common.readable_numbers import probability
from logca.common.tables import Column, Table
from logca.common.terminal import facts
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.fit.fit import Fit
from logca.numeric.in_flight.units import UNITS
from logca.numeric.streams.decide import StreamDecision
from logca.numeric.streams.thresholds import pays_in_flight
from logca.show.results import View

__all__ = [
    "VIEWS",
    "in_flight_answer",
    "in_flight_data",
    "stream_data",
    "stream_facts",
    "streams_answer",
    "units_table",
]

_SERVED = {
    "u_host": "by the host",
    "u_link": "in overhead and latency",
    "u_accelerator": "by the accelerator",
    "u_shared": "offloaded, sharing cores or the like",
    "growth": "factor on overhead, each doubling",
}


def streams_answer(found: Sequence[StreamDecision], name: str) -> str:
    """Answers of all sizes, a sentence each."""
    return " ".join(each.answer(name) for each in found)


def stream_facts(found: StreamDecision, name: str) -> RenderableType:
    """One decision on a stream: the answer, how many requests keep both paths busy, and notes."""
    told = facts([(key, Text(text)) for key, text in _rows(found)])
    return Group(Text(found.answer(name), style="bold"), "", told)


def _rows(found: StreamDecision) -> list[tuple[str, str]]:
    return [
        ("speedup", f"{found.speedup:.4g}{_level(found)}"),
        ("one at a time", f"{found.alone:.4g}"),
        *([] if found.measured is None else [("as measured", f"{found.measured:.4g}")]),
        (
            "saturation",
            f"{found.saturation:.3g} requests in flight keep the offloaded path busy"
            f"{_range(found.saturation_interval, found)}; "
            f"{found.units.units['u_host']:.3g} the host"
            f"{_range(found.units.intervals['u_host'], found)}",
        ),
        *(("note", note) for note in found.notes),
    ]


def _level(found: StreamDecision) -> str:
    if isinstance(found.basis, Accelerator):
        return ""
    low, high = found.speedup_interval
    return f" ({probability(found.basis.level)}: {low:.4g} to {high:.4g})"


def _range(ends: tuple[float, float], found: StreamDecision) -> str:
    if isinstance(found.basis, Accelerator):
        return ""
    return f" ({probability(found.basis.level)}: {_ends(ends)})"


def _ends(ends: tuple[float, float]) -> str:
    low, high = ends
    return f"{low:.3g} to {high:.3g}" if isfinite(high) else f"{low:.3g} or more"


def stream_data(found: Sequence[StreamDecision], name: str) -> dict[str, Any]:
    """Decisions on streams as JSON has them."""
    return {
        "answer": streams_answer(found, name),
        "accelerator": name,
        "decisions": [
            {
                "answer": each.answer(name),
                **attributes(each, "size in_flight certainty speedup speedup_interval alone"),
                **attributes(each, "measured saturation saturation_interval notes"),
                "pays": [[part.above, part.below] for part in each.thresholds.likely],
                "units": dict(each.units.units),
            }
            for each in found
        ],
    }


def in_flight_answer(fit: Fit) -> str:
    """Sentence that says from which size on it pays, for each number of requests in flight."""
    assert fit.in_flight is not None
    told = (
        f"{number} in flight: {pays_in_flight(fit, number)}"
        for number in (1, *fit.in_flight.numbers)
    )
    return f"{'; '.join(told)}."


def units_table(fit: Fit) -> Table:
    """Requests that are served side by side, with intervals."""
    found = fit.in_flight
    assert found is not None
    limiting = [name for name in UNITS if isfinite(found.units[name])]
    return Table.by_columns(
        (
            (Column("served side by side"), [_SERVED[name] for name in limiting]),
            (Column.number("most likely"), [f"{found.units[name]:.3g}" for name in limiting]),
            (
                Column(f"{probability(fit.level)} interval"),
                [_ends(found.intervals[name]) for name in limiting],
            ),
        )
    )


def in_flight_data(fit: Fit) -> dict[str, Any] | None:
    """Requests in flight of a fit as JSON has them; nothing without times of several."""
    found = fit.in_flight
    if found is None:
        return None
    return {
        "answer": in_flight_answer(fit),
        "units": {
            name: {"value": found.units[name], "interval": found.intervals[name]} for name in UNITS
        },
        "times": [each._asdict() for each in found.times],
    }


VIEWS = {
    "StreamDecision": View(
        answer=lambda found: found.answer(), tables=lambda found: [Table.facts(_rows(found))]
    )
}
"""View of a decision on a stream in Python."""
