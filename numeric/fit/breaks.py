"""Steps and changes of slope in the times of a path, where caches, protocols or pages change.

Beside a break the times of a path are those of its curve times a factor: the same at all larger
sizes (a step), or a power of how much larger they are (a change of slope). How large a break is
follows from the times by linear least squares, once the curve and the places are given.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from logca.numeric.timings.timings import Samples

__all__ = ["KINDS", "PATHS", "Break", "columns", "kept_apart"]

PATHS = ("host", "accelerated")
"""Paths whose times may have a break."""

KINDS = ("step", "slope")
"""Kinds of breaks."""

_ALIKE = 1e-9  # singular values below it, relative to the largest, are zero


class Break(NamedTuple):
    """A place from which on the times of a path are others than those of its curve."""

    path: str  # of `PATHS`
    kind: str  # of `KINDS`
    # below, above: the sizes that a step lies between; both that at which the slope changes, over
    # the reference size [1]
    below: float
    above: float

    @property
    def place(self) -> float:
        """Where it most likely is, over the reference size [1]."""
        return float(np.sqrt(self.below * self.above))

    def column(self, x: Samples, place: float | None = None) -> Samples:
        """Logarithm of the factor at sizes, if the break is one e-fold, or one in the slope [1]."""
        beyond = np.log(x / (self.place if place is None else place))
        return np.where(beyond > 0, 1.0 if self.kind == "step" else beyond, 0.0)


def columns(breaks: Sequence[Break], path: str, x: Samples) -> Samples:
    """For each size a row of what the breaks add to the logarithm of a path's time [1]."""
    zero = np.zeros_like(x)
    found = [each.column(x) if each.path == path else zero for each in breaks]
    return np.stack(found, axis=-1) if found else np.zeros((*np.shape(x), 0))


def kept_apart(weighted: Samples) -> Samples:
    """Orthonormal columns that span those given, of which some may follow from others."""
    own, size, _ = np.linalg.svd(weighted, full_matrices=False)
    return np.asarray(own[:, size > _ALIKE * max(size.max(initial=0.0), _ALIKE)])
