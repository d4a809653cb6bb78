"""What the timings cannot tell, in words."""

from collections.abc import Mapping
from math import isfinite

from logca.numeric.fitting.derived import parameters
from logca.numeric.fitting.estimate import Estimate
from logca.numeric.fitting.intervals import Interval
from logca.numeric.sizes import format_size

__all__ = ["warnings_of"]

_ALIKE = 2.0
_WIDE = 3.0
_BETA_WIDE = 0.2


def warnings_of(
    chosen: Estimate,
    models: Mapping[str, float],
    intervals: Mapping[str, Interval],
    sizes: tuple[float, float],
    level: float,
) -> tuple[str, ...]:
    """Sentences about what is not known, the most important first [text].

    Parameters
    ----------
    chosen : Estimate
        The fit.
    models : mapping of str to float
        AICc of each form of latency [1].
    intervals : mapping of str to Interval
        Interval of each quantity.
    sizes : tuple of float
        Smallest and largest size that was measured [B].
    level : float
        Confidence of the intervals [1].
    """
    found = []
    low, high = map(format_size, sizes)
    g1, A, beta = intervals["g1"], intervals["A"], intervals["beta"]
    doubt = (1 - level) / 2
    if parameters(chosen)["A"] <= 1:
        found.append("A <= 1: the accelerated path does not compute faster than the host")
    if doubt < g1.none < 1 - doubt:
        found.append(f"whether there is a break-even cannot be told: none with {g1.none:.1%}")
    elif g1.none <= doubt and g1.lower > sizes[1]:
        found.append(f"the break-even is extrapolated: it is beyond {high}, the largest size")
    elif g1.none <= doubt and g1.upper < sizes[0]:
        found.append(f"the break-even is extrapolated: it is below {low}, the smallest size")
    if g1.none <= doubt and not isfinite(g1.upper):
        found.append("the break-even has no upper end: measure larger sizes")
    if chosen.misfit:
        found.append(
            "the curve misses some sizes by more than repeated runs scatter; intervals are widened "
            f"by {chosen.scale**0.5:.1f}, but no power law may be right over the whole range"
        )
    if len(models) > 1 and abs(models["constant"] - models["linear"]) < _ALIKE:
        found.append("constant and linear latency explain the times alike")
    if chosen.latency == "constant":
        found.append("o and L are not told apart under constant latency: o is their sum, L is 0")
    if not isfinite(A.upper) or A.upper > _WIDE * A.lower:
        found.append(
            f"A is not told: it may be from {A.lower:.3g} to {A.upper:.3g}; the largest "
            f"size, {high}, is far from saturation"
        )
    if beta.upper - beta.lower > _BETA_WIDE:
        found.append(f"beta is not told: the sizes from {low} to {high} are too narrow a range")
    for arm, name in zip(chosen.data[:2], ("host", "accelerated"), strict=True):
        spikes = int((arm.weight < 0.5).sum())
        if spikes:
            found.append(f"{spikes} of {arm.y.size} {name} times are spikes and do not count")
    return tuple(found)
