"""Generated functions on whole numbers, exactly: sums, products and extrema of 64-bit integers.

Where intermediate results might not fit 64 bits, which a bound from the greatest arguments tells,
Python's own integers take their place. Other arguments than whole numbers go to
`logca.numeric.arrays.arrays`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError
from logca.numeric.arrays.arrays import Array, aligned, apply, is_foreign, refuse_octets, total

__all__ = ["TooLargeError", "apply_whole", "total_whole"]

_LIMIT = 1 << 63


class TooLargeError(LogcaError, ValueError):
    """A result does not fit 64 bits; the message says how large it is."""


def apply_whole(function: Callable[..., Array], *arguments: Array) -> Array:
    """Like `apply`, but whole numbers in NumPy arrays or alone stay whole [unit of the function].

    Examples
    --------
    >>> apply_whole(lambda xp, count, each: xp.minimum(count * each, 7), [2, 5], 3)
    array([6, 7])
    """
    whole = _integers(arguments)
    if whole is None:
        return apply(function, *arguments)
    return _as_int64(_exactly(function, whole, terms=1))


def total_whole(function: Callable[..., Array], *arguments: Array, sequences: int = 1) -> Array:
    """Like `total`, but whole numbers in NumPy arrays or alone stay whole [unit of the function].

    Examples
    --------
    >>> int(total_whole(lambda xp, place, left, right: left * right, [1, 2], [3, 4], sequences=2))
    11
    """
    if _integers(arguments) is None:
        return total(function, *arguments, sequences=sequences)
    length, given = aligned(arguments, sequences)
    terms = _exactly(function, [np.arange(1, length + 1), *given], terms=length)
    return _as_int64(np.asarray(np.sum(terms, axis=-1), dtype=terms.dtype))


def _integers(arguments: Sequence[Array]) -> list[NDArray[Any]] | None:
    """The arguments as arrays of integers; None if one is anything else."""
    if any(is_foreign(each) for each in arguments):
        return None
    try:
        arrays = [np.asarray(each) for each in arguments]
    except ValueError:  # a ragged list
        return None
    for each, array in zip(arguments, arrays, strict=True):
        refuse_octets(each, array)
    return arrays if all(map(_is_whole, arrays)) else None


def _is_whole(array: NDArray[Any]) -> bool:
    if array.dtype == np.object_:
        return all(isinstance(each, int) for each in array.flat)
    return array.dtype.kind in "iub"


def _exactly(
    function: Callable[..., Array], arrays: Sequence[NDArray[Any]], *, terms: int
) -> NDArray[Any]:
    """The function's values; as Python's integers if any, or a sum of the terms, may be too large.

    A result that is one of the arguments is copied.
    """
    magnitudes = [_Magnitude.of(array) for array in arrays]
    bound: _Magnitude = function(_Bounds, *magnitudes)
    fits = max(bound.largest * terms, *(each.value for each in magnitudes)) < _LIMIT
    kind = np.int64 if fits else np.object_
    given = [np.atleast_1d(array).astype(kind) for array in arrays]  # 0-d objects leave NumPy
    values = function(np, *given)
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    return np.array(np.broadcast_to(values, shape or (1,))).reshape(shape)


def _as_int64(values: NDArray[Any]) -> Array:
    if values.dtype == np.object_:
        largest = max((abs(int(each)) for each in values.flat), default=0)
        if largest >= _LIMIT:
            raise TooLargeError(
                f"a result of magnitude {largest} does not fit 64 bits; make the numbers smaller, "
                "or pass them as floating-point numbers"
            )
        values = values.astype(np.int64)
    return values[()]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Magnitude:
    """Bound on the absolute value of a result, and on those of all values it is made of."""

    value: int
    largest: int

    @staticmethod
    def of(number: "NDArray[Any] | _Magnitude | int") -> "_Magnitude":
        if isinstance(number, _Magnitude):
            return number
        array = np.asarray(number)
        value = max(abs(int(array.max())), abs(int(array.min()))) if array.size else 0
        return _Magnitude(value=value, largest=value)

    def _with(self, other: "_Magnitude | int", joined: Callable[[int, int], int]) -> "_Magnitude":
        right = _Magnitude.of(other)
        value = joined(self.value, right.value)
        return _Magnitude(value=value, largest=max(value, self.largest, right.largest))

    def __add__(self, other: "_Magnitude | int") -> "_Magnitude":
        return self._with(other, lambda a, b: a + b)

    def __mul__(self, other: "_Magnitude | int") -> "_Magnitude":
        return self._with(other, lambda a, b: a * b)

    __radd__ = __sub__ = __rsub__ = __add__
    __rmul__ = __mul__


class _Bounds:
    """The namespace in which a function computes a bound of its results."""

    @staticmethod
    def maximum(left: "_Magnitude | int", right: "_Magnitude | int") -> _Magnitude:
        return _Magnitude.of(left)._with(right, max)

    minimum = maximum
