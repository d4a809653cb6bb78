"""DRAM transactions: which transactions of the warps miss the L2 cache, by access and by class.

The cache sees the transactions of the lockstep order one after the other; a miss is a transaction
to main memory (section 3.3.4 of wang2017). Writes count as reads do.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.gpu.accesses import PATTERNS, Patterns
from logca.gpu.cache import Cache, CacheState, simulate
from logca.gpu.paging import physical
from logca.gpu.warps import WarpTrace

__all__ = ["Behaviour", "Memory", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """How warp instructions behave on average.

    Parameters
    ----------
    pattern : str
        Their class, one of `PATTERNS`; of all classes together, the most frequent one [text].
    access : int or None
        The static access that they belong to; None for all accesses of the class [1].
    executions : int
        How many warp instructions were looked at [1].
    lanes : float
        Active lanes of each [1].
    transactions : float
        L2 transactions of each by real addresses [1].
    ruled_transactions : float
        L2 transactions of each by the rule of section 3.3.3 [1].
    delivered : float
        What L2 delivers for each, in lines [1].
    dram : float
        DRAM transactions of each [1].
    missing : float
        Share of them that have any [1].
    hit : float
        What L2 delivers for each of the others, in lines; 0 without such [1].
    stride : int
        Between neighbouring lanes, that of most warp instructions [B].
    stride_share : float
        Share of the warp instructions that have this stride [1].
    shares : tuple of float
        Share of each class, in the order of `PATTERNS` [1].
    """

    pattern: str
    access: int | None
    executions: int
    lanes: float
    transactions: float
    ruled_transactions: float
    delivered: float
    dram: float
    missing: float
    hit: float
    stride: int
    stride_share: float
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Behaviour of the memory accesses of a nest.

    Parameters
    ----------
    classes : tuple of Behaviour
        One for each class that occurs, in the order of `PATTERNS`.
    accesses : tuple of Behaviour
        One for each static access, in program order.
    transactions, misses : int
        L2 transactions by real addresses, and how many of them missed [1].
    """

    classes: tuple[Behaviour, ...]
    accesses: tuple[Behaviour, ...]
    transactions: int
    misses: int

    @property
    def miss_rate(self) -> float:
        """Share of the transactions that missed [1]; 0 if there were none."""
        return self.misses / self.transactions if self.transactions else 0.0

    def rows(self) -> list[dict[str, object]]:
        """What the stage prints: one row for each static access, then one for each class."""
        return [
            {
                "access": "all" if each.access is None else each.access,
                "pattern": each.pattern,
                "warp instructions": each.executions,
                "lanes": each.lanes,
                "stride": each.stride,
                "transactions": each.transactions,
                "DRAM transactions": each.dram,
            }
            for each in (*self.accesses, *self.classes)
        ]


def memory(
    warps: WarpTrace,
    found: Patterns,
    cache: Cache,
    state: CacheState | None = None,
    *,
    scattered: bool = False,
) -> Memory:
    """Run the transactions of a nest through the L2 cache.

    Parameters
    ----------
    warps : WarpTrace
        The warp instructions.
    found : Patterns
        Their patterns and transactions.
    cache : Cache
        The L2 cache, with lines as long as those of `found`.
    state : CacheState, optional
        What the cache holds before; empty if left out.
    scattered : bool
        Whether pages lie anywhere in physical memory, see `logca.gpu.paging`.

    Raises
    ------
    ValueError
        If the lines differ in length.
    """
    if cache.line != found.line_size:
        raise ValueError(
            f"transactions were counted for lines of {found.line_size} B, "
            f"but those of the cache have {cache.line} B"
        )
    blocks = physical(found.line, cache.line) if scattered else found.line
    misses = ~simulate(cache, blocks, state)
    dram = np.diff(np.append(0, np.cumsum(misses))[found.start])
    columns = np.stack(
        [np.diff(warps.start), np.diff(found.start), found.ruled, found.delivered, dram]
    )
    classes = [np.flatnonzero(found.pattern == number) for number in range(len(PATTERNS))]
    order = np.argsort(warps.access, kind="stable")
    ids, begin = np.unique(warps.access[order], return_index=True)
    parts = np.split(order, begin[1:])
    return Memory(
        classes=tuple(_behaviour(found, columns, each, None) for each in classes if len(each)),
        accesses=tuple(
            _behaviour(found, columns, each, int(access))
            for access, each in zip(ids, parts, strict=True)
        ),
        transactions=len(misses),
        misses=int(misses.sum()),
    )


def _behaviour(
    found: Patterns, columns: NDArray[np.float64], which: NDArray[np.int64], access: int | None
) -> Behaviour:
    lanes, transactions, ruled, delivered, dram = columns[:, which].mean(axis=1).tolist()
    shares = np.bincount(found.pattern[which], minlength=len(PATTERNS)) / len(which)
    missed = columns[-1, which] > 0
    strides, counts = np.unique(found.stride[which], return_counts=True)
    most = int(np.argmax(counts))
    return Behaviour(
        pattern=PATTERNS[int(np.argmax(shares))],
        access=access,
        executions=len(which),
        lanes=lanes,
        transactions=transactions,
        ruled_transactions=ruled,
        delivered=delivered,
        dram=dram,
        missing=float(missed.mean()),
        hit=0.0 if missed.all() else float(columns[-2, which][~missed].mean()),
        stride=int(strides[most]),
        stride_share=float(counts[most] / len(which)),
        shares=tuple(shares.tolist()),
    )
