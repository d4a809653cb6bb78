"""Terms of rows as a search finds them; see `coupled_certificate` for what they say."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.solvers.coupled_certificate import Terms
from logca.numeric.partition.solvers.rows import Rows

__all__ = ["Pool", "Table"]

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]

MOST = 4096
"""How many terms are looked for at once [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Terms with what each is worth.

    Parameters
    ----------
    terms : Terms
        The terms.
    cost : array of int64
        What the row of each costs at least if all blocks are where the term says [scaled cycles].
    owner : array of int64
        For each block of a term which term it is of [1].
    """

    terms: Terms
    cost: Integers
    owner: Integers

    def __len__(self) -> int:
        """How many terms there are [1]."""
        return len(self.cost)


class Pool:
    """All terms that were found.

    Parameters
    ----------
    rows : Rows
        The rows.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._known: set[tuple[int, bytes, bytes]] = set()
        self._row: list[int] = []
        self._block: list[Integers] = []
        self._side: list[NDArray[np.bool_]] = []
        self._cost: list[int] = []
        self._made: Table | None = None

    def __len__(self) -> int:
        """How many terms there are [1]."""
        return len(self._row)

    def add(self, x: Numbers, charged: Numbers, by: float) -> int:
        """Add terms that a fractional partition violates; how many are new [1].

        Parameters
        ----------
        x : array of float
            How far each block is mapped [1].
        charged : array of float
            What each row is taken to cost [scaled cycles].
        by : float
            Terms that are violated by less do not count [scaled cycles].
        """
        from logca.numeric.partition.solvers.term_loops import violated

        if not len(self._rows.block):
            return 0
        longest = int(np.diff(self._rows.start).max())
        row, cost, start = (np.zeros(MOST + 1, np.int64) for _ in range(3))
        block, side = (np.zeros(MOST + longest * 64, np.int64) for _ in range(2))
        found = violated(self._rows, x, charged, by, row[:MOST], start, block, side, cost)
        before = len(self)
        for each in range(found):
            chosen = slice(start[each], start[each + 1])
            order = np.argsort(block[chosen])
            blocks, sides = block[chosen][order], side[chosen][order].astype(np.bool_)
            key = int(row[each]), blocks.tobytes(), sides.tobytes()
            if key not in self._known:
                self._known.add(key)
                self._row.append(key[0])
                self._block.append(blocks)
                self._side.append(sides)
                self._cost.append(int(cost[each]))
        return len(self) - before

    def table(self) -> Table:
        """All terms by number."""
        if self._made is None or len(self._made) < len(self):
            lengths = [len(blocks) for blocks in self._block]
            none = np.zeros(0, np.int64)
            self._made = Table(
                terms=Terms(
                    row=np.array(self._row, np.int64),
                    start=np.cumsum([0, *lengths]).astype(np.int64),
                    block=np.concatenate((none, *self._block)),
                    side=np.concatenate((none.astype(np.bool_), *self._side)),
                ),
                cost=np.array(self._cost, np.int64),
                owner=np.repeat(np.arange(len(lengths)), lengths),
            )
        return self._made
