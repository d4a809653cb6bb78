"""Which loops of a program to offload together: the exact optimum, with copies as coupling.

Each loop takes its time on either side, and an array that one side writes and the other reads costs
a copy: the partition problem of `logca.numeric.partition`, with loops as blocks and arrays as
values, whose optimum comes with a certificate.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.optimum import Optimum, optimal
from logca.offloading.array_flows import OUTSIDE
from logca.offloading.links.copy_link import CopyLink
from logca.offloading.result import Alternative, BestLoops, SizePoint

__all__ = ["best_loops", "best_way"]

_PER_SECOND = 1e12
"""Units of the solver's whole numbers in a second, at most [1/s]."""
_LARGEST = 1 << 52
"""All times together are at most so many units, lest their sums overflow [1]."""
_NEVER = 1 << 55
"""Cost that keeps a block on the accelerator [1]."""
_NODES = 10_000
"""Nodes of the search, at most: a budget in work, whatever the machine's load [1]."""
_LONGEST_S = 600.0
"""Time of the search, a fuse only [s]."""


def best_way(
    points: Sequence[SizePoint], link: CopyLink, resident: Collection[str]
) -> tuple[Alternative, tuple[BestLoops, ...]]:
    """The way to offload only those loops that are best offloaded together, and these by size."""
    best = tuple(
        best_loops(point, link, resident, [kernel.time_s for kernel in point.gpu.kernels])
        for point in points
    )
    ends = [
        [
            best_loops(
                point, link, resident, [kernel.interval_s[end] for kernel in point.gpu.kernels]
            ).time_s
            for point in points
        ]
        for end in (0, 1)
    ]
    way = Alternative(
        name="only the loops that are best offloaded together",
        accelerated_s=tuple(each.time_s for each in best),
        interval_s=tuple(zip(*ends, strict=True)),
    )
    return way, best


def best_loops(
    point: SizePoint, link: CopyLink, resident: Collection[str], kernels_s: Sequence[float]
) -> BestLoops:
    """The best loops at a size, given the time of each as a kernel."""
    instance, per_second = _instance(point, link, resident, kernels_s)
    found = _solved(instance)
    chosen = _chosen(point, found)
    pays = bool(chosen)
    if not pays:  # the least loss of those that offload one loop at least
        number = len(point.gpu.kernels)
        tried = []
        for loop in range(number):
            cpu = instance.cpu.copy()
            cpu[loop] = _NEVER
            tried.append(_solved(replace(instance, cpu=cpu)))
        found = min(tried, key=lambda each: each.cost)
        chosen = _chosen(point, found)
        found = replace(found, bound=found.cost if all(each.proven for each in tried) else 0)
    return BestLoops(
        loops=chosen,
        pays=pays,
        time_s=found.cost / per_second,
        proven=found.bound == found.cost,
    )


def _chosen(point: SizePoint, found: Optimum) -> tuple[int, ...]:
    return tuple(place for place in range(len(point.gpu.kernels)) if found.mapped[place])


def _solved(instance: Instance) -> Optimum:
    return optimal(instance, time_limit=_LONGEST_S, most_nodes=_NODES)


def _instance(
    point: SizePoint, link: CopyLink, resident: Collection[str], kernels_s: Sequence[float]
) -> tuple[Instance, float]:
    """The problem, and its units in a second [1/s].

    Its blocks are the loops, then the host, then the memory of the GPU that resident arrays are in.
    """
    number = len(point.gpu.kernels)
    host, memory = number, number + 1
    flows = point.gpu.flows
    copies = [flow.times * point.copy_s(flow.array, link) for flow in flows]
    most = sum(point.host_loops_s) + sum(kernels_s) + sum(copies)
    per_second = min(_PER_SECOND, _LARGEST / most)
    costs = [round(per_second * time) for time in copies]

    def block(place: int, array: str) -> int:
        if place >= 0:
            return place
        return memory if place == OUTSIDE and array in resident else host

    readers = [
        (block(place, flow.array), cost)
        for flow, cost in zip(flows, costs, strict=True)
        for place in sorted(flow.readers)
    ]
    none = np.zeros(0, np.int64)
    instance = Instance(
        cpu=_whole([*(per_second * time for time in point.host_loops_s), 0, _NEVER]),
        accelerator=_whole([*(per_second * time for time in kernels_s), 0, 0]),
        area=np.zeros(number + 2, np.int64),
        capacity=0,
        pinned=np.array([*(False for _ in range(number)), True, False], np.bool_),
        pair_first=none,
        pair_second=none,
        pair_cost=none,
        producer=_whole(block(flow.writer, flow.array) for flow in flows),
        push=_whole(costs),
        consumer_start=_whole(accumulate((len(flow.readers) for flow in flows), initial=0)),
        consumer=_whole(reader for reader, _ in readers),
        # whoever fetches it makes the one copy that serves all others on that side
        pull=_whole(cost for _, cost in readers),
    )
    return instance, per_second


def _whole(values: Iterable[float]) -> NDArray[np.int64]:
    return np.array([round(each) for each in values], np.int64)
