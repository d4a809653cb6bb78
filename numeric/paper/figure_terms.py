"""Values from a row of Table 5, named by short terms such as "g1 of apu aes".

A term is a measure, " of ", a device and a kernel; then, if something is to be otherwise than
printed, "constant" or "linear" for the form of latency, and "with L=0" for a parameter. A number or
a size alone, "16 B", is a term too. The data on the paper's figures are written in such terms.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, isnan, nan
from typing import Any

from logca.common.sizes import SizeError, format_size, parse_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.regions import Region
from logca.numeric.evaluation.by_name import evaluate
from logca.numeric.paper.devices import device

__all__ = ["HIGH", "LOW", "TermValue", "explanation_of", "value_of", "visible_regions"]

LOW = 16.0
"""Least granularity of the paper's measurements [B]; altaf2017, §4."""

HIGH = 2.0**25
"""Greatest granularity of the paper's measurements, 32 MB [B]; altaf2017, §4."""

_TERM = re.compile(
    r"(?P<measure>.+) of (?P<device>[\w-]+) (?P<kernel>[\w-]+?)"
    r"(?: (?P<latency>constant|linear))?(?: with (?P<name>\w+)=(?P<value>\S+))?"
)
_TENFOLD = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TermValue:
    """A number, and how people write it."""

    value: float  # the number; NaN if there is none [unit of the measure]
    text: str  # as people write it


def value_of(term: str) -> TermValue:
    """The number that a term stands for; ValueError if there is no such term.

    Examples
    --------
    >>> value_of("g1 of ultrasparc-t2 aes").text
    '357.7 B'
    >>> value_of("end o of sparc-t4 aes with L=0").text
    '717.8 B'
    >>> value_of("g1 of discrete-gpu aes").text, value_of("g1 of discrete-gpu aes constant").text
    ('none', '1.134 MiB')
    """
    found = _TERM.fullmatch(term)
    if found is None:
        return _constant(term)
    accelerator = device(found["device"], found["kernel"], latency=found["latency"])
    if found["name"]:
        other: dict[str, Any] = {found["name"]: float(found["value"])}
        accelerator = replace(accelerator, **other)
    for pattern, size, take in _MEASURES:
        words = re.fullmatch(pattern, found["measure"])
        if words:
            value = take(accelerator, *words.groups())
            return TermValue(value=value, text=(_size if size else _number)(value))
    raise ValueError(f"there is no measure {found['measure']!r}")


def explanation_of(sentence: str) -> str:
    """A sentence with every term in braces replaced by what it stands for.

    Examples
    --------
    >>> explanation_of("C/L = {C/L of apu aes} exceeds A = {A of apu aes}.")
    'C/L = 11.6 exceeds A = 7.'
    """
    return re.sub(r"\{([^{}]+)\}", lambda term: value_of(term[1]).text, sentence)


def visible_regions(accelerator: Accelerator) -> tuple[Region, ...]:
    """The optimization regions of the measured range that a plot of powers of two shows.

    Examples
    --------
    >>> [region.label for region in visible_regions(device("sparc-t4-instructions", "aes"))]
    ['oCA', 'A']
    """
    powers = [2.0**power for power in range(4, 26)]
    regions = accelerator.regions(low=LOW, high=HIGH).regions
    return tuple(region for region in regions if any(g in region.interval for g in powers))


def _constant(term: str) -> TermValue:
    try:
        return TermValue(value=float(term), text=term)
    except ValueError:
        pass
    try:
        return TermValue(value=parse_size(term), text=term)
    except SizeError as error:
        raise ValueError(f"{term!r} is no term: {error}") from None


def _size(value: float) -> str:
    if isnan(value):
        return "none"
    return "every size" if value == inf else format_size(value)


def _number(value: float) -> str:
    return f"{value:.4g}"


def _first(found: tuple[float, ...]) -> float:
    return found[0] if found else nan


def _cutoff(accelerator: Accelerator, end: str, parameter: str) -> float:
    ranges = accelerator.regions().cutoffs[parameter]
    if not ranges:
        return nan
    return ranges[0].start if end == "start" else ranges[-1].end


def _region(accelerator: Accelerator, label: str, end: str) -> float:
    for region in accelerator.regions(low=LOW, high=HIGH).regions:
        if region.label == label:
            return region.interval.start if end == "start" else region.interval.end
    return nan


def _regions(accelerator: Accelerator, parameter: str | None) -> float:
    regions = visible_regions(accelerator)
    return float(sum(parameter is None or parameter in region.label for region in regions))


def _gain(accelerator: Accelerator, parameter: str, size: str) -> float:
    improved = accelerator.improve(**{parameter: _TENFOLD})
    return float(improved.speedup(size) / accelerator.speedup(size))


def _infinite(accelerator: Accelerator, size: str) -> float:
    given = {name: getattr(accelerator, name) for name in ("o", "L", "C", "beta")}
    latency = accelerator.latency
    return float(evaluate("speedup_infinite", g=parse_size(size), latency=latency, **given))


def _intensity(accelerator: Accelerator) -> float:
    return float(
        evaluate("computational_intensity", latency="linear", L=accelerator.L, C=accelerator.C)
    )


_MEASURES: tuple[tuple[str, bool, Callable[..., float]], ...] = (
    ("g1", True, lambda a: _first(a.break_even())),
    ("gA2", True, lambda a: _first(a.half_peak())),
    ("granularity for ([0-9.]+)A", True, lambda a, s: _first(a.granularity_for(float(s) * a.A))),
    ("(start|end) ([oLCA])", True, _cutoff),
    ("([oLCA]+) (start|end)", True, _region),
    ("regions(?: with ([oLCA]))?", False, _regions),
    ("speedup at (.+)", False, lambda a, size: float(a.speedup(size))),
    ("infinite speedup at (.+)", False, _infinite),
    ("gain ([oLCA]) at (.+)", False, _gain),
    ("greatest", False, lambda a: a.window(LOW, HIGH).greatest),
    ("peak granularity", True, lambda a: a.peak().granularity),
    ("limit", False, lambda a: a.limit()),
    ("C/L", False, _intensity),
    ("A/beta", False, lambda a: a.A / a.beta),
    ("([oLCA])", False, lambda a, name: float(getattr(a, name))),
)
"""Pattern of the measure, whether it is a granularity, and how it is found."""
