"""Arrays of any library that follows the array API standard; NumPy unless told otherwise."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from reprlib import repr as short
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj

from logca.common.errors import ArgumentError, ArgumentTypeError
from logca.numeric.arrays.blocks import BLOCK, evaluate_in_blocks
from logca.numeric.arrays.labels import has_labels, refuse_labels, with_labels
from logca.numeric.arrays.tape import PLAIN, WHOLE, record, straight

__all__ = [
    "Array",
    "Formulas",
    "Namespace",
    "aligned",
    "apply",
    "call",
    "inside",
    "is_foreign",
    "is_octets",
    "known",
    "numbers",
    "real",
    "reals",
    "refuse_octets",
    "total",
]

Array = Any
"""An array of any library that follows the standard, or a number."""

Namespace = Any
"""The functions of an array library."""

Formulas = Mapping[str, Callable[..., Array]]
"""For each form of latency the function that computes a quantity."""

Reals = np.ndarray[Any, np.dtype[np.floating[Any]]]


def call(formulas: Formulas, latency: str, *arguments: Array) -> Array:
    """A quantity under a form of latency, at arguments that are broadcast together."""
    function = formulas.get(latency)
    if function is None:
        options = " or ".join(f"'{each}'" for each in formulas)
        raise ArgumentError(f"unknown latency {latency!r}; this quantity exists for {options}")
    return apply(function, *arguments)


def apply(function: Callable[..., Array], *arguments: Array) -> Array:
    """A generated function at arguments that are broadcast together [unit of the function]."""
    straight_on = _straight(function, *map(type, arguments))
    if straight_on is not None:
        try:
            found = straight_on(*arguments)
        except ZeroDivisionError:  # of two numbers: NumPy has an infinity, or none
            found = None
        if found is not None:
            return np.float64(found) if type(found) is float else found
    if has_labels(arguments):
        return with_labels(partial(apply, function), arguments)
    foreign = [each for each in arguments if is_foreign(each)]
    if not foreign:
        return evaluate_in_blocks(function, reals(*arguments))
    xp = array_namespace(*foreign)
    example = next((each for each in foreign if _is_floating(xp, each)), foreign[0])
    with np.errstate(all="ignore"):
        given = [_like(each, xp, example) for each in arguments]
        result = function(xp, *given)
    shapes = [each.shape for each in given]
    if not all(isinstance(length, int) for shape in shapes for length in shape):
        return result  # Dask does not always know its lengths
    shape = np.broadcast_shapes(*shapes)
    return result if result.shape == shape else xp.broadcast_to(result, shape)


@cache
def _straight(function: Callable[..., Array], *kinds: type) -> Callable[..., Array] | None:
    """The function as plain Python for arguments of these types, if all bits stay the same.

    What NumPy makes of a power depends on whether base and exponent are arrays or numbers. In the
    function itself only its arguments are sure to be arrays, as they are in its tape.
    """
    tape = record(function) if PLAIN.issuperset(kinds) else None
    if tape is None:
        return None
    powers = (each.operands for each in tape.operations if each.name == "power")
    if any(type(each) is float or each >= tape.arguments for pair in powers for each in pair):
        return None
    return straight(tape, kinds, BLOCK)


def total(function: Callable[..., Array], *arguments: Array, sequences: int = 1) -> Array:
    """The sum of a generated function over sequences, which are last axes [unit of function].

    Examples
    --------
    >>> float(total(lambda xp, place, terms: place * terms, [5, 7]))
    19.0
    """
    length, given = aligned(arguments, sequences)
    values = apply(function, np.arange(1, length + 1, dtype=np.float64), *given)
    return (array_namespace(values) if is_foreign(values) else np).sum(values, axis=-1)


def aligned(arguments: Sequence[Array], sequences: int) -> tuple[int, list[Array]]:
    """Length of the sequences, and all arguments with the sequences' axis as their last."""
    arrays = [each if is_foreign(each) else np.asarray(each) for each in arguments]
    for each, array in zip(arguments, arrays, strict=True):
        if not is_foreign(each):
            refuse_octets(each, array)
    for each, array in zip(arguments[:sequences], arrays, strict=False):
        if not array.ndim:
            raise ArgumentError(f"{each!r} is one number; a sum needs an array of them")
    lengths = [array.shape[-1] for array in arrays[:sequences]]
    if len(set(lengths)) > 1:
        found = " and ".join(map(str, lengths))
        raise ArgumentError(f"sequences of {found} terms cannot be summed; make them equally long")
    others = (each[..., None] if each.ndim else each for each in arrays[sequences:])
    return lengths[0], [*arrays[:sequences], *others]


