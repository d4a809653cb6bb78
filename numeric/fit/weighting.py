"""Weights of times, and the curve that fits best with them, found in turn."""

from collections.abc import Callable
from functools import partial

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.fit.constrained_curves import NEVER, Curve, Family, free
from logca.numeric.fit.data import SPIKES, Arm, Data
from logca.numeric.fit.likelihood import Best, around, best, reweighed, reweighted
from logca.numeric.timings.timings import Samples

__all__ = [
    "count_of",
    "misses_sizes",
    "scattered",
    "settled",
    "starts_for",
    "weighed",
    "within_sizes",
]

_ROUNDS = 10  # of weights within sizes, where no curve is fitted in between
_LEAST = 1e-24  # of a variance of logarithms: the square of the rounding of a time


_MOST_TURNS = 30  # of curve and weights
_SETTLED = 1e-6  # relative change of the weights below which a turn is the last
_SLIGHT = 1e-3  # share of a term in the time that is the least a search begins with
_ABSOLUTE = 6  # turns of weights for least absolute errors
_NEARLY = 0.1  # of the median error, below which errors weigh alike
# Of the middle half, and share of outliers, to begin with: so that one mode is chosen, not both.
_NARROW, _WILD = 0.5, 0.2
_MISFIT = 1e-3  # significance at which sizes are said to scatter around the curve


def within_sizes(data: Data) -> Data:
    """Weights and spreads from how runs scatter around the mean of their size, not the curve."""
    return data._replace(host=_within(data.host), accelerated=_within(data.accelerated))


def scattered(data: Data, curve: Curve, parameters: float) -> Data:
    """Data with the weights of the runs kept, and with the scatter of sizes around a curve."""
    return around(data, curve, partial(_apart, parameters=parameters / 2))


def _within(arm: Arm) -> Arm:
    # means know theirs, and too few repeats do not
    if arm.noise is not None or arm.y.size - arm.x.size < arm.x.size / 2:
        return arm
    arm = _medians(arm)
    arm = arm._replace(spread=_middle_half(arm, arm.mean))
    for _ in range(_ROUNDS):
        arm = reweighed(arm, arm.mean, arm.x.size)
    return arm


def _medians(arm: Arm) -> Arm:
    rows = [arm.y[arm.place == each] for each in range(arm.x.size)]
    return arm._replace(mean=np.array([np.median(row) for row in rows]))


def _middle_half(arm: Arm, predicted: Samples) -> float:
    """Standard deviation around what is predicted, by the middle half of the times [1]."""
    return max(1.4826 * float(np.median(np.abs(arm.y - predicted[arm.place]))), 1e-9)


def _apart(arm: Arm, predicted: Samples, parameters: float) -> Arm:
    with np.errstate(divide="ignore"):
        noise = np.maximum(1 / arm.root**2 - arm.apart**2, _LEAST)  # a difference may round to less
    known = np.isfinite(noise)
    squares = (arm.mean - predicted)[known] ** 2
    expected = float(known.sum()) - parameters

    def beyond(variance: float) -> float:
        return float((squares / (noise[known] + variance)).sum()) - expected

    variance = 0.0
    if expected >= 1 and beyond(0.0) > 0:
        # at the sum itself `beyond` may round to more than zero
        variance = float(
            scipy.optimize.brentq(beyond, 0.0, 2 * squares.sum() / expected, rtol=1e-6)
        )
    return arm._replace(root=1 / np.sqrt(noise + variance), apart=float(np.sqrt(variance)))


def weighed(data: Data, family: Family) -> tuple[Data, Best]:
    """Times with weights of outliers that agree with the curve that they lead to, and the curve."""
    data = _robust(data)
    found = best(data, family, starts_for(data))
    return settled(data, found, family, partial(reweighted, parameters=count_of(family, data)))


def count_of(family: Family, data: Data) -> int:
    """Parameters of a family, the cost of a call if that is estimated, and the breaks."""
    return family.size + (data.bend is not None) + len(data.breaks)


