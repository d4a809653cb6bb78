"""DRAM transactions: those that miss the L2 cache, by access and by class.

Misses go to main memory (wang2017, section 3.3.4); writes count as reads do.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.gpu.stages.coalescing import PATTERNS, Patterns
from logca.gpu.stages.warps import WarpTrace

__all__ = ["Behaviour", "Memory", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """How warp instructions behave on average."""

    pattern: str  # their class, one of `PATTERNS`; of all classes together, the most frequent one
    # the static access that they belong to; None for all accesses of the class [1]
    access: int | None
    executions: int  # how many warp instructions were looked at [1]
    lanes: float  # active lanes of each [1]
    transactions: float  # L2 transactions of each by real addresses [1]
    ruled_transactions: float  # L2 transactions of each by the rule of section 3.3.3 [1]
    delivered: float  # what L2 delivers for each, in lines [1]
    dram: float  # DRAM transactions of each [1]
    missing: float  # share of them that have any [1]
    hit: float  # what L2 delivers for each of the others, in lines; 0 without such [1]
    stride: int  # between neighbouring lanes, that of most warp instructions [B]
    stride_share: float  # share of the warp instructions that have this stride [1]
    shares: tuple[float, ...]  # share of each class, in the order of `PATTERNS` [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Behaviour of the memory accesses of a nest."""

    classes: tuple[Behaviour, ...]  # one for each class that occurs, in the order of `PATTERNS`
    accesses: tuple[Behaviour, ...]  # one for each static access, in program order
    # transactions, misses: L2 transactions by real addresses, and how many of them missed [1]
    transactions: int
    misses: int

    @property
    def miss_rate(self) -> float:
        """Share of the transactions that missed [1]; 0 if there were none."""
        return self.misses / self.transactions if self.transactions else 0.0


def memory(warps: WarpTrace, found: Patterns, misses: NDArray[np.bool_]) -> Memory:
    """How warp instructions behave of whose transactions these miss the L2 cache."""
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
