"""The cheapest way to shrink some positive terms until their sum is small enough."""

from collections.abc import Mapping
from math import log

__all__ = ["cost_of", "shrunk"]


def shrunk(
    terms: Mapping[str, float], weights: Mapping[str, float], total: float
) -> dict[str, float]:
    """Terms with the given sum for which `cost_of` is least [unit of the terms].

    In the logarithms of the terms the cost is linear and the sum convex, so where the least cost is
    reached, every term that shrinks is its weight times one level, and terms that are smaller than
    that stay. Seen from the terms, the level falls like water in connected vessels.

    Parameters
    ----------
    terms : mapping of str to float
        The terms, none negative [any].
    weights : mapping of str to float
        For each term what it costs to shrink it e-fold, positive [1].
    total : float
        Positive, and less than the sum of the terms [unit of the terms].

    Examples
    --------
    >>> shrunk({"o": 8.0, "L": 3.0, "A": 1.0}, {"o": 1.0, "L": 1.0, "A": 1.0}, 5.0)
    {'o': 2.0, 'L': 2.0, 'A': 1.0}
    """
    low = sorted(terms, key=lambda name: terms[name] / weights[name])
    left, weight = total, sum(weights[name] for name in terms)
    level = left / weight
    for name in low:
        level = left / weight
        if terms[name] >= weights[name] * level:
            break
        left -= terms[name]
        weight -= weights[name]
    return {name: min(term, weights[name] * level) for name, term in terms.items()}


def cost_of(factors: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """What it costs to multiply things by factors: weight times |ln(factor)|, added up [1].

    Parameters
    ----------
    factors : mapping of str to float
        Positive [1].
    weights : mapping of str to float
        One for each factor [1].
    """
    return sum(weights[name] * abs(log(factor)) for name, factor in factors.items())
