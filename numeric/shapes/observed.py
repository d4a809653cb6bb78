"""Shapes and times as they are fitted: amounts in units of their own, and logarithms."""

from typing import Any, NamedTuple

import numpy as np

from logca.numeric.timings.timings import Samples

__all__ = ["PARTS", "ObservedShapes", "Units", "shapes_in", "units_of", "with_times"]

PARTS = ("call", "item", "byte", "work")
"""Parts of a time, each with a time of its own on either path."""


class Units(NamedTuple):
    """Units that make what was measured about one."""

    items: float  # [1]
    bytes: float  # [B]
    work: float  # [1]
    log_time: float  # logarithm of the unit of time, zero of ratios [1]


class ObservedShapes(NamedTuple):
    """Shapes and logarithms of times, in such units."""

    items: Samples  # 0 if no formula tells them [1]
    bytes: Samples
    work: Samples
    y: Samples  # logarithms of times, first of the host, or of ratios [1]
    place: np.ndarray[Any, np.dtype[np.intp]]  # of the shape of each [1]
    sides: Samples  # for each the signs of the host's and the accelerated logarithm [1]

    @property
    def ratios(self) -> bool:
        """True if only ratios are known."""
        return self.y.size == self.items.size

    def parts(self, beta: float) -> Samples:
        """A row for each shape, a column for each part."""
        return np.stack([np.ones_like(self.items), self.items, self.bytes, self.work**beta], axis=1)


def units_of(items: Samples, data: Samples, work: Samples, host: Samples) -> Units:
    """Geometric means of what is not zero, and of the host's times if there are any."""

    def mean(values: Samples) -> float:
        some = np.log(values[values > 0])
        return float(np.exp(some.mean())) if some.size else 1.0

    log_time = float(np.log(host).mean()) if host.size else 0.0
    return Units(mean(items), mean(data), mean(work), log_time)


def shapes_in(units: Units, items: Samples, data: Samples, work: Samples) -> ObservedShapes:
    """Shapes in such units, of which nothing was measured."""
    return ObservedShapes(
        np.atleast_1d(items / units.items),
        np.atleast_1d(data / units.bytes),
        np.atleast_1d(work / units.work),
        y=np.empty(0),
        place=np.empty(0, dtype=np.intp),
        sides=np.empty((0, 2)),
    )


def with_times(shapes: ObservedShapes, *logs: Samples) -> ObservedShapes:
    """Shapes with logarithms of the times of both paths, or of their ratios alone."""
    count = shapes.items.size
    sides = [[1.0, -1.0]] if len(logs) == 1 else [[1.0, 0.0], [0.0, 1.0]]
    return shapes._replace(
        y=np.concatenate(logs),
        place=np.tile(np.arange(count), len(logs)),
        sides=np.repeat(np.array(sides), count, axis=0),
    )
