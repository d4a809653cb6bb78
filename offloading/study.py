"""Both paths of a program at the sizes that were looked at so far."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from logca.common.errors import TraceError
from logca.common.processes import usable_cores
from logca.gpu.bounds.footprint import array_of
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.loops.detection import LoopChoice, Loops, detected
from logca.gpu.prediction.predict import Request
from logca.gpu.program.running import Executable, Sources, counted
from logca.gpu.program.work_size_extrapolation import same_shape
from logca.gpu.program.workload import workload
from logca.offloading.given_accelerator import GivenAccelerator
from logca.offloading.given_host import GivenHost
from logca.offloading.gpu_times import GpuTime, gpu_times
from logca.offloading.host_times import HostTimes, expected, expected_loops, host_times
from logca.offloading.result import SizePoint
from logca.offloading.sizes import MacroRange
from logca.offloading.threads import openmp, parallel_loops, repeated_runs
from logca.trace.ir.program import Program

__all__ = ["Study", "chosen_loops", "study_of"]


@dataclass(slots=True, kw_only=True)
class Study:
    """A program, and what was measured and predicted of it."""

    # the program for values of macros, with the blocks that it has as it is written
    build: Callable[[Mapping[str, int]], Executable]
    choice: LoopChoice  # the loops that are offloaded
    program: Program  # the compiled program, as it is written
    ends: Mapping[tuple[str, int], int]  # the last line of each, by its file and line [1]
    arguments: Mapping[str, Any]  # those of `logca.gpu.predict`, but for sizes
    sizes: MacroRange
    given: GivenAccelerator | None  # the accelerator, if its numbers are given
    on: GivenHost  # the host that it is compared with
    cores: Callable[[int], tuple[float, ...]] | None  # times on all cores at a size [s], if asked
    progress: Callable[[str], None]
    host: HostTimes
    gpu: dict[int, GpuTime]  # by the sizes
    on_cores: dict[int, tuple[float, ...]]  # times on all cores, by the sizes [s]
    failed: dict[int, str]  # sizes that could not be predicted, and why

    @property
    def loops(self) -> tuple[int, ...]:
        """The loops that are offloaded [1]."""
        return tuple(nest.loop for nest in self.choice.nests)

    @property
    def executed(self) -> dict[int, float]:
        """Instructions that the loops execute, by the sizes [1]."""
        return {size: time.executed for size, time in self.gpu.items()}

    @property
    def arrays(self) -> frozenset[str]:
        """Names of the arrays that these loops reach."""
        accesses = (self.program.accesses_of[loop] for loop in self.loops)
        return frozenset(array_of(access) for each in accesses for access in each)

    def measured(self, values: Collection[int]) -> tuple[SizePoint, ...]:
        """Points at these sizes, and at all before; an error if there are fewer than two."""
        new = [size for size in values if size not in self.gpu and size not in self.failed]
        if new:
            found, failed = gpu_times(
                self.arguments, self.sizes, self.choice, new, progress=self.progress
            )
            self.gpu |= found
            self.host = host_times(
                self.build,
                self.loops,
                self.sizes,
                new,
                known=self.host,
                executed=self.executed,
                progress=self.progress,
            )
            for size in self.host.runs if self.cores else ():
                if size not in self.on_cores and self.cores:
                    self.progress(f"timing all cores, {self.sizes.name} = {size}")
                    self.on_cores[size] = self.cores(size)
            self.failed |= failed
        if len(self.gpu) < 2 or len(self.host.runs) < 2:
            reasons = [*self.failed.values(), *self.host.left_out.values()]
            raise TraceError(
                reasons[0] if reasons else "there are fewer than two sizes to compare: widen them"
            )
        return self._points(self.gpu, self.given)

    def with_numbers(self, given: GivenAccelerator) -> tuple[SizePoint, ...]:
        """These points, on an accelerator whose numbers are given."""
        return self._points(self.gpu, given)

    def on_device(self, device: GpuDevice, values: Sequence[int]) -> tuple[SizePoint, ...]:
        """Points at these sizes, on another GPU."""
        found, failed = gpu_times(
            {**self.arguments, "device": device},
            self.sizes,
            self.choice,
            values,
            progress=self.progress,
        )
        if failed:
            raise TraceError(f"on {device.title}: {next(iter(failed.values()))}")
        return self._points(found, None)

    def _points(
        self, gpu: Mapping[int, GpuTime], given: GivenAccelerator | None
    ) -> tuple[SizePoint, ...]:
        points = []
        largest = max(self.host.runs)
        for size in sorted(gpu):
            if size not in self.host.runs and size < largest:
                continue  # left out, as a size at which the loops are not entered
            runs = self.host.runs.get(size) or (expected(self.host.runs, size, self.executed),)
            own = expected_loops(self.host, size, self.executed)
            points.append(
                self._on_host(
                    SizePoint(
                        size=size,
                        host_runs_s=runs,
                        measured=size in self.host.runs,
                        host_loops_s=own,
                        program_s=self.host.programs.get(size),
                        # its acceleration is over one core of this machine
                        gpu=gpu[size] if given is None else given.time_of(gpu[size], own),
                    )
                )
            )
        return tuple(points)

    def _on_host(self, point: SizePoint) -> SizePoint:
        """The point with the times of the host that is compared with, not of one core here."""
        if self.cores is None:
            runs = tuple(time / (self.on.cores * self.on.speed) for time in point.host_runs_s)
        elif point.measured:
            runs = self.on_cores[point.size]
        else:
            runs = (expected(self.on_cores, point.size, self.executed),)
        share = min(runs) / point.host_s
        rest = None if point.program_s is None else max(0.0, point.program_s - point.host_s)
        return replace(
            point,
            host_runs_s=runs,
            host_loops_s=tuple(share * time for time in point.host_loops_s),
            program_s=None if rest is None else rest / self.on.speed + min(runs),
        )

    def notes(self, points: Sequence[SizePoint]) -> Iterator[str]:
        """Notes on the times for a reader."""
        name = self.sizes.name
        beyond = [point.size for point in points if not point.measured]
        if beyond:
            why = self.host.left_out.get(beyond[0], "")
            yield (
                f"the host was not timed at {_words(name, beyond)} ({why}): its time goes on as "
                "the instructions do that its loops execute"
            )
        for why in dict.fromkeys(self.failed.values()):
            sizes = sorted(size for size, other in self.failed.items() if other == why)
            yield f"left out: {_words(name, sizes)}: {why}"
        unknown = [
            size for size in self.gpu if size not in self.host.runs and size < max(self.host.runs)
        ]
        if unknown:
            why = self.host.left_out.get(unknown[0], "")
            yield f"left out: {_words(name, sorted(unknown))}, as on the host {why}"
        pieces = {name: number for name, number in points[-1].pieces.items() if number > 1}
        if pieces:
            yield (
                f"{', '.join(pieces)}: memory in pieces, such as rows, each of which is copied by "
                f"itself, {sum(pieces.values()):,} at {_words(name, [points[-1].size])}"
            )


def _words(name: str, values: Sequence[int]) -> str:
    """Sizes in words.

    Examples
    --------
    >>> _words("N", [4]), _words("N", [4, 8, 16])
    ('N = 4', 'N = 4, 8, 16')
    """
    return f"{name} = {', '.join(map(str, values))}"


def _all_cores(
    sources: Sources, loops: Loops, sizes: MacroRange
) -> Callable[[int], tuple[float, ...]]:
    """A function that times the loops on all cores of this machine, through OpenMP."""
    compiler = openmp(usable_cores())
    parallel = parallel_loops(loops.workload.static, loops.nests, sources.paths)

    def timed(size: int) -> tuple[float, ...]:
        at = replace(sources, arguments=sizes.arguments(sources.arguments, size))
        runs = repeated_runs(at, parallel, compiler, sizes.at(size), parallel=True)
        return tuple(run.seconds for run in runs)

    return timed


def chosen_loops(request: Request, sizes: MacroRange) -> Loops:
    """The loops of a program that are offloaded, by the size at which they are chosen."""
    sources = sizes.to_choose_by(request.sources)
    first = counted(sources.executable({}))
    return detected(workload(first, sources.executable, {}, {}), request.function)


def study_of(
    request: Request,
    sizes: MacroRange,
    given: GivenAccelerator | None,
    on: GivenHost,
    progress: Callable[[str], None],
) -> Study:
    """A program of which nothing is known but its loops, at the size that it has as written."""
    progress("choosing loops")
    loops, own = chosen_loops(request, sizes), request.sources
    static, first = loops.workload.static, loops.workload.executable

    def build(size: Mapping[str, int]) -> Executable:
        return same_shape(own.executable(size), first, size)

    found = [static.loops[nest.loop] for nest in loops.nests]
    return Study(
        build=build,
        choice=loops.choice,
        program=static,
        ends={(loop.file, loop.line): loop.end_line for loop in found},
        arguments={
            "source": own.paths,
            "function": request.function,
            "device": request.device,
            "model": request.model.name,
            "defines": dict(own.defines),
            "args": own.arguments,
            "stdin": own.stdin,
            "includes": own.includes,
            "flags": own.flags,
            "limits": own.limits,
        },
        sizes=sizes,
        given=given,
        on=on,
        cores=_all_cores(own, loops, sizes) if on.measured else None,
        on_cores={},
        progress=progress,
        host=HostTimes(runs={}, loops={}, programs={}, left_out={}),
        gpu={},
        failed={},
    )
