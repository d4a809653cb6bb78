"""The pass over the rows of a trace that compares them with the affine functions known so far."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["ADDRESS", "BOUNDS", "DISORDER", "FINE", "GAP", "UNLIKE", "pass_rows"]

Integers = NDArray[np.int64]

FINE, UNLIKE, DISORDER, ADDRESS, BOUNDS, GAP = range(6)
"""Findings about an access: affine so far; of another size or depth, or out of the order of
the source; with an address that is not affine, or bounds, or iterations left out between them."""


def pass_rows(
    row: int,
    access: NDArray[np.uint32],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    iterations: NDArray[np.int32],
    position: Integers,
    depths: Integers,
    common: Integers,
    thread: NDArray[np.bool_],
    status: Integers,
    seen: NDArray[np.bool_],
    sizes: Integers,
    last: Integers,
    before: Integers,
    numerators: Integers,
    denominators: Integers,
    nulls: Integers,
    null_count: Integers,
    point: Integers,
) -> tuple[int, int]:
    """The next row with a value that the functions do not tell, and the slot of its function.

    The value and where it is are put in `point`; the slot is -1 after the last row. A row is taken
    in only once all of its functions tell its values. Only accesses of a `thread` have an order:
    those between the loops that become threads come before them.
    """
    width = iterations.shape[1]
    slots = 2 * width + 1
    while row < access.shape[0]:
        place = position[access[row]]
        if place < 0 or status[place] != 0:
            row += 1
            continue
        depth = depths[place]
        if not seen[place]:
            sizes[place] = size[row]
        fault = 0
        if size[row] != sizes[place]:
            fault = 1
        if iterations[row, depth - 1] < 0 or (depth < width and iterations[row, depth] >= 0):
            fault = 1
        changed = -1
        if seen[place] and fault == 0:
            changed = 0
            while changed < depth and iterations[row, changed] == last[place, changed]:
                changed += 1
            if changed == depth or iterations[row, changed] != last[place, changed] + 1:
                fault = 5
        if fault == 0 and thread[place] and before[0] >= 0:
            other, level, later = before[0], 0, np.int64(0)
            while later == 0 and level < common[other, place]:
                later = iterations[row, level] - last[other, level]
                level += 1
            if later < 0 or (later == 0 and place <= other):
                fault = 2
        if fault != 0:
            status[place] = fault
            row += 1
            continue
        # of an access in the next iteration of its innermost loop only the address is new
        checks = 1 if changed == depth - 1 else 1 + 2 * depth
        for check in range(checks):
            slot, columns = place * slots + check, depth
            ended = False
            value = np.int64(address[row])
            if check > 0:
                columns, ended = (check - 1) // 2, (check - 1) % 2 == 1
                if columns <= changed or (ended and changed < 0):
                    continue
                value = last[place, columns] + 1 if ended else np.int64(iterations[row, columns])
            total = numerators[slot, 0]
            for level in range(columns):
                at = last[place, level] if ended else np.int64(iterations[row, level])
                total += numerators[slot, level + 1] * at
            new = total != denominators[slot] * value
            for null in range(null_count[slot]):
                other = nulls[slot, null, 0]
                for level in range(columns):
                    at = last[place, level] if ended else np.int64(iterations[row, level])
                    other += nulls[slot, null, level + 1] * at
                new = new or other != 0
            if new:
                point[0] = 1
                for level in range(columns):
                    at = last[place, level] if ended else np.int64(iterations[row, level])
                    point[level + 1] = at
                point[-1] = value
                return row, slot
        seen[place] = True
        for level in range(depth):
            last[place, level] = iterations[row, level]
        if thread[place]:
            before[0] = place
        row += 1
    return row, -1
