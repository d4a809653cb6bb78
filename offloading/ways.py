"""Ways to offload a program's loops, and the time of the accelerated path in each."""

from collections.abc import Callable, Collection
from dataclasses import replace

from logca.numeric.generated import pipelining
from logca.offloading.links.copy_link import CopyLink
from logca.offloading.result import Alternative, SizePoint

__all__ = ["batched_way", "packed_way", "pipelined_way", "remedied_way", "way_to_offload"]


def _way(
    name: str, points: Collection[SizePoint], time: Callable[[SizePoint, float], float]
) -> Alternative:
    """A way whose time at a point follows from that of the kernels [s]."""
    return Alternative(
        name=name,
        accelerated_s=tuple(time(point, point.gpu.time_s) for point in points),
        interval_s=tuple(
            (time(point, point.gpu.interval_s[0]), time(point, point.gpu.interval_s[1]))
            for point in points
        ),
    )


def way_to_offload(
    name: str, points: Collection[SizePoint], link: CopyLink, resident: Collection[str]
) -> Alternative:
    """The kernels one after the other, copies before and after."""
    return _way(name, points, lambda point, kernels: kernels + point.copies_s(link, resident))


def packed_way(
    points: Collection[SizePoint], link: CopyLink, resident: Collection[str]
) -> Alternative:
    """Arrays that lie in pieces, such as rows, in one piece each, which one copy moves."""
    packed = [
        replace(
            point,
            gpu=replace(
                point.gpu, arrays=tuple(replace(each, pieces=1) for each in point.gpu.arrays)
            ),
        )
        for point in points
    ]
    apart = {name for point in points for name, number in point.pieces.items() if number > 1}
    return way_to_offload(f"{', '.join(sorted(apart))} in one piece each", packed, link, resident)


def remedied_way(
    name: str,
    left: float,
    points: Collection[SizePoint],
    link: CopyLink,
    resident: Collection[str],
) -> Alternative:
    """The kernels with remedies, which leave that share of their times, but for launching them."""

    def time(point: SizePoint, kernels: float) -> float:
        with_them = point.gpu.launching_s + left * _computing(point, kernels)
        return with_them + point.copies_s(link, resident)

    return _way(name, points, time)


def batched_way(
    points: Collection[SizePoint], link: CopyLink, resident: Collection[str], calls: int
) -> Alternative:
    """So many calls in one offload, which starts copies and kernels once; the time of one call."""

    def time(point: SizePoint, kernels: float) -> float:
        starting = point.starting_s(link, resident)
        # of the model of eq. 1 only the times count here; what computes takes half of C, as A = 2
        own = max(2 * _computing(point, kernels), 1e-12)
        gained = pipelining.speedup_batch(
            1.0,
            o=point.gpu.launching_s + starting,
            L=point.copies_s(link, resident) - starting,
            C=own,
            A=2.0,
            m=calls,
            latency="linear",
        )
        return own / float(gained)

    return _way(f"{calls} calls in one offload", points, time)


def pipelined_way(
    points: Collection[SizePoint], link: CopyLink, resident: Collection[str]
) -> Alternative:
    """Many calls, the copies of one while the kernels of another run."""

    def period(point: SizePoint, kernels: float) -> float:
        # of the model of eq. 1 only the times of the two stages count here
        return float(
            pipelining.period_pipelined(
                1.0,
                o=point.gpu.launching_s,
                L=point.copies_s(link, resident),
                C=2 * _computing(point, kernels),
                A=2.0,
            )
        )

    return _way("copies of one call while the kernels of another run", points, period)


def _computing(point: SizePoint, kernels: float) -> float:
    """Time of kernels but for launching them, which may be more than the end of an interval [s]."""
    return max(0.0, kernels - point.gpu.launching_s)
