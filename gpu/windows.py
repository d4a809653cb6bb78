"""Where in a grid threads are looked at: in the first blocks, or in others too.

A window is a box of neighbouring blocks that has as many of them as are looked at. Windows in other
places lie as the points of Hammersley's set do: evenly spaced along each direction of the grid, in
another order along each.
"""

from dataclasses import dataclass

from logca.gpu.threads import Layout

__all__ = ["DIRECTIONS", "Window", "begin_of", "box_of", "spread_windows"]

DIRECTIONS = 3
"""Of nests with more loops as threads there are no windows other than the first blocks [1]."""

_WINDOWS = 8
"""So many windows are looked at besides the first blocks [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A place in a grid, whatever its size.

    Parameters
    ----------
    place : tuple of float
        From 0 to 1 along z, y and x [1].
    share : float
        Share of all threads that it stands for [1].
    """

    place: tuple[float, float, float]
    share: float


def box_of(grid: Layout, blocks: int) -> tuple[int, int, int]:
    """How many blocks of the grid along x, y and z hold its first ones [1].

    Examples
    --------
    >>> from logca.gpu.threads import layout
    >>> box_of(layout((64, 4096)), 4), box_of(layout((4096, 64)), 4)
    ((4, 1, 1), (2, 2, 1))
    """
    found = []
    for number in grid.grid:
        found.append(min(number, blocks))
        blocks = -(-blocks // number)
    return found[0], found[1], found[2]


def spread_windows(grid: Layout, blocks: int) -> tuple[Window, ...]:
    """The first blocks of a grid, and windows all over it.

    Parameters
    ----------
    grid : Layout
        The launch.
    blocks : int
        Blocks of a window [1].
    """
    x, y, z = (
        -(-number // own) for number, own in zip(grid.grid, box_of(grid, blocks), strict=True)
    )
    first = 1 / (x * y * z)
    windows = [Window(place=(0.0, 0.0, 0.0), share=first)]
    for number in range(_WINDOWS):
        even = [
            (number + 0.5) / _WINDOWS,
            _inverse(number, 2) + 0.5 / _WINDOWS,
            _inverse(number, 3),
        ]
        place = [even.pop(0) if boxes > 1 else 0.0 for boxes in (z, y, x)]
        windows.append(Window(place=(place[0], place[1], place[2]), share=(1 - first) / _WINDOWS))
    return tuple(windows)


def begin_of(window: Window, grid: Layout, blocks: int) -> tuple[int, ...]:
    """First iterations of the collapsed loops in a window, outermost first [1].

    Parameters
    ----------
    window : Window
        The window.
    grid : Layout
        The launch, of at most three collapsed loops.
    blocks : int
        Blocks of a window [1].

    Examples
    --------
    >>> from logca.gpu.threads import layout
    >>> begin_of(Window(place=(0.0, 0.5, 0.0), share=1.0), layout((64, 64)), 2)
    (32, 0)
    """
    found = []
    for place, number, own, box in zip(
        window.place,
        reversed(grid.grid),
        reversed(grid.block),
        reversed(box_of(grid, blocks)),
        strict=True,
    ):
        boxes = -(-number // box)
        found.append(own * min(int(place * boxes) * box, number - box))
    return tuple(found[3 - len(grid.extents) :])


def _inverse(number: int, base: int) -> float:
    """The digits of a number mirrored at the point [1]."""
    found, digit = 0.0, 1.0
    while number:
        number, rest = divmod(number, base)
        digit /= base
        found += rest * digit
    return found
