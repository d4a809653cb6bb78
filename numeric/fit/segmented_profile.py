"""Half the peak and the upper break-even where times have breaks, by profile likelihood.

The speedup at a size is that of the curve times the factors of the breaks, whose heights are linear
in the residuals. So all curves and heights whose speedup there is one, or half the acceleration,
are again curves with free numbers and heights in one dimension less. The excess of their deviance
says how sure it is that the speedup there is less, or more. A band from standard errors would not
do: where L and A mask each other, the most likely A may be infinite or L zero, and its errors tell
nothing of the other far from the measured sizes.
"""

from itertools import product

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.fit.break_evens import LOG_FARTHEST, LOG_NEAREST
from logca.numeric.fit.breaks import PATHS, kept_apart
from logca.numeric.fit.constrained_curves import NEVER, Curve, at_half_peak, at_speedup, free
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.likelihood import Best, HeldSpeedup, best, heights, log_times, raised, slopes
from logca.numeric.fit.profile_likelihood import ConfidenceInterval, cutoff
from logca.numeric.fit.weighting import starts_for
from logca.numeric.timings.timings import Samples

__all__ = ["half_peak_interval", "upper_break_even_interval"]

_BEHIND = 1e-9  # e-folds from an end of a break to a size that is surely before it or behind
_BESIDE = 3.0  # e-folds beyond the measured sizes that are looked at closely
_STEP, _FAR_STEP = 0.5, 3.0  # e-folds between sizes that are looked at there, and elsewhere
_CLOSE = 1e-3  # e-folds to which an end is found
_HALF = float(np.log(2.0))
_LEAST, _GREATEST = 0, 1  # of both roots at a size


class _Exceeding:
    """Standard errors by which the speedup at sizes exceeds one, or half the acceleration."""

    def __init__(self, estimate: Estimate, *, half: bool) -> None:
        self._estimate = estimate
        self._half = half
        data, latency = estimate.data, estimate.latency
        self._raised = raised(data)
        self._sign = np.array([1.0 if each.path == PATHS[0] else -1.0 for each in data.breaks])
        starts = [estimate.best.curve, *starts_for(data)]
        simple = best(data, free("constant"), starts) if latency == "linear" else estimate.best
        self._starts = [estimate.best.curve, simple.curve, starts[-1]]
        self._known: dict[tuple[float, tuple[float, ...]], tuple[float, Curve]] = {}

    def likely(self, t: float, curve: Curve) -> float:
        """Logarithm of the speedup over the target, with the likeliest heights [1]."""
        (of_break,) = self._of_breaks(t, likely=True)
        return self._beyond(t, curve) + float(of_break @ heights(self._estimate.data, curve))

    def roots(self, t: float) -> tuple[float, float]:
        """The least and the greatest over where the breaks may be, signed [1]."""
        found = [self._root(t, each) for each in self._of_breaks(t)]
        return min(found), max(found)

    def sizes(self) -> list[float]:
        """Logarithms of the sizes that are looked at, over the reference size, ascending [1]."""
        data = self._estimate.data
        log_x = np.log(np.concatenate([data.host.x, data.accelerated.x]))
        nearest, farthest = LOG_NEAREST - data.log_size, LOG_FARTHEST - data.log_size
        ends = [np.log([each.below, each.place, each.above]) for each in data.breaks]
        edges = [side + each for each in ends for side in (-_BEHIND, _BEHIND)]
        close = np.arange(log_x.min() - _BESIDE, log_x.max() + _BESIDE, _STEP)
        wide = [*np.arange(nearest, farthest, _FAR_STEP), farthest]
        own = [self._crossings(curve) for curve in self._starts[:2]]
        every = np.concatenate([*edges, close, wide, *own])
        every = every[(every >= nearest) & (every <= farthest)]
        return [float(each) for each in np.unique(every)]

    def _crossings(self, curve: Curve) -> list[float]:
        """Where the speedup of a curve rises above the target, or falls below it."""
        data = self._estimate.data
        nearest, farthest = LOG_NEAREST - data.log_size, LOG_FARTHEST - data.log_size
        ends = [float(np.log(each.place)) for each in data.breaks]
        grid = sorted([*np.linspace(nearest, farthest, 200), *ends, *(e + _BEHIND for e in ends)])
        beyond = [self.likely(t, curve) for t in grid]
        return [
            float(scipy.optimize.brentq(self.likely, grid[at], grid[at + 1], (curve,), xtol=1e-9))
            for at in range(len(grid) - 1)
            if (beyond[at] > 0) != (beyond[at + 1] > 0)
        ]

    def _of_breaks(self, t: float, *, likely: bool = False) -> list[Samples]:
        """For each combination of places what breaks of height one add to the speedup there."""
        breaks, x = self._estimate.data.breaks, np.exp([t])
        places = [(each.place,) if likely else (each.below, each.above) for each in breaks]
        rows = {
            tuple(float(each.column(x, place)[0]) for each, place in zip(breaks, row, strict=True))
            for row in product(*places)
        }
        return [self._sign * np.array(each) for each in sorted(rows)]

    def _beyond(self, t: float, curve: Curve) -> float:
        """Logarithm of the speedup of a curve, without breaks, over the target [1]."""
        x = np.exp([t])
        own, offloaded = log_times(curve._replace(h=NEVER), x, x)
        speedup = float(own[0] - offloaded[0])
        return speedup - (curve.C - curve.D - _HALF) if self._half else speedup

    def _root(self, t: float, of_breaks: Samples) -> float:
        data, found = self._estimate.data, self._estimate.best
        beyond = self._beyond(t, found.curve) + float(of_breaks @ heights(data, found.curve))
        key = t, tuple(of_breaks.tolist())
        if key not in self._known:
            near = min(self._known, key=lambda each: abs(each[0] - t), default=None)
            starts = [*self._starts, *([] if near is None else [self._known[near][1]])]
            held = self._with_target(t, of_breaks, starts)
            self._known[key] = held.deviance - found.deviance, held.curve
        return float(np.copysign(np.sqrt(max(self._known[key][0], 0.0)), beyond))

    def _with_target(self, t: float, of_breaks: Samples, starts: list[Curve]) -> Best:
        """The best curve, with heights of the breaks, whose speedup at a size is the target."""
        data, latency, least = self._estimate.data, self._estimate.latency, self._estimate.best
        square = float(of_breaks @ of_breaks)
        if square == 0:
            there = at_half_peak(t, latency) if self._half else at_speedup(0.0, t, latency)
            return best(data, there, starts, least.deviance)
        _, _, rows = np.linalg.svd(of_breaks[None, :])
        x = np.exp([t])

        def rates(curve: Curve) -> Samples:
            own, offloaded = slopes(curve._replace(h=NEVER), x, x)
            found = (own - offloaded)[:, 0]
            found[curve._fields.index("C")] -= self._half
            found[curve._fields.index("D")] += self._half
            return -found

        held = HeldSpeedup(
            others=kept_apart(self._raised @ rows[1:].T),
            along=self._raised @ of_breaks / square,
            missing=lambda curve: -self._beyond(t, curve),
            rates=rates,
        )
        return best(data, free(latency), starts, least.deviance, held)


