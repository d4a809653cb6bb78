"""Quantities by name, on several cores, with NumPy or compiled."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

import numpy as np

from logca.common.errors import ArgumentError
from logca.numeric.arrays.arrays import Array, call, is_foreign, reals
from logca.numeric.arrays.blocks import evaluate_in_blocks, remaining
from logca.numeric.arrays.tape import record
from logca.numeric.evaluation.compiled import evaluate_compiled, is_compilable, is_later
from logca.numeric.generated import HOMES

__all__ = ["ENGINES", "defaults_of", "evaluate", "form_of", "parameters_of"]

ENGINES = ("numpy", "compiled")
"""Ways to evaluate: NumPy in blocks, or one loop compiled by numba."""


def evaluate(
    name: str,
    *,
    latency: str = "constant",
    workers: int = 1,
    engine: str = "numpy",
    **arguments: Array,
) -> Any:
    """A quantity at arguments that are broadcast together [unit of the quantity].

    The same as the function of that name, with a choice of how it is done for NumPy arrays.

    Parameters
    ----------
    name : str
        Name of the quantity, as in `logca formula`.
    latency : str
        Form of latency, "constant" or "linear".
    workers : int
        Threads; the result is the same for every number [1].
    engine : str
        "numpy", or "compiled": one loop made by numba, faster on large grids that are evaluated
        again and again; where something else than arithmetic is left to do at every point,
        NumPy does it all the same.
    **arguments : array
        The quantity's arguments by name, such as `g` [B] and `o` [cycles]; those that its function
        has a default for may be left out.

    Raises
    ------
    ValueError
        If the quantity, the latency or the engine is unknown, or an argument is missing.
    MissingLibraryError
        If the engine is "compiled" and numba is not installed.

    Examples
    --------
    >>> shares = evaluate("share_o", g=[512, 4096], o=29_000, L=1500, C=90, A=19, beta=1)
    >>> [round(float(each), 3) for each in shares]
    [0.881, 0.581]
    """
    if engine not in ENGINES:
        raise ArgumentError(f"unknown engine {engine!r}; choose one of {', '.join(ENGINES)}")
    if workers < 1:
        raise ArgumentError(f"{workers} workers; there must be at least 1")
    function = form_of(name, latency)
    wanted, usual = parameters_of(name), defaults_of(name)
    if not {*wanted} - {*usual} <= {*arguments} <= {*wanted}:
        raise ArgumentError(
            f"{name} takes the arguments {', '.join(wanted)}, not {', '.join(arguments) or 'none'}"
        )
    arguments = {**usual, **arguments}
    if any(map(is_foreign, arguments.values())):
        return call(_forms(name), latency, *(arguments[each] for each in wanted))
    arrays = reals(*(arguments[each] for each in wanted))
    shape = np.broadcast_shapes(*(each.shape for each in arrays))
    if engine == "compiled":
        tape = record(function)
        with np.errstate(all="ignore"):
            rest = remaining(tape, arrays, later=is_later) if tape is not None else None
        if rest is not None and rest.shape == shape and rest.merged and is_compilable(rest):
            return evaluate_compiled(rest, workers=workers)
    return evaluate_in_blocks(function, arrays, workers=workers)


@cache
def parameters_of(name: str) -> tuple[str, ...]:
    """Names of the arguments of a quantity, in the order of its function.

    Examples
    --------
    >>> parameters_of("speedup")
    ('g', 'o', 'L', 'C', 'A', 'beta')
    """
    _, *parameters = signature(next(iter(_forms(name).values()))).parameters
    return tuple(parameters)


@cache
def defaults_of(name: str) -> dict[str, float]:
    """Arguments of a quantity that may be left out, and what they are then [their units].

    Examples
    --------
    >>> defaults_of("speedup"), defaults_of("g_peak")
    ({'beta': 1.0}, {})
    """
    _forms(name)
    function = getattr(import_module(f"logca.numeric.generated.{HOMES[name]}"), name)
    given = {each.name: each.default for each in signature(function).parameters.values()}
    return {each: given[each] for each in parameters_of(name) if given[each] is not Parameter.empty}


@cache
def form_of(name: str, latency: str) -> Callable[..., Any]:
    """The generated function itself, for inner loops: of an array namespace and float arrays.

    Nothing is converted, broadcast or checked; arguments may be given by name.

    Examples
    --------
    >>> form_of("T0", "constant")(np, g=np.array([2.0, 4.0]), C=3.0, beta=2.0)
    array([12., 48.])
    """
    forms = _forms(name)
    if latency not in forms:
        known = " or ".join(f"'{each}'" for each in forms)
        raise ArgumentError(f"unknown latency {latency!r}; {name} exists for {known}")
    return forms[latency]


def _forms(name: str) -> dict[str, Callable[..., Any]]:
    if name not in HOMES:
        raise ArgumentError(f"no quantity is named {name!r}; `dir(logca.numeric)` lists them")
    module = import_module(f"logca.numeric.generated.{HOMES[name]}")
    forms: dict[str, Callable[..., Any]] = getattr(module, f"_{name.upper()}")
    return forms
