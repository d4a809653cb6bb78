"""Measuring an experiment, or two Python functions, into a file; on a core of its own if wanted."""

import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from os import PathLike, fspath
from pathlib import Path
from types import CodeType
from typing import Any

from logca.common.sizes import format_size, parse_size
from logca.numeric.measure.experiment import Experiment, ExperimentError, Timer
from logca.numeric.measure.resumable_file import opened, read_samples
from logca.numeric.measure.run import Ended, Progress, run
from logca.numeric.measure.sizes_and_precision import Plan, PlanError, spread
from logca.numeric.timings.crossing import Compared, compared
from logca.numeric.timings.machine import clock_resolution, machine_facts, machine_notes
from logca.numeric.timings.reading import read_timings
from logca.numeric.timings.sample_file import Header, Recorded
from logca.numeric.timings.timings import LEAST_SIZES, Timings

__all__ = [
    "Measured",
    "callables_experiment",
    "can_pin",
    "header_of",
    "measure",
    "measure_experiment",
    "pinned",
    "sizes_between",
]


def can_pin() -> bool:
    """True if this system can keep a process on one core."""
    return hasattr(os, "sched_setaffinity")


@contextmanager
def pinned(wanted: bool) -> Iterator[None]:
    """Keep this thread, and what it starts, on the last of the cores that it may use."""
    if not (wanted and can_pin()):
        yield
        return
    before = os.sched_getaffinity(0)
    with suppress(OSError):
        os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setaffinity(0, before)


def callables_experiment(
    host: Callable[[Any], Any],
    accelerated: Callable[[Any], Any],
    *,
    make: Callable[[int], Any] | None,
    sizes: tuple[int, int],
    name: str | None = None,
    pin: bool = False,
) -> Experiment:
    """Two functions that are called in this process."""
    for role, each in (("host", host), ("accelerated", accelerated), ("make", make)):
        if not callable(each) and not (role == "make" and each is None):
            raise ExperimentError(f"{role} = {each!r} cannot be called; give a function")
    title = f"{_name(host)} against {_name(accelerated)}"
    inputs = _Inputs(make)
    return Experiment(
        name=name or f"{title}, {_digest(host, accelerated, make)}",
        title=name or title,
        host=_timer(host, inputs),
        accelerated=_timer(accelerated, inputs),
        sizes=sizes,
        pin=pin,
    )


class _Inputs:
    """The input of the last size, which both functions are given."""

    def __init__(self, make: Callable[[int], Any] | None) -> None:
        self._make = make
        self._size: int | None = None
        self._made: Any = None

    def of(self, size: int) -> Any:
        if self._make is None:
            return size
        if size != self._size:
            self._size = self._made = None  # so that there are never two at a time
            self._made = self._make(size)
            self._size = size
        return self._made


def _timer(call: Callable[[Any], Any], inputs: _Inputs) -> Timer:
    def timer(size: int, calls: int) -> float:
        data = inputs.of(size)
        collecting = gc.isenabled()
        gc.disable()
        try:
            start = time.perf_counter()
            for _ in range(calls):
                call(data)
            return time.perf_counter() - start
        finally:
            if collecting:
                gc.enable()

    return timer


def _name(call: Callable[..., Any]) -> str:
    home = getattr(call, "__module__", None) or type(call).__module__
    name = getattr(call, "__qualname__", None) or type(call).__qualname__
    return f"{home}.{name}"


def _digest(*calls: Callable[..., Any] | None) -> str:
    """Tells apart functions of one name, such as lambdas, or one that was changed."""
    found = sha256()
    for call in calls:
        found.update(repr(_code(getattr(call, "__code__", None))).encode(errors="replace"))
    return found.hexdigest()[:8]


