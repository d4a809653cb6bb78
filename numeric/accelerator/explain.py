"""What an accelerator does at one granularity, in plain words."""

from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import isnan
from typing import TYPE_CHECKING, Any

from logca.common.sizes import format_size
from logca.numeric.accelerator.answers import Granularities, UnreachableError
from logca.numeric.accelerator.domain import RANGES
from logca.numeric.roots.status import RootStatus

if TYPE_CHECKING:
    from logca.numeric.accelerator.accelerator import Accelerator

__all__ = ["explain", "why_not"]

_NAMES = {
    "o": "overhead o",
    "L": "latency L",
    "C": "computational index C",
    "A": "acceleration A",
    "beta": "exponent beta",
}
_LOWER_IS_BETTER = ("o", "L")
_TENFOLD = 10.0


def explain(accelerator: "Accelerator", g: float) -> str:
    """Whether g bytes pay, why, which parameter binds, and what would have to change."""
    speedup = float(accelerator.speedup(g))
    lines = [
        _verdict(accelerator, g, speedup),
        _range_of_gain(accelerator.break_even()),
        _what_binds(accelerator, g),
        _gains(accelerator, g),
    ]
    if speedup < 1:
        lines.append(_what_it_takes(accelerator, g))
    return "\n".join(lines)


def why_not(
    accelerator: "Accelerator", parameter: str, *, speedup: float, g: float, found: float
) -> str:
    """Why no value of a parameter gives a speedup at a granularity."""
    target = f"a speedup of {speedup:g} at {format_size(g)}"
    if parameter != "A" and speedup >= accelerator.A:
        return (
            f"{target} is not below the acceleration A = {accelerator.A:g}: only a larger A helps"
        )
    if not isnan(found):
        return f"{target} needs {parameter} = {found:g}, which must be {RANGES[parameter]}"
    if parameter in _LOWER_IS_BETTER:
        without: dict[str, Any] = {parameter: 0.0}
        best = float(replace(accelerator, **without).speedup(g))
        return f"no {_NAMES[parameter]} gives {target}: even at 0 it is {best:.4g}"
    if parameter == "A":
        best = float(accelerator._evaluate("speedup_infinite", g=g))
        return f"no acceleration gives {target}: even an infinite one gives no more than {best:.4g}"
    return f"no {_NAMES[parameter]} gives {target}"


def _verdict(accelerator: "Accelerator", g: float, speedup: float) -> str:
    pays = "pays" if speedup > 1 else "breaks even" if speedup == 1 else "does not pay"
    host, offloaded = accelerator.time_host(g), accelerator.time_accelerated(g)
    return (
        f"At {format_size(g)} offloading {pays}: speedup {speedup:.4g}, "
        f"{offloaded:.4g} {accelerator.unit} instead of {host:.4g} on the host."
    )


def _range_of_gain(found: Granularities) -> str:
    if found.status is RootStatus.TWO:
        return f"It pays between {format_size(found[0])} and {format_size(found[1])}."
    if found.status in (RootStatus.ONE, RootStatus.UPPER_OUT_OF_RANGE):
        return f"It pays from {format_size(found[0])} on."
    if found.status is RootStatus.UPPER_ONLY:
        return f"It pays up to {format_size(found[0])}."
    return f"Break-even is {found.reason}."


def _what_binds(accelerator: "Accelerator", g: float) -> str:
    shares = accelerator.shares(g)
    parts = sorted(zip(shares, shares._fields, strict=True), reverse=True)
    text = ", ".join(f"{100 * float(share):.3g} % {name}" for share, name in parts)
    return f"Of the accelerated time {text}: {parts[0][1]} binds."


def _gains(accelerator: "Accelerator", g: float) -> str:
    gains = {
        name: float(accelerator._evaluate(f"gain_{name}", g=g, r=_TENFOLD))
        for name in ("o", "L", "C", "A")
    }
    if any(map(isnan, gains.values())):
        return "Times at this size are outside the range of floating point."
    listed = sorted(gains, key=lambda name: gains[name], reverse=True)
    text = ", ".join(f"{name} {gains[name]:.3g}x" for name in listed)
    return f"A tenfold improvement of one parameter gains: {text}."


def _what_it_takes(accelerator: "Accelerator", g: float) -> str:
    possible, impossible = [], []
    for name in ("o", "L", "C", "A"):
        try:
            needed = accelerator.solve_for(name, speedup=1, g=g)
        except UnreachableError:
            impossible.append(_NAMES[name])
            continue
        now = getattr(accelerator, name)
        lower = name in _LOWER_IS_BETTER
        by = f" ({now / needed if lower else needed / now:.3g} times better)" if needed else ""
        word = "at most" if lower else "at least"
        possible.append(f"{_NAMES[name]} {word} {_rounded(needed, up=not lower)}{by}")
    text = f"Break-even at {format_size(g)} needs "
    text += ", or ".join(possible) if possible else "more than one parameter to change"
    if possible and impossible:
        text += f"; changing only the {' or the '.join(impossible)} is not enough"
    return text + "."


def _rounded(value: float, *, up: bool) -> str:
    """Four digits, rounded so that who does as it says does enough."""
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    return f"{float(Context(prec=4, rounding=rounding).create_decimal(value)):.4g}"
