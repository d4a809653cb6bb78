"""Rows of a coupling in the form that single moves are kept up to date with."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling

__all__ = ["Rows", "no_rows", "rows_of"]

Integers = NDArray[np.int64]


class Rows(NamedTuple):
    """What memory costs beyond the blocks' own costs; see `Coupling`.

    Attributes
    ----------
    block : array of int32
        The block of each row [1].
    side : array of bool
        On which core it has to be for the row to count.
    start : array of int64
        Where the entries of each row begin, and the end of the last one's [1].
    entry : array of int32
        Eight times the block of each entry, plus twice its kind [1].
    leading : array of bool
        Which entries are the first ones of their block in their row, and not of the row's block.
    weight, base : array of int64
        Accesses of each row [1], and what an access costs at least [scaled cycles].
    occurrence_start, occurrence : array of int64
        For each block the rows it is in [1].
    moves : array of uint8, two-dimensional
        Eight times the next state of the automaton, by core, state, kind, and whether near [1].
    price : array of int64, two-dimensional
        By core and state [scaled cycles].
    initial : array of int8
        The first state, by core [1].
    """

    block: NDArray[np.int32]
    side: NDArray[np.bool_]
    start: Integers
    entry: NDArray[np.int32]
    leading: NDArray[np.bool_]
    weight: Integers
    base: Integers
    occurrence_start: Integers
    occurrence: Integers
    moves: NDArray[np.uint8]
    price: Integers
    initial: NDArray[np.int8]


def no_rows(blocks: int) -> Rows:
    """The rows of memory that costs nothing.

    Parameters
    ----------
    blocks : int
        Blocks of the program [1].

    Examples
    --------
    >>> len(no_rows(3).block)
    0
    """
    none = np.zeros(0, np.int64)
    return Rows(
        block=none.astype(np.int32),
        side=none.astype(np.bool_),
        start=np.zeros(1, np.int64),
        entry=none.astype(np.int32),
        leading=none.astype(np.bool_),
        weight=none,
        base=none,
        occurrence_start=np.zeros(blocks + 1, np.int64),
        occurrence=none,
        moves=np.zeros((2, 8), np.uint8),
        price=np.zeros((2, 1), np.int64),
        initial=np.zeros(2, np.int8),
    )


def rows_of(coupling: Coupling) -> Rows:
    """The rows of a coupling.

    Parameters
    ----------
    coupling : Coupling
        The costs.
    """
    from logca.numeric.partition.solvers.row_loops import first_entries, gather

    arrays = coupling.block, coupling.start, coupling.entry
    leading = np.zeros(len(coupling.entry), np.bool_)
    count = np.zeros(coupling.blocks, np.int64)
    first_entries(*arrays, np.full(coupling.blocks, -1), leading, count)
    begin = np.concatenate((np.zeros(1, np.int64), np.cumsum(count)))
    inside = np.zeros(begin[-1], np.int64)
    gather(*arrays, leading, begin[:-1].copy(), inside)
    moves, price, initial = coupling.automaton.tables(coupling.outcome_cost)
    return Rows(
        block=coupling.block,
        side=coupling.side,
        start=coupling.start,
        entry=coupling.entry,
        leading=leading,
        weight=coupling.weight,
        base=coupling.base,
        occurrence_start=begin,
        occurrence=inside,
        moves=moves,
        price=price,
        initial=initial,
    )
