"""The tree of a search as it grows into a certificate."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.solvers.certificate import Branch, Certificate, Duals, Leaf
from logca.numeric.partition.solvers.couplings import Couplings
from logca.numeric.partition.solvers.fixing import Settled
from logca.numeric.partition.solvers.network import Cut, Network
from logca.numeric.partition.solvers.proving import both_ways, duals, entries
from logca.numeric.partition.solvers.regions import Region, completed, through

__all__ = ["Tree"]

Integers = NDArray[np.int64]
Sides = NDArray[np.int8]


class Tree:
    """A certificate that is being made.

    Parameters
    ----------
    instance : Instance
        The problem.
    found : Couplings
        Its couplings.
    """

    def __init__(self, instance: Instance, found: Couplings) -> None:
        self._known = entries(instance, found)
        self._blocks = instance.blocks
        self._nodes: list[Branch | Leaf | None] = [None]
        self._bases: list[Duals] = []
        self._regions: list[tuple[Region, int]] = []

    def branch(self, number: int, block: int) -> tuple[int, int]:
        """Put a branch where a number says; the numbers of its two ends [1]."""
        without, within = len(self._nodes), len(self._nodes) + 1
        self._nodes += [None, None]
        self._nodes[number] = Branch(block=block, without=without, within=within)
        return without, within

    def infeasible(self, number: int) -> None:
        """Put a leaf for blocks that do not fit."""
        self._nodes[number] = Leaf(price=0, duals=None)

    def leaf(
        self,
        number: int,
        region: Region,
        side: Sides,
        network: Network,
        found: Cut,
        *,
        priced: bool = True,
    ) -> None:
        """Put a leaf for a cut of what is left of a region.

        Parameters
        ----------
        number : int
            Where [1].
        region : Region
            The region.
        side : array of int8
            For each node of it its side.
        network : Network
            What is left of it.
        found : Cut
            The cut.
        priced : bool
            Whether its price shows the bound, and not the best choice for the area.
        """
        made = self._duals(region, self._flow(region, side, network, found), found)
        self._nodes[number] = Leaf(price=found.price.numerator if priced else None, duals=made)

    def settle(
        self,
        number: int,
        region: Region,
        side: Sides,
        network: Network,
        found: Cut,
        settled: Iterable[Settled],
    ) -> int:
        """Put a chain of branches on blocks that are settled; the number of its end [1].

        Parameters
        ----------
        number : int
            Where it begins [1].
        region, side, network, found
            As for `leaf`.
        settled : iterable of Settled
            The blocks.
        """
        flow = self._flow(region, side, network, found)
        self._bases.append(self._duals(region, flow, found))
        base, price, below = len(self._bases) - 1, found.price.numerator, found.price.denominator
        none = np.zeros(0, np.int64)
        plain = Leaf(price=price, duals=duals(self._known, none, none, base=base, below=below))
        for each in settled:
            ends = self.branch(number, int(network.node[each.node]))
            leaf, number = ends if each.mapped else ends[::-1]
            self._nodes[leaf] = plain
            if len(each.arc):
                arcs = network.arc[each.arc]
                np.add.at(flow, arcs, each.change)
                chosen = both_ways(self._known, arcs)
                changed = duals(self._known, chosen, flow[chosen], base=base, below=below)
                np.subtract.at(flow, arcs, each.change)
                self._nodes[leaf] = Leaf(price=price, duals=changed)
        return number

    def certificate(self, bound: int) -> Certificate:
        """The certificate; every end of the tree must have its leaf.

        Parameters
        ----------
        bound : int
            What it proves [scaled cycles].
        """
        nodes = tuple(node for node in self._nodes if node is not None)
        if len(nodes) < len(self._nodes):
            raise AssertionError("an end of the tree has no leaf")
        return Certificate(bound=bound, bases=tuple(self._bases), nodes=nodes)

    def _flow(self, region: Region, side: Sides, network: Network, found: Cut) -> Integers:
        """The flow through all arcs [scaled cycles / denominator of the price]."""
        whole = completed(region.network, side, self._blocks)
        below = found.price.denominator
        flow = region.flow * below
        flow[region.network.arc] = through(region.network, whole, self._blocks) * below
        flow[network.arc] = found.flow
        return flow

    def _duals(self, region: Region, flow: Integers, found: Cut) -> Duals:
        arcs = both_ways(self._known, region.network.arc)
        return duals(
            self._known,
            arcs,
            flow[arcs],
            base=self._base(region),
            below=found.price.denominator,
        )

    def _base(self, region: Region) -> int:
        """The base of what is outside a region."""
        for known, number in self._regions:
            if known is region:
                return number
        arcs = np.arange(len(region.flow))
        self._bases.append(duals(self._known, arcs, region.flow, base=-1, below=1))
        self._regions.append((region, len(self._bases) - 1))
        return len(self._bases) - 1
