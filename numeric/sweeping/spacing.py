"""Values of an axis between two ends."""

import numpy as np

from logca.numeric.sweeping.errors import SweepError

__all__ = ["SPACINGS", "spaced"]

SPACINGS = ("log", "lin")
"""Equal factors, or equal steps, from one value to the next [text]."""

_DIGITS = 12


def spaced(first: float, last: float, count: int, spacing: str = "log") -> list[float]:
    """Values from first to last, both included [unit of first].

    What lies between is rounded to 12 digits: 8 is a label of an axis that can be asked for,
    7.999999999999999 is not.

    Parameters
    ----------
    first, last : float
        The ends [any].
    count : int
        How many values, at least 2 [1].
    spacing : str
        "log" for equal factors, "lin" for equal steps [text].

    Raises
    ------
    SweepError
        If the ends are not different, or not positive where factors are to be equal.

    Examples
    --------
    >>> spaced(2, 16, 4), spaced(2, 16, 3, "lin")
    ([2.0, 4.0, 8.0, 16.0], [2.0, 9.0, 16.0])
    """
    if spacing not in SPACINGS:
        raise SweepError(f"unknown spacing {spacing!r}; choose one of {', '.join(SPACINGS)}")
    if count < 2:
        raise SweepError(f"{count} values from {first:g} to {last:g}; there are at least 2")
    if first == last:
        raise SweepError(f"from {first:g} to {last:g} there is one value; give it alone")
    if spacing == "log" and min(first, last) <= 0:
        raise SweepError(f"there are no equal factors from {first:g} to {last:g}; use lin")
    space = np.linspace if spacing == "lin" else np.geomspace
    inner = [float(f"{value:.{_DIGITS}g}") for value in space(first, last, count)[1:-1]]
    return [float(first), *inner, float(last)]
