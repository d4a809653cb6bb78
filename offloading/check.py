"""A prediction held against this machine: the accelerator is the machine's other cores.

Predicted is what LogCA says of so many cores: a parallel loop's overhead, which is measured once,
and the time of one core over their number. Measured are the loops with OpenMP.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from logca.common import results
from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.common.processes import usable_cores
from logca.gpu.prediction.predict import Request, Source
from logca.numeric.generated import speedup
from logca.numeric.timings.crossing import Median, median
from logca.offloading.break_even import PayingRange, last_range, paying_ranges
from logca.offloading.host_times import LONGEST_S
from logca.offloading.sizes import MacroRange, size_range
from logca.offloading.study import chosen_loops
from logca.offloading.threads import (
    OpenMP,
    ParallelLoop,
    openmp,
    parallel_loops,
    repeated_runs,
    threaded,
)

__all__ = ["CheckedPoint", "OffloadCheck", "check"]

_POINTS = 7
"""Sizes that are looked at first [1]."""
_FINER = 2
"""Times that finer sizes are taken around the break-evens [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPoint:
    """Both paths at one size, measured."""

    size: int  # value of the macro [1]
    entries: int  # how often the loops were entered [1]
    host: Median  # times of the loops on one core [s]
    threads: Median  # the same on all [s]
    predicted_s: float  # what LogCA says of these [s]
    same: bool  # whether the program wrote the same on both paths


@dataclass(frozen=True, slots=True, kw_only=True)
class OffloadCheck:
    """Break-even as it is predicted and as it is measured, with cores as the accelerator."""

    macro: str  # the macro that sets the size
    compiler: OpenMP  # with how many threads, and what a parallel loop costs
    loops: tuple[ParallelLoop, ...]  # what runs on them
    points: tuple[CheckedPoint, ...]

    @property
    def predicted(self) -> tuple[PayingRange, ...]:
        """Sizes at which the cores pay, by LogCA."""
        return self._ranges([point.predicted_s for point in self.points])

    @property
    def measured(self) -> tuple[PayingRange, ...]:
        """Sizes at which they do."""
        return self._ranges([point.threads.value for point in self.points])

    @property
    def bracket(self) -> tuple[PayingRange, ...]:
        """Sizes at which they surely do: the intervals of both medians do not meet."""
        return paying_ranges(
            [point.size for point in self.points],
            [point.host.lower for point in self.points],
            [point.threads.upper for point in self.points],
        )

    @property
    def apart(self) -> float | None:
        """Measured break-even over the predicted one; None where one of them is none [1]."""
        ends = [last_range(each) for each in (self.measured, self.predicted)]
        sizes = [None if end is None else end.least for end in ends]
        if sizes[0] is None or sizes[1] is None:
            return None
        return sizes[0] / sizes[1]

    def _ranges(self, times: Sequence[float]) -> tuple[PayingRange, ...]:
        return paying_ranges(
            [point.size for point in self.points],
            [point.host.value for point in self.points],
            times,
        )

    def __str__(self) -> str:
        return results.answer(self)

    __repr__ = results.text
    _repr_html_ = results.html
    to_frame = results.to_frame


def check(
    source: Source | Sequence[Source],
    function: str | None = None,
    *,
    size: str | None = None,
    threads: int | None = None,
    defines: Mapping[str, object] | None = None,
    args: Sequence[str] = (),
    stdin: bytes = b"",
    includes: Sequence[Source] = (),
    flags: Sequence[str] = (),
    limits: Limits | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> OffloadCheck:
    """Predict and measure from which size on a program's loops pay on all cores of this machine."""
    request = Request.checked(
        source,
        function,
        defines=defines,
        args=args,
        stdin=stdin,
        work={},
        includes=includes,
        flags=flags,
        limits=limits,
    )
    cores = usable_cores() if threads is None else threads
    if cores < 2:
        raise TraceError("this machine has one core for us, and no other one to check with")
    sizes = size_range(request.sources, size)
    progress("choosing loops")
    found = chosen_loops(request, sizes)
    loops = parallel_loops(found.workload.static, found.nests, request.sources.paths)
    compiler = openmp(cores)
    with threaded(request.sources, loops, compiler, sizes.at(sizes.low), parallel=True) as program:
        loops = program.loops
    points: dict[int, CheckedPoint] = {}
    asked: Sequence[int] = sizes.spread(_POINTS)
    for _ in range(1 + _FINER):
        for each in sorted({*asked} - {*points}):
            longest = max((point.host.value for point in points.values()), default=0.0)
            if longest > LONGEST_S and each > max(points):
                break
            progress(f"timing one core and {cores}, {sizes.name} = {each}")
            points[each] = _point(request, loops, compiler, sizes, each)
        so_far = OffloadCheck(
            macro=sizes.name,
            compiler=compiler,
            loops=loops,
            points=tuple(points[size] for size in sorted(points)),
        )
        asked = sizes.finer(sorted(points), (*so_far.predicted, *so_far.measured))
    return so_far


def _point(
    request: Request,
    loops: Sequence[ParallelLoop],
    compiler: OpenMP,
    sizes: MacroRange,
    size: int,
) -> CheckedPoint:
    given = request.sources
    sources = replace(given, arguments=sizes.arguments(given.arguments, size))
    host, cores = (
        repeated_runs(sources, loops, compiler, sizes.at(size), parallel=parallel)
        for parallel in (False, True)
    )
    if not (host[0].entries and cores[0].entries):
        raise TraceError(
            f"no loop is entered at {sizes.name} = {size}: check sizes at which one is, by --size"
        )
    entries, first = host[0].entries, min(host[0].entries, len(loops))
    times = median([run.seconds for run in host])
    overhead = first * compiler.first_s + (entries - first) * compiler.again_s
    return CheckedPoint(
        size=size,
        entries=entries,
        host=times,
        threads=median([run.seconds for run in cores]),
        predicted_s=float(
            speedup.T1(1.0, o=overhead, L=0.0, C=times.value, A=float(compiler.threads))
        ),
        same=host[0].stdout == cores[0].stdout,
    )
