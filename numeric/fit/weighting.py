"""Weights of times, and the curve that fits best with them, found in turn."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.fit.constrained_curves import NEVER, Curve, Family, free
from logca.numeric.fit.data import SPIKES, Arm, Data
from logca.numeric.fit.likelihood import (
    Best,
    around,
    best,
    improbability,
    predicted,
    reweighed,
    reweighted,
)
from logca.numeric.fit.modes import likely_modes, swapped
from logca.numeric.timings.timings import Samples

__all__ = [
    "count_of",
    "in_the_other_mode",
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
# Least distance of two modes, in spreads of a run, and largest density of runs between them, over
# that amid the rarer one: to try modes, to keep them.
_TRIED, _KEPT = (2.0, np.inf), (4.0, 0.25)
# Least share of the rarer mode; of the sizes that chance gives runs of both, those that have; gain
# in twice the logarithm of the likelihood; share from which on the rarer mode may be the main one.
_RARELY, _MIXED, _EVIDENT, _EVEN_SHARE = 0.05, 0.5, 20.0, 0.499
_MISFIT = 1e-3  # significance at which sizes are said to scatter around the curve


def within_sizes(data: Data) -> Data:
    """Weights and spreads from how runs scatter around the mean of their size, not the curve."""
    return data._replace(host=_within(data.host), accelerated=_within(data.accelerated))


def scattered(data: Data, curve: Curve, parameters: float) -> Data:
    """Data with the weights of the runs kept, and with the scatter of sizes around a curve."""
    return around(data, curve, partial(_apart, parameters=parameters / 2))


def _within(arm: Arm) -> Arm:
    # means know theirs, and too few repeats do not; nor do means of two modes
    if arm.noise is not None or arm.mode or arm.y.size - arm.x.size < arm.x.size / 2:
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
    known = np.isfinite(noise) & arm.told
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
    """Times with weights of outliers that agree with the curve that they lead to, and the curve.

    Where the runs at a size mix two modes, the other mode is part of the law of the errors, if
    that makes the times much more likely.
    """
    middle, step = _through_medians(data), partial(_reweighted, parameters=count_of(family, data))
    start = _beside_means(_robust(data, middle), middle, count_of(family, data))
    plain = found = settled(start, best(start, family, starts_for(start)), family, step)
    if not data.repeated:
        return plain
    arms: Sequence[Arm] = around(data, middle, _in_modes)[:2]
    for limits in (_TRIED, _KEPT):
        arms = [
            arm if _mixes(arm, *limits) else bare for arm, bare in zip(arms, start[:2], strict=True)
        ]
        if all(arm.mode is None for arm in arms):
            return plain
        split = data._replace(host=arms[0], accelerated=arms[1])
        found = settled(split, best(split, family, starts_for(split)), family, step)
        arms = [_main_first(arm) for arm in found[0][:2]]
    return found if _improbable(*plain) - _improbable(*found) > _EVIDENT else plain


def _reweighted(data: Data, curve: Curve, parameters: float) -> Data:
    """New weights and spreads, with the scatter of means beside runs."""
    return _beside_means(reweighted(data, curve, parameters), curve, parameters)


def _beside_means(data: Data, curve: Curve, parameters: float) -> Data:
    """Data with the scatter of means around a curve, if only one path has means.

    Means of hundreds of runs would else draw the curve to them, and away from the other path,
    whose spread it tells: the larger that, the less that path would count.
    """
    if (data.host.noise is None) is (data.accelerated.noise is None):
        return data
    found = scattered(data, curve, parameters)
    if data.host.noise is None:
        return data._replace(accelerated=found.accelerated)
    return data._replace(host=found.host)


def _improbable(data: Data, found: Best) -> float:
    """Twice the negative logarithm of the likelihood of all runs around a curve [1]."""
    arms = data.host, data.accelerated
    times = predicted(data, found.curve, *(arm.x for arm in arms))
    known = zip(arms, times, strict=True)
    return sum(improbability(arm, own) for arm, own in known if arm.noise is None)


def _in_modes(arm: Arm, predicted: Samples) -> Arm:
    """Times with the likeliest two modes of their errors."""
    if arm.noise is not None or arm.clock is not None:  # steps of a clock are no modes
        return arm
    mode, weight, spread = likely_modes(arm.y - predicted[arm.place])
    return arm.weighted(weight, spread, SPIKES)._replace(mode=mode)


def _mixes(arm: Arm, apart: float, valley: float) -> bool:
    """True if two modes lie so far apart, and sizes have runs of both as often as by chance.

    So neither a step in the times, from a size on, nor skewed errors are taken for modes.
    """
    mode, every = arm.mode, np.arange(arm.x.size)
    if mode is None or mode.share < _RARELY or mode.apart(arm.spread) < apart:
        return False
    if mode.valley(arm.weight, arm.spread) > valley:
        return False
    main, other = (np.isin(every, arm.place[each > 0.5]) for each in (arm.weight, mode.weight))
    expected = mode.expected(np.bincount(arm.place, minlength=arm.x.size).astype(np.float64))
    return bool((main & other).sum() > max(_MIXED * expected, 1))


def _main_first(arm: Arm) -> Arm:
    """Times whose other mode is the less frequent one."""
    return arm if arm.mode is None or arm.mode.share < _EVEN_SHARE else in_the_other_mode(arm)


def in_the_other_mode(arm: Arm) -> Arm:
    """Times of a path that has two modes, fitted in the other one."""
    if arm.mode is None:
        return arm
    mode, weight = swapped(arm.mode, arm.weight)
    return arm.weighted(weight, arm.spread, arm.spikes)._replace(mode=mode)


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
    arms, deviance = data[:2], found.deviance
    within, repeats = sum(arm.within for arm in arms), sum(arm.repeats for arm in arms)
    if any(arm.clock is not None for arm in arms):  # sizes below its steps would agree with any
        times = predicted(data, found.curve, *(arm.x for arm in arms))
        missed = [
            (arm.mean - own) * arm.root * arm.fine for arm, own in zip(arms, times, strict=True)
        ]
        deviance = float((np.concatenate(missed) ** 2).sum())
    across = sum(int(arm.fine.sum()) for arm in arms) - parameters
    if across < 1 or repeats < 1 or within == 0:
        return False
    ratio = deviance / across / (within / repeats)
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
    largest = columns.max(axis=0)
    # of columns of unlike lengths nnls finds no end
    alike = columns / largest * other.root[:, None]
    part = scipy.optimize.nnls(alike, other.root)[0] / largest
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


def _through_medians(data: Data) -> Curve:
    """The curve that is next to the median of each size."""
    medians = data._replace(host=_medians(data.host), accelerated=_medians(data.accelerated))
    return best(medians, free("linear"), starts_for(medians)).curve


def _robust(data: Data, curve: Curve) -> Data:
    """Weights that neither outliers nor a second mode of repeated times draw off, near a curve."""
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
