"""Constant or linear latency: which form the timings speak for, by Akaike's criterion."""

from collections.abc import Mapping

import numpy as np

__all__ = ["aicc", "akaike_weights"]


def aicc(deviance: float, n: float, k: int) -> float:
    """Akaike's criterion, corrected for small samples (hurvich1989) [1].

    Examples
    --------
    >>> round(aicc(10.0, 20, 3), 2), aicc(10.0, 4, 3)
    (17.5, inf)
    """
    correction = 2 * k * (k + 1) / (n - k - 1) if n > k + 1 else np.inf
    return float(deviance + 2 * k + correction)


def akaike_weights(models: Mapping[str, float]) -> dict[str, float]:
    """Probability of each form to be the better one, from Akaike's criterion (burnham2002) [1].

    Examples
    --------
    >>> {name: round(weight, 2) for name, weight in akaike_weights({"a": 10, "b": 12}).items()}
    {'a': 0.73, 'b': 0.27}
    """
    least = min(models.values())
    likely = {
        name: float(np.exp((least - aicc) / 2)) if aicc > least else 1.0
        for name, aicc in models.items()
    }
    return {name: each / sum(likely.values()) for name, each in likely.items()}
