"""Two modes of the runs of a path, such as two clock rates: a mixture of normal errors.

The other mode takes a factor times as long as the more frequent one, at all sizes the same. Its
runs weigh nothing, as outliers: the times of a path are those of the more frequent mode.
"""

from typing import NamedTuple

import numpy as np

from logca.numeric.timings.timings import Samples

__all__ = ["Mode", "core", "likely_modes", "swapped"]

_ROUNDS = 60
_MOST = 20_000  # errors among which the modes are sought
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)  # of errors, of which the modes begin at any two
_WILD = 0.02  # share of outliers to begin with
_LEAST = 1e-9  # spread
_OPEN = 0.1  # probability of a mode, from which on a run may be of it
_CLOSEST = 0.02  # of the logarithms of the times of two modes


class Mode(NamedTuple):
    """The less frequent mode."""

    share: float  # of the runs that are no outliers [1]
    offset: float  # of the logarithm of its times from that of the more frequent mode [1]
    weight: Samples  # for each run the probability that it is of this mode [1]

    def apart(self, spread: float) -> float:
        """Distance of the modes, in spreads of a run; nothing where they are hardly apart [1]."""
        return abs(self.offset) / spread if abs(self.offset) > _CLOSEST else 0.0

    def valley(self, main: Samples, spread: float) -> float:
        """Density of runs that may be of either mode, over that amid this mode [1].

        Errors of one mode that are skewed have no valley. Odds change e-fold in each spread over
        the distance of the modes.
        """
        either = int(((main > _OPEN) & (self.weight > _OPEN)).sum())
        width = 2 * float(np.log(1 / _OPEN - 1)) * spread / abs(self.offset)
        return either / width / (float(self.weight.sum()) / float(np.sqrt(2 * np.pi)))

    def expected(self, runs: Samples) -> float:
        """Sizes with runs of both modes, if chance alone chooses the mode of a run [1]."""
        return float((1 - self.share**runs - (1 - self.share) ** runs).sum())


def core(errors: Samples, spread: float | Samples, mode: Mode | None) -> tuple[Samples, Samples]:
    """Densities of errors of runs of the more frequent mode, and of the other, times shares."""

    def normal(z: Samples) -> Samples:
        return np.asarray(np.exp(-0.5 * z**2) / (np.sqrt(2 * np.pi) * spread))

    if mode is None:
        return normal(errors / spread), np.zeros_like(errors)
    return (
        (1 - mode.share) * normal(errors / spread),
        mode.share * normal((errors - mode.offset) / spread),
    )


def likely_modes(errors: Samples) -> tuple[Mode, Samples, float]:
    """The less frequent of the two likeliest modes of errors, weights of the other, their spread.

    Normal errors of one spread and outliers around, from several starts at once (EM). Of many
    errors quantiles stand for all.
    """
    every, errors = errors, _quantiles(errors)
    starts = np.quantile(errors, _QUANTILES)
    first, second = np.triu_indices(starts.size, 1)
    means = np.stack([starts[first], starts[second]], axis=1)
    spread = np.full((len(means), 1), max(float(np.std(errors)) / 4, _LEAST))
    share = np.tile([(1 - _WILD) / 2, (1 - _WILD) / 2, _WILD], (len(means), 1))
    middle = float(np.median(errors))
    for _ in range(_ROUNDS):
        begun = means, spread, share
        weight, total = _weights(errors, middle, *begun)
        kept = weight[:, :2].sum(axis=2) + 1e-300
        means = weight[:, :2] @ errors / kept
        squares = (weight[:, :2] * (errors - means[:, :, None]) ** 2).sum(axis=(1, 2))
        spread = np.maximum(np.sqrt(squares / kept.sum(axis=1)), _LEAST)[:, None]
        share = weight.mean(axis=2)
    found = int(np.argmax(np.log(total).sum(axis=(1, 2))))
    main = int(np.argmax(kept[found]))
    other = 1 - main
    (weights,), _ = _weights(every, middle, *(each[found : found + 1] for each in begun))
    mode = Mode(
        share=float(kept[found, other] / kept[found].sum()),
        offset=float(means[found, other] - means[found, main]),
        weight=weights[other],
    )
    return mode, weights[main], float(spread[found, 0])


def _quantiles(errors: Samples) -> Samples:
    if errors.size <= _MOST:
        return errors
    places = ((np.arange(_MOST) + 0.5) * errors.size / _MOST).astype(np.int64)
    return np.asarray(np.sort(errors)[places])


def _weights(
    errors: Samples, middle: float, means: Samples, spread: Samples, share: Samples
) -> tuple[Samples, Samples]:
    """Probabilities of each error to be of either mode or an outlier, and what they sum to."""
    z = (errors - means[:, :, None]) / spread[:, :, None]
    density = np.exp(-0.5 * z**2) / (np.sqrt(2 * np.pi) * spread[:, :, None])
    outlier = np.broadcast_to(0.5 * np.exp(-np.abs(errors - middle)), (len(means), 1, errors.size))
    parts = share[:, :, None] * np.concatenate([density, outlier], axis=1)
    total = parts.sum(axis=1, keepdims=True) + 1e-300
    return parts / total, total


def swapped(mode: Mode, weight: Samples) -> tuple[Mode, Samples]:
    """The mode that was the more frequent one, and the weights of that which is it now."""
    return Mode(1 - mode.share, -mode.offset, weight), mode.weight
