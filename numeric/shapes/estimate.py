"""Both paths' times over items, bytes and work: the most likely ones, and what else is as likely.

The logarithm of each median time, or ratio of times, is the model's plus normal noise, or now and
then an outlier (`logca.numeric.fit.likelihood`). All times of the model's parts are nonnegative,
and enter linearly, so that each step of the search (Gauss and Newton's, with the exponent as one
more unknown) is a problem of nonnegative least squares (lawson1974).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used

from logca.numeric.fit.data import SPIKES, Arm
from logca.numeric.fit.information_criterion import akaike_criteria
from logca.numeric.fit.likelihood import reweighed
from logca.numeric.timings.timings import Samples

__all__ = [
    "PARTS",
    "ObservedShapes",
    "ShapeEstimate",
    "Units",
    "estimate",
    "log_speedup",
    "profile",
    "shapes_in",
    "units_of",
    "with_times",
]

PARTS = ("call", "item", "byte", "work")
"""Parts of a time, each with a time of its own on either path."""

_LEAST_BETA, _MOST_BETA = 0.25, 4.0
_STEPS, _HALVINGS, _ENOUGH = 40, 10, 1e-8
_REWEIGHINGS = 6
_EVEN, _LITTLE = 0.5, 1e-3
_TINY = 1e-300
_HOLD = 1e3  # by how much a speedup that is held weighs more than what was measured

Mask = np.ndarray[Any, np.dtype[np.bool_]]


_far = np.errstate(all="ignore")
"""A search may look far from all times, where sums overflow, or vanish."""


class Units(NamedTuple):
    """Units that make what was measured about one."""

    items: float  # [1]
    bytes: float  # [B]
    work: float  # [1]
    log_time: float  # logarithm of the unit of time, zero of ratios [1]


class ObservedShapes(NamedTuple):
    """Shapes and logarithms of times, in such units."""

    items: Samples  # 0 if no formula tells them [1]
    bytes: Samples
    work: Samples
    y: Samples  # logarithms of times, first of the host, or of ratios [1]
    place: np.ndarray[Any, np.dtype[np.intp]]  # of the shape of each [1]
    sides: Samples  # for each the signs of the host's and the accelerated logarithm [1]

    @property
    def ratios(self) -> bool:
        """True if only ratios are known."""
        return self.y.size == self.items.size

    def parts(self, beta: float) -> Samples:
        """A row for each shape, a column for each part."""
        return np.stack([np.ones_like(self.items), self.items, self.bytes, self.work**beta], axis=1)


class ShapeEstimate(NamedTuple):
    """Times of the parts on both paths, and the exponent, in the units of `ObservedShapes`."""

    observed: ObservedShapes
    times: Samples  # host's parts, then the accelerated ones
    beta: float
    free: Mask  # which of the times, and the exponent, are not held at zero, or at one
    general: Mask  # which are free in the most general family
    root: Samples  # of the weight of each observation over its variance [1]
    spread: float  # of the logarithm of a ratio of two times [1]
    freedom: float  # observations less unknowns of the general family [1]
    deviance: float  # of the general family [1]

    @property
    def outliers(self) -> tuple[int, ...]:
        """Places of the shapes with a time that is more likely an outlier than not."""
        found: set[int] = set()
        for arm in np.split(np.arange(self.root.size), 1 if self.observed.ratios else 2):
            weight = (self.root[arm] / max(self.root[arm].max(), _TINY)) ** 2
            found |= {int(each) for each in self.observed.place[arm][weight < _EVEN]}
        return tuple(sorted(found))


def units_of(items: Samples, data: Samples, work: Samples, host: Samples) -> Units:
    """Geometric means of what is not zero, and of the host's times if there are any."""

    def mean(values: Samples) -> float:
        some = np.log(values[values > 0])
        return float(np.exp(some.mean())) if some.size else 1.0

    log_time = float(np.log(host).mean()) if host.size else 0.0
    return Units(mean(items), mean(data), mean(work), log_time)


def shapes_in(units: Units, items: Samples, data: Samples, work: Samples) -> ObservedShapes:
    """Shapes in such units, of which nothing was measured."""
    return ObservedShapes(
        np.atleast_1d(items / units.items),
        np.atleast_1d(data / units.bytes),
        np.atleast_1d(work / units.work),
        y=np.empty(0),
        place=np.empty(0, dtype=np.intp),
        sides=np.empty((0, 2)),
    )


