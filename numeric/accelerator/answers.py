"""Answers of an accelerator: immutable values that say why."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from logca.common import results
from logca.common.errors import LogcaError
from logca.common.sizes import format_size
from logca.numeric.arrays.arrays import Array
from logca.numeric.roots.status import MEANINGS, RootStatus

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Bound",
    "Elasticities",
    "Granularities",
    "Peak",
    "Shares",
    "UnreachableError",
    "Window",
    "exceeding",
    "granularities",
]


class UnreachableError(LogcaError, ValueError):
    """No value of the parameter that was asked for reaches the target; the message says why."""


class Granularities(tuple[float, ...]):
    """Granularities with a given speedup, in ascending order [B]; empty if there is none.

    Examples
    --------
    >>> found = Granularities([357.716], RootStatus.ONE)
    >>> found[0], len(found), str(found)
    (357.716, 1, '357.7 B')
    >>> str(Granularities([], RootStatus.NEVER))
    'none: never reached: the greatest speedup, or its limit, is lower'
    """

    status: RootStatus  # what is known of them

    def __new__(cls, values: Iterable[float], status: RootStatus) -> "Granularities":
        """Keep the granularities as a tuple, and the status beside it."""
        made = super().__new__(cls, map(float, values))
        object.__setattr__(made, "status", status)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"granularities are immutable; '{name}' cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return Granularities, (tuple(self), self.status)

    @property
    def lower(self) -> float:
        """Where the speedup rises to the target; NaN if it does not [B]."""
        falls_only = self.status is RootStatus.UPPER_ONLY
        return self[0] if self and not falls_only else nan

    @property
    def reason(self) -> str:
        """Why these are all, or why there is none."""
        return MEANINGS[self.status]

    def __str__(self) -> str:
        if not self:
            return f"none: {self.reason}"
        return " and ".join(map(format_size, self))

    def __repr__(self) -> str:
        return f"Granularities({list(self)}, status={self.status.name})"

    _repr_html_ = results.html


def granularities(lower: float, upper: float, status: RootStatus) -> Granularities:
    """Granularities that the root finder found, in ascending order, each once."""
    found = sorted({float(each) for each in (lower, upper) if not isnan(each)})
    return Granularities(found, status)


def exceeding(found: Granularities, at_one: float) -> tuple[float, float]:
    """The sizes between which the speedup exceeds its target; twice infinity if nowhere [B].

    Where no granularity tells, the speedup at one byte over the target does [1].
    """
    match found.status:
        case RootStatus.TWO:
            return found[0], found[1]
        case RootStatus.ONE | RootStatus.UPPER_OUT_OF_RANGE:
            return found[0], inf
        case RootStatus.UPPER_ONLY:
            return 0.0, found[0]
        case RootStatus.EVERYWHERE | RootStatus.OUT_OF_RANGE if at_one > 1:
            return 0.0, inf
    return inf, inf


class Peak(NamedTuple):
    """The greatest speedup over all granularities."""

    granularity: float  # where it is; infinite or zero if it is a limit [B]
    speedup: float  # how large it is [1]
    attained: bool  # whether there is a granularity with that speedup

    def __str__(self) -> str:
        if 0 < self.granularity < inf:
            return f"{self.speedup:.4g} at {format_size(self.granularity)}"
        if self.attained:
            return f"{self.speedup:.4g} at every size"
        which = "larger" if self.granularity else "smaller"
        return f"{self.speedup:.4g}, the limit for ever {which} sizes"

    def _repr_html_(self) -> str:
        return results.html(self)


class Shares(NamedTuple):
    """Parts of the accelerated time; they add up to one."""

    # overhead, latency, computation: share of each [1]
    overhead: Array
    latency: Array
    computation: Array

    def __repr__(self) -> str:
        return _named(self)

    def _repr_html_(self) -> str:
        return results.html(self)

    def to_frame(self) -> "pd.DataFrame":
        """A data frame with a row for each element of the arrays; of numbers with one row."""
        return results.to_frame(self)


class Elasticities(NamedTuple):
    """Relative change of the speedup for a relative change of each parameter."""

    # o, L, C, A, g: with respect to each parameter [1]
    o: Array
    L: Array
    C: Array
    A: Array
    beta: Array  # relative change of the speedup per unit of the exponent [1]
    g: Array

    def __repr__(self) -> str:
        return _named(self)

    def _repr_html_(self) -> str:
        return results.html(self)

    def to_frame(self) -> "pd.DataFrame":
        """A data frame with a row for each element of the arrays; of numbers with one row."""
        return results.to_frame(self)


def _named(found: Shares | Elasticities) -> str:
    """Names and numbers, without the types of the numbers."""
    told = (f"{name}={value}" for name, value in zip(found._fields, found, strict=True))
    return f"{type(found).__name__}({', '.join(told)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The resource that bounds the speedup for large granularities, and the speedup's limit."""

    kind: str  # "compute" or "latency"
    limit: float  # limit of the speedup [1]
    reason: str  # why (altaf2017, §3.1)

    def __str__(self) -> str:
        return f"{self.kind}-bound: {self.reason}"

    _repr_html_ = results.html


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Best, greatest and least speedup, and break-evens, between two granularities."""

    # low, high: the sizes [B]
    low: float
    high: float
    best: float  # granularity of the greatest speedup between them [B]
    # greatest, least: greatest and least speedup between them [1]
    greatest: float
    least: float
    break_even: Granularities  # break-even granularities between them [B]

    def reaches(self, speedup: float) -> bool:
        """True if the greatest speedup between the sizes is at least the one given."""
        return speedup <= self.greatest

    def __str__(self) -> str:
        return (
            f"{format_size(self.low)} to {format_size(self.high)}: speedup {self.least:.4g} to "
            f"{self.greatest:.4g}, best at {format_size(self.best)}"
        )

    __repr__ = __str__
    _repr_html_ = results.html
