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
from logca.numeric.fit.estimate import akaike_criteria
from logca.numeric.fit.likelihood import improbability, reweighed
from logca.numeric.shapes.observed import PARTS, ObservedShapes
from logca.numeric.timings.timings import Samples

__all__ = [
    "LEAST_BETA",
    "MOST_BETA",
    "ShapeEstimate",
    "estimate",
    "log_speedup",
    "predicted",
    "profile",
]

LEAST_BETA, MOST_BETA = 0.25, 4.0
"""Exponents of the work between which the search stays [1]."""

_STEPS, _HALVINGS, _ENOUGH = 40, 10, 1e-8
_REWEIGHINGS = 6
_EVEN, _LITTLE = 0.5, 1e-3
_TURNS = 10
_DECISIVE = 12.0  # between two criteria
_ROUGH = 0.1  # of the logarithm of a ratio, so that other starts are worth a try
_THIRDS = (1 / 3, 2 / 3)
_NORMAL = 1.4826  # standard deviation of normal values over the median of their sizes
_TINY = 1e-300
_HOLD = 1e3  # by how much a speedup that is held weighs more than what was measured

Mask = np.ndarray[Any, np.dtype[np.bool_]]


_far = np.errstate(all="ignore")
"""A search may look far from all times, where sums overflow, or vanish."""


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
    arms, root, times, beta, _ = _likeliest(observed, general)
    spread = _spread(arms)
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
    deviance = min(deviance, best[2])  # of a search that stopped early the special case tells
    return ShapeEstimate(observed, best[0], best[1], free, general, root, spread, freedom, deviance)


class _Weighing(NamedTuple):
    """Times with weights that go together."""

    arms: Sequence[Arm]
    root: Samples
    times: Samples
    beta: float
    criterion: float  # Akaike's for few data, each outlier counted as an unknown [1]


def _likeliest(observed: ObservedShapes, general: Mask) -> _Weighing:
    """The first of several searches, or a far better one, as times far off may hold the first.

    Where the best of two is far from some times, others begin with the shapes that are small or
    large: a cliff parts these. A curve comes near to few times if enough others are outliers, so
    that a little better is no reason.
    """
    every = np.ones(observed.y.size)
    first = _weighed(observed, general, _arms(observed), _start(observed))
    found = [first, _weighed(observed, general, *_resistant(observed, general, every))]
    if _spread(min(found, key=_criterion).arms) > _ROUGH:
        amounts = (observed.items, observed.bytes, observed.work)
        for amount in (each[observed.place] for each in amounts if np.ptp(each)):
            least, most = np.quantile(amount, _THIRDS)
            for some in (amount <= most, amount >= least):
                start = _resistant(observed, general, np.where(some, 1.0, _LITTLE))
                found.append(_weighed(observed, general, *start))
    other = min(found, key=_criterion)
    return other if _criterion(other) < _criterion(first) - _DECISIVE else first


def _criterion(found: _Weighing) -> float:
    return found.criterion


def _spread(arms: Sequence[Arm]) -> float:
    """Standard deviation of the logarithm of a ratio of two times [1]."""
    return float(np.sqrt(sum(arm.spread**2 for arm in arms)))


def _weighed(
    observed: ObservedShapes, general: Mask, arms: Sequence[Arm], start: Samples
) -> _Weighing:
    """Times and weights, found in turn."""
    times, beta, root = start, 1.0, _roots(arms)
    for _ in range(_REWEIGHINGS):
        times, beta, _ = _search(observed, general, root, times, beta)
        arms = _reweighed(observed, general, arms, times, beta)
        root = _roots(arms)
    logs = _predicted(observed, times, beta, arms)
    unlikely = sum(improbability(*each) for each in zip(arms, logs, strict=True))
    unknown = _unknowns(observed, times, general) + sum((1 - arm.weight).sum() for arm in arms)
    left = observed.y.size - unknown - 1
    few = 2 * unknown * observed.y.size / left if left > 0 else np.inf
    return _Weighing(arms, root, times, beta, unlikely + few)


