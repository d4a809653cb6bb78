"""Probability that a target is exceeded: at a size, at one up to it, or at any.

The speedup exceeds s exactly if that with infinite acceleration, C times a function of o, L and
beta, exceeds another target (ext-chance-margin). So if the rest is known, so is the value that one
parameter must have, and the probability is one of its distribution's (ext-inverse-*): all but that
one are sampled, and what is averaged is smooth. Where the margin is a product of log-normal
parameters, nothing is sampled at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.accelerator.parameter_ranges import MODEL
from logca.numeric.arrays.arrays import Array
from logca.numeric.chance.distributions import Distribution, LogNormal
from logca.numeric.evaluation.by_name import form_of, parameters_of

__all__ = [
    "LogNormalMargin",
    "SizesToTry",
    "Uncertain",
    "beats",
    "log_normal_margin",
    "may_fall",
    "of_parameters",
    "probability_given",
    "uncertain_names",
    "what_decides",
]

Uncertain = Mapping[str, float | Distribution]
"""The five parameters, each a number or a distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizesToTry:
    """Where a target is to be exceeded."""

    g: Array = inf  # a granularity; infinite for any [B]
    best: bool = True  # whether smaller ones will do too

    @property
    def anywhere(self) -> bool:
        """True if any size will do."""
        return self.best and np.ndim(self.g) == 0 and self.g == inf


def of_parameters(quantity: str, latency: str, **given: Any) -> Any:
    """A quantity of arrays that broadcast; what it does not depend on may be given too."""
    wanted = {name: np.asarray(given[name], dtype=np.float64) for name in parameters_of(quantity)}
    with np.errstate(all="ignore"):  # outside of its domain it is NaN
        return form_of(quantity, latency)(np, **wanted)


def uncertain_names(parameters: Uncertain) -> tuple[str, ...]:
    """Names of the parameters that are no numbers."""
    return tuple(name for name in MODEL if not isinstance(parameters[name], float))


def may_fall(parameters: Uncertain, latency: str) -> bool:
    """True if the speedup may be greatest at a smaller granularity."""
    if latency == "constant" or parameters["L"] == 0:
        return False
    beta = parameters["beta"]
    if isinstance(beta, float):
        return beta < 1
    return float(beta.quantile(0.0)) < 1


def what_decides(parameters: Uncertain, latency: str, place: SizesToTry) -> str:
    """The parameter whose distribution gives the probability once the rest is known; or none."""
    names, falls = uncertain_names(parameters), may_fall(parameters, latency)
    if place.anywhere:
        solved = falls and isinstance(parameters["beta"], float)
    else:
        solved = not (place.best and falls)
    for name in ("C", "A", *("o", "L") * solved):
        if name in names:
            return name
    return "beta" if names == ("beta",) and not place.best else ""


def _per_index(values: Mapping[str, Any], latency: str, place: SizesToTry) -> Any:
    """Speedup with infinite acceleration over the index, at the best size of a place."""
    o, L, beta = values["o"], values["L"], values["beta"]
    g = np.asarray(place.g, dtype=np.float64)
    if latency == "linear" and place.best:
        peak = np.where(o > 0, of_parameters("g_peak", latency, o=o, L=L, beta=beta), 0.0)
        g = np.where((beta < 1) & (L > 0), np.minimum(g, peak), g)
    far = g == inf
    given = {"o": o, "L": L, "C": 1.0, "beta": beta}
    found = of_parameters("speedup_infinite", latency, g=np.where(far, 1.0, g), **given)
    paid = o + L * (1.0 if latency == "constant" else g)
    found = np.where(paid > 0, found, inf)
    if not far.any():
        return found
    if latency == "constant":
        return np.where(far, inf, found)
    given |= {"g": 1.0, "o": 0.0, "beta": 1.0}
    linear = np.where(L > 0, of_parameters("speedup_infinite", latency, **given), inf)
    return np.where(far, np.where(beta == 1, linear, inf), found)


def beats(values: Mapping[str, Any], latency: str, speedup: Any, place: SizesToTry) -> Any:
    """Where the target is exceeded, of known parameters."""
    with np.errstate(all="ignore"):
        reached = values["C"] * _per_index(values, latency, place)
        return (values["A"] > speedup) & (reached > _for(speedup, values["A"]))


def _for(speedup: Any, acceleration: Any) -> Any:
    """Speedup that an infinitely fast accelerator must have; infinite if none is enough [1]."""
    found = of_parameters("speedup_infinite_for", "constant", s=speedup, A=acceleration)
    return np.where(speedup < acceleration, found, inf)


