"""The answer of `logca offload`, in words."""

from collections.abc import Iterator
from math import floor

from logca.common.readable_numbers import number_text, percent
from logca.common.sizes import amount
from logca.offloading.break_even import PayingRange, last_range, whole_size
from logca.offloading.result import Alternative, BreakEven, Offload

__all__ = ["from_words", "offload_answer", "ranked_ways", "three_digits"]


_TOLD_FROM = 1.25
"""Speedup of the loops from which on it is told how little of it the program has [1]."""


def offload_answer(found: Offload) -> str:
    """Sentences: from which size on it pays, the bottleneck there, and what helps most."""
    return " ".join(_sentences(found))


def _sentences(found: Offload) -> Iterator[str]:
    where = found.break_even
    worth = _worth(found, where)
    if found.against:
        yield f"Not as it is written: {found.against[0]}. If that could be removed:"
        worth = worth[0].lower() + worth[1:]
    yield worth
    place = _place(found, where)
    parts = found.parts_at(place)
    largest = max(parts, key=parts.__getitem__)
    share = percent(parts[largest], sum(parts.values()))
    yield f"Bottleneck: {largest}, {share} % at {found.macro} = {found.sizes[place]}."
    better = _best(found)
    if better is not None:
        way, its = better
        yield f"With {way.name}: {from_words(found, its)}."


def _worth(found: Offload, where: BreakEven) -> str:
    """The first sentence: from which size on it pays."""
    name, first, last = found.macro, found.sizes[0], found.sizes[-1]
    most = f"at most {number_text(three_digits(where.best))}x at {name} = {where.best_size}"
    most += _whole_program(found, where)
    lasting = where.lasting
    several = " and ".join(_range_words(found, each) for each in where.ranges)
    if not where.certain:
        early, late = last_range(where.early), last_range(where.late)
        least = early or late or lasting
        since = first if least is None or least.least is None else whole_size(least.least)
        said = "it is predicted to" if lasting is not None else "it is not predicted to"
        if several and lasting is None:
            said = f"it is predicted to only {several}"
        return (
            f"Whether it pays cannot be told from {name} = {since} on: {said}, and the interval of "
            f"the prediction allows both; {most}."
        )
    if lasting is None:
        if several:
            return f"Worth it only {several}, {most}."
        return f"Not worth it up to {name} = {last}, {most}."
    if lasting.least is None:
        return f"Worth it at every size from {name} = {first} to {last}, {most}."
    data = amount(round(found.bytes_at(whole_size(lasting.least))))
    interval = _interval(found, where)
    return f"Worth it {several} ({data}{interval}), {most}."


def _whole_program(found: Offload, where: BreakEven) -> str:
    """The gain of the whole program, where that is less than half of that of the loops."""
    speedups = map(found.program_speedup, range(len(found.points)))
    most = max((each for each in speedups if each is not None), default=0.0)
    if where.lasting is None or not where.certain or where.best < _TOLD_FROM or not most:
        return ""
    if most - 1 >= (where.best - 1) / 2:
        return ""
    return f" ({number_text(three_digits(most))}x for the whole program)"


def _interval(found: Offload, where: BreakEven) -> str:
    """The interval of the break-even, as it follows another part in brackets."""
    early, late = last_range(where.early), last_range(where.late)
    if early is None or late is None or late.least is None:
        return ""
    low = "less" if early.least is None else str(whole_size(early.least))
    return f"; {low} to {whole_size(late.least)} with 95 %"


def _range_words(found: Offload, each: PayingRange) -> str:
    low = found.sizes[0] if each.least is None else whole_size(each.least)
    last = "on" if each.most is None else f"to {floor(each.most)}"
    return f"from {found.macro} = {low} {last}"


def three_digits(value: float) -> float:
    """A value to three digits."""
    return float(f"{value:.3g}")


def from_words(found: Offload, where: BreakEven) -> str:
    """From where on it pays, in a few words."""
    lasting = where.lasting
    if lasting is None:
        return f"not up to {found.macro} = {found.sizes[-1]}"
    if lasting.least is None:
        return "at every size"
    return f"from {found.macro} = {whole_size(lasting.least)} on"


def _place(found: Offload, where: BreakEven) -> int:
    """The size at which the bottleneck is told: the first that pays, else the best one."""
    least = where.least
    if least is None:
        return found.sizes.index(where.best_size)
    return next(n for n, size in enumerate(found.sizes) if size >= least)


def _order(found: Offload, way: Alternative) -> tuple[float, float]:
    """First what pays from smaller sizes on, then what is faster at its best."""
    its = found.of(way)
    lasting = its.lasting
    least = float("inf") if lasting is None else lasting.least or 0.0
    return least, -its.best


def ranked_ways(found: Offload) -> list[Alternative]:
    """Other ways to offload: first those that pay from smaller sizes on."""
    return sorted(found.alternatives, key=lambda way: _order(found, way))


def _best(found: Offload) -> tuple[Alternative, BreakEven] | None:
    """The alternative that lets it pay soonest, if one does sooner than what was asked for."""
    asked = _order(found, found.way)
    ways = [way for way in ranked_ways(found) if not way.name.startswith(("link ", "device "))]
    if not ways or _order(found, ways[0])[0] >= asked[0]:
        return None
    return ways[0], found.of(ways[0])
