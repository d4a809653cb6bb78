"""Divergent regions: parts of a launch whose threads do not do as the first ones do.

Batches run one after the other. So where later threads make accesses that those of the first
batches do not make, or make seldom, the launch takes the mean of the times that it would take if
all batches were like those of one window, for windows all over the grid.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from logca.gpu.sampling.plan import GridWindow
from logca.gpu.sampling.sample import Seen
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.launches_in_sequence import LaunchTime
from logca.gpu.stages.transactions import PATTERNS, Behaviour

__all__ = ["GridRegion", "behaviours_of", "grid_regions", "profiles_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRegion:
    """A window, and what its threads execute."""

    window: GridWindow  # the window
    # for each static access how often they make it over how often threads do on average [1]
    factors: Mapping[int, float]
    work: float  # the same of all accesses together [1]

    def executed(self, mean: Instructions) -> Instructions:
        """Instructions of a thread of the window, from those of the average thread."""
        memory = {site: often * self.factors.get(site, 1.0) for site, often in mean.memory.items()}
        return replace(mean.times(self.work), memory=memory)


def grid_regions(
    windows: Sequence[GridWindow],
    profiles: Sequence[Mapping[int, float]],
    executed: Mapping[int, float],
) -> tuple[GridRegion, ...]:
    """Windows with what their threads execute."""
    factors: list[dict[int, float]] = [{} for _ in windows]
    for site in executed:
        own = [profile.get(site, 0.0) for profile in profiles]
        mean = sum(each * window.share for each, window in zip(own, windows, strict=True))
        for each, known in zip(own, factors, strict=True):
            known[site] = each / mean if mean else 1.0
    total = sum(executed.values())
    return tuple(
        GridRegion(
            window=window,
            factors=known,
            work=sum(often * known[site] for site, often in executed.items()) / total,
        )
        for window, known in zip(windows, factors, strict=True)
    )


def profiles_of(seen: Seen) -> tuple[tuple[int, GridWindow, dict[int, float]], ...]:
    """Executions of each static access by a thread of each window, in the traced run [1].

    With the number of the window in the sample; those that the trace did not reach are left out,
    and the others stand for their threads.
    """
    plan = seen.plan
    first = GridWindow(
        place=(0.0, 0.0, 0.0), share=1 - sum(window.share for window in plan.windows)
    )
    origin = (0,) * plan.nest.collapse
    profiles = []
    ended = seen.complete or len(seen.launches) > 1
    for number, (window, begin) in enumerate(
        zip((first, *plan.windows), (origin, *plan.begins), strict=True)
    ):
        ends = [
            min(at + length, end)
            for at, length, end in zip(begin, plan.window, plan.extents, strict=True)
        ]
        if not ended and seen.launches[0].extents[0] < ends[0]:
            continue
        threads = prod(end - at for at, end in zip(begin, ends, strict=True))
        counts = seen.executed[number] / threads
        profiles.append((number, window, dict(enumerate(counts.tolist()))))
    whole = sum(window.share for _, window, _ in profiles)
    return tuple(
        (number, replace(window, share=window.share / whole), profile)
        for number, window, profile in profiles
    )


def behaviours_of(
    regions: Sequence[GridRegion], results: Sequence[LaunchTime]
) -> dict[int, Behaviour]:
    """Mean behaviour of each static access over all regions of a launch."""
    seen: dict[int, list[tuple[Behaviour, float]]] = {}
    for region, result in zip(regions, results, strict=True):
        for behaviour in result.memory.accesses if result.memory else ():
            site = -1 if behaviour.access is None else behaviour.access
            weight = region.window.share * region.factors.get(site, 0.0)
            if weight:
                seen.setdefault(site, []).append((behaviour, weight))
    return {site: _merged(behaviours) for site, behaviours in seen.items()}


def _merged(behaviours: Sequence[tuple[Behaviour, float]]) -> Behaviour:
    """Mean behaviour of the warp instructions of an access over all regions."""
    weights = [weight for _, weight in behaviours]

    def mean(values: Iterable[float]) -> float:
        own = zip(values, weights, strict=True)
        return sum(value * weight for value, weight in own) / sum(weights)

    each = [behaviour for behaviour, _ in behaviours]
    shares = tuple(map(mean, zip(*(one.shares for one in each), strict=True)))
    kind = shares.index(max(shares))
    most, _ = max(behaviours, key=lambda pair: pair[0].shares[kind] * pair[1])
    return replace(
        most,
        pattern=PATTERNS[kind],
        executions=sum(one.executions for one in each),
        lanes=mean(one.lanes for one in each),
        transactions=mean(one.transactions for one in each),
        ruled_transactions=mean(one.ruled_transactions for one in each),
        delivered=mean(one.delivered for one in each),
        dram=mean(one.dram for one in each),
        missing=mean(one.missing for one in each),
        hit=mean(one.hit for one in each),
        shares=shares,
    )
