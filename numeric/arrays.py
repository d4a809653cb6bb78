"""Arrays of any library that follows the array API standard; NumPy unless told otherwise."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj

from logca.numeric.blocks import evaluate_in_blocks

__all__ = ["Array", "Formulas", "Namespace", "call", "inside", "known", "real"]

Array = Any
"""An array of any library that follows the standard, or a number."""

Namespace = Any
"""The functions of an array library."""

Formulas = Mapping[str, Callable[..., Array]]
"""For each form of latency the function that computes a quantity."""


def call(formulas: Formulas, latency: str, *arguments: Array) -> Array:
    """A quantity under a form of latency, at arguments that are broadcast together.

    Parameters
    ----------
    formulas : mapping of str to callable
        For each form of latency the function of an array namespace and the arguments.
    latency : str
        Form of latency [text].
    *arguments : array
        Numbers, NumPy arrays, nested sequences, or arrays of one other library [any].

    Raises
    ------
    ValueError
        If the form of latency is unknown.
    TypeError
        If an argument is not numeric.
    """
    function = formulas.get(latency)
    if function is None:
        known = " or ".join(f"'{each}'" for each in formulas)
        raise ValueError(f"unknown latency {latency!r}; this quantity exists for {known}")
    foreign = [each for each in arguments if _is_foreign(each)]
    if foreign:
        xp = array_namespace(*foreign)
        return function(xp, *(_like(each, xp, foreign[0]) for each in arguments))
    return evaluate_in_blocks(function, tuple(map(real, arguments)))


def inside(xp: Namespace, condition: Array, value: Array) -> Array:
    """The value where the condition holds, NaN elsewhere [unit of value]."""
    return xp.where(condition, value, xp.asarray(xp.nan, dtype=value.dtype))


def known(xp: Namespace, value: Array, *arguments: Array) -> Array:
    """The value, but NaN where an argument is not a number: a choice by cases would lose it."""
    return inside(xp, ~xp.isnan(sum(arguments[1:], start=arguments[0])), value)


def _is_foreign(argument: Array) -> bool:
    return not isinstance(argument, np.ndarray | np.generic) and is_array_api_obj(argument)


def _like(argument: Array, xp: Any, example: Array) -> Array:
    """A number as an array beside the example; integers become floating-point numbers."""
    floating = example.dtype if xp.isdtype(example.dtype, "real floating") else xp.float64
    if not is_array_api_obj(argument) or isinstance(argument, np.ndarray | np.generic):
        return xp.asarray(argument, dtype=floating, device=device(example))
    if not xp.isdtype(argument.dtype, "real floating"):
        return xp.astype(argument, floating)
    return argument


def real(argument: Array) -> np.ndarray[Any, np.dtype[np.floating[Any]]]:
    """A NumPy array of floating-point numbers.

    Raises
    ------
    TypeError
        If it is not numeric.
    """
    array = np.asarray(argument)
    if array.dtype.kind in "iub":
        return array.astype(np.float64)
    if array.dtype.kind != "f":
        raise TypeError(f"{argument!r} is not a real number, nor an array of them")
    return array