def inside(xp: Namespace, condition: Array, value: Array) -> Array:
    """The value where the condition holds, NaN elsewhere [unit of value]."""
    return xp.where(condition, value, xp.asarray(xp.nan, dtype=value.dtype))


def known(xp: Namespace, value: Array, *arguments: Array) -> Array:
    """The value, but NaN where an argument is not a number: a choice by cases would lose it."""
    return inside(xp, ~xp.isnan(sum(arguments[1:], start=arguments[0])), value)


def real(argument: Array) -> Reals:
    """A NumPy array of floating-point numbers."""
    refuse_labels(argument)
    try:
        array = np.asarray(argument)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind in "iub":
        refuse_octets(argument, array)
        return array.astype(np.float64)
    if array.dtype.kind != "f":
        raise ArgumentTypeError(f"{short(argument)} is not a real number, nor an array of them")
    _refuse_half(array.dtype)
    return array


def is_octets(argument: Array, array: Reals) -> bool:
    """True if an array was made of bytes, of which NumPy makes a number each."""
    return array.dtype.itemsize == 1 and _has_octets(argument)


def _has_octets(argument: Any) -> bool:
    if isinstance(argument, memoryview):
        return argument.format in {"B", "b", "c"}
    if isinstance(argument, list | tuple):
        return any(map(_has_octets, argument))
    return isinstance(argument, bytearray)


def refuse_octets(argument: Array, array: Reals) -> None:
    """Refuse what an array was made of if that are bytes, as their texts are."""
    if is_octets(argument, array):
        raise ArgumentTypeError(f"{short(argument)} is not a real number, nor an array of them")


def _refuse_half(precision: Any) -> None:
    """Refuse numbers up to 65,504: the times of offloads are larger, and would be infinite."""
    if str(precision).rpartition(".")[2] in ("float16", "half"):
        raise ArgumentTypeError(
            f"numbers of {precision} end at 65504, and overflow here: give float32 or float64"
        )


def numbers(*arguments: Array) -> tuple[float, ...] | None:
    """The arguments if all are numbers as Python or NumPy have them in double precision."""
    for each in arguments:
        kind = type(each)
        if kind is not float and kind is not np.float64 and not (kind is int and abs(each) < WHOLE):
            return None
    return tuple(map(float, arguments))


def reals(*arguments: Array) -> tuple[Reals, ...]:
    """NumPy arrays; Python's own numbers take the precision of the arrays beside them."""
    arrays = tuple(map(real, arguments))
    if all(array.dtype == np.float64 for array in arrays):
        return arrays
    weak = [isinstance(each, bool | int | float) and not _is_numpy(each) for each in arguments]
    strong = [array.dtype for array, number in zip(arrays, weak, strict=True) if not number]
    if not strong:
        return arrays
    precision = np.result_type(*strong)
    with np.errstate(over="ignore", under="ignore"):
        return tuple(
            array.astype(precision) if number else array
            for array, number in zip(arrays, weak, strict=True)
        )


def _is_numpy(argument: Array) -> bool:
    return isinstance(argument, np.ndarray | np.generic)


def is_foreign(argument: Array) -> bool:
    """True if the argument is an array of another library than NumPy."""
    known = type(argument) in PLAIN or _is_numpy(argument)
    return not known and bool(is_array_api_obj(argument))


def _is_floating(xp: Namespace, array: Array) -> bool:
    return bool(xp.isdtype(array.dtype, "real floating"))


def _like(argument: Array, xp: Namespace, example: Array) -> Array:
    """A number as an array beside the example; integers become floating-point numbers."""
    precision = example.dtype if _is_floating(xp, example) else xp.asarray(0.0).dtype
    if not is_foreign(argument):
        return xp.asarray(real(argument), dtype=precision, device=device(example))
    if xp.isdtype(argument.dtype, ("integral", "bool")):
        return xp.astype(argument, precision)
    if not _is_floating(xp, argument):
        raise ArgumentTypeError(f"{short(argument)} is not an array of real numbers")
    _refuse_half(argument.dtype)
    return argument
