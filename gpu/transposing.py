"""Other layouts of an array: transposed, or with longer rows."""

from collections.abc import Mapping, Sequence
from math import prod

from logca.gpu.arrays import Array
from logca.gpu.dram import Behaviour

__all__ = ["across", "padded_steps", "transposed_steps"]


def across(
    array: Array, collapse: int, behaviours: Mapping[int, Behaviour]
) -> tuple[tuple[int, int], ...]:
    """Uncoalesced accesses in which neighbouring threads go along another direction than elements.

    Parameters
    ----------
    array : Array
        The array.
    collapse : int
        How many loops, from the outermost one inwards, are threads [1].
    behaviours : mapping of int to Behaviour
        How warps make the accesses.

    Returns
    -------
    tuple of pairs of int
        Static accesses, and the direction along which their threads go [1].
    """
    found = []
    for access, function in zip(array.accesses, array.functions, strict=True):
        behaviour = behaviours.get(access)
        if behaviour is None or behaviour.pattern != "uncoalesced" or function is None:
            continue
        stride = function[1 + collapse]
        if stride and array.direction(stride) < len(array.steps) - 1:
            found.append((access, array.direction(stride)))
    return tuple(found)


def transposed_steps(array: Array, direction: int) -> tuple[int, ...]:
    """Steps along the directions of an array once neighbours along one of them are adjacent [B].

    The other directions keep their order: a matrix is transposed, an array of structures becomes a
    structure of arrays.

    Parameters
    ----------
    array : Array
        The array.
    direction : int
        The direction that is to be innermost [1].

    Examples
    --------
    >>> transposed_steps(
    ...     Array(name="A", accesses=(0,), functions=(None,), stored=False, base=0, end=4 * 15,
    ...           steps=(20, 4)), 0)
    (4, 12)
    """
    extents = array.extents
    order = [each for each in range(len(extents)) if each != direction] + [direction]
    inside = {
        each: array.element * prod(extents[after] for after in order[place + 1 :])
        for place, each in enumerate(order)
    }
    return tuple(inside[each] for each in range(len(extents)))


def padded_steps(steps: Sequence[int], room: int) -> tuple[int, ...]:
    """Steps along the directions once each row is longer; a row is what has only elements in it.

    Parameters
    ----------
    steps : sequence of int
        Steps, the innermost last; at least two [B].
    room : int
        What is added to a row [B].

    Examples
    --------
    >>> padded_steps((4096, 256, 4), 64)
    (5120, 320, 4)
    """
    *outer, row, element = steps
    return (*(step // row * (row + room) for step in outer), row + room, element)
