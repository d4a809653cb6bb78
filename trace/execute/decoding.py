"""Records become columns: which access, which address, and the iterations of the loops around it.

The cells hold the iteration of every loop that is running, outermost first. A record that starts an
iteration sets its cell to 0 or adds 1; an access takes as many cells as there are loops around it.
What a called function runs takes the cells behind those of its callers, whose number a record
before and after each call in a loop says: a return by `longjmp`, which skips returns, thus needs no
bookkeeping.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    Sites,
)

__all__ = [
    "GROUP",
    "Chunk",
    "Decoder",
    "decode",
    "decoder",
]

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
    """Decode records into columns, and say how many accesses there are [1]."""
    # all whole numbers are unsigned: a signed index costs a test of its sign
    u = np.uint64
    zero, one, low = u(0), u(1), u(LOW)
    # depths and columns have 8 bits in the table: behind a base there is room for all of them
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


CELLS = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A part of a trace, in program order.

    Parameters
    ----------
    access : ndarray
        Number of the access, an index of `Program.accesses`, uint32 [1].
    address : ndarray
        Where it reads or writes, uint64 [B].
    size : ndarray
        How much, uint32 [B].
    iterations : ndarray
        Of the loops around it, outermost first, those around the call of its function among them;
        from 0 on, and -1 where there are no more loops; one row per access, int32 [1].
    nest : ndarray or None
        The loop that it was recorded for, int32 [1].
    launch : ndarray or None
        How often that loop had been entered before, int32 [1].
    records : ndarray or None
        What it was decoded from, uint64. The memory is the running program's: of use only until
        whoever was given the chunk returns.
    sites : Sites or None
        What these stand for.
    """

    access: NDArray[np.uint32]
    address: NDArray[np.uint64]
    size: NDArray[np.uint32]
    iterations: NDArray[np.int32]
    nest: NDArray[np.int32] | None = None
    launch: NDArray[np.int32] | None = None
    records: NDArray[np.uint64] | None = None
    sites: Sites | None = None

    def __len__(self) -> int:
        """Accesses [1]."""
        return len(self.access)

    def first(self, n: int) -> "Chunk":
        """Its first accesses."""
        return Chunk(
            access=self.access[:n],
            address=self.address[:n],
            size=self.size[:n],
            iterations=self.iterations[:n],
            nest=None if self.nest is None else self.nest[:n],
            launch=None if self.launch is None else self.launch[:n],
            records=self.records,
            sites=self.sites,
        )


@dataclass(slots=True, kw_only=True)
class Decoder:
    """Tables, and where the decoding of a trace stands."""

    sites: Sites  # what records stand for
    position: NDArray[np.uint64]  # cells taken by callers, and the first site of the page [1]
    cells: NDArray[np.int32]  # iterations of the running loops [1]
    # how often each loop that is a nest has been entered, by its number [1]
    launches: NDArray[np.int32]
    columns: tuple[NDArray[Any], ...]  # memory for the columns of a chunk

    def decode(self, records: NDArray[np.uint64]) -> Chunk:
        """The accesses among the records that come next in a trace."""
        nested, width = bool(self.sites.nests), row_width(self.sites)
        # Fresh memory costs more than the decoding: take the last chunk's if nobody has kept it.
        # A view holds a reference to the column it shows, so that what a caller keeps of a chunk
        # is counted too.
        known = self.columns
        if is_viewed(known) or len(records) > len(known[0]):
            self.columns = new_columns(len(records), self.sites)
        access, address, size, rows, nest, launch = self.columns
        count = int(
            kernel()(
                records,
                self.sites.table,
                self.position,
                self.cells,
                self.launches,
                nested,
                width,
                *self.columns,
            )
        )
        return Chunk(
            access=access[:count],
            address=address[:count],
            size=size[:count],
            iterations=rows[: count * width].reshape(count, width)[:, : self.sites.columns],
            nest=nest[:count] if nested else None,
            launch=launch[:count] if nested else None,
            records=records,
            sites=self.sites,
        )


def decoder(sites: Sites) -> Decoder:
    """A decoder at the start of a trace."""
    return Decoder(
        sites=sites,
        position=np.zeros(2, np.uint64),
        cells=np.full(CELLS, -1, np.int32),
        launches=np.zeros(1 + max(sites.nests, default=0), np.int32),
        columns=new_columns(0, sites),
    )


def row_width(sites: Sites) -> int:
    """Iterations that the decoded rows have room for [1]: whole groups."""
    return -(-sites.columns // GROUP) * GROUP


def new_columns(n: int, sites: Sites) -> tuple[NDArray[Any], ...]:
    """Columns for as many accesses."""
    nested, width = bool(sites.nests), row_width(sites)
    return (
        np.empty(n, np.uint32),
        np.empty(n, np.uint64),
        np.empty(n, np.uint32),
        np.empty(n * width, np.int32),
        np.empty(n if nested else 0, np.int32),
        np.empty(n if nested else 0, np.int32),
    )


def references(columns: tuple[NDArray[Any], ...]) -> list[int]:
    """Numbers of references to each column, those of this function among them [1]."""
    return [sys.getrefcount(column) for column in columns]


@cache
def own_references() -> int:
    """The number in `references` where nobody else has one [1]; it differs between interpreters."""
    return references((np.empty(0),))[0]


def is_viewed(columns: tuple[NDArray[Any], ...]) -> bool:
    """True if somebody still has a view of a column."""
    return max(references(columns)) > own_references()


@cache
def kernel() -> Callable[..., int]:
    """The loop over records, compiled."""
    return compiled(decode, sites_module)