def with_times(shapes: ObservedShapes, *logs: Samples) -> ObservedShapes:
    """Shapes with logarithms of the times of both paths, or of their ratios alone."""
    count = shapes.items.size
    sides = [[1.0, -1.0]] if len(logs) == 1 else [[1.0, 0.0], [0.0, 1.0]]
    return shapes._replace(
        y=np.concatenate(logs),
        place=np.tile(np.arange(count), len(logs)),
        sides=np.repeat(np.array(sides), count, axis=0),
    )


@_far
def estimate(observed: ObservedShapes, *, exponent: bool) -> ShapeEstimate:
    """The most likely times of the parts that the observations speak for.

    All parts, and the exponent if it is asked for, are free to begin with; one after the other is
    given up whose absence a criterion (akaike1974) finds no worse.
    """
    size = 2 * len(PARTS)
    vary = np.ptp(observed.parts(1.0), axis=0) > 0
    vary[0] = True
    general = np.append(np.tile(vary, 2), exponent and vary[3])
    root = np.ones_like(observed.y)
    times, beta = _start(observed), 1.0
    arms = _arms(observed)
    spread = 0.0
    for _ in range(_REWEIGHINGS):
        times, beta, _ = _search(observed, general, root, times, beta)
        unknown = _unknowns(observed, times, general)
        arms = [
            reweighed(arm, predicted, unknown / len(arms))
            for arm, predicted in zip(arms, _predicted(observed, times, beta, arms), strict=True)
        ]
        root = np.concatenate([np.sqrt(arm.weight) / arm.spread for arm in arms])
        spread = float(np.sqrt(sum(arm.spread**2 for arm in arms)))
    times, beta, deviance = _search(observed, general, root, times, beta)
    weight = sum(float(arm.weight.sum()) for arm in arms)
    freedom = max(weight - _unknowns(observed, times, general), 1.0)
    free, best = general.copy(), (times, beta, deviance)
    while True:
        found = []
        for each in np.flatnonzero(free):
            less = free.copy()
            less[each] = False
            if not less[: size // 2].any() or not less[size // 2 : size].any():
                continue
            start = np.where(less[:size], best[0], 0.0)
            if each < size:
                start = start if _positive(observed, start, best[1]) else _start(observed, less)
            held = 1.0 if not less[size] else best[1]
            tried = _search(observed, less, root, start, held)
            criteria = akaike_criteria(
                {"linear": best[2], "constant": tried[2]}, int(free.sum()), freedom
            )
            worse = criteria["constant"] - criteria["linear"]
            found.append((worse, int(each), less, tried))
        worse, _, less, tried = min(found, key=lambda each: each[:2], default=(1.0, 0, free, best))
        if worse > 0:
            break
        free, best = less, tried
    return ShapeEstimate(observed, best[0], best[1], free, general, root, spread, freedom, deviance)


@_far
def log_speedup(estimate: ShapeEstimate, at: ObservedShapes) -> Samples:
    """Logarithms of the most likely speedups at other shapes [1]."""
    parts, half = at.parts(estimate.beta), len(PARTS)
    return np.log(parts @ estimate.times[:half]) - np.log(parts @ estimate.times[half:])


@_far
def profile(estimate: ShapeEstimate, at: ObservedShapes, speedup: float) -> float:
    """By how much the deviance rises if the speedup at one shape is held at the logarithm [1]."""
    known = estimate.observed
    held = ObservedShapes(
        np.append(known.items, at.items),
        np.append(known.bytes, at.bytes),
        np.append(known.work, at.work),
        y=np.append(known.y, speedup),
        place=np.append(known.place, known.items.size),
        sides=np.vstack([known.sides, [1.0, -1.0]]),
    )
    root = np.append(estimate.root, _HOLD * estimate.root.max())
    least = np.inf
    for times in (estimate.times, estimate.times + 0.05 * _start(known)):
        found = _search(held, estimate.general, root, times, estimate.beta)
        least = min(least, found[2])
    return max(least - estimate.deviance, 0.0)


def _unknowns(observed: ObservedShapes, times: Samples, general: Mask) -> float:
    """Number of times that are not zero, and of the exponent; ratios leave one scale open [1]."""
    return float((times > 0).sum() + general[-1] - observed.ratios)


def _positive(observed: ObservedShapes, times: Samples, beta: float) -> bool:
    parts, half = observed.parts(beta), len(PARTS)
    return bool((parts @ times[:half] > 0).all() and (parts @ times[half:] > 0).all())


def _arms(observed: ObservedShapes) -> list[Arm]:
    groups = [observed.y] if observed.ratios else np.split(observed.y, 2)
    none = [np.zeros(each.size) for each in groups]
    return [
        Arm(zero + 1, np.arange(y.size), y, zero + 1, 1.0, SPIKES, zero, zero)
        for y, zero in zip(groups, none, strict=True)
    ]


def _predicted(
    observed: ObservedShapes, times: Samples, beta: float, arms: Sequence[Arm]
) -> list[Samples]:
    return list(np.split(_model(observed, times, beta)[0], len(arms)))


def _start(observed: ObservedShapes, free: Mask | None = None) -> Samples:
    """Times whose relative errors are least, which is linear."""
    half = len(PARTS)
    rows = observed.parts(1.0)[observed.place]
    scale = np.exp(-observed.y)[:, None]
    host, other = observed.sides[:, :1], observed.sides[:, 1:]
    if observed.ratios:
        level = np.append(rows.mean(axis=0), np.zeros(half))
        matrix = np.vstack([np.hstack([rows * np.sqrt(scale), -rows / np.sqrt(scale)]), level])
        wanted = np.append(np.zeros(len(rows)), 1.0)
    else:
        matrix = np.hstack([rows * scale * host, rows * scale * other])
        wanted = np.ones(len(rows))
    if free is not None:
        matrix = matrix * free[:-1]
    found, _ = scipy.optimize.nnls(matrix, wanted)
    parts = observed.parts(1.0)
    for path in (found[:half], found[half:]):
        if (parts @ path).min() <= 0:  # where a time would be zero a search has no way out
            path[0] += _LITTLE * (parts @ path).max() or 1.0
    return np.asarray(found)


def _model(observed: ObservedShapes, times: Samples, beta: float) -> tuple[Samples, Samples]:
    """Logarithms as the times have them; and shares of the parts in each, host and accelerated."""
    half, parts = len(PARTS), observed.parts(beta)
    sums = np.stack([parts @ times[:half], parts @ times[half:]], axis=1)
    logs = np.log(sums)
    shares = np.hstack([parts / sums[:, :1], parts / sums[:, 1:]])
    chosen = np.where(observed.sides != 0, logs[observed.place] * observed.sides, 0.0)
    signs = np.repeat(observed.sides, half, axis=1)
    return chosen.sum(axis=1), np.where(signs != 0, shares[observed.place] * signs, 0.0)


def _search(
    observed: ObservedShapes,
    free: Mask,
    root: Samples,
    times: Samples,
    beta: float,
) -> tuple[Samples, float, float]:
    """Times, exponent and deviance of the best member of a family, from a start."""
    half = len(PARTS)
    log_work = np.where(observed.work > 0, np.log(observed.work), 0.0)[observed.place]

    def squares(times: Samples, beta: float) -> float:
        error = observed.y - _model(observed, times, beta)[0]
        return float(((error * root) ** 2).sum()) if np.isfinite(error).all() else np.inf

    now = squares(times, beta)
    for _ in range(_STEPS):
        logs, shares = _model(observed, times, beta)
        slope = (shares[:, half - 1] * times[half - 1] + shares[:, -1] * times[-1]) * log_work
        matrix = np.column_stack([shares, slope])[:, free]
        at = np.append(times, beta - _LEAST_BETA)[free]
        wanted = matrix @ at + observed.y - logs
        matrix, wanted = matrix * root[:, None], wanted * root
        if observed.ratios:  # one scale is open: hold the host's mean time
            level = np.append(observed.parts(beta).mean(axis=0), np.zeros(half + 1))[free]
            scale = root.max() / max(float(level @ at), _TINY)
            matrix = np.vstack([matrix, level * scale])
            wanted = np.append(wanted, float(level @ at) * scale)
        if not np.isfinite(matrix).all():
            break
        try:
            step, _ = scipy.optimize.nnls(matrix, wanted)
        except RuntimeError:  # too many iterations: go on from where we are
            break
        moved = np.zeros(free.size)
        moved[free] = step - at
        for halving in range(_HALVINGS):
            share = 0.5**halving
            other = np.maximum(times + share * moved[:-1], 0.0)
            power = float(np.clip(beta + share * moved[-1], _LEAST_BETA, _MOST_BETA))
            then = squares(other, power)
            if then < now:
                break
        else:
            break
        gained = now - then
        times, beta, now = other, power, then
        if gained <= _ENOUGH * (1.0 + now):
            break
    return times, beta, now
