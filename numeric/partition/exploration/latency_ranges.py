"""Over which range of the interface's latency a partition stays optimal, exactly.

With one factor f on control, push and pull, the runtime of a partition is a + b f: what it executes
and accesses, and what its communication takes at f = 1. The least of such lines is concave and has
few pieces (eisner1976): where two lines that are optimal cross, either nothing is below
the crossing, and it is where one partition takes over from the other; or what is below is a further
line. All numbers are fractions, so that a place is where it is said to be.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.exploration.explorer import Explorer, Setting
from logca.numeric.partition.memory.caches import CacheError
from logca.numeric.partition.problem.blocks import ProblemError
from logca.numeric.partition.problem.instance_and_objective import InstanceError
from logca.numeric.partition.problem.links import scaled
from logca.numeric.partition.problem.platform import PlatformError

__all__ = ["LatencyRange", "RuntimeLine", "latency_ranges", "least_lines"]

# what is between factors that were not tried then has no proof, and its ranges say so
_MOST = 400
"""At how many factors a program is partitioned at most [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeLine:
    """The runtime of a partition over the factor of the latency."""

    mapped: tuple[int, ...]  # the blocks on the accelerator [1]
    area: int  # what they take of it, in instructions [1]
    fixed: Fraction  # execution and memory, whatever the factor is [cycles]
    communication: Fraction  # control and registers at a factor of 1 [cycles]

    def at(self, factor: Fraction) -> Fraction:
        """Its runtime [cycles]."""
        return self.fixed + factor * self.communication


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyRange:
    """Where a partition is optimal."""

    line: RuntimeLine  # the partition
    # low, high: from which factor to which; `high` is None if it is optimal at all that are
    # larger [1]
    low: Fraction
    high: Fraction | None
    proven: bool  # whether that is proven; if not, it is only the best that was found
    baseline: Fraction  # runtime with everything on the CPU [cycles]

    @property
    def speedups(self) -> tuple[float, float]:
        """Speedup at both ends of the range; at the end of one without an end, its limit [1, 1]."""
        end = self.line.at(self.high) if self.high is not None else self.line.fixed
        return float(self.baseline / self.line.at(self.low)), float(self.baseline / end)


def latency_ranges(
    explorer: Explorer,
    setting: Setting,
    *,
    low: Fraction = Fraction(0),
    high: Fraction = Fraction(1024),
    done: Callable[[int], None] | None = None,
) -> tuple[LatencyRange, ...]:
    """The optimal partitions over a factor on control, push and pull, and where each is."""
    if not 0 <= low < high:
        raise PlatformError(f"0 <= low < high must hold for factors, not {low} and {high}")
    tell = done or (lambda _number: None)
    machine = explorer.platform_of(setting)
    lines: dict[tuple[int, ...], RuntimeLine] = {}
    proven: dict[Fraction, bool] = {}
    baseline = Fraction(0)

    def solve(factor: Fraction) -> RuntimeLine:
        nonlocal baseline
        changes = {**dict(setting.changes), **scaled(machine, factor)}
        asked = replace(setting, method="optimal", changes=tuple(changes.items()))
        found = explorer.partition(asked)
        line = _line(found, factor, explorer, setting)
        lines.setdefault(line.mapped, line)
        proven[factor] = found.proven
        baseline = found.case.baseline.total
        tell(len(proven))
        return line

    waiting = [(low, solve(low), high, solve(high))]
    while waiting and len(proven) < _MOST:
        left, first, right, second = waiting.pop()
        if first.at(right) == second.at(right) or second.at(left) == first.at(left):
            continue
        where = (second.fixed - first.fixed) / (first.communication - second.communication)
        if not left < where < right or where in proven:
            continue
        try:
            between = solve(where)
        except (ProblemError, CacheError, InstanceError):
            proven[where] = False  # a fraction whose costs have more than 64 bits
            continue
        if between.at(where) < first.at(where):
            waiting += [(left, first, where, between), (where, between, right, second)]
    return _ranges(least_lines(list(lines.values()), low, high), proven, high, baseline)


def least_lines(
    lines: list[RuntimeLine], low: Fraction, high: Fraction
) -> tuple[tuple[Fraction, RuntimeLine], ...]:
    """The lines that are least somewhere, and from where on each of them is.

    Examples
    --------
    >>> near = RuntimeLine(mapped=(1,), area=4, fixed=Fraction(5), communication=Fraction(2))
    >>> none = RuntimeLine(mapped=(), area=0, fixed=Fraction(9), communication=Fraction(0))
    >>> [(str(at), each.area) for at, each in least_lines([none, near], Fraction(0), Fraction(9))]
    [('0', 4), ('2', 0)]
    """
    current = min(lines, key=lambda each: (each.at(low), each.communication, each.area))
    found = [(low, current)]
    while True:
        crossings = [
            ((each.fixed - current.fixed) / (current.communication - each.communication), each)
            for each in lines
            if each.communication < current.communication
        ]
        ahead = [(at, each) for at, each in crossings if at < high]
        if not ahead:
            return tuple(found)
        at, current = min(ahead, key=lambda pair: (pair[0], pair[1].communication, pair[1].area))
        found.append((at, current))


def _line(found: Partition, factor: Fraction, explorer: Explorer, setting: Setting) -> RuntimeLine:
    communication = found.time.tc + found.time.tr
    if factor:
        communication /= factor
    elif found.mapped.any():
        again = explorer.case(setting).times(found.mapped)
        communication = again.tc + again.tr
    return RuntimeLine(
        mapped=tuple(found.mapped.nonzero()[0].tolist()),
        area=found.area,
        fixed=found.time.te + found.time.tm,
        communication=communication,
    )


def _ranges(
    least: tuple[tuple[Fraction, RuntimeLine], ...],
    proven: Mapping[Fraction, bool],
    high: Fraction,
    baseline: Fraction,
) -> tuple[LatencyRange, ...]:
    """Ranges with their ends; a line that is optimal at both is optimal between them."""
    ends = [at for at, _ in least[1:]]
    found = []
    for (start, line), end in zip(least, [*ends, high], strict=True):
        last = not line.communication
        found.append(
            LatencyRange(
                line=line,
                low=start,
                high=None if last and end == high else end,
                proven=proven.get(start, False) and proven.get(end, False),
                baseline=baseline,
            )
        )
    return tuple(found)
