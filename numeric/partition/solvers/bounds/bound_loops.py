"""Loops below bounds: augmenting paths from one block (`fixing`), and `knapsack`'s table.

The search for paths is local and resumes from a maximum flow, which OR-tools cannot.
This module imports numba: import it inside functions.
"""

from typing import Any

from logca.common.jit import compiled

__all__ = [
    "forward",
    "probe",
]


def _probe(
    start: Any,
    arc: Any,
    head: Any,
    room: Any,
    slack: Any,
    fixed: Any,
    block: int,
    backward: bool,
    need: int,
    patience: int,
    stamp: int,
    seen: Any,
    parent: Any,
    queue: Any,
    log: Any,
    amount: Any,
) -> tuple[int, int]:
    """Push flow from a block to the sink, or from the source to it; then take it back.

    Arcs 2 k and 2 k + 1 are each other's reverse; `room` is what they can still carry. The answer
    is how much was pushed, and how many entries of the log say where.
    """
    sign = -1 if backward else 1
    goal = 0 if backward else 1
    own = max(sign * slack[block], 0)
    pushed, length = own, 0
    slack[block] -= sign * own
    visits = 0
    while pushed < need and length + 64 < log.size:
        stamp += 1
        seen[block] = stamp
        queue[0] = block
        first, last = 0, 1
        found = -1
        while first < last and found < 0 and visits < patience:
            node = queue[first]
            first += 1
            visits += 1
            for place in range(start[node], start[node + 1]):
                forth = arc[place]
                other = head[forth]
                if seen[other] == stamp or room[forth ^ 1 if backward else forth] <= 0:
                    continue
                seen[other] = stamp
                if fixed[other] == 1 - goal:
                    parent[other] = forth
                    found = other
                    break
                if fixed[other] != -1:
                    continue
                parent[other] = forth
                if sign * slack[other] > 0:
                    found = other
                    break
                queue[last] = other
                last += 1
        if found < 0:
            break
        more = need - pushed
        if fixed[found] == -1:
            more = min(more, sign * slack[found])
        node, steps = found, 0
        while node != block:
            forth = parent[node]
            more = min(more, room[forth ^ 1 if backward else forth])
            node = head[forth ^ 1]
            steps += 1
        if length + steps + 1 >= log.size:
            break
        if fixed[found] == -1:
            slack[found] -= sign * more
            log[length], amount[length] = -1 - found, more
            length += 1
        node = found
        while node != block:
            forth = parent[node]
            along = forth ^ 1 if backward else forth
            room[along] -= more
            room[along ^ 1] += more
            log[length], amount[length] = along, more
            length += 1
            node = head[forth ^ 1]
        pushed += more
    for place in range(length):
        if log[place] < 0:
            slack[-1 - log[place]] += sign * amount[place]
        else:
            room[log[place]] += amount[place]
            room[log[place] ^ 1] -= amount[place]
    slack[block] += sign * own
    seen[0] = seen[0]
    return pushed, length


probe = compiled(_probe)


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
