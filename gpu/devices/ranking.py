"""Which of several devices a kernel should run on (wang2017, section 4.5)."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from logca.common.errors import LogcaError

__all__ = ["ChoiceError", "RankedDevice", "parse_time", "ranked"]

_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_TIME = re.compile(r"\s*([0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([a-zµ]*)\s*")


class ChoiceError(LogcaError, ValueError):
    """Times that cannot be compared; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedDevice:
    """A device with the kernel's time on it."""

    name: str  # the device
    time_s: float  # time of the kernel there, estimated or measured [s]
    slowdown: float  # that time over the shortest one [1]


def ranked(times: Mapping[str, float]) -> tuple[RankedDevice, ...]:
    """The devices, fastest first.

    Examples
    --------
    >>> [(each.name, round(each.slowdown, 2)) for each in ranked({"GPU": 2.698, "FPGA": 0.636})]
    [('FPGA', 1.0), ('GPU', 4.24)]
    """
    if not times:
        raise ChoiceError("no device to choose from; name at least one with its time")
    for name, time_s in times.items():
        if not 0 < time_s < math.inf:
            raise ChoiceError(f"the time on {name} must be above 0 and finite, not {time_s!r} s")
    best = min(times.values())
    return tuple(
        RankedDevice(name=name, time_s=time_s, slowdown=time_s / best)
        for name, time_s in sorted(times.items(), key=lambda item: item[1])
    )


def parse_time(text: str) -> float:
    """A time with its unit, in seconds [s].

    Examples
    --------
    >>> round(parse_time("636.47 ms"), 9)
    0.63647
    """
    match = _TIME.fullmatch(text)
    try:
        if match is None or not match[2]:
            raise ValueError
        value = float(match[1]) * _UNITS[match[2]]
    except (ValueError, KeyError):
        raise ChoiceError(
            f"{text!r} is no time; write a number and one of {', '.join(_UNITS)}, such as 1.5ms"
        ) from None
    if not 0 < value < math.inf:
        raise ChoiceError(f"the time {text!r} must be above 0")
    return value
