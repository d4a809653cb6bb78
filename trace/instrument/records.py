"""Records of 8 bytes: what the site in their upper 16 bits stands for, and who writes which.

The lower 48 bits are an address or a number. A copy of memory has a second record, its length. An
access that is the first of its loop's header has two sites, one for entering the loop and one for
going on with it: reading the trace thus needs no more than a table. Programs with more sites than
16 bits can tell apart have several pages of them; a record says where another page starts. A
stretch is a straight line of records up to a call: the program checks once whether all of them fit.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "AGAIN",
    "BASE",
    "BASE_SITE",
    "ENTER",
    "HEADER_WORDS",
    "LAUNCH",
    "LENGTH",
    "OUTPUT",
    "OUTSIDE",
    "PAGE",
    "PAGE_BITS",
    "PAGE_BYTES",
    "PAGE_SITE",
    "RETURNS",
    "SITES",
    "RecordKind",
    "RecordSlot",
    "Selector",
    "Sites",
    "StateWord",
    "Stretch",
]

PAGE_BITS = 16
BASE_SITE = (1 << PAGE_BITS) - 1
PAGE_SITE = BASE_SITE - 1
SITES = PAGE_SITE
OUTSIDE = (1 << 16) - 1
"""A column of the line table, which has 16 bits, that is no place in a stretch [1]."""

OUTPUT, ENTER, AGAIN, LAUNCH, LENGTH, BASE, PAGE = (1 << bit for bit in range(7))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """Meaning of the sites."""

    # by page and site, 2**16 rows for each page. First word: number of the access, and its size
    # [B] from bit 32 on. Second word: what the record is, a sum of the constants of this module,
    # in bits 0 to 7; loops around the access within its function or its nest in bits 8 to 15; of
    # a header the loops around its own in bits 16 to 23; the nest's loop from bit 32 on [1]
    table: NDArray[np.uint64]
    # loops recorded, each with all that is inside; empty if everything is recorded [1]
    nests: tuple[int, ...]
    columns: int  # most loops around an access, over all functions on the way to it [1]


class RecordKind(Enum):
    """Content of the lower bits of a record."""

    ADDRESS = "the address of an access"
    LENGTH = "the length of the copy in the record before"
    MARK = "nothing: an iteration starts"
    BASE = "how many cells the callers' loops take"
    PAGE = "the page of the sites that follow"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSlot:
    """A record to be written."""

    index: int  # the statement of the block before which it is written [1]
    what: RecordKind  # what it holds
    site: int = 0  # its site, unless a loop chooses it [1]
    loop: int | None = None  # the loop whose way of being reached chooses between two sites [1]
    # of a base: cells that this function's own loops take; of a page: its number [1]
    value: int = 0
    store: bool = False  # of an address: whether that of the destination is meant


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Records that are checked for room together; valid from statement `end` on [1]."""

    slots: tuple[RecordSlot, ...]
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """The two sites of a loop's header: for entering it, and for going on with it."""

    loop: int  # the loop [1]
    blocks: frozenset[int]  # its blocks [1]
    # entering, again: the sites of the two [1]
    entering: int
    again: int


HEADER_WORDS = 64
PAGE_BYTES = 4096
RETURNS = 32


class StateWord:
    """The numbers of the words at the start of the state, as in runtime.c [1]."""

    CURSOR, END, BASE, RING, CHUNK_BYTES, CHUNKS, HANDED, STOP, READY = range(9)
    SIGNAL, PC, ADDRESS, STACK_POINTER, STACK_TOP, STACK_LIMIT, REFUSED, THREADS = range(9, 17)
    TOO_LARGE, CLOSED, ASIDE, LAST_CURSOR, LAST_END, HANDLED, COPIES = range(17, 24)
    LIMIT_CPU, LIMIT_MEMORY, LIMIT_FILE, LIMIT_STACK = range(24, 28)
