"""How well estimated times agree with measured ones: by error, and by order."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from logca.gpu.choice import rank_correlation

__all__ = ["Agreement", "agreement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Estimated against measured times.

    Parameters
    ----------
    rows : int
        How many were compared [1].
    mean_error : float
        Mean of the absolute errors, relative to the measured times; NaN without rows [1].
    rank_correlation : float
        Kendall's tau-b of the two orders; NaN for fewer than two rows [1].
    """

    rows: int
    mean_error: float
    rank_correlation: float


def agreement(estimated: Sequence[float], measured: Sequence[float]) -> Agreement:
    """Compare times of the same kernels; those without an estimate (NaN) are left out.

    Parameters
    ----------
    estimated, measured : sequence of float
        Times [s].

    Examples
    --------
    >>> found = agreement([1.1, 1.8, float("nan")], [1.0, 2.0, 3.0])
    >>> found.rows, round(found.mean_error, 3), round(found.rank_correlation, 3)
    (2, 0.1, 1.0)
    """
    pairs = [(one, other) for one, other in zip(estimated, measured, strict=True) if one == one]
    errors = [abs(one / other - 1) for one, other in pairs]
    return Agreement(
        rows=len(pairs),
        mean_error=sum(errors) / len(errors) if errors else nan,
        rank_correlation=rank_correlation([one for one, _ in pairs], [other for _, other in pairs]),
    )
