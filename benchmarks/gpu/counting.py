"""Counts of the measured kernels on their GPUs: traced once for each program, kept between runs.

What is kept is in build/gpu-validation, under a digest of the packages, the kernels and the
devices; so a run that was interrupted goes on where it was, and none uses counts of other code.
"""

import hashlib
import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from benchmarks.gpu.measured import HERE, Row
from logca.gpu.bounds.kernel_times import CountedKernel, counted_kernel
from logca.gpu.devices.parameters import GpuDevice, unit_rates
from logca.gpu.loops.detection import Loops, detected
from logca.gpu.prediction.nest_samples import ExtendedSample, NestSample, TiledSample
from logca.gpu.prediction.nest_sampling import sampled_nests, traced_nests
from logca.gpu.prediction.predict import Request
from logca.gpu.prediction.resident_launches import kernel_launches
from logca.gpu.program.running import counted
from logca.gpu.program.workload import workload
from logca.gpu.stages.blocks_and_occupancy import shape_of
from logca.gpu.stages.launches_in_sequence import kernel_time
from logca.gpu.stages.models import model_named
from logca.gpu.tiles.trace import shape_of_tile

__all__ = ["LOAD_CYCLES", "Counts", "counts_alike", "counts_of", "with_rates"]

ROOT = HERE.parents[1]
KEPT = ROOT / "build" / "gpu-validation"
LOAD_CYCLES = (2.0, 3.0, 4.0)
"""Cycles of a load in the pipe of Turing's L1 for which kernels are counted [cycles]."""

_LATER = frozenset(["interval.py", "residuals.toml"])
"""Files that counts do not depend on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What the validation keeps of a row: counts of its kernels, and times of the other models."""

    kernels: tuple[CountedKernel, ...]  # by the device of the row
    # on Turing the same for each of LOAD_CYCLES; empty on others
    loads: tuple[tuple[CountedKernel, ...], ...]
    paper: float | None  # time by model paper; None if it has none [s]
    logca: float | None  # time by model logca [s]


@cache
def _digest() -> str:
    """A digest of all that counts depend on but the kernel."""
    found = hashlib.sha256()
    for folder in ("gpu", "trace", "common", "numeric"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml") and path.name not in _LATER:
                found.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _kept(row: Row) -> Path:
    what = f"{row.device}{row.program}{row.file.read_text()}"
    name = hashlib.sha256(what.encode()).hexdigest()[:16]
    return KEPT / _digest() / f"{row.kernel}-{row.size}-{row.gpu}-{name}.pickle"


def counts_of(rows: Sequence[Row], jobs: int, *, others: bool) -> Iterator[tuple[Row, Counts]]:
    """The counts of rows, as they are found; `others` asks for the other models' times too."""
    waiting: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        if _kept(row).exists():
            yield row, pickle.loads(_kept(row).read_bytes())
        else:
            waiting.setdefault(row.program, []).append(row)
    if not waiting:
        return
    with ProcessPoolExecutor(jobs) as pool:
        asked = {pool.submit(counts_alike, alike, others): alike for alike in waiting.values()}
        for done in as_completed(asked):
            for row, found in zip(asked[done], done.result(), strict=True):
                _kept(row).parent.mkdir(parents=True, exist_ok=True)
                _kept(row).write_bytes(pickle.dumps(found))
                yield row, found


def counts_alike(rows: Sequence[Row], others: bool) -> list[Counts]:
    """The counts of rows that need one trace."""
    row = rows[0]
    request = Request.checked(
        row.file, device=row.device, model="bounds", block=row.block, defines=row.defines,
        work=row.work,
    )  # fmt: skip
    first = counted(request.sources.executable(request.trace_size))
    found = workload(first, request.sources.executable, request.trace_size, request.work_size)
    loops = detected(found, None)
    samples = _samples(loops, row, row.device)
    results = []
    for each in rows:
        device = each.device
        own = samples if each is row else _elsewhere(samples, device)
        own = own or _samples(loops, each, device)
        ends = LOAD_CYCLES if device.architecture == "turing" else ()
        loads = tuple(_kernels(own, with_rates(device, load_cycles=end)) for end in ends)
        times = _by_others(loops, each, own) if others else (None, None)
        results.append(
            Counts(kernels=_kernels(own, device), loads=loads, paper=times[0], logca=times[1])
        )
    return results


def _kernels(samples: Sequence[NestSample], device: GpuDevice) -> tuple[CountedKernel, ...]:
    return tuple(counted_kernel(kernel_launches(sample), device) for sample in samples)


def _samples(loops: Loops, row: Row, device: GpuDevice) -> tuple[NestSample, ...]:
    """What is traced of the nests of a row for a device."""
    traced = traced_nests(loops, device, block=row.block, fits=True)
    return sampled_nests(traced, model_named("bounds"))


def _elsewhere(samples: Sequence[NestSample], device: GpuDevice) -> tuple[NestSample, ...] | None:
    """The samples on another device; None if other threads would have to be traced for it."""
    found: list[NestSample] = []
    for sample in samples:
        if isinstance(sample, TiledSample) and sample.affine is not None:
            found.append(replace(sample, shape=shape_of_tile(sample.tile, device)))
        elif isinstance(sample, ExtendedSample):
            shape = shape_of((1,) * sample.nest.collapse, device, block=sample.shape.block)
            found.append(replace(sample, shape=shape))
        else:
            return None
    return tuple(found)


def _by_others(loops: Loops, row: Row, own: Sequence[NestSample]) -> tuple[float, float]:
    """The times of a row by models paper and logca [s]; `own` is what model bounds takes of it."""
    traced = traced_nests(loops, row.device, block=row.block)
    paper, logca = model_named("paper"), model_named("logca")
    tiled = any(isinstance(sample, TiledSample) for sample in own)
    # but for tiles, which it takes as they were traced, model logca takes what model bounds does
    again = sampled_nests(traced, logca) if tiled else [replace(each, model=logca) for each in own]
    found = (
        sum(kernel_time(sample.launches(), model).time_s for sample in samples)
        for samples, model in ((sampled_nests(traced, paper), paper), (again, logca))
    )
    return next(found), next(found)


def with_rates(device: GpuDevice, **rates: float) -> GpuDevice:
    """A device with other rates of its units."""
    return replace(device, rates=replace(unit_rates(device), **rates))
