"""The loops that count accesses one by one: strides by loop, and the bytes that each site touches.

Strides are counted from the records of a trace and not from its columns: what is running in a loop
is told by when the loop was entered, for loops at any depth, and not by how far it has come. The
bytes are kept as bits in pages of 1 KiB, one set of pages for each site, so that sets of sites
can be united when all is over.

This module imports numba: import it where accesses are counted, not before.
"""

from typing import Any

import numpy as np

from logca.common.jit import compiled
from logca.trace.instrument import records as sites_module
from logca.trace.instrument.records import (
    AGAIN,
    BASE,
    ENTER,
    LAUNCH,
    LENGTH,
    OUTPUT,
    PAGE,
    PAGE_BITS,
)

__all__ = [
    "KINDS",
    "LEFT",
    "LINES_OF_PAGE",
    "NUMBERS",
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
"""Number of different strides that are counted separately for one access and one loop [1]."""

PLACES = 2 * KINDS
"""Places for them in a row, half of which stay empty [1]."""

LINES_OF_PAGE = 16
"""Lines of 64 B in a page of the footprint [1]."""

PAGES, ROWS, LEFT, CLOCK, BASE_CELL, PAGE_SITES = range(6)
"""Which number of the state is the pages in use, the rows of strides in use, the accesses still to
be counted, the last moment, the cells that callers take, the first site of the page [1]."""

NUMBERS = 6
"""Numbers of the state [1]."""

ENTERED, CHANGED = 0, 1
OWN, CALLERS = 0, 2

SITE_OF_KEY = np.uint64(38)
"""The bits of a key from here on are the site; addresses have 48 bits, 10 of them in a page."""

PAGE_OF_KEY = np.uint64((1 << 38) - 1)
"""The bits of a key that are the page."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio, odd
_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
_BITS_OF_LINE, _BITS_OF_PAGE, _BITS_OF_PLACE = np.uint64(6), np.uint64(10), np.uint64(64 - 7)
_IN_LINE, _IN_PAGE, _IN_ROW = np.uint64(63), np.uint64(15), np.uint64(PLACES - 1)
_LINE, _SHIFT = np.uint64(64), np.uint64(20)
_SITE_BITS, _BITS_OF_SITES = np.uint64(64 - PAGE_BITS), np.uint64(PAGE_BITS)
_LOW, _HALF = np.uint64((1 << (64 - PAGE_BITS)) - 1), np.uint64((1 << 32) - 1)


def _observe(
    records: Any,
    place: Any,
    table: Any,
    nested: Any,
    depth: Any,
    state: Any,
    moments: Any,
    starts: Any,
    anchors: Any,
    totals: Any,
    latest_address: Any,
    rows: Any,
    kinds: Any,
    used: Any,
    latest: Any,
    pages: Any,
    masks: Any,
    last: Any,
) -> Any:
    """Count the next ``state[LEFT]`` accesses, from `place` in the records on; returns where it is.

    It stops before an access for which memory is used up.

    Every start of an iteration is a moment. ``moments[cell]`` says when the loop in that cell was
    entered last, and when its current iteration started. ``anchors[starts[site, 0] + cell]`` has
    the moment and the address of the first execution in the current iteration of that loop: once
    for loops of the access' own function, whose iterations elsewhere are another matter, and once
    for loops of callers.
    """
    # all whole numbers that are indices are unsigned: a signed one costs a test of its sign
    u = np.uint64
    wrap, most = u(pages.shape[0] - 1), min(masks.shape[0], pages.shape[0] // 2)
    # `BASE`, `PAGE`, `ENTER` and `AGAIN` mean here what they mean in `decode`: this loop goes
    # without its columns, as its own state is smaller than they are
    around, same = u(rows.shape[1] - 2), u(rows.shape[1] - 1)
    deepest = u(moments.shape[0] - 257)  # one more for the launch of a nest
    launched = u(1) if nested else u(0)
    base, page, clock = u(state[BASE_CELL]), u(state[PAGE_SITES]), state[CLOCK]
    own = base + launched
    in_use, kinds_in_use, left = state[PAGES], state[ROWS], state[LEFT]
    place, n, sites = u(place), u(len(records)), u(len(table))
    while place < n:
        record = records[place]
        index = page + (record >> _SITE_BITS)
        what = table[index, 1]
        if what & u(BASE | PAGE):
            if what & u(BASE):
                base = min(record & _LOW, deepest)
                own = base + launched
            else:
                page = (record & _LOW) << _BITS_OF_SITES
                page = page if page < sites else u(0)
            place += _ONE
            continue
        site, length, after = table[index, 0] & _HALF, table[index, 0] >> u(32), place + _ONE
        counts = False
        if what & u(OUTPUT):
            if left == 0:
                break
            if what & u(LENGTH) and after < n:
                length = records[after] & _HALF
                after += _ONE
            counts = depth[site] >= 0
            if counts and (
                in_use + np.int64(length >> _BITS_OF_PAGE) + 2 > most
                or kinds_in_use == used.size
                or own + u(depth[site]) > u(starts[site, 1])
            ):
                break
            left -= 1
        place = after
        if what & u(ENTER | AGAIN):
            clock += 1
            cell = own + (what >> u(16) & u(255))
            moments[cell, CHANGED] = clock
            if what & u(ENTER):
                moments[cell, ENTERED] = clock
                if what & u(LAUNCH):
                    moments[own - _ONE, CHANGED] = clock
                    moments[own - _ONE, ENTERED] = 0
        if not counts:
            continue
        first = record & _LOW
        level, before = same, latest_address[site]
        start = u(starts[site, 0])
        role, floor, top = OWN, own, own + u(depth[site])
        while True:
            cell = top
            while (
                cell > floor and anchors[start + cell - _ONE, role] < moments[cell - _ONE, CHANGED]
            ):
                cell -= _ONE
            entry = cell == floor
            if cell < top:
                since = anchors[start + cell, role]
                # the anchor is of this entry of the loop, and not of one before (0: of none)
                if since > 0 and since >= moments[cell, ENTERED]:
                    level = cell - own if role == OWN else around
                    before = u(anchors[start + cell, role + 1])
                    entry = False
                while cell < top:
                    anchors[start + cell, role] = clock
                    anchors[start + cell, role + 1] = np.int64(first)
                    cell += _ONE
            if role == CALLERS or not entry:
                break
            # the function's outermost loop is entered anew, or there is none
            role, floor, top = CALLERS, base if nested else _ZERO, own
        if totals[site, 0] > 0:
            row = rows[site, level]
            if row < 0:
                row = kinds_in_use
                rows[site, level] = row
                kinds_in_use += 1
            stride, row = np.int64(first - before), u(row)
            known = u(latest[row])
            if kinds[row, known, 0] == stride and kinds[row, known, 1] > 0:
                kinds[row, known, 1] += 1
            else:
                at = (u(stride) * _SPREAD) >> _BITS_OF_PLACE
                while kinds[row, at, 1] != 0 and kinds[row, at, 0] != stride:
                    at = (at + _ONE) & _IN_ROW
                if kinds[row, at, 1] != 0 or used[row] < KINDS:
                    used[row] += kinds[row, at, 1] == 0
                    kinds[row, at, 0] = stride
                    kinds[row, at, 1] += 1
                    latest[row] = np.int64(at)
                else:
                    kinds[row, PLACES, 1] += 1
        latest_address[site] = first
        totals[site, 0] += 1
        totals[site, 1] += np.int64(length)
        while length > _ZERO:
            inside = first & _IN_LINE
            part = min(length, _LINE - inside)
            number = np.int64(first >> _BITS_OF_PAGE)
            if last[site, 0] != number:
                last[site, 0] = number
                key = (site << SITE_OF_KEY) | u(number)
                at = (key * _SPREAD) >> _SHIFT & wrap
                while pages[at, 1] != _ZERO and pages[at, 0] != key:
                    at = (at + _ONE) & wrap
                if pages[at, 1] == _ZERO:
                    in_use += 1
                    pages[at, 0] = key
                    pages[at, 1] = u(in_use)
                last[site, 1] = np.int64(pages[at, 1]) - 1
            slot = u(last[site, 1])
            bits = (_ALL >> (_LINE - part)) << inside
            masks[slot, (first >> _BITS_OF_LINE) & _IN_PAGE] |= bits
            first += part
            length -= part
    state[BASE_CELL], state[PAGE_SITES], state[CLOCK] = base, page, clock
    state[PAGES], state[ROWS], state[LEFT] = in_use, kinds_in_use, left
    return place


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


observe = compiled(_observe, sites_module)
moved = compiled(_moved)
expand = compiled(_expand)
spread = compiled(_spread)