def settled(
    data: Data, found: Best, family: Family, weighed: Callable[[Data, Curve], Data]
) -> tuple[Data, Best]:
    """Weights from the curve and the curve from the weights, in turn."""
    for _ in range(_MOST_TURNS):
        before, data = data, weighed(data, found.curve)
        found = best(data, family, [found.curve])
        with np.errstate(divide="ignore", invalid="ignore"):
            change = max(
                float(np.nan_to_num(abs(np.log(new.root / old.root))).max())
                for new, old in zip(data[:2], before[:2], strict=True)
            )
        if change < _SETTLED:
            break
    return data, best(data, family, [found.curve, *starts_for(data)])


def misses_sizes(data: Data, found: Best, parameters: int) -> bool:
    """True if sizes miss the curve by more than the scatter of runs explains, by an F test."""
    sizes = data.host.x.size + data.accelerated.x.size
    within = sum(arm.within for arm in data[:2])
    across, repeats = sizes - parameters, data.samples - sizes
    if across < 1 or repeats < 1 or within == 0:
        return False
    ratio = found.deviance / across / (within / repeats)
    return bool(scipy.special.fdtrc(across, repeats, ratio) < _MISFIT)


def starts_for(data: Data) -> list[Curve]:
    """Curves to begin near: the closest by linear least squares, and one that has all its terms."""
    host, other = data.host, data.accelerated
    if data.bend is None:
        h, (beta, C) = NEVER, _robust_line(np.log(host.x), host.mean)
    else:
        h, C, beta = float(np.log(data.bend.cost)), np.log(data.bend.C), data.bend.beta
    beta = float(np.clip(beta, 0.05, 5.0))
    time = np.exp(other.mean)
    columns = np.stack([np.ones_like(other.x), other.x, other.x**beta], axis=1) / time[:, None]
    part = scipy.optimize.nnls(columns * other.root[:, None], other.root)[0]
    largest = columns.max(axis=0)
    part[0] -= np.exp(h)
    near, all_terms = np.maximum(part, _SLIGHT / largest), 0.3 / largest
    return [
        Curve(C=float(C), beta=beta, o=float(o), L=float(L), D=float(D), h=h)
        for o, L, D in np.log([near, all_terms])
    ]


def _robust_line(x: Samples, y: Samples) -> tuple[float, float]:
    """Slope and intercept by Theil and Sen; `scipy.stats.theilslopes` takes long to load."""
    across = np.subtract.outer(x, x)
    slope = np.median(np.subtract.outer(y, y)[across > 0] / across[across > 0])
    return float(slope), float(np.median(y) - slope * np.median(x))


def _robust(data: Data) -> Data:
    """Weights around a curve that neither outliers nor a second mode of repeated times draw off."""
    medians = data._replace(host=_medians(data.host), accelerated=_medians(data.accelerated))
    curve = best(medians, free("linear"), starts_for(medians)).curve
    narrow, wild = 1.0, SPIKES
    if data.repeated:  # least squares lies between two modes, least absolute errors in one
        near = data
        for _ in range(_ABSOLUTE):
            near = around(near, curve, _absolute)
            curve = best(near, free("linear"), [curve]).curve
        narrow, wild = _NARROW, _WILD

    def spread(arm: Arm, predicted: Samples) -> Arm:
        even = np.ones_like(arm.weight)
        kept = arm.weighted(even, narrow * _middle_half(arm, predicted), wild)
        return kept._replace(mean=_medians(arm).mean)

    return reweighted(around(data, curve, spread), curve, 0)


def _absolute(arm: Arm, predicted: Samples) -> Arm:
    """Times with the weights of which least squares are least absolute errors."""
    errors = np.abs(arm.y - predicted[arm.place])
    least = max(_NEARLY * float(np.median(errors)), 1e-9)
    return arm.weighted(least / np.maximum(errors, least), 1.0, arm.spikes)
