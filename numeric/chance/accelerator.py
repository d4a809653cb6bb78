"""An accelerator whose parameters are uncertain: each a number or a distribution."""

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from logca.common.real_numbers import is_real
from logca.common.sizes import parse_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import exceeding, granularities
from logca.numeric.accelerator.parameter_ranges import (
    MODEL,
    UNITS,
    DomainError,
    check,
    check_latency,
    number_from,
)
from logca.numeric.chance.distributions import (
    Distribution,
    LogNormal,
    Uniform,
    checked_probability,
)
from logca.numeric.chance.margins import (
    LogNormalMargin,
    SizesToTry,
    Uncertain,
    log_normal_margin,
    may_fall,
    of_parameters,
    probability_given,
    uncertain_names,
    what_decides,
)
from logca.numeric.chance.quasi_monte_carlo import (
    POINTS,
    RANDOMIZATIONS,
    BoundedValue,
    Samples,
    in_closed_form,
    mean_of,
    root_of,
    sobol_points,
)
from logca.numeric.roots.granularity import granularity_for

__all__ = ["UncertainAccelerator"]

_MOST_POINTS = 2**16
_RISES_WITH = ("C", "A")


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainAccelerator:
    """A kernel on an accelerator of which some parameters are uncertain, independently.

    Probabilities and quantiles are closed forms where one parameter is uncertain, or where o or L,
    and C, are log-normal; else they are found by quasi-Monte Carlo, with an interval of 99 %
    confidence in which the exact number is.

    Parameters
    ----------
    o, L, C, A, beta : float or LogNormal or Uniform
        The parameters of `Accelerator`, each a number, a text with a unit, or a distribution
        [cycles, cycles or cycles/B, cycles/B**beta, 1, 1]. A may be one or less: such an
        accelerator never pays, and how likely that is belongs to the answer.
    latency : str
        "constant" (altaf2017, Eq. 2) or "linear" (Eq. 8).
    unit : str
        Unit of time of o, L and C: "cycles" or "seconds".
    name : str
        What it is called in tables and figures.
    points : int
        Of quasi-Monte Carlo in each of its 16 randomizations: a power of two, at most 65,536 [1].

    Raises
    ------
    DomainError
        If a parameter, or a value that a distribution may have, is out of its domain.

    Notes
    -----
    Source: logca2026, chance; altaf2015, §5, notes that parameters may be random.

    Examples
    --------
    >>> aes = UncertainAccelerator(
    ...     o=LogNormal(median=29_000, factor=1.3), L=0, C=LogNormal(median=90, factor=1.1), A=19
    ... )
    >>> print(aes.probability(1, "512 B"))
    0.928577, closed form
    >>> print(aes.granularity_quantile(0.9))
    486.405, closed form
    >>> link = UncertainAccelerator(
    ...     o=LogNormal(median=29_000, factor=1.3), L=1500, C=90, A=Uniform(least=0.9, most=19)
    ... )
    >>> print(link.probability_reached())
    0.994475, closed form
    """

    o: float | Distribution
    L: float | Distribution
    C: float | Distribution
    A: float | Distribution
    beta: float | Distribution = 1.0
    latency: str = "constant"
    unit: str = "cycles"
    name: str = ""
    points: int = POINTS

    def __post_init__(self) -> None:
        check_latency(self.latency)
        if self.unit not in UNITS:
            raise DomainError(f"unit = {self.unit!r} must be one of {', '.join(UNITS)}")
        if not isinstance(self.name, str):
            raise DomainError(f"name = {self.name!r} must be a text")
        counted = isinstance(self.points, int) and 1 <= self.points <= _MOST_POINTS
        if not counted or self.points.bit_count() != 1:
            raise DomainError(
                f"points = {self.points!r} must be a power of two, at most {_MOST_POINTS}"
            )
        for name in MODEL:
            object.__setattr__(self, name, self._checked(name, getattr(self, name)))

    def _checked(self, name: str, value: Any) -> float | Distribution:
        if isinstance(value, LogNormal | Uniform):
            if value.is_certain:
                return self._checked(name, float(value.median))
            lowest = value.least if isinstance(value, Uniform) else value.median
            self._checked(name, lowest)
            return value
        if isinstance(value, str):
            value = number_from(name, value, self.unit, self.latency)
        if name == "A":
            return _acceleration(value)
        return check(name, value, self.latency, self.unit)

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Names of the parameters that are distributions."""
        return uncertain_names(self._parameters())

    @property
    def falls(self) -> bool:
        """True if the speedup may fall for large granularities: latency per byte, beta below 1."""
        return may_fall(self._parameters(), self.latency)

    @property
    def median(self) -> dict[str, float]:
        """The parameters at their medians, of which A may be one or less [unit of each]."""
        return {
            name: own if isinstance(own, float) else float(own.median)
            for name, own in self._parameters().items()
        }

    def probability(self, speedup: float, g: float | str) -> BoundedValue:
        """Probability that the speedup at a size exceeds a target [1].

        Parameters
        ----------
        speedup : float
            Target [1].
        g : float or str
            Granularity [B].

        Raises
        ------
        DomainError, SizeError
            If the target is no positive number, or it is no size.
        """
        return self._probability(check("s", speedup), SizesToTry(g=parse_size(g), best=False))

    def probability_reached(self, speedup: float = 1.0) -> BoundedValue:
        """Probability that the speedup exceeds a target at some size: a break-even, if it is 1 [1].

        Parameters
        ----------
        speedup : float
            Target [1].

        Raises
        ------
        DomainError
            If the target is no positive number.
        """
        return self._probability(check("s", speedup), SizesToTry())

    def speedup_quantile(self, probability: float, g: float | str) -> BoundedValue:
        """Speedup at a size that is exceeded with one less that probability [1].

        Parameters
        ----------
        probability : float
            Between 0 and 1, such as 0.5 for the median [1].
        g : float or str
            Granularity [B].

        Raises
        ------
        DomainError, SizeError
            If it is no such probability or size.

        Examples
        --------
        >>> aes = UncertainAccelerator(o=LogNormal(median=29_000, factor=1.3), L=1500, C=90, A=19)
        >>> print(aes.speedup_quantile(0.5, "4 KiB"))
        7.38726, closed form
        """
        p, at = checked_probability("probability", probability), parse_size(g)
        place, names = SizesToTry(g=at, best=False), self.uncertain
        product = self._product(place)
        if product is not None:
            return in_closed_form(product.speedup(p))
        if len(names) < 2:
            grows = names == ("beta",) and at >= 1
            up = grows or bool({*names} & {*_RISES_WITH})
            known = self._at(p if up else 1 - p)
            return in_closed_form(float(of_parameters("speedup", self.latency, **known, g=at)))

        def excess(logs: Samples, rows: Any) -> Samples:
            found = self._means(np.exp(logs)[:, None], place, rows)
            return np.asarray(found - (1 - p))

        return root_of(excess, self.points)

    def granularity_quantile(self, probability: float, speedup: float = 1.0) -> BoundedValue:
        """Size from which on a target is exceeded, with a probability; infinite if none is so [B].

        So the speedup first exceeds the target at this size or below with that probability. Sizes
        beyond 1e150 B count as none.

        Parameters
        ----------
        probability : float
            Between 0 and 1, such as 0.9 [1].
        speedup : float
            Target [1].

        Raises
        ------
        DomainError
            If it is no such probability, or the target is no positive number.
        """
        p, s = checked_probability("probability", probability), check("s", speedup)
        names, product = self.uncertain, self._product(SizesToTry(g=1.0))
        if self.latency == "constant" and product is not None:
            return in_closed_form(product.granularity(p, s))
        if len(names) < 2 and (names != ("beta",) or self.latency == "constant"):
            up = {*names} <= {"o", "L"}
            if names == ("beta",):  # of sizes below one byte the greater exponent has the larger
                up = self._first({**self.median, "beta": 1.0}, s) < 1
            return in_closed_form(self._first(self._at(p if up else 1 - p), s))

        def excess(logs: Samples, rows: Any) -> Samples:
            found = self._means(s, SizesToTry(g=np.exp(logs)[:, None]), rows)
            return np.asarray(found - p)

        return root_of(excess, self.points)

    def accelerator(self) -> Accelerator:
        """The accelerator with all parameters at their medians.

        Raises
        ------
        DomainError
            If A is one or less then.
        """
        median: dict[str, Any] = self.median
        return Accelerator(**median, latency=self.latency, unit=self.unit, name=self.name)

    def _parameters(self) -> Uncertain:
        return {name: getattr(self, name) for name in MODEL}

    def _at(self, probability: float) -> dict[str, float]:
        """The parameters, with that quantile of the uncertain ones [unit of each]."""
        return {
            name: own if isinstance(own, float) else float(own.quantile(probability))
            for name, own in self._parameters().items()
        }

    def _first(self, values: dict[str, float], speedup: float) -> float:
        """The size from which on known parameters exceed a target; infinite if none [B]."""
        if values["A"] <= speedup:
            return inf
        found = granularity_for(speedup, **values, latency=self.latency)
        one = float(of_parameters("speedup", self.latency, **values, g=1.0))
        return exceeding(granularities(found.lower, found.upper, found.status), one / speedup)[0]

    def _probability(self, speedup: float, place: SizesToTry) -> BoundedValue:
        parameters = self._parameters()
        if place.anywhere and not self.falls:
            if self.latency == "constant" or self.L == 0 or self.beta != 1.0:
                # every target below A is reached in the end
                parameters = {**parameters, "o": 0.0, "L": 0.0, "C": 1.0, "beta": 1.0}
            # what every byte costs remains: the limit is the speedup without an overhead
            parameters, place = {**parameters, "o": 0.0}, SizesToTry(g=1.0, best=False)
        product = log_normal_margin(parameters, self.latency, place)
        if product is not None:
            return in_closed_form(float(product.probability(speedup)))
        decides = what_decides(parameters, self.latency, place)
        each = self._each(parameters, speedup, place, np.arange(RANDOMIZATIONS))
        if not {*uncertain_names(parameters)} - {decides}:
            return in_closed_form(float(each[0, 0]))
        return mean_of(each, counted=not decides)

    def _product(self, place: SizesToTry) -> LogNormalMargin | None:
        return log_normal_margin(self._parameters(), self.latency, place)

    def _means(self, speedup: Any, place: SizesToTry, rows: Any) -> Samples:
        """Of some randomizations the mean probability that a target is exceeded [1]."""
        return np.asarray(self._each(self._parameters(), speedup, place, rows).mean(axis=1))

    def _each(self, parameters: Uncertain, speedup: Any, place: SizesToTry, rows: Any) -> Samples:
        """The probability at each point of some randomizations [1]."""
        decides = what_decides(parameters, self.latency, place)
        sampled = [name for name in uncertain_names(parameters) if name != decides]
        points = sobol_points(max(len(sampled), 1), self.points if sampled else 1)[rows]
        values: dict[str, Any] = dict(parameters)
        for column, name in enumerate(sampled):
            own: Any = parameters[name]
            values[name] = own.quantile(points[..., column])
        by: Any = values.pop(decides) if decides else None
        found = probability_given(decides, by, values, self.latency, speedup, place)
        return np.broadcast_to(found, points.shape[:-1])


def _acceleration(value: Any) -> float:
    """An acceleration, which may be one or less: then nothing is ever gained [1]."""
    number = float(value) if is_real(value) else 0.0
    if 0 < number < inf:
        return number
    raise DomainError(
        f"A = {value!r} must be a finite number greater than 0: acceleration, which may be 1 or "
        "less where it is uncertain (altaf2017, Table 1)"
    )
