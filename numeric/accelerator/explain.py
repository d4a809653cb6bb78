"""Behaviour of an accelerator at one granularity in plain words, from numbers it hands over."""

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import isnan
from typing import NamedTuple

from logca.common.sizes import format_size
from logca.numeric.accelerator.answers import Granularities, Shares
from logca.numeric.accelerator.parameter_ranges import RANGES
from logca.numeric.roots.status import RootStatus

__all__ = ["IMPROVABLE", "TENFOLD", "Facts", "explain", "where_it_pays", "why_not"]

IMPROVABLE = ("o", "L", "C", "A")
"""The parameters that someone can improve."""

TENFOLD = 10.0
"""By which factor the explanation improves each of them [1]."""

_NAMES = {
    "o": "overhead o",
    "L": "latency L",
    "C": "computational index C",
    "A": "acceleration A",
    "beta": "exponent beta",
}
_LOWER_IS_BETTER = ("o", "L")


class Facts(NamedTuple):
    """Facts that an explanation tells of an accelerator at one granularity."""

    g: float  # the granularity [B]
    unit: str  # of the times
    time_host: float
    time_accelerated: float
    speedup: float  # [1]
    break_even: Granularities
    shares: Shares
    gains: Mapping[str, float]  # of a tenfold improvement of each improvable parameter [1]
    now: Mapping[str, float]  # values of these parameters
    needed: Mapping[str, float]  # their values at which g breaks even, where there are any


def explain(facts: Facts) -> str:
    """Text that says if g bytes pay, why, what the bottleneck is, and what would have to change."""
    lines = [_verdict(facts), where_it_pays(facts.break_even), _bottleneck(facts.shares)]
    lines.append(_gains(facts.gains))
    if facts.speedup < 1:
        lines.append(_what_it_takes(facts))
    return "\n".join(lines)


def why_not(
    parameter: str, *, speedup: float, g: float, found: float, A: float, best: float
) -> str:
    """Why no value of a parameter gives a speedup; `best` is the speedup with its best value."""
    target = f"a speedup of {speedup:g} at {format_size(g)}"
    if parameter != "A" and speedup >= A:
        return f"{target} is not below the acceleration A = {A:g}: only a larger A helps"
    if not isnan(found):
        return f"{target} needs {parameter} = {found:g}, which must be {RANGES[parameter]}"
    if parameter in _LOWER_IS_BETTER:
        return f"no {_NAMES[parameter]} gives {target}: even at 0 it is {best:.4g}"
    if parameter == "A":
        return f"no acceleration gives {target}: even an infinite one gives no more than {best:.4g}"
    return f"no {_NAMES[parameter]} gives {target}"


def _verdict(facts: Facts) -> str:
    speedup = facts.speedup
    pays = "pays" if speedup > 1 else "breaks even" if speedup == 1 else "does not pay"
    return (
        f"At {format_size(facts.g)} offloading {pays}: speedup {speedup:.4g}, "
        f"{facts.time_accelerated:.4g} {facts.unit} instead of {facts.time_host:.4g} on the host."
    )


def where_it_pays(break_even: Granularities) -> str:
    """Sentence that says at which sizes offloading pays."""
    if break_even.status is RootStatus.TWO:
        return f"It pays between {format_size(break_even[0])} and {format_size(break_even[1])}."
    if break_even.status in (RootStatus.ONE, RootStatus.UPPER_OUT_OF_RANGE):
        return f"It pays from {format_size(break_even[0])} on."
    if break_even.status is RootStatus.UPPER_ONLY:
        return f"It pays up to {format_size(break_even[0])}."
    return f"Break-even is {break_even.reason}."


def _bottleneck(shares: Shares) -> str:
    parts = sorted(zip(shares, shares._fields, strict=True), reverse=True)
    text = ", ".join(f"{100 * float(share):.3g} % {name}" for share, name in parts)
    return f"The bottleneck is {parts[0][1]}; of the accelerated time {text}."


def _gains(gains: Mapping[str, float]) -> str:
    if any(map(isnan, gains.values())):
        return "Times at this size are outside the range of floating point."
    listed = sorted(gains, key=lambda name: gains[name], reverse=True)
    text = ", ".join(f"{name} {gains[name]:.3g}x" for name in listed)
    return f"A tenfold improvement of one parameter gains: {text}."


def _what_it_takes(facts: Facts) -> str:
    possible = []
    for name, needed in facts.needed.items():
        now, lower = facts.now[name], name in _LOWER_IS_BETTER
        by = f" ({now / needed if lower else needed / now:.3g} times better)" if needed else ""
        word = "at most" if lower else "at least"
        possible.append(f"{_NAMES[name]} {word} {_rounded(needed, up=not lower)}{by}")
    impossible = [_NAMES[name] for name in IMPROVABLE if name not in facts.needed]
    text = f"Break-even at {format_size(facts.g)} needs "
    text += ", or ".join(possible) if possible else "more than one parameter to change"
    if possible and impossible:
        text += f"; changing only the {' or the '.join(impossible)} is not enough"
    return text + "."


def _rounded(value: float, *, up: bool) -> str:
    """Four digits, rounded so that who does as it says does enough."""
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    return f"{float(Context(prec=4, rounding=rounding).create_decimal(value)):.4g}"