def probability_given(
    decides: str,
    by: Distribution | None,
    values: Mapping[str, Any],
    latency: str,
    speedup: Any,
    place: SizesToTry,
) -> Any:
    """Probability that the target is exceeded, of known parameters but for the one that decides."""
    if by is None:
        return np.asarray(beats(values, latency, speedup, place), dtype=np.float64)
    with np.errstate(all="ignore"):
        if decides == "C":
            needed = _for(speedup, values["A"])
            per_index = _per_index(values, latency, place)
            enough = np.where(per_index == inf, 0.0, needed / per_index)
            return np.where(needed == inf, 0.0, by.above(np.where(needed == inf, 1.0, enough)))
        if decides == "A":
            # both are ceilings: acceleration and speedup with infinite acceleration change places
            reached = values["C"] * _per_index(values, latency, place)
            needed = np.where(reached == inf, speedup, _for(speedup, reached))
            return np.where(needed == inf, 0.0, by.above(np.where(needed == inf, 1.0, needed)))
        given = {**values, "g": place.g, "s": speedup}
        name = _BUDGETS[decides] if place.anywhere else f"{decides}_for"
        limit = of_parameters(name, latency, **given)
        if decides == "beta":
            return _of_exponent(by, values, latency, speedup, place, limit)
        return np.where(np.isnan(limit), 0.0, by.below(np.nan_to_num(limit)))


_BUDGETS = {"o": "overhead_budget", "L": "latency_budget"}


def _of_exponent(
    by: Distribution,
    values: Mapping[str, Any],
    latency: str,
    speedup: Any,
    place: SizesToTry,
    limit: Any,
) -> Any:
    """For a size of less than one byte the speedup falls with the exponent.

    Where no exponent has just the target, all are on one side of it, as one is.
    """
    always = beats({**values, "beta": 1.0}, latency, speedup, place)
    known = np.nan_to_num(limit, nan=1.0)
    found = np.where(np.asarray(place.g) > 1, by.above(known), by.below(known))
    return np.where(np.isnan(limit), np.asarray(always, dtype=np.float64), found)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogNormalMargin:
    """A margin that is log-normal."""

    medians: Mapping[str, float]  # of the parameters [unit of each]
    latency: str
    place: SizesToTry
    spread: float  # standard deviation of its logarithm [1]

    def probability(self, speedup: Any) -> Any:
        """Probability that the target is exceeded [1]."""
        given = {**self.medians, "s": speedup, "g": self.place.g}
        with np.errstate(all="ignore"):
            name = "margin_peak" if self.place.anywhere else "margin"
            found = of_parameters(name, self.latency, **given)
            margin = np.nan_to_num(found)  # there is none from the acceleration on
            return scipy.special.ndtr(np.log(margin) / self.spread)

    def speedup(self, probability: float) -> float:
        """Speedup that is exceeded with one less that probability [1]."""
        deviation = self._deviation(probability)
        given = {**self.medians, "g": self.place.g, "deviation": deviation}
        return float(of_parameters("speedup_quantile", self.latency, **given))

    def _deviation(self, probability: float) -> float:
        """Factor on the median that is exceeded with one less that probability [1]."""
        own = LogNormal(median=1.0, factor=float(np.exp(self.spread)))
        return float(own.quantile(probability))

    def granularity(self, probability: float, speedup: float) -> float:
        """Granularity below which a target is reached with that probability [B]."""
        deviation = self._deviation(1 - probability)
        given = {**self.medians, "s": speedup, "deviation": deviation}
        found = float(of_parameters("g_s_quantile", "constant", **given))
        return inf if np.isnan(found) else found


def log_normal_margin(
    parameters: Uncertain, latency: str, place: SizesToTry
) -> LogNormalMargin | None:
    """The margin if it is a product of log-normal parameters."""
    names = uncertain_names(parameters)
    known = all(isinstance(parameters[name], float | LogNormal) for name in ("o", "L", "C"))
    free = parameters["o"] == parameters["L"] == 0
    if not names or not known or free or {"A", "beta"} & {*names}:
        return None
    falls = may_fall(parameters, latency)
    o_and_L = {"o", "L"} & {*names}
    beside = [parameters[name] for name in ("o", "L") if name not in o_and_L]
    if place.anywhere:
        product = falls and parameters["o"] != 0
    else:
        product = not (place.best and falls) and (
            not o_and_L or (len(o_and_L) == 1 and beside == [0.0])
        )
    if not product:
        return None
    medians, spreads = {}, {}
    for name in MODEL:
        own = parameters[name]
        medians[name] = own if isinstance(own, float) else float(own.median)
        spreads[f"spread_{name}"] = own.spread if isinstance(own, LogNormal) else 0.0
    given: dict[str, Any] = {name: spreads[name] for name in ("spread_o", "spread_L", "spread_C")}
    if place.anywhere:
        spread = of_parameters("spread_peak", "linear", beta=medians["beta"], **given)
    else:
        spread = of_parameters("spread_infinite", "constant", **given)
    return LogNormalMargin(medians=medians, latency=latency, place=place, spread=float(spread))