def half_peak_interval(estimate: Estimate, level: float) -> ConfidenceInterval:
    """Interval of the first size with half the acceleration of the curve, with its breaks [B].

    It reaches from the first size at which the speedup may be as large to the first at which it
    surely is.
    """
    found, side = _Exceeding(estimate, half=True), float(np.sqrt(cutoff(estimate, level)))
    grid = found.sizes()
    roots = [found.roots(t) for t in grid]
    none = float(scipy.special.stdtr(estimate.freedom, -max(least for least, _ in roots)))
    if none > 1 - (1 - level) / 2:
        return ConfidenceInterval(np.nan, np.nan, none)
    low = _first(found, grid, roots, _GREATEST, -side)
    high = _first(found, grid, roots, _LEAST, side)
    size = estimate.data.log_size
    lower = float(np.exp(low + size)) if low > grid[0] else 0.0
    return ConfidenceInterval(lower, float(np.exp(high + size)), none)


def upper_break_even_interval(estimate: Estimate, level: float) -> ConfidenceInterval:
    """Interval of the last size at which the speedup falls to one, up to 1 EiB [B].

    It reaches from the last size at which offloading surely pays to the last at which it may. There
    is none if it pays at 1 EiB, or at no size.
    """
    found, side = _Exceeding(estimate, half=False), float(np.sqrt(cutoff(estimate, level)))
    grid = found.sizes()[::-1]
    roots = [found.roots(t) for t in grid]
    most = max(least for least, _ in roots)
    always, never = scipy.special.stdtr(estimate.freedom, [roots[0][0], -most])
    none = float(min(always + never, 1.0))
    if none > 1 - (1 - level) / 2:
        return ConfidenceInterval(np.nan, np.nan, none)
    low = _first(found, grid, roots, _LEAST, side)
    high = _first(found, grid, roots, _GREATEST, -side)
    size = estimate.data.log_size
    lower = float(np.exp(low + size)) if low < np.inf else 0.0
    return ConfidenceInterval(lower, float(np.exp(high + size)) if high < grid[0] else np.inf, none)


def _first(
    found: _Exceeding,
    grid: list[float],
    roots: list[tuple[float, float]],
    which: int,
    target: float,
) -> float:
    """Where, in the order of the grid, one of both roots first reaches a target; infinite if not.

    Where the end is between two sizes, it is that with which the interval is the wider one.
    """
    place = next((place for place, each in enumerate(roots) if each[which] >= target), None)
    if place is None:
        return np.inf
    if place == 0:
        return grid[0]
    before, behind = grid[place - 1], grid[place]
    while abs(behind - before) > _CLOSE:
        middle = (before + behind) / 2
        if found.roots(middle)[which] >= target:
            behind = middle
        else:
            before = middle
    return before if which == _GREATEST else behind
