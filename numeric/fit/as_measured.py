"""Where offloading pays by times alone: they contradict a curve, or are too few for one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from math import inf, log, nan, nextafter

from logca.common.sizes import format_size
from logca.numeric.fit.size_ranges import (
    Ranges,
    SizesBetween,
    Thresholds,
    apart,
    common,
    without,
)
from logca.numeric.timings.crossing import Compared, faster, ratio_noise, uncertainties

__all__ = ["as_measured", "contradictions", "few_thresholds"]

_FAR = 5.0  # standard deviations, where there is one run a size


def as_measured(
    curve: Thresholds,
    rows: Sequence[Compared],
    fitted: Sequence[float],
    level: float,
    breaks: Sequence[SizesBetween] = (),
) -> Thresholds:
    """The thresholds of a curve, or of the times, where one path is faster that the curve is not.

    That is so where the noise leaves no doubt that the path is faster, or that the speedup is not
    the curve's, whose logarithms are given. Where curve and times agree, the times make certain
    what the intervals leave open, though not across breaks: each may be anywhere in its range.

    Between two sizes with different answers the change is where the line between the ratios of
    their times crosses one. Beyond the measured sizes the curve goes on deciding if it agrees with
    the outermost one; else what was measured there goes on, and cannot be told.
    """
    signs = faster(rows, level)
    curved = [curve.pays(row.size) for row in rows]
    contradicted = tuple(
        row.size
        for row, against in zip(rows, _against(rows, curved, fitted, level), strict=True)
        if against
    )
    if not contradicted:
        return _made_certain(curve, rows, level, breaks)
    pays = _verdicts(rows, signs)
    least, most = rows[0].size, rows[-1].size
    outside = [(0.0, least, curved[0], pays[0]), (most, inf, curved[-1], pays[-1])]
    likely: list[SizesBetween] = []
    for above, below, before, measured in outside:
        beyond = SizesBetween(above=above, below=below)
        if before == measured:
            likely += common((beyond,), curve.likely)
        elif measured:
            likely.append(beyond)
    likely += _between_sizes(rows, pays)
    # no curve holds here: between two sizes of one sign it is taken to be the same
    found, wins, loses = apart(likely), _runs(rows, signs, 1), _runs(rows, signs, -1)
    staying = common(apart([*curve.staying, *found]), without(loses))
    starting = apart([*common(curve.starting, found), *wins])
    return replace(
        curve,
        likely=found,
        staying=staying,
        starting=starting,
        told=True,
        contradicted=contradicted,
    )


def _made_certain(
    curve: Thresholds, rows: Sequence[Compared], level: float, breaks: Sequence[SizesBetween]
) -> Thresholds:
    """A curve that the times agree with, certain where one path is far faster beyond all noise."""
    ratios, (noise, repeated) = [log(row.speedup) for row in rows], ratio_noise(rows)
    signs = [
        sign if repeated or abs(ratio) > _FAR * its else 0
        for sign, ratio, its in zip(faster(rows, level), ratios, noise, strict=True)
    ]
    wins, loses = _settled(rows, signs, level, breaks)
    return replace(
        curve,
        staying=apart([*curve.likely, *common(curve.staying, without(loses))]),
        starting=apart([*curve.starting, *common(curve.likely, wins)]),
    )


def _against(
    rows: Sequence[Compared], pays: Sequence[bool], fitted: Sequence[float], level: float
) -> list[bool]:
    """For each size whether its times contradict a curve that pays there or not."""
    ratios, noise = [log(row.speedup) for row in rows], uncertainties(rows, level)
    return [
        ratio * (1 if own else -1) < 0 and max(abs(ratio), abs(ratio - curve)) > least
        for ratio, own, curve, least in zip(ratios, pays, fitted, noise, strict=True)
    ]


def contradictions(
    rows: Sequence[Compared], fitted: Sequence[float], level: float
) -> Iterator[str]:
    """A sentence if times contradict a curve, of which the logarithms of speedups are given."""
    pays = [each > 0 for each in fitted]
    against = _against(rows, pays, fitted, level)
    found = [row for row, is_against in zip(rows, against, strict=True) if is_against]
    if found:
        path = "accelerated path" if found[0].speedup > 1 else "host"
        yield (
            f"the times contradict the fit at {len(found)} of {len(rows)} sizes, such as "
            f"{format_size(found[0].size)}, where the {path} is faster: the curve does not follow "
            "all sizes, and decisions follow the times; or fit only sizes around the break-even "
            "(least, most)"
        )


def few_thresholds(rows: Sequence[Compared], level: float = 0.95) -> Thresholds:
    """Thresholds of two sizes or three, which no curve can be fitted to, by their times alone.

    The logarithm of a speedup is concave in that of the size, whatever the parameters, as long as
    times follow the model without breaks (claims ext-few-sizes-slope and ext-few-sizes-below): it
    is below the line through the first two sizes at all smaller ones. So it does not pay where that
    line is below one, nor below a size that does not pay before one that does. Elsewhere, and
    between two sizes that do not pay, nothing is known, and what was measured at the nearest goes
    on.

    Examples
    --------
    >>> from logca.numeric.timings.crossing import compared
    >>> times = {1024.0: (1.0, 8.0), 16384.0: (16.0, 9.0)}
    >>> found = few_thresholds(
    ...     compared({g: {"host": [t], "accelerated": [u]} for g, (t, u) in times.items()})
    ... )
    >>> found.pays("2 KiB"), found.pays("64 KiB"), found.certainty("16 KiB")
    (False, True, 'pays')
    """
    signs, pays = faster(rows, level), [row.speedup > 1 for row in rows]
    lowest, likely = 0.0, []
    if len(rows) > 1:
        first, second = (log(row.speedup) for row in rows[:2])
        if second > first > 0:
            lowest = rows[0].size * (rows[0].size / rows[1].size) ** (first / (second - first))
    if pays[0]:
        likely.append(SizesBetween(above=lowest, below=rows[0].size))
    likely += _between_sizes(rows, pays)
    if pays[-1]:
        likely.append(SizesBetween(above=rows[-1].size, below=inf))
    wins, loses = _settled(rows, signs, level)
    return Thresholds(
        likely=apart(likely), staying=without(loses), starting=wins, none=nan, told=False
    )


def _between_sizes(rows: Sequence[Compared], pays: Sequence[bool]) -> Iterator[SizesBetween]:
    """Where it pays from a size to the next, if it does at one of them or at both."""
    for (low, high), (first, second) in zip(pairwise(rows), pairwise(pays), strict=True):
        change = _change(low, high)
        if first:
            yield SizesBetween(above=low.size, below=high.size if second else change)
        elif second:
            yield SizesBetween(above=change, below=high.size)


def _verdicts(rows: Sequence[Compared], signs: Sequence[int]) -> list[bool]:
    """For each size whether it pays: where that is unclear, as at the clear ones on both sides."""
    found = []
    for place, row in enumerate(rows):
        before = next((each for each in reversed(signs[: place + 1]) if each), 0)
        after = next((each for each in signs[place:] if each), 0)
        beside = {before, after} - {0}
        found.append(beside == {1} if len(beside) == 1 else row.speedup > 1)
    return found


def _change(low: Compared, high: Compared) -> float:
    """Where the faster path changes between two sizes [B]."""
    first, second = log(low.speedup), log(high.speedup)
    share = first / (first - second) if first * second < 0 else 0.5
    return float(low.size * (high.size / low.size) ** share)


def _settled(
    rows: Sequence[Compared],
    signs: Sequence[int],
    level: float,
    breaks: Sequence[SizesBetween] = (),
) -> tuple[Ranges, Ranges]:
    """Where it pays, and where it does not, as measured sizes with clear signs tell.

    The logarithm of the speedup is concave in that of the size where no break is: so it is above
    one between two sizes at which it is, and where it is below one before a size at which it is
    above, it is so at all smaller ones. Between two sizes at which it is below one it may be above,
    unless the lines through the sizes on either side, which it is below, are not.
    """
    wins: list[SizesBetween] = []
    loses: list[SizesBetween] = []
    points = [
        (log(row.size), log(row.speedup), within)
        for row, within in zip(rows, uncertainties(rows, level), strict=True)
    ]
    for part in _between_breaks(rows, breaks):
        sizes = {sign: [rows[n].size for n in part if signs[n] == sign] for sign in (1, -1)}
        wins += _runs([rows[n] for n in part], [signs[n] for n in part], 1)
        loses += [_through(size, size) for size in sizes[-1]]
        for first, second in pairwise(part):
            if signs[first] == signs[second] == -1 and _greatest(points, part, first) < 0:
                loses.append(_through(rows[first].size, rows[second].size))
        if not sizes[1]:
            continue
        for beside in (
            [size for size in sizes[-1] if size < sizes[1][0]],
            [size for size in sizes[-1] if size > sizes[1][-1]],
        ):
            if beside:
                loses.append(_through(beside[0], beside[-1]))
    return apart(wins), apart(loses)


def _greatest(
    points: Sequence[tuple[float, float, float]], part: Sequence[int], place: int
) -> float:
    """A bound on a concave function between two places, by the lines through their neighbours.

    Points are place, value and its uncertainty, which is counted so that the bound is the highest.
    """
    (start, low, below), (end, high, above) = points[place], points[place + 1]
    low, high = low + below, high + above
    rise = fall = inf
    if place - 1 in part:
        at, value, within = points[place - 1]
        rise = (low - value + within) / (start - at)
    if place + 2 in part:
        at, value, within = points[place + 2]
        fall = (high - value + within) / (at - end)
    if rise <= 0:
        return low
    if fall <= 0:
        return high
    if rise == inf or fall == inf:  # one line alone: its greatest value is at the other end
        return min(low + rise * (end - start), high + fall * (end - start))
    peak = (high - low + fall * (end - start)) / (rise + fall)  # where both lines meet, from start
    return low + rise * min(max(peak, 0.0), end - start)


def _runs(rows: Sequence[Compared], signs: Sequence[int], sign: int) -> Ranges:
    """From the first to the last of successive sizes at which the same path is faster."""
    found = []
    for same, places in groupby(range(len(rows)), key=lambda place: signs[place]):
        if same == sign:
            run = [rows[place].size for place in places]
            found.append(_through(run[0], run[-1]))
    return tuple(found)


def _through(first: float, last: float) -> SizesBetween:
    """Sizes from one to another, both of them too."""
    return SizesBetween(above=nextafter(first, 0), below=nextafter(last, inf))


def _between_breaks(
    rows: Sequence[Compared], breaks: Sequence[SizesBetween]
) -> Iterator[Sequence[int]]:
    """Places of successive sizes between which no break may be."""
    start = 0
    for place, (low, high) in enumerate(pairwise(rows), start=1):
        if any(
            each.above < high.size and low.size < each.below
            if each.above < each.below
            else low.size <= each.above <= high.size
            for each in breaks
        ):
            yield range(start, place)
            start = place
    yield range(start, len(rows))
