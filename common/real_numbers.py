"""Numbers that say how much of something there is."""

from numbers import Real
from typing import Any

__all__ = ["is_real"]


def is_real(value: Any) -> bool:
    """True if it is a real number, and neither a truth value nor a span of time.

    NumPy calls its spans of time whole numbers, and makes numbers of those without a unit.

    Examples
    --------
    >>> is_real(0.5), is_real(True), is_real("1")
    (True, False, False)
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    return getattr(getattr(value, "dtype", None), "kind", "") != "m"
