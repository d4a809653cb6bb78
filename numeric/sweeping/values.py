"""The values of a sweep's quantities in one block."""

from typing import Any

import numpy as np

from logca.numeric.sweeping.plan import Sweep
from logca.numeric.sweeping.quantities import compute, depends_on

__all__ = ["Values", "block_of", "block_values"]

Values = dict[str, np.ndarray[Any, np.dtype[np.float64]]]
"""For each quantity its values, along the axes that it depends on."""


def block_of(sweep: Sweep, quantity: str, number: int) -> tuple[slice, ...] | None:
    """Where the values of a quantity belong that are computed with a block; None if nowhere.

    What does not depend on an axis is the same in all blocks along it, and goes with the first.
    """
    place = dict(zip(sweep.axes, sweep.grid.place(number), strict=True))
    own = sweep.axes_of(quantity)
    if any(part.start for name, part in place.items() if name not in own):
        return None
    return tuple(place[name] for name in own)


def block_values(sweep: Sweep, number: int, *, everywhere: bool = False) -> Values:
    """Values of the quantities in a block [unit of each].

    Parameters
    ----------
    sweep : Sweep
        The specification.
    number : int
        Number of the block [1].
    everywhere : bool
        Also what other blocks have already, as a table of all points needs it [1].
    """
    place = dict(zip(sweep.axes, sweep.grid.place(number), strict=True))
    found: Values = {}
    memory: dict[str, Any] = {}
    for quantity in sweep.quantities:
        if not everywhere and block_of(sweep, quantity, number) is None:
            continue
        own = sweep.axes_of(quantity)
        arguments = {
            name: np.array(sweep.axes[name][place[name]]).reshape(
                [-1 if each == name else 1 for each in own]
            )
            if name in sweep.axes
            else np.float64(sweep.fixed[name])
            for name in depends_on(quantity, sweep.latency)
        }
        shape = [place[name].stop - place[name].start for name in own]
        found[quantity] = np.broadcast_to(
            compute(quantity, sweep.latency, arguments, memory), shape
        )
    return found
