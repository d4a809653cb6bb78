"""The loop that plays a trace through the caches of two cores, set-associative with LRU.

Rows of `tags` are sets, the latest line first and empty places last; `state` says of each place
whether it is empty, clean or changed. A cache is level 1 or 2 of the CPU, of the accelerator, or of
both; a core finds its own by ``slots[core, level]``.

This module imports numba: import it where caches are simulated, not before.
"""

from typing import Any

import numpy as np

from logca.common.jit import compiled, njit

__all__ = ["CHANGED", "CLEAN", "NOTHING", "play"]


NOTHING, CLEAN, CHANGED = -1, 0, 1


@njit
def _find(tags: Any, state: Any, line: Any) -> Any:
    """Where in a row a line is; -1 if it is not there."""
    for way in range(tags.shape[0]):
        if state[way] == NOTHING:
            return -1
        if tags[way] == line:
            return way
    return -1


@njit
def _front(tags: Any, state: Any, way: Any, line: Any, new: Any) -> None:
    """Put a line in front; those before its place move back by one."""
    for place in range(way, 0, -1):
        tags[place], state[place] = tags[place - 1], state[place - 1]
    tags[0], state[0] = line, new


@njit
def _drop(tags: Any, state: Any, line: Any) -> None:
    """Take a line out of a row, if it is there."""
    way = _find(tags, state, line)
    if way < 0:
        return
    for place in range(way, tags.shape[0] - 1):
        tags[place], state[place] = tags[place + 1], state[place + 1]
    state[tags.shape[0] - 1] = NOTHING


@njit
def _fill(level: Any, slot: Any, line: Any, caches: Any) -> None:
    """Put a line into a cache that lacks it, and let go of what has to leave for it."""
    slots, _, near, near_state, far, far_state = caches
    tags, state = (near, near_state) if level == 1 else (far, far_state)
    row = line & (tags.shape[1] - 1)
    last = tags.shape[2] - 1
    gone, was = tags[slot, row, last], state[slot, row, last]
    _front(tags[slot, row], state[slot, row], last, line, CLEAN)
    if was == NOTHING:
        return
    for core in range(2):
        if slots[core, level] != slot:
            continue
        if level == 2 and slots[core, 1] >= 0:
            above = slots[core, 1]
            row = gone & (near.shape[1] - 1)
            _drop(near[above, row], near_state[above, row], gone)
        elif level == 1 and was == CHANGED and slots[core, 2] >= 0:
            below = slots[core, 2]
            row = gone & (far.shape[1] - 1)
            way = _find(far[below, row], far_state[below, row], gone)
            if way >= 0:
                far_state[below, row, way] = CHANGED


def _play(accesses: Any, mapped: Any, resident: Any, caches: Any, result: Any) -> None:
    lines, blocks, stores = accesses
    slots, private, near, near_state, far, far_state = caches
    for i in range(lines.shape[0]):
        line, core = lines[i], np.int64(mapped[blocks[i]])
        row, far_row = line & (near.shape[1] - 1), line & (far.shape[1] - 1)
        first, second = slots[core, 1], slots[core, 2]
        level, way = 3, -1
        if first >= 0:
            way = _find(near[first, row], near_state[first, row], line)
            level = 1 if way >= 0 else 3
        if level == 3 and second >= 0:
            way = _find(far[second, far_row], far_state[second, far_row], line)
            level = 2 if way >= 0 else 3
        other, held = 1 - core, False
        for depth in range(1, 3):
            if not private[other, depth]:
                continue
            slot = slots[other, depth]
            tags = near[slot, row] if depth == 1 else far[slot, far_row]
            state = near_state[slot, row] if depth == 1 else far_state[slot, far_row]
            there = _find(tags, state, line)
            if there >= 0:
                held = held or resident or state[there] == CHANGED
                if stores[i]:
                    _drop(tags, state, line)
                else:
                    state[there] = CLEAN
        held = held and not (level < 3 and private[core, level])
        result[core, level - 1, 1 if held else 0] += 1
        if level == 1:
            _front(near[first, row], near_state[first, row], way, line, near_state[first, row, way])
        elif level == 2:
            old = far_state[second, far_row, way]
            _front(far[second, far_row], far_state[second, far_row], way, line, old)
        elif second >= 0:
            _fill(np.int64(2), second, line, caches)
        if level > 1 and first >= 0:
            _fill(np.int64(1), first, line, caches)
        if stores[i] and first >= 0:
            near_state[first, row, 0] = CHANGED
        elif stores[i] and second >= 0:
            far_state[second, far_row, 0] = CHANGED


play = compiled(_play)
