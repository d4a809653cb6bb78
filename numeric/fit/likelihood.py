"""Likelihood of timings: log-normal noise, and now and then an outlier.

The logarithm of a time is the curve's plus an error that is normal with a spread of its own for
host and accelerator, or, with a small probability, an outlier of any size (an exponential law on
either side, an e-fold wide). Each sample's probability of being no outlier is its weight
(expectation and maximisation, dempster1977). With the weights held, only weighted means of each
size matter.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.evaluation.by_name import form_of
from logca.numeric.fit.breaks import PATHS, columns, kept_apart
from logca.numeric.fit.constrained_curves import NEVER, Curve, Family, with_call
from logca.numeric.fit.data import Arm, Data
from logca.numeric.fit.modes import Mode, core
from logca.numeric.timings.timings import Samples

__all__ = [
    "Best",
    "HeldSpeedup",
    "around",
    "best",
    "breaks_of",
    "deviance",
    "heights",
    "improbability",
    "log_times",
    "predicted",
    "raised",
    "reweighed",
    "reweighted",
    "slopes",
    "spread_beside_clock",
    "without_breaks",
]

_T0, _T1 = form_of("T0", "linear"), form_of("T1", "linear")
_SHARES = tuple(form_of(f"share_{name}", "linear") for name in "oLC")
_HIDDEN = float(np.log(0.1))  # of the shortest time, for a call, where a search begins
_STEPS = 60  # of a search, which another start may beat
_FEW = 12  # times
_NOTHING = 1e-300  # beside a density
_RAREST = 1e-3  # share of a second mode
_NORMAL = np.linspace(-8.0, 8.0, 321)  # errors, in spreads
_ALMOST_NONE = 1e-9  # information
_STEP = 1e-7  # of a coordinate, for the derivatives of a family: about the root of rounding


class Best(NamedTuple):
    """The best curve of a family."""

    curve: Curve  # the curve
    deviance: float  # sum of squares of its weighted residuals [1]


class HeldSpeedup(NamedTuple):
    """A speedup, with breaks, that is held: it leaves their heights one dimension less."""

    others: Samples  # orthonormal columns of residuals that heights make which do not change it [1]
    along: Samples  # residuals of the least heights that multiply it by one e-fold [1]
    missing: Callable[[Curve], float]  # what a curve alone lacks, in its logarithm [1]
    rates: Callable[[Curve], Samples]  # derivatives of that by each number of the curve [1]


def log_times(curve: Curve, host: Samples, accelerated: Samples) -> tuple[Samples, Samples]:
    """Logarithms of the times of a curve, with what a call costs."""
    numbers = curve.numbers
    # a time that is too large or too small for a double is infinite, or none, as its logarithm is
    with np.errstate(over="ignore", divide="ignore"):
        own = np.log(_T0(np, g=host, C=numbers["C"], beta=curve.beta))
        other = np.log(_T1(np, g=accelerated, **numbers))
    return np.logaddexp(own, curve.h), np.logaddexp(other, curve.h)


def best(
    data: Data,
    family: Family,
    starts: Sequence[Curve],
    enough: float = 0.0,
    held: HeldSpeedup | None = None,
) -> Best:
    """The curve of a family that fits best, from the best of several starts.

    If the host's times show what a call costs, or may hide it, that is free as well. Breaks have
    any heights, or those with which a speedup is as it is held.
    """
    if data.call_is_free:
        shortest = float(data.host.mean.min()) + _HIDDEN
        family = with_call(family, shortest if data.hidden_call else NEVER)

    last: dict[bytes, tuple[Curve, tuple[Samples, Samples]]] = {}

    def times(at: Samples) -> tuple[Curve, tuple[Samples, Samples]]:
        """Where the residuals were asked for, the optimiser asks for their slopes next."""
        key = at.tobytes()
        if key not in last:
            last.clear()
            curve = family.curve(at)
            last[key] = curve, log_times(curve, data.host.x, data.accelerated.x)
        return last[key]

    free_of = breaks_of(data) if held is None else held.others
    along = np.zeros(0) if held is None else without_breaks(held.along, free_of)

    def residuals(at: Samples) -> Samples:
        curve, logs = times(at)
        found = _residuals(data, logs, free_of)
        return found if held is None else found + along * held.missing(curve)

    roots = np.concatenate([data.host.root, data.accelerated.root])

    def rates(at: Samples) -> Samples:
        curve, logs = times(at)
        moved = [family.curve(at + _STEP * each) for each in np.eye(at.size)]
        slope = np.concatenate(_slopes(curve, logs, data.host.x, data.accelerated.x), axis=1)
        by_number = ((np.array(moved) - curve) / _STEP).T
        found = without_breaks(np.asarray((slope * roots).T @ by_number), free_of)
        return found if held is None else found + np.outer(along, held.rates(curve) @ by_number)

    found: Best | None = None
    # far from all times, where a search may look, a curve overflows
    with np.errstate(all="ignore"):
        for start in (start for near in starts for start in family.starts(near)):
            at, _, result, *_ = scipy.optimize.leastsq(
                residuals, start, (), rates, True, maxfev=_STEPS, ftol=1e-6, xtol=1e-6
            )
            squares = float((result["fvec"] ** 2).sum())
            if found is None or squares < found.deviance:
                found = Best(family.curve(at), squares)
            if found.deviance <= enough:
                break
    if found is None:
        raise ValueError("a fit needs at least one start")
    return found


def deviance(data: Data, curve: Curve) -> float:
    """Sum of squares of the weighted residuals of a curve [1]."""
    times = log_times(curve, data.host.x, data.accelerated.x)
    return float((_residuals(data, times, breaks_of(data)) ** 2).sum())


def _residuals(data: Data, times: tuple[Samples, Samples], breaks: Samples) -> Samples:
    host, other, (own, offloaded) = data.host, data.accelerated, times
    found = np.concatenate([(own - host.mean) * host.root, (offloaded - other.mean) * other.root])
    if not np.isfinite(found).all():
        found = np.nan_to_num(found, nan=1e6, posinf=1e6, neginf=-1e6)
    return without_breaks(found, breaks)


def breaks_of(data: Data) -> Samples:
    """Orthonormal columns of residuals that breaks of any height make [1]."""
    if not data.breaks:
        return np.zeros((data.host.x.size + data.accelerated.x.size, 0))
    return kept_apart(raised(data))


def without_breaks(residuals: Samples, breaks: Samples) -> Samples:
    """Residuals, or columns of their derivatives, less what breaks explain.

    The heights of breaks are linear in residuals: those that fit best need no search (golub1973).
    """
    return residuals - breaks @ (breaks.T @ residuals) if breaks.size else residuals


def raised(data: Data) -> Samples:
    """Weighted residuals of breaks of height one, a column for each."""
    arms = (data.host, data.accelerated)
    rows = [
        columns(data.breaks, path, arm.x) * arm.root[:, None]
        for path, arm in zip(PATHS, arms, strict=True)
    ]
    return np.concatenate(rows)


def heights(data: Data, curve: Curve) -> Samples:
    """Height of each break: logarithm of its factor, or its change of slope [1]."""
    if not data.breaks:
        return np.zeros(0)
    own, offloaded = log_times(curve, data.host.x, data.accelerated.x)
    host, other = data.host, data.accelerated
    missed = np.concatenate([(host.mean - own) * host.root, (other.mean - offloaded) * other.root])
    return np.asarray(np.linalg.lstsq(raised(data), missed, rcond=None)[0])


def predicted(
    data: Data, curve: Curve, host: Samples, accelerated: Samples
) -> tuple[Samples, Samples]:
    """Logarithms of the times of a curve with the breaks that fit best [1]."""
    own, offloaded = log_times(curve, host, accelerated)
    if not data.breaks:
        return own, offloaded
    height = heights(data, curve)
    return (
        own + columns(data.breaks, "host", host) @ height,
        offloaded + columns(data.breaks, "accelerated", accelerated) @ height,
    )


def slopes(curve: Curve, host: Samples, accelerated: Samples) -> tuple[Samples, Samples]:
    """Derivatives of the logarithms of both times, a row for each number of the curve.

    A part's share in a time is the elasticity of the time in that part.
    """
    return _slopes(curve, log_times(curve, host, accelerated), host, accelerated)


def _slopes(
    curve: Curve, times: tuple[Samples, Samples], host: Samples, accelerated: Samples
) -> tuple[Samples, Samples]:
    numbers = curve.numbers
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        o, L, D = (share(np, g=accelerated, **numbers) for share in _SHARES)
    own, other = (np.zeros((len(curve), each.size)) for each in times)
    own[0], other[4] = 1.0, D
    own[1], other[1] = np.log(host), D * np.log(accelerated)
    other[2], other[3] = o, L
    for rows, time in zip((own, other), times, strict=True):
        call = np.exp(curve.h - time)
        rows *= 1 - call
        rows[5] = call
    return own, other if np.isfinite(other).all() else np.nan_to_num(other)


def around(data: Data, curve: Curve, changed: Callable[[Arm, Samples], Arm]) -> Data:
    """The data with each path changed by the logarithms of the times that a curve says it takes."""
    own, offloaded = predicted(data, curve, data.host.x, data.accelerated.x)
    return data._replace(
        host=changed(data.host, own), accelerated=changed(data.accelerated, offloaded)
    )


def reweighted(data: Data, curve: Curve, parameters: float) -> Data:
    """New weights and spreads from the residuals of a curve: one step of the EM algorithm."""
    return around(data, curve, partial(reweighed, parameters=parameters / 2))


def reweighed(arm: Arm, predicted: Samples, parameters: float) -> Arm:
    """New weights, spread and share of outliers from the residuals of one path; not of means.

    None of few times is an outlier: with the rest the curve would come as near as it likes. Nor is
    any where most would be: no curve of the family follows those times.
    """
    if arm.noise is not None:
        return arm
    errors = arm.y - predicted[arm.place]
    usual, other, wild = _densities(errors, arm.error, arm.spikes, arm.mode)
    total = usual + other + wild
    weight, second = usual / total, other / total
    if arm.y.size < _FEW or (weight + second).sum() < arm.y.size / 2:
        left = max(arm.y.size - parameters, 1.0)
        spread = spread_beside_clock(arm, np.ones_like(errors), errors, left)
        even = arm.weighted(np.ones_like(errors), max(spread, 1e-9), arm.spikes)
        return even._replace(mode=None)
    kept, precision = _lost(arm.spread, arm.spikes, arm.mode)
    left = max(weight.sum() - parameters, 1.0) * kept
    spread = spread_beside_clock(arm, weight, errors, left)
    spikes = float(np.clip((wild / total).mean(), 0.5 / arm.y.size, 0.4))
    again = arm.weighted(weight, max(spread, 1e-9), spikes)
    if arm.mode is not None:
        share = float(np.clip(second.sum() / (weight + second).sum(), _RAREST, 1 - _RAREST))
        offset = float(second @ errors / max(second.sum(), 1e-9))
        again = again._replace(mode=Mode(share, offset, second))
    total_weight = np.bincount(arm.place, weight, minlength=arm.x.size)
    return again._replace(root=again.precision(precision * total_weight, again.spread))


def spread_beside_clock(arm: Arm, weight: Samples, errors: Samples, left: float) -> float:
    """Standard deviation of a run, of weighted errors and what of the weights is left [1].

    With a coarse clock that which, beside the error by its steps, makes errors as large as they
    are, by sizes that tell it.
    """
    if arm.clock is None:
        return float(np.sqrt((weight * errors**2).sum() / left))
    told = arm.told[arm.place]
    squares, clock = (weight * errors**2)[told], arm.clock.log[arm.place][told] ** 2
    expected = max(left - float(weight[~told].sum()), 1.0)

    def beyond(variance: float) -> float:
        return float((squares / (clock + variance)).sum()) - expected

    if not squares.size or beyond(0.0) <= 0:
        return 0.0
    most = 2 * squares.sum() / expected
    return float(np.sqrt(scipy.optimize.brentq(beyond, 0.0, most, rtol=1e-6)))


def improbability(arm: Arm, predicted: Samples) -> float:
    """Twice the negative logarithm of the likelihood of one path's times, outliers included [1]."""
    densities = _densities(arm.y - predicted[arm.place], arm.error, arm.spikes, arm.mode)
    return float(-2 * np.log(sum(densities)).sum())


