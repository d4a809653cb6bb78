"""What an accelerator answers with: immutable values that say why."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, NamedTuple

from logca.numeric.arrays import Array
from logca.numeric.sizes import format_size
from logca.numeric.status import MEANINGS, RootStatus

__all__ = [
    "Bound",
    "Elasticities",
    "Granularities",
    "Peak",
    "Shares",
    "UnreachableError",
    "Window",
    "granularities",
]


class UnreachableError(ValueError):
    """No value of the parameter that was asked for reaches the target; the message says why."""


class Granularities(tuple[float, ...]):
    """Granularities with a given speedup, in ascending order [B]; empty if there is none.

    Parameters
    ----------
    values : iterable of float
        The granularities [B].
    status : RootStatus
        What is known of them.

    Examples
    --------
    >>> found = Granularities([357.716], RootStatus.ONE)
    >>> found[0], len(found), str(found)
    (357.716, 1, '357.7 B')
    >>> str(Granularities([], RootStatus.NEVER))
    'none: never reached: the greatest speedup, or its limit, is lower'
    """

    status: RootStatus

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
        """Why these are all, or why there is none [text]."""
        return MEANINGS[self.status]

    def __str__(self) -> str:
        if not self:
            return f"none: {self.reason}"
        return " and ".join(map(format_size, self))

    def __repr__(self) -> str:
        return f"Granularities({list(self)}, status={self.status.name})"


def granularities(lower: float, upper: float, status: RootStatus) -> Granularities:
    """What the root finder found, in ascending order, each once.

    Parameters
    ----------
    lower, upper : float
        Roots, NaN where there is none [B].
    status : RootStatus
        What is known of them.
    """
    found = sorted({float(each) for each in (lower, upper) if not isnan(each)})
    return Granularities(found, status)


class Peak(NamedTuple):
    """The greatest speedup over all granularities.

    Parameters
    ----------
    granularity : float
        Where it is; infinite or zero if it is a limit [B].
    speedup : float
        How large it is [1].
    attained : bool
        Whether there is a granularity with that speedup.
    """

    granularity: float
    speedup: float
    attained: bool


class Shares(NamedTuple):
    """Parts of the accelerated time; they add up to one.

    Parameters
    ----------
    overhead, latency, computation : array
        Share of each [1].
    """

    overhead: Array
    latency: Array
    computation: Array


class Elasticities(NamedTuple):
    """Relative change of the speedup for a relative change of each parameter.

    Parameters
    ----------
    o, L, C, A, g : array
        With respect to each parameter [1].
    beta : array
        Relative change of the speedup per unit of the exponent [1].
    """

    o: Array
    L: Array
    C: Array
    A: Array
    beta: Array
    g: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What bounds the speedup for large granularities.

    Parameters
    ----------
    kind : str
        "compute" or "latency" [text].
    limit : float
        Limit of the speedup [1].
    reason : str
        Why (altaf2017, §3.1) [text].
    """

    kind: str
    limit: float
    reason: str

    def __str__(self) -> str:
        return f"{self.kind}-bound: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What is reached for granularities between two sizes.

    Parameters
    ----------
    low, high : float
        The sizes [B].
    best : float
        Granularity of the greatest speedup between them [B].
    greatest, least : float
        Greatest and least speedup between them [1].
    break_even : Granularities
        Break-even granularities between them [B].
    """

    low: float
    high: float
    best: float
    greatest: float
    least: float
    break_even: Granularities

    def reaches(self, speedup: float) -> bool:
        """Whether a speedup is reached.

        Parameters
        ----------
        speedup : float
            The target [1].
        """
        return speedup <= self.greatest

    def __str__(self) -> str:
        return (
            f"{format_size(self.low)} to {format_size(self.high)}: speedup {self.least:.4g} to "
            f"{self.greatest:.4g}, best at {format_size(self.best)}"
        )