def _code(code: Any) -> Any:
    """Operations, names and constants of a function, without where it stands."""
    if not isinstance(code, CodeType):
        return sorted(map(repr, code)) if isinstance(code, frozenset) else code
    return code.co_code, code.co_names, tuple(map(_code, code.co_consts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Samples of a measurement, and how it ended."""

    recorded: Recorded  # all that the file says now
    ended: Ended  # how the measuring ended

    @property
    def rows(self) -> tuple[Compared, ...]:
        """Both medians at each size."""
        times: dict[float, dict[str, list[float]]] = {}
        for each in self.recorded.samples:
            times.setdefault(each.size, {}).setdefault(each.path, []).append(each.seconds)
        return compared(times)


def measure(
    host: Callable[[Any], Any],
    accelerated: Callable[[Any], Any],
    *,
    make: Callable[[int], Any] | None = None,
    sizes: tuple[float | str, float | str],
    output: str | PathLike[str],
    budget: float = 60.0,
    precision: float = 0.02,
    points: int = 13,
    warm_up: int = 1,
    pin: bool = False,
    name: str | None = None,
    other_machine: bool = False,
) -> Timings:
    """Time two functions over sizes, interleaved, and keep all times in a file.

    Sizes are spread evenly in logarithms, and finer around the break-even. It ends when the medians
    there are precise enough, or the budget is spent. Called again with the same file it
    resumes, even after it was killed.

    Parameters
    ----------
    host, accelerated : callable
        Are called with what `make` gave, or with the size if there is none; they must leave it as
        it is, because both are given the same many times.
    make : callable, optional
        Makes the input from a size in bytes; it is not timed.
    sizes : tuple
        Least and largest size, such as ("1 KiB", "64 MiB") [B].
    output : path
        File of samples, which ends in .jsonl.
    budget : float
        Time that all runs together may take [s].
    precision : float
        Half the width of a median's interval over the median, near the break-even [1].
    points : int
        Sizes of the first pass [1].
    warm_up : int
        Calls that are not counted, before the first that is, at each size on each path [1].
    pin : bool
        Whether to keep the process on one core; not if a path uses threads.
    name : str, optional
        What the file calls it; the names of the functions if left out, and then functions whose
        code has changed are another measurement.
    other_machine : bool
        Whether the file may have been begun on another machine.

    Raises
    ------
    ExperimentError
        If no size can be measured.
    PlanError
        If sizes, budget, precision, points or calls are none.
    StoreError
        If the file is another measurement's.
    TimingsError
        If fewer than four sizes could be measured.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> def one_by_one(data):
    ...     return sum(1 for byte in data if byte == 0)
    >>> with TemporaryDirectory() as folder:
    ...     timings = measure(
    ...         one_by_one,
    ...         lambda data: data.count(0),
    ...         make=bytes,
    ...         sizes=(64, "4 KiB"),
    ...         output=Path(folder) / "count.jsonl",
    ...         budget=0.5,
    ...         precision=0.5,
    ...         points=4,
    ...     )
    >>> timings.granularity[0], timings.granularity[-1]
    (64.0, 4096.0)
    """
    if not isinstance(sizes, tuple | list) or len(sizes) != 2:
        raise PlanError(f"sizes = {sizes!r}: give least and largest, such as ('1 KiB', '64 MiB')")
    experiment = callables_experiment(
        host, accelerated, make=make, sizes=sizes_between(*sizes), name=name, pin=pin
    )
    plan = Plan(budget=budget, precision=precision, points=points, warm_up=warm_up)
    measure_experiment(experiment, Path(fspath(output)), plan, other_machine=other_machine)
    return read_timings(output)


def measure_experiment(
    experiment: Experiment,
    output: Path,
    plan: Plan,
    *,
    sizes: tuple[int, int] | None = None,
    pin: bool | None = None,
    other_machine: bool = False,
    machine: Mapping[str, Any] | None = None,
    tell: Progress = lambda share, what: None,
    clock: Callable[[], float] = time.monotonic,
    resolution: float | None = None,
) -> Measured:
    """Measure an experiment into a file, or go on with it."""
    pin = (experiment.pin if pin is None else pin) and can_pin()
    header = header_of(
        experiment,
        plan,
        {"pin": pin},
        sizes=sizes,
        machine=machine,
        resolution=resolution,
    )
    with (
        opened(output, header, other_machine=other_machine, prepare=experiment.prepare) as store,
        pinned(pin),
    ):
        ended = run(experiment, store, plan, tell=tell, clock=clock)
    return Measured(recorded=read_samples(output), ended=ended)


def header_of(
    experiment: Experiment,
    plan: Plan,
    how: Mapping[str, Any],
    *,
    sizes: tuple[int, int] | None = None,
    machine: Mapping[str, Any] | None = None,
    resolution: float | None = None,
) -> Header:
    """Header of the file of a measurement, with the sizes that are planned."""
    facts = machine_facts() if machine is None else machine
    least, most = sizes or experiment.sizes
    planned = spread(least, most, plan.points, experiment.step)
    if len(planned) < LEAST_SIZES:
        raise PlanError(
            f"between {format_size(least)} and {format_size(most)} there are {len(planned)} sizes "
            f"in steps of {format_size(experiment.step)}; a fit needs {LEAST_SIZES}: widen them"
        )
    return Header(
        experiment=experiment.name,
        title=experiment.title,
        sizes=planned,
        step=experiment.step,
        how={**how, "warm_up": plan.warm_up},
        machine=facts,
        resolution=clock_resolution() if resolution is None else resolution,
        begun=datetime.now(UTC).date().isoformat(),
        notes=(*experiment.notes, *machine_notes(facts)),
        once=experiment.once,
    )


def sizes_between(least: float | str, most: float | str) -> tuple[int, int]:
    """Least and largest size as whole bytes [B].

    Examples
    --------
    >>> sizes_between("1 KiB", 65536)
    (1024, 65536)
    """
    first, last = parse_size(least), parse_size(most)
    if not 1 <= first < last:
        raise PlanError(f"sizes {least} to {most}: give the least first, 1 B or more")
    return round(first), round(last)
