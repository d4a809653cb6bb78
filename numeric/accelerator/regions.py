"""Where improving which parameter pays: cut-off granularities and optimization regions.

A parameter is a bottleneck where an r-fold improvement of it makes the speedup at least q times as
large (altaf2017, §3.2: r = 10, q = 1.2). By the theorem on shares that is where its share of the
time is large enough, and the ends of these ranges solve trinomials, in closed form where two terms
are left or beta is one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np

from logca.common import results
from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.parameter_ranges import DomainError, check
from logca.numeric.evaluation.by_name import evaluate
from logca.numeric.generated.cutoff_equations import EQUATIONS
from logca.numeric.roots.granularity import sum_root, trinomial_roots

__all__ = ["PARAMETERS", "Region", "Regions", "SizeInterval", "cutoffs", "regions"]

PARAMETERS = ("o", "L", "C", "A")
"""Parameters that can be improved, in the order of the labels."""

_APART = 1 + 1e-9
_WIDE, _USUAL = 16.0, 65_536.0
_SHARES = {"o": "share_o", "L": "share_L", "C": "e_C", "A": "e_A"}
"""Quantities that must be large for an improvement to pay (claims ext-thresholds-...)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeInterval:
    """Granularities from `start` to `end`."""

    start: float  # zero if there is no lower end [B]
    end: float  # infinite if there is no upper end [B]

    def __contains__(self, g: float) -> bool:
        return self.start <= g <= self.end

    def __str__(self) -> str:
        if self.end == inf:
            return f"from {format_size(self.start)} on" if self.start else "at every size"
        if not self.start:
            return f"up to {format_size(self.end)}"
        return f"{format_size(self.start)} to {format_size(self.end)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A range of granularities in which the same parameters are bottlenecks."""

    label: str  # the parameters, in the order o, L, C, A; empty if there is none
    interval: SizeInterval  # the range [B]

    def __str__(self) -> str:
        return f"{self.label or '(none)'}: {self.interval}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Regions:
    """Optimization regions, and the ranges of the single parameters that they are made of."""

    regions: tuple[Region, ...]  # in ascending order, without gaps [B]
    # for each parameter where improving it pays, over all granularities [B]
    cutoffs: Mapping[str, tuple[SizeInterval, ...]]
    improvement: float  # by which factor a parameter is improved [1]
    gain: float  # by which factor the speedup must grow [1]
    parameters: Mapping[str, float]  # o, L, C, A and beta [unit of each]
    latency: str  # form of latency

    @property
    def span(self) -> SizeInterval:
        """The granularities that all regions together cover [B]."""
        first, last = self.regions[0].interval, self.regions[-1].interval
        return SizeInterval(start=first.start, end=last.end)

    def at(self, g: float | str) -> str:
        """The label at a granularity."""
        size = parse_size(g)
        for region in self.regions:
            if size in region.interval:
                return region.label
        raise DomainError(f"{format_size(size)} is outside the regions")

    def __str__(self) -> str:
        return "\n".join(map(str, self.regions))

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame


def cutoffs(
    *,
    o: float,
    L: float,
    C: float,
    A: float,
    beta: float,
    latency: str = "constant",
    improvement: float = 10.0,
    gain: float = 1.2,
) -> dict[str, tuple[SizeInterval, ...]]:
    """For each parameter where an r-fold improvement of it gains a factor q.

    Examples
    --------
    >>> found = cutoffs(o=29_000, L=1500, C=90, A=19, beta=1)
    >>> {name: " and ".join(map(str, ranges)) for name, ranges in found.items()}
    {'o': 'up to 26 KiB', 'L': '', 'C': 'up to 27.67 KiB', 'A': 'from 1.429 KiB on'}
    """
    r, q = check("r", improvement), check("q", gain)
    if q >= r:
        raise DomainError(
            f"gain = {gain:g} must be less than improvement = {improvement:g}: an r-fold "
            "improvement of one parameter never gains a factor r (altaf2017, §3.2)"
        )
    given: dict[str, Any] = {"o": float(o), "L": float(L), "C": float(C), "A": float(A)}

    least = evaluate("theta", latency=latency, r=r, q=q)

    def pays(parameter: str, g: float) -> bool:
        share = evaluate(_SHARES[parameter], latency=latency, g=g, beta=beta, **given)
        return bool(share >= least)

    return {
        parameter: _intervals(
            _ends(EQUATIONS[latency][parameter](np, **given, r=r, q=q), parameter, latency, beta),
            partial(pays, parameter),
        )
        for parameter in PARAMETERS
    }


