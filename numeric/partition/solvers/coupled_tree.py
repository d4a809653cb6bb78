"""The tree of a search with memory costs as it grows into a certificate."""

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.solvers.certificate import Branch
from logca.numeric.partition.solvers.coupled_certificate import (
    CoupledCertificate,
    CoupledDuals,
    CoupledLeaf,
    Settlement,
)
from logca.numeric.partition.solvers.coupled_proof import Shown, changed
from logca.numeric.partition.solvers.terms import Table

__all__ = ["CoupledTree"]


class CoupledTree:
    """A certificate that is being made."""

    def __init__(self) -> None:
        self._nodes: list[Branch | Settlement | CoupledLeaf | None] = [None]
        self._duals: list[CoupledDuals] = []
        self._base: Shown | None = None
        self._last: tuple[Shown, int] | None = None

    def branch(self, number: int, block: int) -> tuple[int, int]:
        """Put a branch where a number says; the numbers of its two ends [1]."""
        without, within = len(self._nodes), len(self._nodes) + 1
        self._nodes += [None, None]
        self._nodes[number] = Branch(block=block, without=without, within=within)
        return without, within

    def settle(
        self, number: int, shown: Shown, block: NDArray[np.int64], side: NDArray[np.bool_]
    ) -> int:
        """Put a settlement; the number of what follows [1].

        Parameters
        ----------
        number : int
            Where [1].
        shown : Shown
            What shows it.
        block, side : array
            Which blocks, and whether each is on the accelerator.
        """
        then = len(self._nodes)
        self._nodes.append(None)
        self._nodes[number] = Settlement(
            duals=self._number(shown), block=block, side=side, then=then
        )
        return then

    def leaf(self, number: int, shown: Shown | None) -> None:
        """Put a leaf; without duals what is fixed exceeds the area."""
        self._nodes[number] = CoupledLeaf(duals=-1 if shown is None else self._number(shown))

    def certificate(self, bound: int, below: int, table: Table) -> CoupledCertificate:
        """The certificate; every end of the tree must have its leaf.

        Parameters
        ----------
        bound : int
            What it proves [scaled cycles].
        below : int
            The denominator [1].
        table : Table
            All terms.
        """
        nodes = tuple(node for node in self._nodes if node is not None)
        if len(nodes) < len(self._nodes):
            raise AssertionError("an end of the tree has no leaf")
        return CoupledCertificate(
            bound=bound,
            denominator=below,
            terms=table.terms,
            duals=tuple(self._duals),
            nodes=nodes,
        )

    def _number(self, shown: Shown) -> int:
        """The number of some duals, which are new or the last ones."""
        if self._last is None or self._last[0] is not shown:
            self._duals.append(changed(shown, self._base, -1 if self._base is None else 0))
            self._last = shown, len(self._duals) - 1
            if self._base is None:
                self._base = shown
        return self._last[1]
