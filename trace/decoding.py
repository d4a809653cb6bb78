"""Records become columns: which access, which address, and the iterations of the loops around it.

The cells hold the iteration of every loop that is running, outermost first. A record that starts
an iteration sets its cell to 0 or adds 1; an access takes as many cells as there are loops around
it. What a called function runs takes the cells behind those of its callers, whose number a record
before and after each call in a loop says: a return by `longjmp`, which skips returns, thus needs
no bookkeeping.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.trace import sites as sites_module
from logca.trace.compiling import compiled
from logca.trace.decoding_loops import GROUP, decode
from logca.trace.sites import Sites

__all__ = ["Chunk", "Decoder", "decoder"]

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
    """Tables, and where the decoding of a trace stands.

    Parameters
    ----------
    sites : Sites
        What records stand for.
    position : ndarray
        Cells taken by callers, and the first site of the page [1].
    cells : ndarray
        Iterations of the running loops [1].
    launches : ndarray
        How often each loop that is a nest has been entered, by its number [1].
    columns : tuple of ndarray
        Memory for the columns of a chunk.
    """

    sites: Sites
    position: NDArray[np.uint64]
    cells: NDArray[np.int32]
    launches: NDArray[np.int32]
    columns: tuple[NDArray[Any], ...] = ()

    def decode(self, records: NDArray[np.uint64]) -> Chunk:
        """The accesses among the records that come next in a trace."""
        nested = bool(self.sites.nests)
        width = -(-self.sites.columns // GROUP) * GROUP
        # fresh memory costs more than the decoding: take the last chunk's if nobody has kept it
        known = self.columns
        if not known or len(records) > len(known[0]) or kept(known):
            self.columns = memory(len(records), width, nested)
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
    )


def memory(n: int, width: int, nested: bool) -> tuple[NDArray[Any], ...]:
    """Columns for as many accesses."""
    return (
        np.empty(n, np.uint32),
        np.empty(n, np.uint64),
        np.empty(n, np.uint32),
        np.empty(n * width, np.int32),
        np.empty(n if nested else 0, np.int32),
        np.empty(n if nested else 0, np.int32),
    )


def references(columns: tuple[NDArray[Any], ...]) -> list[int]:
    """How many references there are to each column, those of this function among them [1]."""
    return [sys.getrefcount(column) for column in columns]


@cache
def unshared() -> int:
    """What `references` gives where nobody else has one [1]; it differs between interpreters."""
    return references((np.empty(0),))[0]


def kept(columns: tuple[NDArray[Any], ...]) -> bool:
    """Whether somebody still has a view of a column."""
    return max(references(columns)) > unshared()


@cache
def kernel() -> Callable[..., int]:
    """The loop over records, compiled."""
    return compiled(decode, sites_module)
