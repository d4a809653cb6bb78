"""The loops that count accesses one by one: strides by loop, and the bytes that each site touches.

The bytes are kept as bits in pages of 1 KiB, one set of pages for each site, so that sets of sites
can be united when all is over.

This module imports numba: import it where accesses are counted, not before.
"""

from typing import Any

import numpy as np

from logca.trace.compiling import compiled

__all__ = [
    "KINDS",
    "LINES_OF_PAGE",
    "PAGES",
    "PAGE_OF_KEY",
    "PLACES",
    "ROWS",
    "SITE_OF_KEY",
    "expand",
    "moved",
    "observe",
    "spread",
]

KINDS = 64
"""How many different strides are told apart for one access and one loop [1]."""

PLACES = 2 * KINDS
"""Places for them in a row, half of which stay empty [1]."""

LINES_OF_PAGE = 16
"""Lines of 64 B in a page of the footprint [1]."""

PAGES, ROWS = 0, 1
"""Which number of the state is the pages in use, and which the rows of strides in use [1]."""

SITE_OF_KEY = np.uint64(38)
"""The bits of a key from here on are the site; addresses have 48 bits, 10 of them in a page."""

PAGE_OF_KEY = np.uint64((1 << 38) - 1)
"""The bits of a key that are the page."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio, odd
_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
_BITS_OF_LINE, _BITS_OF_PAGE, _BITS_OF_PLACE = np.uint64(6), np.uint64(10), np.uint64(64 - 7)
_IN_LINE, _IN_PAGE, _IN_ROW = np.uint64(63), np.uint64(15), np.uint64(PLACES - 1)
_LINE, _SHIFT = np.uint64(64), np.uint64(20)


def _observe(
    access: Any,
    address: Any,
    size: Any,
    iterations: Any,
    start: Any,
    depth: Any,
    state: Any,
    totals: Any,
    previous: Any,
    anchors: Any,
    rows: Any,
    kinds: Any,
    used: Any,
    latest: Any,
    table: Any,
    masks: Any,
    last: Any,
) -> Any:
    """Count accesses from `start` on, until memory is used up; returns where it stopped.

    ``anchors[site, column]`` is the address of the site's first execution in the current iteration
    of that column's loop, and in the last column simply its latest one.
    """
    columns = iterations.shape[1]
    wrap = np.uint64(table.shape[0] - 1)
    around, same = rows.shape[1] - 2, rows.shape[1] - 1
    for i in range(start, access.size):
        site = access[i]
        if depth[site] < 0:
            continue
        first, length = address[i], np.uint64(size[i])
        room = state[PAGES] + np.int64(length >> _BITS_OF_PAGE) + 2
        if room > masks.shape[0] or 2 * room > table.shape[0] or state[ROWS] == used.size:
            return i
        if totals[site, 0] == 0:
            for column in range(columns):
                previous[site, column] = iterations[i, column]
                anchors[site, column] = first
        else:
            column = 0
            while column < columns and iterations[i, column] == previous[site, column]:
                column += 1
            level, base = same, anchors[site, columns]
            if column < columns:
                if iterations[i, column] > previous[site, column] >= 0:
                    base = anchors[site, column]
                    loops = column
                    while loops < columns and iterations[i, loops] >= 0:
                        loops += 1
                    level = column - loops + depth[site]
                    if level < 0:
                        level = around
                for deeper in range(column, columns):
                    previous[site, deeper] = iterations[i, deeper]
                    anchors[site, deeper] = first
            row = rows[site, level]
            if row < 0:
                row = state[ROWS]
                rows[site, level] = row
                state[ROWS] += 1
            stride = np.int64(first - base)
            if kinds[row, latest[row], 0] == stride and kinds[row, latest[row], 1] > 0:
                kinds[row, latest[row], 1] += 1
            else:
                at = (np.uint64(stride) * _SPREAD) >> _BITS_OF_PLACE
                while kinds[row, at, 1] != 0 and kinds[row, at, 0] != stride:
                    at = (at + _ONE) & _IN_ROW
                if kinds[row, at, 1] != 0 or used[row] < KINDS:
                    used[row] += kinds[row, at, 1] == 0
                    kinds[row, at, 0] = stride
                    kinds[row, at, 1] += 1
                    latest[row] = np.int64(at)
                else:
                    kinds[row, PLACES, 1] += 1
        anchors[site, columns] = first
        totals[site, 0] += 1
        totals[site, 1] += np.int64(length)
        while length > _ZERO:
            inside = first & _IN_LINE
            part = min(length, _LINE - inside)
            page = np.int64(first >> _BITS_OF_PAGE)
            if last[site, 0] != page:
                last[site, 0] = page
                key = (np.uint64(site) << SITE_OF_KEY) | np.uint64(page)
                at = (key * _SPREAD) >> _SHIFT & wrap
                while table[at, 1] != _ZERO and table[at, 0] != key:
                    at = (at + _ONE) & wrap
                if table[at, 1] == _ZERO:
                    state[PAGES] += 1
                    table[at, 0] = key
                    table[at, 1] = np.uint64(state[PAGES])
                last[site, 1] = np.int64(table[at, 1]) - 1
            slot = last[site, 1]
            bits = (_ALL >> (_LINE - part)) << inside
            masks[slot, (first >> _BITS_OF_LINE) & _IN_PAGE] |= bits
            first += part
            length -= part
    return access.size


def _moved(old: Any, table: Any) -> None:
    """Move all pages to a larger table that is empty."""
    wrap = np.uint64(table.shape[0] - 1)
    for row in range(old.shape[0]):
        if old[row, 1] != _ZERO:
            at = (old[row, 0] * _SPREAD) >> _SHIFT & wrap
            while table[at, 1] != _ZERO:
                at = (at + _ONE) & wrap
            table[at, 0] = old[row, 0]
            table[at, 1] = old[row, 1]


def _expand(
    access: Any, address: Any, size: Any, depth: Any, at: Any, lines: Any, sites: Any
) -> Any:
    """Lines of 64 B that accesses touch, until the memory for them is full; returns how many.

    ``at`` has the access to go on with, and how many of its lines are done.
    """
    filled = 0
    while at[0] < access.size:
        i = at[0]
        site = access[i]
        if depth[site] >= 0 and size[i] > 0:
            line = address[i] >> _BITS_OF_LINE
            end = (address[i] + np.uint64(size[i]) - _ONE) >> _BITS_OF_LINE
            count = np.int64(end - line) + 1
            while at[1] < count:
                if filled == lines.size:
                    return filled
                lines[filled] = line + np.uint64(at[1])
                sites[filled] = site
                filled += 1
                at[1] += 1
        at[0] += 1
        at[1] = 0
    return filled


def _spread(distances: Any, sites: Any, table: Any) -> None:
    """Count reuse distances: in column 0 first touches, in column 1 + j distances of j bits."""
    for i in range(distances.size):
        left = distances[i]
        column = 1 if left >= 0 else 0
        while left > 0:
            left >>= 1
            column += 1
        table[sites[i], column] += 1


observe = compiled(_observe)
moved = compiled(_moved)
expand = compiled(_expand)
spread = compiled(_spread)
