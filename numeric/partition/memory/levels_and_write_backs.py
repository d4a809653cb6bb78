"""Small automata by which a design reads a signature entry by entry, one for each core.

An entry counts as near if its block is on the core of the access, as far if it is on the other one.
That is all that a partition has to do with it. Entries come latest first, and the automaton stops
as soon as it knows which level serves the access, and whether the other core has to write back.

Caches are direct-mapped, inclusive, and take lines on writes. A set of a shared level holds the
line of it that anybody touched last; a set of a private one that which its core touched last,
unless the other core wrote it since, or it fell out of the level that holds it too.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.signatures import L1_CONFLICT, L2_CONFLICT, READ, WRITE

__all__ = ["OUTCOMES", "Automaton", "automaton", "outcome"]

OUTCOMES = 6
"""An access is served by level 1, level 2 or memory, and the other core writes back or not [1]."""

MEMORY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """Knowledge that the entries up to now have left open."""

    # the nearest private level of the core itself that may have the line; 0 if none can [1]
    own: int
    shared: int  # the nearest shared level that has it, or may have it; 3 for the memory [1]
    found: bool  # whether that is sure
    other: bool  # whether older touches may have left a copy in private caches of the other core
    # whether the other core has to write back unless a private level of the core itself serves
    held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Automaton:
    """Tables for both cores: row 0 for accesses by the CPU, row 1 for those by the accelerator.

    States below `OUTCOMES` are final.
    """

    # the next state by core, state, and twice the kind of an entry, plus 1 if it is near [1]
    step: NDArray[np.int8]
    end: NDArray[np.int8]  # the outcome by core and state where a list ends [1]
    first: NDArray[np.int8]  # the state before the first entry, by core [1]

    def tables(
        self, costs: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int8]]:
        """Tables for the loops: moves, cost of ending in each state, and the first states."""
        moves = (8 * self.step.astype(np.int64)).astype(np.uint8).reshape(2, -1)
        return moves, costs[self.end], self.first


def outcome(level: int, held: bool) -> int:
    """The number of an outcome [1]: level 1 to 3, and whether the other core writes back.

    Examples
    --------
    >>> outcome(1, False), outcome(3, True)
    (0, 5)
    """
    return 2 * (level - 1) + held


@cache
def automaton(depths: tuple[int, int], shared: int, resident: bool) -> Automaton:
    """The automaton of a design."""
    found = [_explored(depths[core], depths[1 - core], shared, resident) for core in (0, 1)]
    states = max(len(rows) for rows, _ in found)
    step = np.zeros((2, OUTCOMES + states, 8), np.int8)
    end = np.zeros((2, OUTCOMES + states), np.int8)
    step[:, :OUTCOMES] = np.arange(OUTCOMES)[:, None]
    end[:, :OUTCOMES] = np.arange(OUTCOMES)
    for core, (rows, ends) in enumerate(found):
        step[core, OUTCOMES : OUTCOMES + len(rows)] = rows
        end[core, OUTCOMES : OUTCOMES + len(ends)] = ends
    return Automaton(step=step, end=end, first=np.full(2, OUTCOMES, np.int8))


def _explored(
    depth: int, other_depth: int, shared: int, resident: bool
) -> tuple[list[list[int]], list[int]]:
    start = Knowledge(
        own=min(depth, 1), shared=shared, found=shared == MEMORY, other=other_depth > 0
    )
    numbers, waiting = {start: OUTCOMES}, [start]
    rows: list[list[int]] = []
    ends: list[int] = []
    for state in waiting:
        row = []
        for kind in (READ, WRITE, L1_CONFLICT, L2_CONFLICT):
            for near in (False, True):
                after = _after(state, kind, near, depth, other_depth, shared, resident)
                if isinstance(after, Knowledge):
                    if after not in numbers:
                        numbers[after] = OUTCOMES + len(numbers)
                        waiting.append(after)
                    row.append(numbers[after])
                else:
                    row.append(after)
        rows.append(row)
        ends.append(outcome(state.shared if state.found else MEMORY, state.held))
    return rows, ends


def _after(
    state: Knowledge,
    kind: int,
    near: bool,
    depth: int,
    other_depth: int,
    shared: int,
    resident: bool,
) -> Knowledge | int:
    if kind in (READ, WRITE):
        if near and state.own:
            return outcome(state.own, False)
        left = state.other and not near and (kind == WRITE or resident)
        state = replace(state, found=True, held=state.held or left)
        if kind == WRITE:
            # nobody has a copy that is older
            return outcome(state.shared, state.held)
        # the other core may keep a copy that was read here, but a clean one
        state = replace(state, other=state.other and not left and (resident or not near))
    elif kind == L1_CONFLICT:
        if near and state.own == 1:
            state = replace(state, own=2 if depth == 2 else 0)
        if not near and other_depth == 1:
            state = replace(state, other=False)
        if state.shared == 1 and not state.found:
            state = replace(state, shared=2)
    elif shared < MEMORY:
        state = replace(state, own=0, other=False, found=True, shared=_beyond(state))
    elif near:
        state = replace(state, own=0)
    else:
        state = replace(state, other=False)
    if not state.own and not state.other and state.found:
        return outcome(state.shared, state.held)
    return state


def _beyond(state: Knowledge) -> int:
    return state.shared if state.found else MEMORY
