"""Copies between host and GPU that a program's kernels need, once for all of them.

An array goes to the GPU if a kernel reads it before any has written it, or writes it only in part;
it comes back if one writes it. In between it stays there. What is copied of an array is the range
from the first to the last byte that the kernels reach, as one copy moves it; rows that are memory
of their own each are copied one by one. Where accesses were traced, or go anywhere in an array, the
code tells how long an array is; if it does not, it is taken for the sectors that they reach.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil

import numpy as np

from logca.gpu.affine.affine_nest import extremes
from logca.gpu.bounds.array_sizes import ArraySize, shared_arrays
from logca.gpu.bounds.footprint import array_of
from logca.gpu.bounds.l1_cache import SECTOR
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.prediction.nest_samples import NestSample
from logca.gpu.prediction.resident_launches import array_lengths
from logca.gpu.prediction.result import CopiedArray, Copies, ReachedArray
from logca.gpu.stages.launches_in_sequence import KernelTime
from logca.numeric.generated import gpu_bounds

__all__ = ["copies"]


_NEARLY_ALL = 0.8
"""Share of an array from which on it is copied whole, where sampled accesses tell the share [1]."""

_Ends = tuple[int, int]  # first byte, and the one behind the last [B]


def copies(
    samples: Sequence[NestSample], times: Sequence[KernelTime], device: GpuDevice
) -> Copies | None:
    """The copies for all kernels; None if the device has no link, or the model no arrays."""
    rates = device.rates
    if rates is None or rates.link_bandwidth is None or rates.link_latency is None:
        return None
    shared = _shared(samples)
    swapped = frozenset[str]().union(*shared)
    kernels = _as_one_memory(
        [
            tuple(_reached(sample, time, swapped))
            for sample, time in zip(samples, times, strict=True)
        ],
        shared,
    )
    arrays = _copied(kernels)
    there = [array for array in arrays if array.to_gpu]
    back = [array for array in arrays if array.to_host]
    return Copies(
        arrays=arrays,
        time_s=float(
            gpu_bounds.time_copies(
                copies=sum(array.pieces for array in (*there, *back)),
                copied_bytes=sum(a.to_gpu for a in there) + sum(a.to_host for a in back),
                link_bandwidth=rates.link_bandwidth,
                link_latency=rates.link_latency,
            )
        ),
        link_bandwidth=rates.link_bandwidth,
        link_latency_s=rates.link_latency,
        reached=kernels,
    )


def _shared(samples: Sequence[NestSample]) -> Sequence[frozenset[str]]:
    """Names of arrays that trade places, such as of two buffers that are swapped."""
    first = samples[0].workload
    return shared_arrays(
        first.executable.compiled.ir, first.static, [sample.nest.loop for sample in samples]
    )


def _as_one_memory(
    kernels: Sequence[tuple[ReachedArray, ...]], shared: Sequence[frozenset[str]]
) -> tuple[tuple[ReachedArray, ...], ...]:
    """The arrays of kernels; one that trades places with others is reached as all of these are.

    Examples
    --------
    >>> a = ReachedArray(name="a", read=True, written=False, range=64.0)
    >>> b = ReachedArray(name="b", read=False, written=True, range=48.0)
    >>> both = _as_one_memory([(a, b)], [frozenset("ab")])[0]
    >>> [(each.read, each.written, each.range) for each in both]
    [(True, True, 64.0), (True, True, 64.0)]
    """
    found = []
    for arrays in kernels:
        together = {
            name: [array for array in arrays if array.name in names]
            for names in shared
            for name in names
        }
        found.append(
            tuple(
                replace(
                    array,
                    read=any(each.read for each in together.get(array.name, (array,))),
                    written=any(each.written for each in together.get(array.name, (array,))),
                    range=max(each.range for each in together.get(array.name, (array,))),
                )
                for array in arrays
            )
        )
    return tuple(found)


def _reached(
    sample: NestSample, time: KernelTime, swapped: frozenset[str]
) -> Iterator[ReachedArray]:
    """Arrays that a kernel reaches; of accesses that are not affine without the gaps."""
    ranges = _ranges(sample, swapped)
    # there is a gap behind each row that is memory of its own
    gaps = len(sample.affine_nests) > 1 or any(name.endswith("[]") for name in ranges)
    unsure = gaps or not ranges or None in ranges.values()
    sizes, growth = array_lengths(sample) if unsure else ({}, {})
    stored = _stored(sample)
    accesses = sample.workload.static.accesses
    updated = {
        array_of(accesses[each]) for value in sample.nest.reductions for each in value.accesses
    }
    for array in time.arrays:
        known = ranges.get(array.name)
        lies = sizes.get(array.name, ArraySize(size=0))
        size = lies.size
        anywhere = array.choice or array.written_choice
        range_ = known
        if range_ is None:
            range_ = max(array.read, array.written)
            if not anywhere:
                times, seen = _of_all_launches(sample, array.name)
                range_ = max(range_ * times, seen * growth.get(array.name, 0.0))
        if size and (array.name in ranges or anywhere or range_ > _NEARLY_ALL * size):
            range_ = float(size) if known is None else known
        if size:
            range_ = min(range_, float(size))
        written = array.written * sample.number
        if known is None and written > _NEARLY_ALL * range_:
            written = range_
        # a sector counts as written where only some of its bytes are
        written = min(written, stored.get(array.name, 0.0))
        yield ReachedArray(
            name=array.name,
            read=array.read > 0 or written < range_ or array.name in updated,
            written=written > 0,
            range=float(ceil(range_)),
            pieces=lies.pieces,
        )


def _of_all_launches(sample: NestSample, array: str) -> tuple[float, float]:
    """Bytes that all launches reach over those that one does [1], and those in the trace [B]."""
    trace = sample.trace
    if trace is None:
        return 1.0, 0.0
    accesses = [each.id for each in trace.accesses if array_of(each) == array]
    trace = trace.where(np.isin(trace.access, accesses))
    stores = np.array([each.store for each in trace.accesses])[trace.access]
    sector = trace.address // np.uint64(SECTOR)
    one = either = 0
    launches = np.unique(trace.launch)
    for launch in launches:
        there = trace.launch == launch
        parts = [np.unique(sector[there & (stores == store)]) for store in (False, True)]
        one += max(map(len, parts))
        either += len(np.union1d(*parts))
    if not one:
        return 1.0, 0.0
    reached = len(np.unique(sector))
    beyond = reached * len(launches) / either - 1
    others = (sample.number - 1) / (len(launches) - 1) if len(launches) > 1 else 0.0
    return either / one * (1 + beyond * others), float(reached * SECTOR)


def _stored(sample: NestSample) -> Mapping[str, float]:
    """Bytes that all threads of all launches store in each array, as often as they do [B]."""
    executed, accesses = sample.executed, sample.workload.static.accesses
    found: dict[str, float] = {}
    for site, often in executed.memory.items():
        if accesses[site].store:
            name = array_of(accesses[site])
            found[name] = found.get(name, 0.0) + often * executed.threads * accesses[site].size
    return found


def _ranges(sample: NestSample, swapped: frozenset[str]) -> Mapping[str, float | None]:
    """Bytes from the first to the last that an affine nest reaches of each array [B].

    None where some launches are affine, and it is not known where in the array the others are.
    """
    found: dict[str, dict[int, _Ends]] = {}
    last = 0
    for nest in sample.affine_nests:
        last = max(last, nest.launches[1] - 1)
        for site in nest.sites:
            low, high = extremes(site)
            of_array = found.setdefault(array_of(nest.accesses[site.access]), {})
            before = of_array.get(nest.launches[0], (low, high + site.size))
            of_array[nest.launches[0]] = min(low, before[0]), max(high + site.size, before[1])
    beyond = 0 if len(sample.affine_nests) == sample.number else sample.number - 1 - last
    return {
        # of buffers that trade places only one is reached by a launch, and what lies between is not
        name: float(max(high - low for low, high in ends.values()))
        if name in swapped
        else _span(ends, beyond)
        for name, ends in found.items()
    }


def _span(ends: Mapping[int, _Ends], beyond: int) -> float | None:
    """Bytes between the ends of what launches reach, so many more launches among them [B].

    Ends that move evenly go on to do so; None if that is not known.

    Examples
    --------
    >>> _span({0: (0, 64), 5: (80, 144)}, 4), _span({0: (0, 64)}, 9)
    (208.0, None)
    """
    launches = sorted(ends)
    reached = list(ends.values())
    if beyond > 0:
        rates = {
            tuple((b - a) / (to - of) for a, b in zip(ends[of], ends[to], strict=True))
            for of, to in pairwise(launches)
        }
        if len(rates) != 1:
            return None
        ((low, high),) = rates
        first, end = ends[launches[-1]]
        reached.append((first + round(low * beyond), end + round(high * beyond)))
    return float(max(high for _, high in reached) - min(low for low, _ in reached))


def _copied(kernels: Iterable[Sequence[ReachedArray]]) -> tuple[CopiedArray, ...]:
    """Copies of each array, in the order in which kernels reach them.

    Examples
    --------
    >>> a = ReachedArray(name="a", read=True, written=False, range=64.0)
    >>> b = ReachedArray(name="b", read=False, written=True, range=64.0)
    >>> [(each.name, each.to_gpu, each.to_host) for each in _copied([(a, b), (b,)])]
    [('a', 64.0, 0.0), ('b', 0.0, 64.0)]
    """
    found: dict[str, CopiedArray] = {}
    for arrays in kernels:
        for array in arrays:
            before = found.get(array.name)
            to_gpu = (array.range if array.read else 0.0) if before is None else before.to_gpu
            if before is not None and to_gpu:
                to_gpu = max(to_gpu, array.range)
            to_host = max(array.range if array.written else 0.0, before.to_host if before else 0.0)
            found[array.name] = CopiedArray(
                name=array.name, to_gpu=to_gpu, to_host=to_host, pieces=array.pieces
            )
    return tuple(found.values())
