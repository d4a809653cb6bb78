"""Values of a sweep's axes: spaced between two ends, or given, and checked."""

from typing import Any

import numpy as np

from logca.common.sizes import SizeError, parse_size
from logca.numeric.accelerator.parameter_ranges import RANGES, check
from logca.numeric.arrays.labels import has_labels
from logca.numeric.sweep.blocks import SweepError

__all__ = ["SPACINGS", "checked", "spaced"]

SPACINGS = ("log", "lin")
"""Equal factors, or equal steps, from one value to the next."""

_DIGITS = 12
_MOST_VALUES = 1_000_000


def _check_count(name: str, count: int) -> None:
    """Refuse an axis that is not written block by block: its values are kept in memory."""
    if count > _MOST_VALUES:
        raise SweepError(
            f"{name} has {count:,} values, and an axis has {_MOST_VALUES:,} at most: give fewer, or"
            " call the array functions of logca.numeric block by block"
        )


def spaced(first: float, last: float, count: int, spacing: str = "log") -> list[float]:
    """Values from first to last, both included [unit of first].

    What lies between is rounded to 12 digits: 8 is a label of an axis that can be asked for,
    7.999999999999999 is not.

    Examples
    --------
    >>> spaced(2, 16, 4), spaced(2, 16, 3, "lin")
    ([2.0, 4.0, 8.0, 16.0], [2.0, 9.0, 16.0])
    """
    if spacing not in SPACINGS:
        raise SweepError(f"there is no spacing {spacing!r}; write {' or '.join(SPACINGS)}")
    if count < 2:
        raise SweepError(f"{count} values from {first:g} to {last:g} are too few; write 2 or more")
    _check_count(f"{first:g} to {last:g}", count)
    if first == last:
        raise SweepError(f"from {first:g} to {last:g} there is one value; give it alone")
    if spacing == "log" and min(first, last) <= 0:
        raise SweepError(
            f"there are no equal factors from {first:g} to {last:g}; end the range in :lin for "
            "equal steps"
        )
    space = np.linspace if spacing == "lin" else np.geomspace
    inner = [float(f"{value:.{_DIGITS}g}") for value in space(first, last, count)[1:-1]]
    return [float(first), *inner, float(last)]


_SIZES = ("g", "g_low", "g_high", "N")
_LISTED = 3


def checked(name: str, given: Any, latency: str) -> float | tuple[float, ...]:
    """A number, or the values of an axis, inside the domain of the parameter."""
    if isinstance(given, np.ma.MaskedArray):
        if np.ma.getmaskarray(given).any():
            raise SweepError(f"{name} is masked in part: give the values that are to be computed")
    elif has_labels((given, *(given if isinstance(given, list | tuple) else ()))):
        raise SweepError(
            f"{name} is given as a {type(given).__name__}, whose labels and units an axis would "
            "lose: give its values, such as x.to_numpy(), in bytes or in the unit of the sweep"
        )
    try:
        array = np.asarray(_in_bytes(given) if name in _SIZES else given)
        if array.dtype.kind in "bmMc":  # numbers they would become, of another meaning
            raise TypeError
        array = array.astype(np.float64)
    except SizeError:
        raise
    except (TypeError, ValueError):
        raise SweepError(f"{name} is a number, or a sequence of numbers, not {given!r}") from None
    if array.ndim > 1:
        raise SweepError(f"{name} has {array.ndim} axes; an axis of the grid is one sequence")
    _check_count(name, array.size)
    if array.size == 0:
        raise SweepError(f"{name} has no values; an axis has at least one")
    # Domains are intervals, so the extremes stand for all; NaN is both of them.
    for extreme in {float(array.min()), float(array.max())}:
        _check(name, extreme, latency)
    if array.ndim == 0:
        return float(array)
    values, counts = np.unique(array, return_counts=True)
    if (counts > 1).any():
        twice = ", ".join(f"{value:g}" for value in values[counts > 1][:_LISTED])
        raise SweepError(f"{name} has the same value twice: {twice}; leave one of them out")
    return tuple(array.tolist())


def _in_bytes(given: Any) -> Any:
    """Sizes that are given as text, such as "4 KiB", in bytes."""
    if isinstance(given, str):
        return parse_size(given)
    if isinstance(given, list | tuple):
        return [parse_size(each) if isinstance(each, str) else each for each in given]
    return given


def _check(name: str, value: float, latency: str) -> None:
    """Raise DomainError if a parameter may not have the value; ends of a window are sizes too."""
    check(name if name in RANGES else "g", value, latency)
