"""The methods by which partitions are found: each by its name, from a case to a partition.

A new method is an algorithm in `solvers`, and a line in `METHODS`.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.answer.case import Case
from logca.numeric.partition.answer.result import Corner
from logca.numeric.partition.solvers.bounds.frontier import Frontier, bound, corner, frontier
from logca.numeric.partition.solvers.bounds.frontier import mapped as mapped_at
from logca.numeric.partition.solvers.optimum import Optimum, optimal

__all__ = ["METHODS"]

Found = tuple[Optimum, tuple[Corner, ...]]


def _optimal(case: Case, time_limit: float) -> Found:
    loops = case.problem.loops
    return optimal(case.instance, case.coupling, time_limit=time_limit, clusters=loops), ()


def _greedy(case: Case, time_limit: float) -> Found:
    from logca.numeric.partition.solvers.heuristics.greedy import greedy

    return _bounded(case, greedy(case.instance, case.coupling)), ()


def _clusters(case: Case, time_limit: float) -> Found:
    from logca.numeric.partition.solvers.heuristics.greedy_loop_clusters import cluster_greedy

    return _bounded(case, cluster_greedy(case.instance, case.problem.loops, case.coupling)), ()


def _frontier(case: Case, time_limit: float) -> Found:
    """The best corner that fits, and all corners that keep the pins.

    Bounds leave out what memory may add. What is pinned to the accelerator comes first, so that the
    corners without it are the first ones.
    """
    every = frontier(case.own)
    first = int(every.step[case.forced].max(initial=0))
    kept = range(first, every.corners)
    times = dict(zip(kept, _costs_along(case, every, kept), strict=True))
    scale = case.instance.scale
    corners = tuple(
        Corner(
            area=int(every.area[which]),
            time=Fraction(times[which], scale),
            bound=bound(every, int(every.area[which])) / scale,
        )
        for which in kept
    )
    fitting = range(first, corner(every, case.instance.capacity) + 1)
    return _bounded(case, mapped_at(every, min(fitting, key=times.__getitem__))), corners


def _costs_along(case: Case, every: Frontier, corners: range) -> Iterator[int]:
    """Cost of each corner, memory included; from one to the next only what moves is looked at."""
    from logca.numeric.partition.solvers.heuristics.move_loops import flip
    from logca.numeric.partition.solvers.heuristics.moves import moves_from

    at = moves_from(case.own, mapped_at(every, corners.start), coupling=case.coupling)
    order = np.argsort(every.step, kind="stable")
    ends = np.searchsorted(every.step[order], np.arange(every.corners), side="right")
    yield int(at.total[0])
    for which in corners[1:]:
        for block in order[ends[which - 1] : ends[which]]:
            flip(at, block)
        yield int(at.total[0])


def _bounded(case: Case, mapped: NDArray[np.bool_]) -> Optimum:
    """A partition with the bound that one price of area gives, without what memory may add."""
    from logca.numeric.partition.solvers.search.flow_bound import branch_and_bound

    root = branch_and_bound(case.own, start=mapped, most_nodes=0)
    total = case.cost_of(mapped)
    return Optimum(
        mapped=mapped,
        cost=total,
        bound=min(total, root.certificate.bound),
        proof="certificate",
        certificate=root.certificate,
        nodes=0,
    )


METHODS: dict[str, Callable[[Case, float], Found]] = {
    "optimal": _optimal,
    "greedy": _greedy,
    "clusters": _clusters,
    "frontier": _frontier,
}
"""From a case and a limit of time [s] to a partition with its bound, and the frontier's corners."""
