"""Which steps and changes of slope the timings speak for, and no more of them than they carry.

Each size counts once, by its median: how runs scatter at a size does not tell how sizes scatter.
A break is added where the noise is so much less with it that chance explains it once in a thousand
times, whichever of all places it may have been at.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.fit.breaks import KINDS, PATHS, Break, kept_apart
from logca.numeric.fit.constrained_curves import Curve, Family
from logca.numeric.fit.data import Arm, Data
from logca.numeric.fit.likelihood import (
    around,
    best,
    breaks_of,
    heights,
    predicted,
    raised,
    slopes,
    spread_beside_clock,
    without_breaks,
)
from logca.numeric.fit.weighting import starts_for
from logca.numeric.timings.timings import Samples

__all__ = ["breaks_found"]

_RARE = 1e-3  # probability that chance makes a break of none, at any place
_MOST = 4  # breaks
_CLOSER = 6  # changes that are looked at closely
_BELOW_SLOPE = 5  # sizes below a change of slope
_SLIGHT = 0.05  # of the logarithm of a factor, below which no change at a place counts
_TURNS = 3  # of curve and spreads
_SHARPEST = 1e-6  # spread of the logarithms of times


class _Fitted(NamedTuple):
    data: Data
    curve: Curve


def breaks_found(data: Data, family: Family) -> tuple[Break, ...]:
    """Breaks that timings have, the most evident first.

    No size is an outlier here: of few sizes those beyond a step would be called that.
    """
    single = data._replace(
        host=_medians(data.host), accelerated=_medians(data.accelerated), breaks=()
    )
    now = _fitted(single, family, starts_for(single))
    while len(now.data.breaks) < _MOST:
        changes = list(_changes(now.data))
        starts = [now.curve, *starts_for(now.data)]
        tried = [
            _fitted(now.data._replace(breaks=(*now.data.breaks, *change)), family, starts)
            for change in _closer(now, changes)
        ]
        rare = [_by_chance(now, each, family) for each in tried]
        if not rare or min(rare) * len(changes) > _RARE:
            break
        found = tried[int(np.argmin(rare))]
        added = heights(found.data, found.curve)[len(now.data.breaks) :]
        if np.abs(added).max() < _SLIGHT:
            break
        now = found
    return now.data.breaks


def _medians(arm: Arm) -> Arm:
    """For each size the median of its times that are no outliers, or of all if all are.

    Where all are of the less frequent mode, what they would be in the other one.
    """
    usual, y = ~arm.spiky, arm.y
    if arm.mode is not None:
        other = arm.mode.weight > 0.5
        y = y - arm.mode.offset * other
        usual = usual | (other & ~np.isin(arm.place, arm.place[usual]))
    every = [arm.place == each for each in range(arm.x.size)]
    y = np.array([np.median(y[at & usual] if (at & usual).any() else y[at]) for at in every])
    bare = arm._replace(
        place=np.arange(arm.x.size), y=y, apart=0.0, noise=None, runs=None, mode=None
    )
    return bare.weighted(np.ones(arm.x.size), 1.0, arm.spikes)


def _fitted(data: Data, family: Family, starts: list[Curve]) -> _Fitted:
    """The curve by least squares, with a spread of either path that agrees with it."""
    curve = best(data, family, starts).curve
    for _ in range(_TURNS):
        data = around(data, curve, _spread)
        curve = best(data, family, [curve]).curve
    return _Fitted(around(data, curve, _spread), curve)


def _spread(arm: Arm, predicted: Samples) -> Arm:
    error = spread_beside_clock(arm, arm.weight, arm.y - predicted, float(arm.y.size))
    return arm.weighted(arm.weight, max(error, _SHARPEST), arm.spikes)


Change = tuple[Break, ...]
"""A step, a change of slope, or both at one place."""


def _changes(data: Data) -> Iterator[Change]:
    """Changes that the data may have at one place more."""
    for path in PATHS:
        arm = getattr(data, path)
        x, told = arm.x, arm.x[arm.told]
        taken = [each.place for each in data.breaks if each.path == path]
        between = [(float(low), float(high)) for low, high in pairwise(x)]
        at = [(float(size), float(size)) for size in x]
        changes = [
            *([Break(path, "step", *ends)] for ends in between),
            *([Break(path, "slope", *ends)] for ends in at),
            *([Break(path, kind, *ends) for kind in KINDS] for ends in between),
        ]
        for change in changes:
            place = change[0].place
            low = max((end for end in taken if end < place), default=0.0)
            high = min((end for end in taken if end > place), default=np.inf)
            beside = ((told > low) & (told < place)).sum(), ((told < high) & (told > place)).sum()
            # the curve, whose exponent both paths share, is that of the sizes below a slope
            enough = min(beside) >= 1 + len(change) and (
                change[-1].kind == "step" or beside[0] >= _BELOW_SLOPE
            )
            if place not in taken and enough:
                yield tuple(change)


def _closer(now: _Fitted, changes: list[Change]) -> list[Change]:
    """Those that explain most of what is left, by the linear part of the curve."""
    gains = _gains(now.data, now.curve, changes)
    return [changes[place] for place in np.argsort(gains)[::-1][:_CLOSER]]


def _gains(data: Data, curve: Curve, changes: list[Change]) -> Samples:
    """For each change by how much it lessens the weighted sum of squares, about [1]."""
    host, other = data.host, data.accelerated
    root = np.concatenate([host.root, other.root])
    own, offloaded = predicted(data, curve, host.x, other.x)
    left = (np.concatenate([host.mean, other.mean]) - np.concatenate([own, offloaded])) * root
    rates = np.concatenate(slopes(curve, host.x, other.x), axis=1).T * root[:, None]
    explained = kept_apart(np.concatenate([breaks_of(data), rates], axis=1))

    def gain(change: Change) -> float:
        own = kept_apart(without_breaks(raised(data._replace(breaks=change)), explained))
        return float(((left @ own) ** 2).sum())

    return np.array([gain(change) for change in changes])


def _by_chance(without: _Fitted, within: _Fitted, family: Family) -> float:
    """Probability that chance alone makes the times of a path so much nearer with its last change.

    By the F test of the coordinates that it adds.
    """
    path = within.data.breaks[-1].path
    arm = getattr(within.data, path)
    if arm.clock is not None:  # errors of sizes are unlike: with others the curve is another
        alike = within.data._replace(breaks=without.data.breaks)
        without = _Fitted(alike, best(alike, family, [without.curve, within.curve]).curve)
    before, after = (
        getattr(around(each.data, each.curve, _squares), path).y for each in (without, within)
    )
    added = len(within.data.breaks) - len(without.data.breaks)
    own = sum(each.path == path for each in within.data.breaks)
    freedom = arm.x.size - family.size / 2 - own
    if freedom < 1:
        return 1.0
    gained = float(((before - after) * arm.root**2).sum()) / arm.x.size
    return float(scipy.special.fdtrc(added, freedom, max(gained, 0.0) * freedom / added))


def _squares(arm: Arm, predicted: Samples) -> Arm:
    return arm._replace(y=(arm.y - predicted) ** 2)
