"""Proofs that no partition costs less than a bound, memory included, as data.

As in `certificate`, a tree covers all partitions, and whole numbers say how much of the cost of
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

from logca.numeric.partition.solvers.certificate import Branch

__all__ = ["CoupledCertificate", "CoupledDuals", "CoupledLeaf", "Settlement", "Terms"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terms:
    """Terms by number.

    Parameters
    ----------
    row : array of int64
        The row of each [1].
    start : array of int64
        Where the blocks of each begin, and the end of the last one's [1].
    block : array of int64
        Blocks of terms, that of the row among them [1].
    side : array of bool
        Whether each is to be on the accelerator.
    """

    row: Integers
    start: Integers
    block: Integers
    side: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoupledDuals:
    """Duals of pairs, consumers and terms, as changes of others.

    Parameters
    ----------
    base : int
        Which duals these change, by number; -1 if what is not listed is 0 [1].
    price : int
        Price of area [scaled cycles / denominator].
    pair, pair_dual : array of int64
        Pairs that are listed [1], and their duals [scaled cycles / denominator].
    consumer, consumer_dual : array of int64
        Consumers that are listed [1], and their duals [scaled cycles / denominator].
    term, term_dual : array of int64
        Terms that are listed [1], and what part of them counts [1 / denominator].
    """

    base: int
    price: int
    pair: Integers
    pair_dual: Integers
    consumer: Integers
    consumer_dual: Integers
    term: Integers
    term_dual: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class CoupledLeaf:
    """Where a bound is shown.

    Parameters
    ----------
    duals : int
        By which duals; -1 if the blocks fixed to the accelerator exceed the area [1].
    """

    duals: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settlement:
    """Where blocks are fixed whose other side cannot be cheaper, or does not fit.

    Parameters
    ----------
    duals : int
        The duals that show it [1].
    block : array of int64
        Which blocks [1].
    side : array of bool
        Whether each is on the accelerator.
    then : int
        Where the tree goes on [1].
    """

    duals: int
    block: Integers
    side: NDArray[np.bool_]
    then: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoupledCertificate:
    """A proof of a bound; `coupled_checking.check_coupled` looks whether it is one.

    Parameters
    ----------
    bound : int
        What no partition that fits costs less than [scaled cycles].
    denominator : int
        What all duals are to be divided by [1].
    terms : Terms
        The terms.
    duals : tuple of CoupledDuals
        Each changes only one before it.
    nodes : tuple of Branch, Settlement or CoupledLeaf
        The tree; its root is the first.
    """

    bound: int
    denominator: int
    terms: Terms
    duals: tuple[CoupledDuals, ...]
    nodes: tuple[Branch | Settlement | CoupledLeaf, ...]

    @property
    def leaves(self) -> int:
        """How many leaves the tree has [1]."""
        return sum(isinstance(node, CoupledLeaf) for node in self.nodes)
