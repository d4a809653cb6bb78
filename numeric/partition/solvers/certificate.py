"""Proofs that no partition costs less than a bound, as data.

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
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Branch", "Certificate", "Duals", "Leaf"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Duals:
    """Duals of all pairs and consumers, as changes of others.

    Parameters
    ----------
    base : int
        Which other ones, by number; -1 if all that is not listed is 0 [1].
    denominator : int
        What the listed ones are to be divided by; a multiple of the other ones' [1].
    pair, pair_dual : array of int64
        Pairs that are listed [1], and their duals [scaled cycles / denominator].
    consumer, consumer_dual : array of int64
        Consumers that are listed [1], and their duals [scaled cycles / denominator].
    """

    base: int
    denominator: int
    pair: Integers
    pair_dual: Integers
    consumer: Integers
    consumer_dual: Integers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaf:
    """Where a bound is shown.

    Parameters
    ----------
    price : int, optional
        Price of area [scaled cycles / denominator of the duals]; nothing if the area is not priced
        but kept.
    duals : Duals, optional
        The duals; nothing if the blocks fixed to the accelerator exceed the area.
    """

    price: int | None
    duals: Duals | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Where a block is fixed.

    Parameters
    ----------
    block : int
        Which one [1].
    without, within : int
        Where the tree goes on if it is on the CPU, and if it is on the accelerator [1].
    """

    block: int
    without: int
    within: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Certificate:
    """A proof of a bound; `checking.check` looks whether it is one.

    Parameters
    ----------
    bound : int
        What no partition that fits costs less than [scaled cycles].
    bases : tuple of Duals
        Duals that others change; each only changes earlier ones.
    nodes : tuple of Branch or Leaf
        The tree; its root is the first.
    """

    bound: int
    bases: tuple[Duals, ...]
    nodes: tuple[Branch | Leaf, ...]

    @property
    def leaves(self) -> int:
        """How many leaves the tree has [1]."""
        return sum(isinstance(node, Leaf) for node in self.nodes)
