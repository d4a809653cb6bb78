"""The loop of the dynamic programming in `knapsack`.

This module imports numba: import it where knapsacks are solved, not before.
"""

from typing import Any

from logca.trace.compiling import compiled

__all__ = ["forward"]


def _forward(best: Any, place: int, shift: Any, loss: Any, moved: Any) -> None:
    """For each piece in turn move from all places where that makes the loss of another less.

    `moved` has a bit for each piece and place. The first place is the only one at the beginning.
    """
    low = high = place
    for row in range(shift.size):
        by, more = shift[row], loss[row]
        if by > 0:
            high = min(high + by, best.size - 1)
            for at in range(high, low + by - 1, -1):
                after = best[at - by] + more
                if after < best[at]:
                    best[at] = after
                    moved[row, at >> 3] |= 1 << (at & 7)
        else:
            low = max(low + by, 0)
            for at in range(low, high + by + 1):
                after = best[at - by] + more
                if after < best[at]:
                    best[at] = after
                    moved[row, at >> 3] |= 1 << (at & 7)


forward = compiled(_forward)