def _reweighed(
    observed: ObservedShapes, general: Mask, arms: Sequence[Arm], times: Samples, beta: float
) -> list[Arm]:
    unknown = _unknowns(observed, times, general) / len(arms)
    logs = _predicted(observed, times, beta, arms)
    return [reweighed(arm, each, unknown) for arm, each in zip(arms, logs, strict=True)]


def _roots(arms: Sequence[Arm]) -> Samples:
    return np.concatenate([np.sqrt(arm.weight) / arm.spread for arm in arms])


def _resistant(
    observed: ObservedShapes, general: Mask, chosen: Samples
) -> tuple[Sequence[Arm], Samples]:
    """Weights and times to begin with that some times far off do not draw away.

    These are the times whose absolute relative errors are least, with the exponent one.
    """
    times = _start(observed, root=chosen)
    for _ in range(_TURNS):
        error = np.abs(observed.y - _model(observed, times, 1.0)[0])
        times = _start(observed, root=chosen / np.sqrt(np.maximum(error, _LITTLE)))
    arms = _arms(observed)
    logs = _predicted(observed, times, 1.0, arms)
    arms = [
        arm._replace(spread=max(_NORMAL * float(np.median(np.abs(arm.y - each))), _LITTLE))
        for arm, each in zip(arms, logs, strict=True)
    ]
    return _reweighed(observed, general, arms, times, 1.0), times


@_far
def predicted(estimate: ShapeEstimate) -> Samples:
    """Logarithms of the times, or ratios, at the shapes measured, as the estimate has them [1]."""
    return _model(estimate.observed, estimate.times, estimate.beta)[0]


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
        found = _search(held, estimate.general, root, times, estimate.beta, held=True)
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


def _start(
    observed: ObservedShapes, free: Mask | None = None, root: Samples | None = None
) -> Samples:
    """Times whose relative errors, weighted by the squares of roots, are least: that is linear."""
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
    if root is not None:
        matrix[: root.size] *= root[:, None]
        wanted[: root.size] *= root
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
    *,
    held: bool = False,
) -> tuple[Samples, float, float]:
    """Times, exponent and deviance of the best member of a family, from a start.

    If the last ratio is held, it is as a ratio of sums of times, which one step reaches.
    """
    half = len(PARTS)
    log_work = np.where(observed.work > 0, np.log(observed.work), 0.0)[observed.place]

    def squares(times: Samples, beta: float) -> float:
        error = observed.y - _model(observed, times, beta)[0]
        return float(((error * root) ** 2).sum()) if np.isfinite(error).all() else np.inf

    now = squares(times, beta)
    for _ in range(_STEPS):
        logs, shares = _model(observed, times, beta)
        missed = observed.y - logs
        if held:
            factor = float(np.exp(missed[-1]))
            shares[-1, half:] *= factor
            missed[-1] = factor - 1
        slope = (shares[:, half - 1] * times[half - 1] + shares[:, -1] * times[-1]) * log_work
        matrix = np.column_stack([shares, slope])[:, free]
        at = np.append(times, beta - LEAST_BETA)[free]
        wanted = matrix @ at + missed
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
            if free[-1] and step[-1] > MOST_BETA - LEAST_BETA:
                step[-1] = MOST_BETA - LEAST_BETA
                wanted = wanted - step[-1] * matrix[:, -1]
                step[:-1], _ = scipy.optimize.nnls(matrix[:, :-1], wanted)
        except RuntimeError:  # too many iterations: go on from where we are
            break
        moved = np.zeros(free.size)
        moved[free] = step - at
        for halving in range(_HALVINGS):
            share = 0.5**halving
            other = np.maximum(times + share * moved[:-1], 0.0)
            power = float(np.clip(beta + share * moved[-1], LEAST_BETA, MOST_BETA))
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