def regions(
    *,
    o: float,
    L: float,
    C: float,
    A: float,
    beta: float,
    latency: str = "constant",
    improvement: float = 10.0,
    gain: float = 1.2,
    low: float = 0.0,
    high: float = inf,
) -> Regions:
    """The optimization regions between two granularities (altaf2017, §3.2, Figs. 6, 10, 11).

    Examples
    --------
    >>> print(regions(o=29_000, L=1500, C=90, A=19, beta=1, low=16, high=2**25))
    oC: 16 B to 1.429 KiB
    oCA: 1.429 KiB to 26 KiB
    CA: 26 KiB to 27.67 KiB
    A: 27.67 KiB to 32 MiB
    """
    if not 0 <= low < high:
        asked = f"{format_size(low)} to {format_size(high)}"
        raise DomainError(f"the range from {asked} must be ascending, and not negative")
    found = cutoffs(
        o=o, L=L, C=C, A=A, beta=beta, latency=latency, improvement=improvement, gain=gain
    )
    ends = {end for each in found.values() for part in each for end in (part.start, part.end)}
    inner: list[float] = []
    for end in sorted(end for end in ends if low < end < high):
        if not inner or end > inner[-1] * _APART:
            inner.append(end)
    labelled: list[Region] = []
    for start, end in pairwise([low, *inner, high]):
        g = _between(start, end)
        label = "".join(name for name in PARAMETERS if any(g in part for part in found[name]))
        if labelled and labelled[-1].label == label:
            start = labelled.pop().interval.start
        labelled.append(Region(label=label, interval=SizeInterval(start=start, end=end)))
    return Regions(
        regions=tuple(labelled),
        cutoffs=found,
        improvement=improvement,
        gain=gain,
        parameters={"o": o, "L": L, "C": C, "A": A, "beta": beta},
        latency=latency,
    )


def _ends(
    equation: tuple[Any, ...], parameter: str, latency: str, beta: float
) -> tuple[float, ...]:
    """Where the parameter's share is just large enough [B], in ascending order."""
    k, c, l = map(float, equation)
    if l < 0:
        found = [float(sum_root(k, -l, c, beta))]
    elif (parameter, latency) == ("L", "linear"):
        roots = trinomial_roots(k, c, l, 1 / beta)
        with np.errstate(over="ignore", under="ignore"):
            found = [float(each ** (1 / beta)) for each in (roots.lower, roots.upper)]
    else:
        roots = trinomial_roots(k, c, l, beta)
        found = [float(roots.lower), float(roots.upper)]
    return tuple(sorted(each for each in found if isfinite(each) and each > 0))


def _intervals(ends: tuple[float, ...], pays: Callable[[float], bool]) -> tuple[SizeInterval, ...]:
    """The ranges between the ends in which it pays, joined where they touch."""
    found: list[SizeInterval] = []
    for start, end in pairwise([0.0, *ends, inf]):
        if not pays(_between(start, end)):
            continue
        if found and found[-1].end == start:
            start = found.pop().start
        found.append(SizeInterval(start=start, end=end))
    return tuple(found)


def _between(start: float, end: float) -> float:
    """A granularity well inside a range [B], and no further from everyday sizes than it must be."""
    if start > 0 and end < start * _WIDE:
        return sqrt(start) * sqrt(end)
    return min(max(_USUAL, 2 * start), end / 2)
