"""Which sizes to measure next: those that narrow the break-even most.

The variance of a quantity is that of its linear part at the best curve; more runs at a size add
their information to that of the timings (fedorov1972). The best size is chosen, then the next.
"""

import numpy as np

from logca.numeric.fit.break_evens import log_granularity
from logca.numeric.fit.constrained_curves import Curve
from logca.numeric.fit.data import Arm
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.likelihood import log_times, slopes
from logca.numeric.timings.timings import Samples

__all__ = ["next_sizes"]

_STEP = 1e-4
_BEYOND = 4.0
_APART = 0.5
_ROUNDING = 1e-12  # of the information of a size


def next_sizes(estimate: Estimate, count: int = 3, repeats: int = 5) -> tuple[float, ...]:
    """Sizes whose times would narrow g1 most, the best first; whole bytes [B].

    Where there is no break-even, those that would best tell the speedup at the largest size.
    """
    data, curve = estimate.data, estimate.best.curve
    x = np.union1d(data.host.x, data.accelerated.x)
    grid = np.exp(np.linspace(np.log(x[0] / _BEYOND), np.log(x[-1] * _BEYOND), 81))
    grid = np.unique(np.maximum(np.rint(grid * np.exp(data.log_size)), 1.0))
    grid /= np.exp(data.log_size)

    def squares(rows: Samples, weight: Samples) -> Samples:
        return np.asarray(np.einsum("pi,i,qi->pq", rows, weight, rows))

    host, other = slopes(curve, data.host.x, data.accelerated.x)
    known = squares(host, data.host.root**2) + squares(other, data.accelerated.root**2)
    known += 1e-9 * np.trace(known) * np.eye(len(known))
    own, offloaded = slopes(curve, grid, grid)
    gains = sum(
        np.einsum("pi,i,qi->ipq", rows, 1 / _variance(arm, logs + data.log_time, repeats), rows)
        for rows, arm, logs in zip(
            (own, offloaded), data[:2], log_times(curve, grid, grid), strict=True
        )
    )
    # a size that is exact beside all others would leave the rest to rounding
    gains += _ROUNDING * np.trace(gains, axis1=1, axis2=2)[:, None, None] * np.eye(len(known))
    aim = _aim(curve, float(x[-1]))
    chosen = []
    for _ in range(count):
        if not len(grid):  # all sizes of a narrow range are near one that is chosen
            break
        variance = [float(aim @ np.linalg.solve(known + gain, aim)) for gain in gains]
        place = int(np.argmin(variance))
        chosen.append(float(np.rint(grid[place] * np.exp(data.log_size))))
        known, apart = known + gains[place], np.abs(np.log(grid / grid[place])) > _APART
        grid, gains = grid[apart], gains[apart]
    return tuple(chosen)


def _variance(arm: Arm, logs: Samples, repeats: int) -> Samples:
    """Variance of the logarithm of a mean of runs, at sizes whose logarithms of time are given."""
    found = np.full(logs.size, arm.spread**2 / repeats + arm.apart**2)
    return found if arm.clock is None else found + arm.clock.of(np.exp(logs)) ** 2


def _aim(curve: Curve, largest: float) -> Samples:
    """Derivatives of what is to be known: log g1, or the log speedup at the largest size."""
    size = np.array([largest])

    def log_speedup(at: Curve) -> float:
        own, other = log_times(at, size, size)
        return float(own[0] - other[0])

    for value in (lambda at: log_granularity(at, "g1"), log_speedup):
        moved = [
            (Curve(*(curve + step)), Curve(*(curve - step))) for step in _STEP * np.eye(len(curve))
        ]
        found = np.array([(value(up) - value(down)) / (2 * _STEP) for up, down in moved])
        if np.isfinite(found).all():
            break
    return found
