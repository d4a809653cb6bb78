"""Touches before each access to memory, counted: enough for the caches of any partition.

The signature of an access of block B to a line l lists, latest first, what happened since B itself
last touched l: which blocks touched l, and which touched lines that take its place in a cache. On
which core those blocks are decides where the access finds the line, so that the histogram of
signatures gives the memory time of every partition without another simulation.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.caches import CacheError

__all__ = ["KINDS", "L1_CONFLICT", "L2_CONFLICT", "READ", "WRITE", "Signatures"]

READ, WRITE, L1_CONFLICT, L2_CONFLICT = range(4)
"""Kinds of entries: the same line was read, or written; another line was touched that is in the
same set of level 1 only; one that is in the same set of level 2, hence of level 1 [1]."""

KINDS = ("READ", "WRITE", "L1_CONFLICT", "L2_CONFLICT")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Signatures:
    """Distinct signatures, and how many accesses have each.

    Notes
    -----
    What no partition can feel is left out: conflicts behind the last touch of the line, and what a
    block did before something of its own that settles the same. The block's own touch that ends a
    list counts as ``READ``.

    Examples
    --------
    >>> import numpy as np
    >>> found = Signatures(blocks=2, block=np.array([1], np.int32), start=np.array([0, 1]),
    ...     entry_block=np.array([0], np.int32), entry_kind=np.array([WRITE], np.int8),
    ...     weight=np.array([7]), resident=False)
    >>> found.accesses, found.entries(0)
    (7, [(0, 'WRITE')])
    """

    blocks: int  # blocks of the program [1]
    block: NDArray[np.int32]  # for each signature the block whose accesses they are [1]
    start: NDArray[np.int64]  # where the entries of each begin, and the end of the last one's [1]
    entry_block: NDArray[np.int32]  # the block of each entry [1]
    entry_kind: NDArray[np.int8]  # ``READ``, ``WRITE``, ``L1_CONFLICT`` or ``L2_CONFLICT`` [1]
    # number of accesses, those that straddle lines counted once for each line [1]
    weight: NDArray[np.int64]
    # whether the entries go back to the block's own last write rather than its last touch, which
    # write-backs of clean lines need
    resident: bool

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        count, entries = len(self.block), len(self.entry_block)
        if len(self.start) != count + 1 or len(self.weight) != count:
            raise CacheError(
                f"{count} signatures with {len(self.start)} starts and {len(self.weight)} weights; "
                f"allowed are {count + 1} and {count}"
            )
        if len(self.entry_kind) != entries or self.start[0] != 0 or self.start[-1] != entries:
            raise CacheError(
                f"{entries} entries with {len(self.entry_kind)} kinds, from {self.start[0]} to "
                f"{self.start[-1]}; allowed are as many kinds as entries, from 0 to {entries}"
            )
        if np.any(np.diff(self.start) < 0):
            raise CacheError("start falls; allowed are rising numbers")
        for name, most in (
            ("block", self.blocks),
            ("entry_block", self.blocks),
            ("entry_kind", len(KINDS)),
        ):
            values = getattr(self, name)
            wrong = np.flatnonzero((values < 0) | (values >= most))
            if len(wrong):
                raise CacheError(
                    f"{name}[{wrong[0]}] is {values[wrong[0]]}; allowed are 0 to {most - 1}"
                )

    def __len__(self) -> int:
        """Number of distinct signatures [1]."""
        return len(self.block)

    @property
    def accesses(self) -> int:
        """Number of accesses [1]."""
        return int(self.weight.sum())

    def entries(self, signature: int) -> list[tuple[int, str]]:
        """Block and kind of each entry, latest first."""
        chosen = slice(self.start[signature], self.start[signature + 1])
        return [
            (int(block), KINDS[kind])
            for block, kind in zip(self.entry_block[chosen], self.entry_kind[chosen], strict=True)
        ]