def _densities(
    errors: Samples, spread: float | Samples, spikes: float, mode: Mode | None
) -> tuple[Samples, Samples, Samples]:
    """Densities of errors of runs of the curve, of a second mode, and of outliers, times shares."""
    usual, other = core(errors, spread, mode)
    wild = spikes * 0.5 * np.exp(-np.abs(errors)) + _NOTHING
    return (1 - spikes) * usual, (1 - spikes) * other, np.asarray(wild)


def _lost(spread: float, spikes: float, mode: Mode | None) -> tuple[float, float]:
    """Effect of weights below one on the variance of normal errors, and on the precision of means.

    The variance is consistent when divided by the first; the second is the efficiency of a mean
    with such weights (huber1981, the ratio of E[psi']**2 to E[psi**2]), or, if there is a second
    mode, Fisher's information on a mean whose mode has to be told from the other.
    """
    if mode is not None:
        return 1.0, _information(spread, spikes, mode)
    z = _NORMAL
    density = np.exp(-0.5 * z**2) / np.exp(-0.5 * z**2).sum()
    usual, _, wild = _densities(spread * z, spread, spikes, None)
    weight = usual / (usual + wild)
    mass, square = float(weight @ density), float((weight * z**2) @ density)
    return square / mass, square**2 / (float((weight**2 * z**2) @ density) * mass)


def _information(spread: float, spikes: float, mode: Mode) -> float:
    """Information on the mean of a mode, of that which there were if runs told their mode [1].

    What the mean of the other mode, its share and the spread have in common with it is lost.
    """
    away, share = mode.offset / spread, mode.share
    z = np.unique(np.concatenate([_NORMAL, _NORMAL + away]))
    usual, other, wild = _densities(spread * z, spread, spikes, mode)
    total = usual + other + wild
    main, second = usual / total, other / total
    scores = np.stack(
        [
            main * z,
            second * (z - away),
            second / share - main / (1 - share),
            main * (z**2 - 1) + second * ((z - away) ** 2 - 1),
        ]
    )
    density = total * np.gradient(z)
    inverse = np.linalg.inv((scores * density) @ scores.T + _ALMOST_NONE * np.eye(len(scores)))
    return float(1 / (inverse[0, 0] * (main @ density)))
