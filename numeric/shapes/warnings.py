"""Warnings of what timings of shapes cannot tell."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from logca.numeric.shapes.timings import ShapeTimings
from logca.numeric.timings.timings import Samples

__all__ = ["shape_text", "warnings_of"]

_FEWEST = 3  # shapes that can tell whether one amount is a power of another
_MOST_LISTED = 3


def warnings_of(
    timings: ShapeTimings,
    features: Mapping[str, Samples],
    signs: Sequence[int],
    contradicted: Sequence[int],
    outliers: Sequence[int],
) -> Iterator[str]:
    """Warnings of a fit, the most important first, by amounts, faster paths and places."""
    if contradicted:
        yield (
            f"at {_these(timings, contradicted)} the times contradict the model: there they "
            "decide; of many, the formulas may lack what a path's time depends on"
        )
    if outliers:
        yield f"times at {_these(timings, outliers)} are far from the model's: they count less"
    varied = [role for role, values in features.items() if np.ptp(values)]
    for role in features:
        if role not in varied:
            yield (
                f"{role} are the same at every shape measured, so that they cannot be told "
                "from what each call takes"
            )
    for one, other in combinations(varied, 2):
        if _tied(features[one], features[other]):
            yield (
                f"at the shapes measured {other} are a power of {one}: shapes with other "
                "proportions are extrapolated; measure some"
            )
    clear = {sign for sign in signs if sign}
    if len(clear) == 1:
        who = "accelerated path" if clear == {1} else "host"
        yield (
            f"the {who} is faster at every shape measured where that is clear: where the other "
            "one is, is extrapolated"
        )
    if timings.ratio:
        yield "only ratios of times are known: times of the parts are told in a unit of their own"


def _these(timings: ShapeTimings, places: Sequence[int]) -> str:
    """Some shapes in words."""
    if len(places) > _MOST_LISTED:
        return f"{len(places)} of {len(timings)} shapes"
    return " and ".join(shape_text(timings.shape(place)) for place in places)


def shape_text(shape: Mapping[str, float]) -> str:
    """A shape in words.

    Examples
    --------
    >>> shape_text({"m": 512.0, "n": 0.5})
    'm=512 n=0.5'
    """
    return " ".join(f"{name}={value:.10g}" for name, value in shape.items())


def _tied(one: Samples, other: Samples) -> bool:
    """True if one is a power of the other, but for a percent."""
    both = (one > 0) & (other > 0)
    x, y = np.log(one[both]), np.log(other[both])
    if x.size < _FEWEST or not np.ptp(x):
        return False
    slope, start = np.polyfit(x, y, 1)
    return bool(np.abs(y - start - slope * x).max() < 0.01)
