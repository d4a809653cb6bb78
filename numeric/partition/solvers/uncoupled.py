"""The area kept instead of priced: what is left of a network as a knapsack."""

from fractions import Fraction

import numpy as np

from logca.numeric.partition.solvers.fixing import slacks
from logca.numeric.partition.solvers.knapsack import Choice, best_choice
from logca.numeric.partition.solvers.network import Cut, Network, contract

__all__ = ["charged", "is_coupled", "uncoupled"]

TABLE = 200_000_000
"""How many decisions a knapsack at one node of a search may take [1]."""


def is_coupled(network: Network) -> bool:
    """Whether any two nodes have an arc between them."""
    return bool(np.any((network.tail < network.nodes) & (network.head < network.nodes)))


def uncoupled(network: Network, capacity: int, below: int) -> Choice | None:
    """The best choice of nodes that nothing couples, if its cost is below a limit.

    The answer is nothing if it takes too large a table.

    Parameters
    ----------
    network : Network
        The network.
    capacity : int
        Area for its nodes [1].
    below : int
        The limit [scaled cycles].
    """
    # arcs from the source and to the sink are part of what a block gains
    merged = contract(network, *np.zeros((2, network.nodes), np.bool_), merge=True)
    return best_choice(-merged.cost, merged.area, capacity, least=merged.constant - below)


def charged(network: Network, found: Cut, blocks: int, capacity: int, below: int) -> Choice | None:
    """The best choice if each node costs what the flow of a cut charges it.

    It is a bound: if its cost is not below a limit, that of no partition of the network is. The
    answer is nothing if it takes too large a table.

    Parameters
    ----------
    network : Network
        The network.
    found : Cut
        The cut and its flow.
    blocks : int
        How many blocks the instance has [1].
    capacity : int
        Area for the nodes of the network [1].
    below : int
        The limit [scaled cycles].
    """
    price: Fraction = found.price
    own = slacks(network, found)[:-2]
    real = network.node < blocks
    nothing = int(found.value * price.denominator) - int(np.minimum(own, 0).sum())
    choice = best_choice(
        (price.numerator * network.area - own)[real],
        network.area[real],
        capacity,
        least=nothing - price.denominator * (below - 1) - 1,
        most=TABLE,
    )
    if choice is None or choice.chosen is None:
        return choice
    nodes = found.least.copy()
    nodes[real] = choice.chosen
    return Choice(chosen=nodes)
