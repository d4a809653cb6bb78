"""Proofs that no partition costs less than a bound, as data, without and with memory.

A certificate is a binary tree: each inner node fixes one block either way, so that the leaves
cover all partitions. A leaf shows its bound by duals: whole numbers that say how much of the cost
of each pair, and of each consumer of each value, is charged to which of its two blocks.

Let a dual be g for a pair of cost c, |g| <= c. Then the pair costs at least g (x_first - x_second),
where x is 1 for a mapped block and 0 otherwise. Let h_m be the duals of a value's consumers m, with
push C, pulls a_m and producer d: if |h_m| <= a_m, the positive ones add up to at most C, and so do
the negative ones' sizes, then the value costs at least the sum of h_m (x_d - x_m). With
a price of area p >= 0, cost >= cost + p (area - capacity) holds for all that fits, and the right
side is now a constant and one number for each block, whose least value is seen at once. Without a
price it is a knapsack, whose least value takes dynamic programming.

Duals are multiples of 1 / denominator, as the price is. Those of a leaf are those of a base, but
for the ones that the leaf lists; a base changes an earlier one in the same way, the first ones all
zeros.

As without memory, a tree covers all partitions, and whole numbers say how much of the cost of
each pair and consumer is charged to which block. What memory costs beyond the blocks' own costs is
charged through terms. A term is a row of the coupling and some blocks, each with a core: if all of
them are there, the row costs at least c, wherever the others are. So it costs at least c times one
less the number of the term's blocks that are elsewhere, since no row costs less than nothing. That
is a constant and one number for each block. A part of each term may be charged, those of one row
together once.

Where a block's one side would raise the bound to that of the certificate, all partitions that are
cheaper have it on the other side: a node that settles says so of many blocks with the same duals.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Branch",
    "Certificate",
    "CoupledCertificate",
    "CoupledDuals",
    "CoupledLeaf",
    "Duals",
    "Leaf",
    "Settlement",
    "Terms",
]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Duals:
    """Duals of all pairs and consumers, as changes of others."""

    base: int  # which other ones, by number; -1 if all that is not listed is 0 [1]
    denominator: int  # what the listed ones are to be divided by; a multiple of the other ones' [1]
    # pair, pair_dual: pairs that are listed [1], and their duals [scaled cycles / denominator]
    pair: Integers
    pair_dual: Integers
    # consumer, consumer_dual: consumers that are listed [1], and their duals [scaled cycles /
    # denominator]
    consumer: Integers
    consumer_dual: Integers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaf:
    """Where a bound is shown."""

    # price of area [scaled cycles / denominator of the duals]; nothing if the area is not priced
    # but kept
    price: int | None
    duals: Duals | None  # the duals; nothing if the blocks fixed to the accelerator exceed the area


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Where a block is fixed."""

    block: int  # which one [1]
    # without, within: where the tree goes on if it is on the CPU, and if it is on the accelerator
    # [1]
    without: int
    within: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Certificate:
    """A proof of a bound; `checker.check` looks whether it is one."""

    bound: int  # what no partition that fits costs less than [scaled cycles]
    bases: tuple[Duals, ...]  # duals that others change; each only changes earlier ones
    nodes: tuple[Branch | Leaf, ...]  # the tree; its root is the first

    @property
    def leaves(self) -> int:
        """Number of leaves of the tree [1]."""
        return sum(isinstance(node, Leaf) for node in self.nodes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terms:
    """Terms by number."""

    row: Integers  # the row of each [1]
    start: Integers  # where the blocks of each begin, and the end of the last one's [1]
    block: Integers  # blocks of terms, that of the row among them [1]
    side: NDArray[np.bool_]  # whether each is to be on the accelerator


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoupledDuals:
    """Duals of pairs, consumers and terms, as changes of others."""

    base: int  # which duals these change, by number; -1 if what is not listed is 0 [1]
    price: int  # price of area [scaled cycles / denominator]
    # pair, pair_dual: pairs that are listed [1], and their duals [scaled cycles / denominator]
    pair: Integers
    pair_dual: Integers
    # consumer, consumer_dual: consumers that are listed [1], and their duals [scaled cycles /
    # denominator]
    consumer: Integers
    consumer_dual: Integers
    # term, term_dual: terms that are listed [1], and what part of them counts [1 / denominator]
    term: Integers
    term_dual: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class CoupledLeaf:
    """Where a bound is shown."""

    duals: int  # by which duals; -1 if the blocks fixed to the accelerator exceed the area [1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settlement:
    """Where blocks are fixed whose other side cannot be cheaper, or does not fit."""

    duals: int  # the duals that show it [1]
    block: Integers  # which blocks [1]
    side: NDArray[np.bool_]  # whether each is on the accelerator
    then: int  # where the tree goes on [1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoupledCertificate:
    """A proof of a bound; `coupled_checker.check_coupled_bound` looks whether it is one."""

    bound: int  # what no partition that fits costs less than [scaled cycles]
    denominator: int  # what all duals are to be divided by [1]
    terms: Terms  # the terms
    duals: tuple[CoupledDuals, ...]  # each changes only one before it
    nodes: tuple[Branch | Settlement | CoupledLeaf, ...]  # the tree; its root is the first

    @property
    def leaves(self) -> int:
        """Number of leaves of the tree [1]."""
        return sum(isinstance(node, CoupledLeaf) for node in self.nodes)
