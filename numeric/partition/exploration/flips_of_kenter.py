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

from logca.numeric.partition.exploration.conclusions import conclusion, needed, verdicts, view_of
from logca.numeric.partition.exploration.exploring import Explorer, points_of
from logca.numeric.partition.exploration.points import Point
from logca.numeric.partition.exploration.sweeps import METHODS
from logca.numeric.partition.exploration.views import Assumption, View, combined

__all__ = ["AXES", "DESIGNS_COMPARED", "FLIPS", "Cell", "Row", "assumptions", "rows_of", "tally"]

FLIPS = ("smm-no-better", "smm-low", "fft-default", "fft-latency")
"""Ids of the conclusions [text]."""

DESIGNS_COMPARED = ("SL2+", "SL2-", "SMM+", "SMM-")
"""The designs of the first conclusion [text]."""

AXES: dict[str, tuple[int | str | Fraction, ...]] = {
    "area": (32, 64, 128, 256, 512, 1024, 2048, 4096),
    "write-back": (Fraction(0), Fraction(1), Fraction(2), Fraction(4)),
    "line": (32, 64, 128),
    "values": ("value", "pair"),
    "dirty": ("dirty", "resident"),
}
"""What is varied: instructions, times what a write-back costs by default, B, and readings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """How often a conclusion holds where one thing that is varied has one value.

    Parameters
    ----------
    axis : str
        What is varied; ``all`` for all combinations [text].
    value : str
        Its value [text].
    method : str
        By which method [text].
    holds, number : int
        How often it holds, and out of how many combinations [1].
    means : tuple of (str, float)
        Mean relative speedup of all programs in each design, over these combinations [1].
    no_better : float
        Mean number of programs that gain in SMM+ less than twice what they gain without a cache, or
        less than 2 % [1].
    fft, fft_far : float
        Mean relative speedup of FFT in the default design, and there at 64 times the latency [1].
    """

    axis: str
    value: str
    method: str
    holds: int
    number: int
    means: tuple[tuple[str, float], ...]
    no_better: float
    fft: float
    fft_far: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is found under one assumption by one method.

    Parameters
    ----------
    values : tuple of (str, str)
        What is varied, and its value [text].
    method : str
        By which method [text].
    means : tuple of (str, float)
        Mean relative speedup of all programs in each design [1].
    no_better : int
        Programs that gain in SMM+ less than twice what they gain without a cache, or less than 2 %
        [1].
    fft, fft_far, fft_near : float
        Relative speedup of FFT at the default latency, at 64 times, and at a sixteenth of it [1].
    holds : tuple of bool
        Whether each of `FLIPS` holds.
    unproven : int
        Points that this rests on that may not be optimal [1].
    """

    values: tuple[tuple[str, str], ...]
    method: str
    means: tuple[tuple[str, float], ...]
    no_better: int
    fft: float
    fft_far: float
    fft_near: float
    holds: tuple[bool, ...]
    unproven: int


def assumptions() -> tuple[Assumption, ...]:
    """All combinations of `AXES`.

    Examples
    --------
    >>> len(assumptions())
    384
    """
    return combined(
        areas=[int(each) for each in AXES["area"]],
        write_backs=[Fraction(each) for each in AXES["write-back"]],
        lines=[int(each) for each in AXES["line"]],
        values=[str(each) for each in AXES["values"]],
        dirty=[str(each) for each in AXES["dirty"]],
    )


def rows_of(
    explorer: Explorer,
    over: Sequence[Assumption],
    *,
    processes: int = 1,
    done: Callable[[Point], None] | None = None,
) -> tuple[Row, ...]:
    """What is found under each assumption by greedy and by the optimum.

    Parameters
    ----------
    explorer : Explorer
        The programs.
    over : sequence of Assumption
        The assumptions.
    processes : int
        Programs that are looked at at a time [1].
    done : callable, optional
        Told of each point.

    Raises
    ------
    ProblemError, TraceError, CompileError
        If a program cannot be compiled, run or partitioned.
    """
    asked = [conclusion(name) for name in FLIPS]
    points = points_of(explorer, needed(explorer, asked, over), processes=processes, done=done)
    found = verdicts(explorer, points.__getitem__, asked, over)
    holds = {(each.assumption, each.method, each.conclusion): each for each in found}
    rows = []
    for each in over:
        for method in METHODS:
            view = view_of(explorer, points.__getitem__, method, each)
            own = [holds[each.name, method, name] for name in FLIPS]
            rows.append(
                Row(
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


def tally(rows: Sequence[Row], name: str) -> tuple[Cell, ...]:
    """How often a conclusion holds, over all and for each value of what is varied.

    Parameters
    ----------
    rows : sequence of Row
        What was found.
    name : str
        Id of the conclusion, one of `FLIPS` [text].
    """
    place = FLIPS.index(name)
    cells = []
    for method in METHODS:
        mine = [each for each in rows if each.method == method]
        cells.append(_cell("all", "", method, mine, place))
        for axis in AXES:
            for value in dict.fromkeys(dict(each.values)[axis] for each in mine):
                same = [each for each in mine if dict(each.values)[axis] == value]
                cells.append(_cell(axis, value, method, same, place))
    return tuple(cells)


def _cell(axis: str, value: str, method: str, found: Sequence[Row], place: int) -> Cell:
    number = len(found)
    return Cell(
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


def _no_better(view: View) -> int:
    """Programs that gain in SMM+ less than twice what they gain without a cache, or 2 % [1]."""
    number = 0
    for program in view.programs:
        found = {name: view.at(program, design=name).relative for name in DESIGNS_COMPARED}
        number += found["SMM+"] < 2 * max(found["SL2-"], found["SMM-"], 0.01)
    return number


def _values(assumption: Assumption) -> dict[str, object]:
    return {**dict(assumption.values), "write-back": assumption.write_back}
