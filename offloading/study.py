"""Both paths of a program at the sizes that were looked at so far."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from logca.common.errors import TraceError
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.loops.detection import LoopChoice, Loops, detected
from logca.gpu.prediction.predict import Request
from logca.gpu.program.running import Executable, counted
from logca.gpu.program.work_size_extrapolation import same_shape
from logca.gpu.program.workload import workload
from logca.offloading.given_accelerator import GivenAccelerator
from logca.offloading.gpu_times import GpuTime, gpu_times
from logca.offloading.host_times import HostTimes, expected, expected_loops, host_times
from logca.offloading.result import SizePoint
from logca.offloading.sizes import MacroRange

__all__ = ["Study", "chosen_loops", "study_of"]


@dataclass(slots=True, kw_only=True)
class Study:
    """A program, and what was measured and predicted of it."""

    # the program for values of macros, with the blocks that it has as it is written
    build: Callable[[Mapping[str, int]], Executable]
    choice: LoopChoice  # the loops that are offloaded
    ends: Mapping[tuple[str, int], int]  # the last line of each, by its file and line [1]
    arguments: Mapping[str, Any]  # those of `logca.gpu.predict`, but for sizes
    sizes: MacroRange
    given: GivenAccelerator | None  # the accelerator, if its numbers are given
    progress: Callable[[str], None]
    host: HostTimes
    gpu: dict[int, GpuTime]  # by the sizes
    failed: dict[int, str]  # sizes that could not be predicted, and why

    @property
    def loops(self) -> tuple[int, ...]:
        """The loops that are offloaded [1]."""
        return tuple(nest.loop for nest in self.choice.nests)

    def measured(self, values: Collection[int]) -> tuple[SizePoint, ...]:
        """Points at these sizes, and at all before; an error if there are fewer than two."""
        new = [size for size in values if size not in self.gpu and size not in self.failed]
        if new:
            self.host = host_times(
                self.build, self.loops, self.sizes, new, known=self.host, progress=self.progress
            )
            found, failed = gpu_times(
                self.arguments, self.sizes, self.choice, new, progress=self.progress
            )
            self.gpu |= found
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
            runs = self.host.runs.get(size) or (expected(self.host.runs, size),)
            own = expected_loops(self.host, size)
            points.append(
                SizePoint(
                    size=size,
                    host_runs_s=runs,
                    measured=size in self.host.runs,
                    host_loops_s=own,
                    program_s=self.host.programs.get(size),
                    gpu=gpu[size] if given is None else given.time_of(gpu[size], own),
                )
            )
        return tuple(points)

    def notes(self, points: Sequence[SizePoint]) -> Iterator[str]:
        """Notes on the times for a reader."""
        name = self.sizes.name
        beyond = [point.size for point in points if not point.measured]
        if beyond:
            why = self.host.left_out.get(beyond[0], "")
            yield (
                f"the host was not timed at {_words(name, beyond)} ({why}): its time goes on as it "
                "grew before"
            )
        if self.failed:
            size, why = min(self.failed.items())
            yield f"left out: {_words(name, sorted(self.failed))}, as at {name} = {size}: {why}"
        unknown = [
            size for size in self.gpu if size not in self.host.runs and size < max(self.host.runs)
        ]
        if unknown:
            why = self.host.left_out.get(unknown[0], "")
            yield f"left out: {_words(name, sorted(unknown))}, as on the host {why}"


def _words(name: str, values: Sequence[int]) -> str:
    """Sizes in words.

    Examples
    --------
    >>> _words("N", [4]), _words("N", [4, 8, 16])
    ('N = 4', 'N = 4, 8, 16')
    """
    return f"{name} = {', '.join(map(str, values))}"


def chosen_loops(request: Request, sizes: MacroRange) -> Loops:
    """The loops of a program that are offloaded, by the size at which they are chosen."""
    sources = sizes.to_choose_by(request.sources)
    first = counted(sources.executable({}))
    return detected(workload(first, sources.executable, {}, {}), request.function)


def study_of(
    request: Request,
    sizes: MacroRange,
    given: GivenAccelerator | None,
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
        progress=progress,
        host=HostTimes(runs={}, loops={}, programs={}, left_out={}),
        gpu={},
        failed={},
    )
