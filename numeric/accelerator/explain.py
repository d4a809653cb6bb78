"""Behaviour of an accelerator at one granularity in plain words, from numbers it hands over."""

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import inf, isfinite, isnan
from sys import float_info
from typing import NamedTuple

from logca.common.readable_numbers import time_text
from logca.common.sizes import format_size
from logca.numeric.accelerator.answers import Granularities, Shares, exceeding
from logca.numeric.accelerator.parameter_ranges import RANGES

__all__ = ["IMPROVABLE", "TENFOLD", "Facts", "answer", "explain", "where_it_pays", "why_not"]

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
_HOW = {"C": "the work a byte, or a slower host, which saves no time"}


class Facts(NamedTuple):
    """Facts that an explanation tells of an accelerator at one granularity."""

    g: float  # the granularity [B]
    name: str  # of the accelerator; empty if it has none
    latency: str  # "constant" or "linear"
    unit: str  # of the times
    time_host: float
    time_accelerated: float
    speedup: float  # [1]
    speedup_one: float  # at one byte [1]
    break_even: Granularities
    shares: Shares
    gains: Mapping[str, float]  # of a tenfold improvement of each improvable parameter [1]
    now: Mapping[str, float]  # values of these parameters
    needed: Mapping[str, float]  # their values at which g breaks even, where there are any


def explain(facts: Facts) -> str:
    """Text that says if g bytes pay, why, what the bottleneck is, and what would have to change."""
    where = where_it_pays(*exceeding(facts.break_even, facts.speedup_one), facts.break_even.reason)
    lines = [answer(facts.g, facts.speedup, where, to=facts.name)]
    if not isfinite(facts.time_accelerated) or not isfinite(facts.time_host):
        return "\n".join([*lines, "Times at this size are outside the range of floating point."])
    lines += [_times(facts), _bottleneck(facts.shares), _gains(facts.gains)]
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


def answer(
    g: float,
    speedup: float,
    where: str,
    *,
    to: str = "",
    by: str = "",
    told: bool = True,
    within: tuple[float, float] | None = None,
    level: str = "",
) -> str:
    """Sentence that says if g bytes pay, how much, and at which sizes it does.

    `to` is the accelerator and `by` the fit that says so; `told` says whether it is known, `within`
    is the speedup's interval, of confidence `level`.

    Examples
    --------
    >>> answer(4096, 7.387, "it pays from 357.7 B on", to="the FPGA")
    'Offloading 4 KiB to the FPGA pays: 7.387 times as fast; it pays from 357.7 B on.'
    """
    offloading = f"offloading {format_size(g)}{to and f' to {to}'}"
    low, high = within or (speedup, speedup)
    if told and speedup < 1 and low > 1 / float_info.max:
        how, ends = f"it takes {1 / speedup:.4g} times as long", (1 / high, 1 / low)
    else:
        how, ends = f"{speedup:.4g} times as fast", (low, high)
    if how.startswith(("1 times", "it takes 1 times")):
        how = "as fast as on the host, to four digits"
    if within:
        how += f" ({level}: {ends[0]:.4g} to {ends[1]:.4g})"
    if isnan(speedup) or speedup in (0, inf):
        how = "its times are outside the range of floating point"
        told = told and not isnan(speedup)
    if not told:
        likely = how if isnan(speedup) else f"most likely {how}"
        text = f"whether {offloading} pays is uncertain: {likely}; {where}."
    elif speedup == 1:
        text = f"{offloading} breaks even: as fast as on the host; {where}."
    else:
        text = f"{offloading} {'pays' if speedup > 1 else 'does not pay'}: {how}; {where}."
    return f"By {by}, {text}" if by else text[0].upper() + text[1:]


def where_it_pays(above: float, below: float, reason: str, lower: str = "", upper: str = "") -> str:
    """Clause that says between which sizes it pays; `lower` and `upper` tell how sure each end is.

    Examples
    --------
    >>> where_it_pays(357.7, float("inf"), ""), where_it_pays(0.0, 2048.0, "")
    ('it pays from 357.7 B on', 'it pays up to 2 KiB')
    >>> where_it_pays(0.0, float("inf"), "")
    'it pays at every size'
    """
    if not reason and (above, below) == (0.0, inf):
        return "it pays at every size"
    if above > 0 and above < below < inf:
        return f"it pays between {format_size(above)}{lower} and {format_size(below)}{upper}"
    if 0 < above < below:
        return f"it pays from {format_size(above)} on{lower}"
    if above < below < inf:
        return f"it pays up to {format_size(below)}{upper}"
    return f"break-even is {reason}"


def _times(facts: Facts) -> str:
    return (
        f"It takes {time_text(facts.time_accelerated, facts.unit)} offloaded, and "
        f"{time_text(facts.time_host, facts.unit)} on the host."
    )


def _bottleneck(shares: Shares) -> str:
    parts = sorted(zip(shares, shares._fields, strict=True), reverse=True)
    text = ", ".join(f"{100 * float(share):.3g} % {name}" for share, name in parts)
    return f"The bottleneck is {parts[0][1]}; of the accelerated time {text}."


def _gains(gains: Mapping[str, float]) -> str:
    if any(map(isnan, gains.values())):
        return "Times at this size are outside the range of floating point."
    listed = sorted((each for each in gains if each != "C"), key=gains.__getitem__, reverse=True)
    text = ", ".join(f"{name} {gains[name]:.3g}x" for name in listed)
    return (
        f"A tenfold improvement of one parameter gains: {text}. A tenfold C raises the speedup "
        f"{gains['C']:.3g}x, by more work a byte or a slower host, and saves no time."
    )


def _what_it_takes(facts: Facts) -> str:
    possible = []
    for name, needed in facts.needed.items():
        now, lower = facts.now[name], name in _LOWER_IS_BETTER
        by = f"{now / needed if lower else needed / now:.3g} times" if needed else ""
        by = f" ({by} {_HOW.get(name, 'better')})" if by else ""
        word = "at most" if lower else "at least"
        value = _with_unit(name, _rounded(needed, up=not lower), facts)
        possible.append(f"{_NAMES[name]} {word} {value}{by}")
    impossible = [_NAMES[name] for name in IMPROVABLE if name not in facts.needed]
    text = f"Break-even at {format_size(facts.g)} needs "
    text += ", or ".join(possible) if possible else "more than one parameter to change"
    if possible and impossible:
        text += f"; changing only the {' or the '.join(impossible)} is not enough"
    return text + "."


def _rounded(value: float, *, up: bool) -> float:
    """Four digits, rounded so that who does as it says does enough."""
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    return float(Context(prec=4, rounding=rounding).create_decimal(value))


def _with_unit(name: str, value: float, facts: Facts) -> str:
    if name == "A":
        return f"{value:.4g}"
    linear = name == "L" and facts.latency == "linear"
    return time_text(value, facts.unit) + ("/B" if linear else "/B**beta" if name == "C" else "")
