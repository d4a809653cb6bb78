"""Distributions of a parameter: log-normal, uniform."""

from dataclasses import dataclass
from math import inf, isnan, log, nan
from typing import Any

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.common.real_numbers import is_real
from logca.numeric.accelerator.parameter_ranges import DomainError
from logca.numeric.arrays.arrays import Array

__all__ = ["Distribution", "LogNormal", "Uniform", "checked_probability"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogNormal:
    """A positive number whose logarithm is normal.

    Two thirds of the values (68.3 %) lie within a factor of the median, 95.4 % within its square.

    Parameters
    ----------
    median : float
        Exceeded by half of the values, positive [unit of the parameter].
    factor : float
        Geometric standard deviation, at least 1; with 1 the value is certain [1].

    Raises
    ------
    DomainError
        If a number is out of its range.

    Notes
    -----
    Source: aitchison1957, §2.2; its logarithm has the standard deviation ``log(factor)``.

    Examples
    --------
    >>> overhead = LogNormal(median=435, factor=1.3)
    >>> print(f"{overhead.quantile(0.9):.1f} {overhead.above(435 * 1.3):.4f}")
    608.9 0.1587
    """

    median: float
    factor: float

    def __post_init__(self) -> None:
        _set(self, "median", _finite("median", self.median, 0, included=False))
        _set(self, "factor", _finite("factor", self.factor, 1, included=True))

    @property
    def spread(self) -> float:
        """Standard deviation of the logarithm [1]."""
        return log(self.factor)

    @property
    def is_certain(self) -> bool:
        """True if there is only one value."""
        return self.factor == 1

    def below(self, value: Array) -> Any:
        """Probability of a lower value [1]."""
        return scipy.special.ndtr(self._score(value))

    def above(self, value: Array) -> Any:
        """Probability of a greater value [1]."""
        return scipy.special.ndtr(-self._score(value))

    def quantile(self, probability: Array) -> Any:
        """Value that is exceeded with one less that probability [unit of the parameter]."""
        with np.errstate(over="ignore"):
            return self.median * np.exp(self.spread * scipy.special.ndtri(probability))

    def _score(self, value: Array) -> Any:
        with np.errstate(divide="ignore"):
            return (np.log(np.maximum(value, 0.0)) - log(self.median)) / self.spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Uniform:
    """A number that is anywhere between two others, as likely here as there.

    Parameters
    ----------
    least, most : float
        The ends, at least 0 and ascending; if they are equal the value is certain [unit of the
        parameter].

    Raises
    ------
    DomainError
        If an end is out of its range.

    Examples
    --------
    >>> acceleration = Uniform(least=20, most=30)
    >>> print(acceleration.median, acceleration.above(28), acceleration.quantile(0.1))
    25.0 0.2 21.0
    """

    least: float
    most: float

    def __post_init__(self) -> None:
        _set(self, "least", _finite("least", self.least, 0, included=True))
        _set(self, "most", _finite("most", self.most, 0, included=True))
        if self.least > self.most:
            raise DomainError(
                f"least = {self.least:g} must be at most most = {self.most:g}; exchange them"
            )

    @property
    def median(self) -> float:
        """Exceeded by half of the values [unit of the parameter]."""
        return self.least + (self.most - self.least) / 2

    @property
    def is_certain(self) -> bool:
        """True if there is only one value."""
        return self.least == self.most

    def below(self, value: Array) -> Any:
        """Probability of a lower value [1]."""
        return np.clip((value - self.least) / (self.most - self.least), 0.0, 1.0)

    def above(self, value: Array) -> Any:
        """Probability of a greater value [1]."""
        return np.clip((self.most - value) / (self.most - self.least), 0.0, 1.0)

    def quantile(self, probability: Array) -> Any:
        """Value that is exceeded with one less that probability [unit of the parameter]."""
        return self.least + (self.most - self.least) * probability


Distribution = LogNormal | Uniform
"""A distribution of a parameter."""


def checked_probability(name: str, value: Any) -> float:
    """A probability that is neither 0 nor 1 [1]."""
    number = _number(value)
    if not 0 < number < 1:
        raise DomainError(f"{name} = {value!r} must be a probability between 0 and 1, such as 0.9")
    return number


def _finite(name: str, value: Any, least: float, *, included: bool) -> float:
    number = _number(value)
    if (least < number or (included and number == least)) and number < inf:
        return number
    above = f"{'at least' if included else 'greater than'} {least:g}"
    hint = "; a factor of 1.2 is 20 %" * (name == "factor")
    raise DomainError(f"{name} = {value!r} must be a finite number {above}{hint}")


def _number(value: Any) -> float:
    if not is_real(value):
        return nan
    try:
        number = float(value)
    except OverflowError:
        return nan
    return nan if isnan(number) else number


def _set(distribution: Any, name: str, value: float) -> None:
    object.__setattr__(distribution, name, value)
