"""Intervals by profile likelihood: values of a quantity or speedup that data do not refute."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.fit.constrained_curves import Curve, Family
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.likelihood import best
from logca.numeric.fit.weighting import starts_for

__all__ = ["ConfidenceInterval", "LikelihoodProfile", "confidence", "cutoff", "least_sure"]

_FIRST = 0.02  # first step outwards, of the logarithm; each next is twice as long
_TURNS = 40  # of a search for an end
_GRID = 30  # values at which a search without a start looks
# An end is found to a part of the way to it, and to a thousandth of its value at most: more digits
# are not printed, and each costs the best of all curves with that value.
_CLOSE, _CLOSEST = 5e-3, 1e-3


class ConfidenceInterval(NamedTuple):
    """Values of a quantity that the data do not refute."""

    # lower, upper: ends; infinite if the data give no end, NaN if there is no such quantity [unit
    # of quantity]
    lower: float
    upper: float
    none: float = 0.0  # confidence that the quantity does not exist, such as a break-even [1]


class LikelihoodProfile:
    """Excess of the deviance over its least, for values of a quantity on a logarithmic scale."""

    def __init__(
        self, estimate: Estimate, family: Callable[[float], Family], enough: float
    ) -> None:
        self._estimate = estimate
        self._family = family
        self._enough = enough
        self._known: dict[float, tuple[float, Curve]] = {}
        self._spare = starts_for(estimate.data)[1]

    def excess(self, t: float) -> float:
        """Excess of the deviance of the best curve with a value over the least deviance [1]."""
        if t not in self._known:
            least = self._estimate.best.deviance
            near = self._near(t)
            found = best(self._estimate.data, self._family(t), near, least + self._enough)
            self._known[t] = found.deviance - least, found.curve
        return max(self._known[t][0], 0.0)

    def _near(self, t: float) -> list[Curve]:
        """Curves to begin near: those of the values next to it, or what is the best of all."""
        below = max((each for each in self._known if each < t), default=None)
        above = min((each for each in self._known if each > t), default=None)
        beside = [self._known[each][1] for each in (below, above) if each is not None]
        if len(beside) == 2:
            return beside
        return [*(beside or [self._estimate.best.curve]), self._spare]

    def _above(self, t: float, root: float) -> float:
        return float(np.sqrt(self.excess(t))) - root

    def _crossing(self, inside: float, outside: float, root: float, close: float) -> float:
        """Where the root of the excess is crossed: near the best curve it is linear."""
        how = {"args": (root,), "xtol": close, "disp": False, "full_output": True}
        found, told = scipy.optimize.brentq(self._above, inside, outside, maxiter=_TURNS, **how)
        if not told.converged:  # where the excess jumps, halving needs the fewest turns
            found, _ = scipy.optimize.bisect(self._above, inside, outside, **how)
        return float(found)

    def ends(self, t: float, allowed: float, least: float, most: float) -> tuple[float, float]:
        """Logarithms of the ends of an interval around a value; infinite where there is none.

        Should no curve be found that has the value and is allowed, it is looked for elsewhere.
        """
        if self.excess(t) > allowed:
            return self.anywhere(allowed, least, most)
        return self._end(t, allowed, least, -1.0), self._end(t, allowed, most, 1.0)

    def anywhere(self, allowed: float, least: float, most: float) -> tuple[float, float]:
        """Logarithms of the least and the largest value allowed, NaN if none is."""
        # A profile may have two pieces, of curves with and without a second break-even say: the
        # interval reaches from the outermost values allowed, and only its ends are closed in upon.
        grid = [float(t) for t in np.linspace(least, most, _GRID)]
        high = next((t for t in reversed(grid) if self.excess(t) <= allowed), None)
        if high is None:
            return np.nan, np.nan
        low = next(t for t in grid if self.excess(t) <= allowed)
        return self._end(low, allowed, least, -1.0), self._end(high, allowed, most, 1.0)

    def _end(self, inside: float, allowed: float, limit: float, side: float) -> float:
        step = _FIRST
        while inside != limit:
            # not a sum, which rounds past the limit
            t = inside + side * step if step < abs(limit - inside) else limit
            if self.excess(t) > allowed:
                close = float(np.clip(_CLOSE * abs(t - inside), 1e-9, _CLOSEST))
                return self._crossing(inside, t, float(np.sqrt(allowed)), close)
            inside, step = t, 2 * step
        return side * np.inf


def cutoff(estimate: Estimate, level: float) -> float:
    """The largest excess of the deviance within an interval [1]."""
    return float(scipy.special.fdtri(1, estimate.freedom, level))


def confidence(estimate: Estimate, excess: float, *, holds: bool) -> float:
    """One-sided confidence in a statement, from the excess at the boundary of its domain [1]."""
    root = np.sqrt(max(excess, 0.0))
    return float(scipy.special.stdtr(estimate.freedom, root if holds else -root))


def least_sure(confidences: Sequence[float]) -> float:
    """The confidence in a statement by several estimates, of which the last gives the values [1].

    That which is nearest to a half; a half where another holds what the last does not, so that it
    is never sure of the contrary of the value that is told.
    """
    if confidences[-1] >= 0.5:
        return max(0.5, min(confidences))
    return min(0.5, max(confidences))
