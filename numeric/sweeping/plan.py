"""The specification of a sweep, checked before anything is computed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from math import prod
from typing import Any

import numpy as np

from logca.numeric.domain import RANGES, check, check_latency
from logca.numeric.generated.units import PARAMETERS
from logca.numeric.sizes import SizeError, parse_size
from logca.numeric.sweeping.errors import SweepError
from logca.numeric.sweeping.grid import BLOCK, Grid, cut
from logca.numeric.sweeping.quantities import depends_on

__all__ = ["Sweep", "plan"]

_SIZES = ("g", "g_low", "g_high")
_LISTED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Which quantities at which points.

    Parameters
    ----------
    quantities : tuple of str
        Names of the quantities [text].
    axes : mapping of str to tuple of float
        Values of the parameters that vary, in the order of the grid's axes [as in `units`].
    fixed : mapping of str to float
        The other parameters [as in `units`].
    latency : str
        Form of latency [text].
    unit : str
        Unit of time [text].
    grid : Grid
        The blocks.
    """

    quantities: tuple[str, ...]
    axes: Mapping[str, tuple[float, ...]]
    fixed: Mapping[str, float]
    latency: str
    unit: str
    grid: Grid

    @property
    def points(self) -> int:
        """Points of the grid [1]."""
        return prod(self.grid.shape)

    def axes_of(self, quantity: str) -> tuple[str, ...]:
        """Names of the axes along which a quantity varies, in order [text]."""
        used = depends_on(quantity, self.latency)
        return tuple(name for name in self.axes if name in used)

    def shape_of(self, quantity: str) -> tuple[int, ...]:
        """Shape of a quantity [1]."""
        return tuple(len(self.axes[name]) for name in self.axes_of(quantity))

    def identity(self) -> dict[str, Any]:
        """What makes this sweep the same as another one, for JSON; `digest` covers all of it."""
        values = {name: [value.hex() for value in axis] for name, axis in self.axes.items()}
        said = {
            "version": version("logca"),
            "quantities": list(self.quantities),
            "latency": self.latency,
            "unit": self.unit,
            "fixed": dict(self.fixed),
            "axes": {
                name: {"size": len(axis), "first": axis[0], "last": axis[-1]}
                for name, axis in self.axes.items()
            },
            "block": list(self.grid.block),
        }
        exact = json.dumps([said, list(values), values], sort_keys=True)
        return {**said, "digest": sha256(exact.encode()).hexdigest()}


def plan(
    quantities: str | Sequence[str],
    parameters: Mapping[str, Any],
    *,
    latency: str = "constant",
    unit: str = "cycles",
    block: int = BLOCK,
) -> Sweep:
    """A checked specification.

    Parameters
    ----------
    quantities : str or sequence of str
        Names of the quantities [text].
    parameters : mapping of str to float or sequence of float
        A number where a parameter is fixed, a sequence where it is an axis [its unit].
    latency : str
        "constant" or "linear" [text].
    unit : str
        Unit of time [text].
    block : int
        Points of a block at most [1].

    Raises
    ------
    SweepError
        If a name is unknown, twice there or missing, or an axis is empty or varies nothing.
    DomainError
        If a value is outside the domain of its parameter, or the form of latency unknown.

    Examples
    --------
    >>> found = plan("speedup_infinite", {"g": [64, 512], "o": 10, "L": 3, "C": 35, "beta": 1})
    >>> found.grid.shape, found.fixed["C"]
    ((2,), 35.0)
    """
    check_latency(latency)
    if isinstance(block, bool) or not isinstance(block, int) or block < 1:
        raise SweepError(f"a block of {block!r} points; a block has at least one point")
    names = (quantities,) if isinstance(quantities, str) else tuple(quantities)
    if not names:
        raise SweepError("no quantity to compute; name one, such as speedup")
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise SweepError(f"{twice[0]} is named twice; name each quantity once")
    for name in parameters:
        if name not in PARAMETERS:
            raise SweepError(f"no parameter is named {name!r}; known: {', '.join(PARAMETERS)}")
    needs = {name: depends_on(name, latency) for name in names}
    for name, needed in needs.items():
        if missing := [each for each in needed if each not in parameters]:
            raise SweepError(f"{name} depends on {', '.join(missing)}; give a value, or several")
    values = {name: _checked(name, given, latency) for name, given in parameters.items()}
    axes = {name: value for name, value in values.items() if isinstance(value, tuple)}
    for name in axes:
        if not any(name in needed for needed in needs.values()):
            raise SweepError(f"nothing depends on {name}, but it has several values; give one")
    shape = tuple(len(axis) for axis in axes.values())
    return Sweep(
        quantities=names,
        axes=axes,
        fixed={name: value for name, value in values.items() if isinstance(value, float)},
        latency=latency,
        unit=unit,
        grid=cut(shape, block),
    )


def _checked(name: str, given: Any, latency: str) -> float | tuple[float, ...]:
    """A number, or the values of an axis, inside the domain of the parameter."""
    try:
        array = np.asarray(_in_bytes(given) if name in _SIZES else given, dtype=np.float64)
    except SizeError:
        raise
    except (TypeError, ValueError):
        raise SweepError(f"{name} is a number, or a sequence of numbers, not {given!r}") from None
    if array.ndim > 1:
        raise SweepError(f"{name} has {array.ndim} axes; an axis of the grid is one sequence")
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
        raise SweepError(f"{name} has the same value twice: {twice}; labels of an axis are unique")
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
