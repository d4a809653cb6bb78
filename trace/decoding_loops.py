"""The loop over the records of a trace, in the part of Python that numba compiles."""

from typing import Any

import numpy as np

from logca.trace.sites import AGAIN, BASE, ENTER, LAUNCH, LENGTH, OUTPUT, PAGE, PAGE_BITS

__all__ = ["GROUP", "decode"]

GROUP = 4
LOW = (1 << (64 - PAGE_BITS)) - 1


def decode(
    records: Any,
    table: Any,
    position: Any,
    cells: Any,
    launches: Any,
    nested: bool,
    width: int,
    access: Any,
    address: Any,
    size: Any,
    rows: Any,
    nest: Any,
    launch: Any,
) -> Any:
    """Decode records into columns, and say how many accesses there are [1].

    Parameters
    ----------
    records : ndarray
        Records, uint64.
    table : ndarray
        What sites stand for, as `Sites.table`.
    position, cells, launches : ndarray
        State of the decoding, as of `Decoder`; changed.
    nested : bool
        Whether loops are counted from nests on.
    width : int
        Columns of iterations, a multiple of `GROUP` [1].
    access, address, size, rows, nest, launch : ndarray
        The columns, which are filled.
    """
    # all whole numbers are unsigned: a signed index costs a test of its sign
    u = np.uint64
    zero, one, low = u(0), u(1), u(LOW)
    n, groups, sites, deepest = u(len(records)), u(width), u(len(table)), u(len(cells) - 256)
    base, page = position[0], position[1]
    first = base + one if nested else zero
    inner = base + one if nested else base
    above = zero if nested else base
    count, place, row = zero, zero, zero
    while place < n:
        record = records[place]
        place += one
        site = page + (record >> u(64 - PAGE_BITS))
        what = table[site, 1]
        if what & u(255) != u(OUTPUT):
            if what & u(BASE):
                base = min(record & low, deepest)
                first = base + one if nested else zero
                inner = base + one if nested else base
                above = zero if nested else base
                continue
            if what & u(PAGE):
                page = (record & low) << u(PAGE_BITS)
                page = page if page < sites else zero
                continue
            cell = inner + (what >> u(16) & u(255))
            if what & u(ENTER):
                cells[cell] = 0
                if what & u(LAUNCH):
                    cells[base] = launches[what >> u(32)]
                    launches[what >> u(32)] += 1
            elif what & u(AGAIN):
                cells[cell] += 1
            if not what & u(OUTPUT):
                continue
        which = table[site, 0]
        access[count] = which
        address[count] = record & low
        size[count] = which >> u(32)
        if what & u(LENGTH) and place < n:
            size[count] = records[place]
            place += one
        depth = above + (what >> u(8) & u(255))
        column = zero
        while column < groups:
            cell = first + column
            rows[row] = cells[cell] if column < depth else -1
            rows[row + one] = cells[cell + one] if column + one < depth else -1
            rows[row + u(2)] = cells[cell + u(2)] if column + u(2) < depth else -1
            rows[row + u(3)] = cells[cell + u(3)] if column + u(3) < depth else -1
            row += u(GROUP)
            column += u(GROUP)
        if nested:
            nest[count] = what >> u(32)
            launch[count] = cells[base]
        count += one
    position[0] = base
    position[1] = page
    return count
