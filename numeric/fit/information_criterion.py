"""Constant or linear latency: which form the timings speak for, by Akaike's criterion."""

from collections.abc import Mapping

import numpy as np
import scipy  # whose parts load when they are first used: half a second

__all__ = ["akaike_criteria", "akaike_weights"]

_RAREST = 1e-300
"""Least probability that is told from zero [1]."""


def akaike_criteria(deviances: Mapping[str, float], k: int, freedom: float) -> dict[str, float]:
    """Akaike's criterion of the general form, "linear", and of "constant", a parameter less [1].

    Of nested forms that differ by one parameter, the criterion (akaike1974) chooses the general one
    if its deviance is less by more than two: it tests at 15.7 % whether the parameter is needed.
    That holds where the variance is known. Here it is estimated, from few sizes perhaps: the excess
    is one of the F distribution, and counts as the excess of the chi-squared distribution that is
    as improbable. With many times both are the same; at few sizes the usual correction
    (hurvich1989) is infinite, and would choose the simpler form whatever was measured.

    Examples
    --------
    >>> many = akaike_criteria({"linear": 40.0, "constant": 43.0}, 5, 1000)
    >>> few = akaike_criteria({"linear": 4.0, "constant": 7.0}, 5, 1.5)
    >>> round(many["constant"] - many["linear"], 2), round(few["constant"] - few["linear"], 2)
    (0.99, -0.76)
    """
    if len(deviances) == 1:
        return {form: deviance + 2 * k for form, deviance in deviances.items()}
    excess = max(deviances["constant"] - deviances["linear"], 0.0)
    probability = max(float(scipy.special.fdtrc(1, freedom, excess)), _RAREST)
    general = deviances["linear"] + 2 * k
    as_known = float(scipy.special.ndtri(probability / 2)) ** 2
    return {"linear": general, "constant": general + as_known - 2}


def akaike_weights(models: Mapping[str, float]) -> dict[str, float]:
    """Probability of each form to be the better one, from Akaike's criterion (burnham2002) [1].

    Examples
    --------
    >>> {name: round(weight, 2) for name, weight in akaike_weights({"a": 10, "b": 12}).items()}
    {'a': 0.73, 'b': 0.27}
    """
    least = min(models.values())
    likely = {name: float(np.exp((least - each) / 2)) for name, each in models.items()}
    return {name: each / sum(likely.values()) for name, each in likely.items()}
