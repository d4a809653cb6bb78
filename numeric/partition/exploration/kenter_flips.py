"""Two conclusions of kenter2010 that may be the fault of its greedy, over all that it leaves open.

That shared main memory with private caches is as low as no cache (two statements: no better than
that, and much lower than SL2+), and that FFT needs a very low latency (two as well: nothing at
the default latency as the paper has it, and nothing at 64 times that): decided for every
combination of the accelerator's size, the cost of a write-back, the length of a cache line, and
both readings of values and of what is written back.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from logca.numeric.partition.exploration.assumptions import Assumption, Results
from logca.numeric.partition.exploration.conclusions import conclusion, needed, verdicts, view_of
from logca.numeric.partition.exploration.explorer import Explorer, Point, points_of
from logca.numeric.partition.exploration.sweeps import COMPARED

__all__ = [
    "AXES",
    "DESIGNS_COMPARED",
    "FLIPS",
    "AssumptionResult",
    "Tally",
    "assumptions",
    "rows_of",
    "tally",
]

FLIPS = ("smm-no-better", "smm-low", "fft-default", "fft-latency")
"""Ids of the conclusions."""

DESIGNS_COMPARED = ("SL2+", "SL2-", "SMM+", "SMM-")
"""The designs of the first conclusion."""

AXES: dict[str, tuple[int | str | Fraction, ...]] = {
    "area": (32, 64, 128, 256, 512, 1024, 2048, 4096),
    "write-back": (Fraction(0), Fraction(1), Fraction(2), Fraction(4)),
    "line": (32, 64, 128),
    "values": ("value", "pair"),
    "dirty": ("dirty", "resident"),
}
"""Values that are varied: instructions, times the default cost of a write-back, B, and readings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Count of combinations in which a conclusion holds, with one varied thing at one value."""

    axis: str  # what is varied; ``all`` for all combinations
    value: str  # its value
    method: str  # by which method
    # holds, number: how often it holds, and out of how many combinations [1]
    holds: int
    number: int
    # mean relative speedup of all programs in each design, over these combinations [1]
    means: tuple[tuple[str, float], ...]
    # mean number of programs that gain in SMM+ less than twice what they gain without a cache, or
    # less than 2 % [1]
    no_better: float
    # fft, fft_far: mean relative speedup of FFT in the default design, and there at 64 times the
    # latency [1]
    fft: float
    fft_far: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionResult:
    """Result under one assumption by one method."""

    values: tuple[tuple[str, str], ...]  # what is varied, and its value
    method: str  # by which method
    means: tuple[tuple[str, float], ...]  # mean relative speedup of all programs in each design [1]
    # programs that gain in SMM+ less than twice what they gain without a cache, or less than 2 %
    # [1]
    no_better: int
    # fft, fft_far, fft_near: relative speedup of FFT at the default latency, at 64 times, and at
    # a sixteenth of it [1]
    fft: float
    fft_far: float
    fft_near: float
    holds: tuple[bool, ...]  # whether each of `FLIPS` holds
    unproven: int  # points that this rests on that may not be optimal [1]


def assumptions() -> tuple[Assumption, ...]:
    """All combinations of `AXES`.

    Examples
    --------
    >>> len(assumptions())
    384
    """
    axes = (AXES[name] for name in ("line", "dirty", "values", "write-back", "area"))
    return tuple(
        Assumption(
            name=f"area {area}, write-back {back}x, line {line} B, {value}, {held}",
            values=(("area", area), ("line", line), ("values", value), ("dirty", held)),
            write_back=Fraction(back),
        )
        for line, held, value, back, area in product(*axes)
    )


def rows_of(
    explorer: Explorer,
    over: Sequence[Assumption],
    *,
    processes: int = 1,
    done: Callable[[Point], None] | None = None,
) -> tuple[AssumptionResult, ...]:
    """Results under each assumption by greedy and by the optimum."""
    asked = [conclusion(name) for name in FLIPS]
    points = points_of(explorer, needed(explorer, asked, over), processes=processes, done=done)
    found = verdicts(explorer, points.__getitem__, asked, over)
    holds = {(each.assumption, each.method, each.conclusion): each for each in found}
    rows = []
    for each in over:
        for method in COMPARED:
            view = view_of(explorer, points.__getitem__, method, each)
            own = [holds[each.name, method, name] for name in FLIPS]
            rows.append(
                AssumptionResult(
                    values=tuple((axis, str(value)) for axis, value in _values(each).items()),
                    method=method,
                    means=tuple((name, view.mean(name)) for name in DESIGNS_COMPARED),
                    no_better=_no_better(view),
                    fft=view.at("fft").relative,
                    fft_far=view.at("fft", factor=Fraction(64)).relative,
                    fft_near=view.at("fft", factor=Fraction(1, 16)).relative,
                    holds=tuple(verdict.holds is True for verdict in own),
                    unproven=sum(verdict.unproven for verdict in own),
                )
            )
    return tuple(rows)


def tally(rows: Sequence[AssumptionResult], name: str) -> tuple[Tally, ...]:
    """Counts of how often a conclusion holds, over all and for each value of what is varied."""
    place = FLIPS.index(name)
    cells = []
    for method in COMPARED:
        mine = [each for each in rows if each.method == method]
        cells.append(_cell("all", "", method, mine, place))
        for axis in AXES:
            for value in dict.fromkeys(dict(each.values)[axis] for each in mine):
                same = [each for each in mine if dict(each.values)[axis] == value]
                cells.append(_cell(axis, value, method, same, place))
    return tuple(cells)


def _cell(
    axis: str, value: str, method: str, found: Sequence[AssumptionResult], place: int
) -> Tally:
    number = len(found)
    return Tally(
        axis=axis,
        value=value,
        method=method,
        holds=sum(each.holds[place] for each in found),
        number=number,
        means=tuple(
            (name, sum(dict(each.means)[name] for each in found) / number)
            for name in DESIGNS_COMPARED
        ),
        no_better=sum(each.no_better for each in found) / number,
        fft=sum(each.fft for each in found) / number,
        fft_far=sum(each.fft_far for each in found) / number,
    )


def _no_better(view: Results) -> int:
    """Programs that gain in SMM+ less than twice what they gain without a cache, or 2 % [1]."""
    number = 0
    for program in view.programs:
        found = {name: view.at(program, design=name).relative for name in DESIGNS_COMPARED}
        number += found["SMM+"] < 2 * max(found["SL2-"], found["SMM-"], 0.01)
    return number


def _values(assumption: Assumption) -> dict[str, object]:
    return {**dict(assumption.values), "write-back": assumption.write_back}
