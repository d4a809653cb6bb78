"""Matrix product, Fourier transform, sorting and binary search: NumPy on the CPU, and a GPU.

The kernels and how many bytes they are: altaf2017, Table 4.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import isqrt
from time import perf_counter_ns
from typing import Any

import array_api_compat.numpy as host_functions
import numpy as np
from scipy.fft import prev_fast_len

from logca.examples.experiments.gpu_libraries import LIBRARIES, Library, library
from logca.examples.experiments.options import called, choice, truth
from logca.numeric.measure.experiment import Experiment, ExperimentError

__all__ = [
    "FFT",
    "GEMM",
    "SEARCH",
    "SORT",
    "Arrays",
    "GpuKernel",
    "open_fft",
    "open_gemm",
    "open_kernel",
    "open_search",
    "open_sort",
]

_FLOAT, _COMPLEX = 4, 8
_KEYS = 4096

Arrays = tuple[Any, ...]
"""Arguments of a kernel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuKernel:
    """A computation on arrays."""

    title: str  # what it computes
    granularity: str  # what its size in bytes is, and how a size becomes a number of elements
    inputs: Callable[[int], Arrays]  # makes the arrays of NumPy for a size [B]
    compute: Callable[..., Any]  # computes the result, given a namespace and the arrays
    sizes: tuple[int, int]  # least and largest size [B]
    step: int  # what sizes are multiples of [B]
    # how far results may differ, over the largest: 0 where nothing is rounded [1]
    tolerance: float = 0.0


def _matrices(size: int) -> Arrays:
    order = max(1, isqrt(size // (2 * _FLOAT)))
    random = np.random.default_rng(size)
    return tuple(random.standard_normal((order, order), dtype=np.float32) for _ in range(2))


def _signal(size: int) -> Arrays:
    count = prev_fast_len(max(1, size // _COMPLEX), real=True)
    parts = np.random.default_rng(size).standard_normal((2, count), dtype=np.float32)
    return ((parts[0] + 1j * parts[1]).astype(np.complex64),)


def _numbers(size: int) -> Arrays:
    count = max(1, size // _FLOAT)
    return (np.random.default_rng(size).standard_normal(count, dtype=np.float32),)


def _sorted_and_keys(size: int) -> Arrays:
    keys = np.random.default_rng(0).standard_normal(_KEYS, dtype=np.float32)
    return np.sort(_numbers(size)[0]), keys


GEMM = GpuKernel(
    title="product of two square matrices of 4 B numbers",
    granularity="granularity is that of both matrices; their order is the root of size / 8 B, "
    "rounded down, so that sizes of small matrices are inexact",
    inputs=_matrices,
    compute=lambda functions, left, right: functions.matmul(left, right),
    sizes=(2048, 32 << 20),
    step=2 * _FLOAT,
    tolerance=1e-2,  # some devices multiply with 10 bits of fraction (TF32)
)
"""Matrix product; the larger the matrices the more computation for each byte."""

FFT = GpuKernel(
    title="Fourier transform of complex numbers of 8 B",
    granularity="granularity is that of the numbers; their count is size / 8 B, rounded down to "
    "one that has no prime factor above 5",
    inputs=_signal,
    compute=lambda functions, signal: functions.fft.fft(signal),
    sizes=(1024, 32 << 20),
    step=_COMPLEX,
    tolerance=1e-4,
)
"""Fourier transform."""

SORT = GpuKernel(
    title="sorting random numbers of 4 B",
    granularity="granularity is that of the numbers, size / 4 B of them",
    inputs=_numbers,
    compute=lambda functions, numbers: functions.sort(numbers, stable=False),
    sizes=(1024, 32 << 20),
    step=_FLOAT,
)
"""Sorting."""

SEARCH = GpuKernel(
    title=f"binary search for {_KEYS} keys among sorted numbers of 4 B",
    granularity="granularity is that of the sorted numbers, size / 4 B of them",
    inputs=_sorted_and_keys,
    compute=lambda functions, numbers, keys: functions.searchsorted(numbers, keys),
    sizes=(1024, 32 << 20),
    step=_FLOAT,
)
"""Binary search: the time grows with the logarithm of the size."""


_SAMPLE = 1 << 18
_KERNELS = {"gemm": GEMM, "fft": FFT, "sort": SORT, "search": SEARCH}


def open_kernel(
    kernel: str, *, library: str = "auto", resident: bool | str = False, device: str = "gpu"
) -> Experiment:
    """A kernel in NumPy, and on a GPU; `open_gemm` and the like have its name already."""
    return _opened(kernel, _KERNELS[kernel], library, truth("resident", resident), str(device))


open_gemm, open_fft, open_sort, open_search = (partial(open_kernel, name) for name in _KERNELS)


def _opened(name: str, kernel: GpuKernel, which: str, resident: bool, device: str) -> Experiment:
    start = perf_counter_ns()
    found = library(choice("library", which, ("auto", *LIBRARIES)), device)
    ready = perf_counter_ns()
    offload = _Offload(
        library=found,
        compute=found.prepared(partial(kernel.compute, found.functions)),
        resident=resident,
    )
    inputs = lru_cache(maxsize=2)(kernel.inputs)
    _compare(name, kernel, offload, inputs(_SAMPLE))
    called_once = perf_counter_ns()
    return Experiment(
        name=called(
            name, library=(which, "auto"), resident=(resident, False), device=(device, "gpu")
        ),
        title=f"{kernel.title}: NumPy (host), and {found.name} on {found.device}",
        host=partial(_host_seconds, kernel, inputs),
        accelerated=partial(_accelerated_seconds, offload, inputs, set()),
        sizes=kernel.sizes,
        step=kernel.step,
        notes=(
            f"NumPy {np.__version__} with all the threads that it takes itself; {found.name} on "
            f"{found.device}",
            kernel.granularity,
            "data and result stay on the device"
            if resident
            else "data are copied to the device and the result back in each call",
            "the first call at each size is not timed: it may compile, plan and allocate",
        ),
        once={
            "finding the device": (ready - start) * 1e-9,
            "first call": (called_once - ready) * 1e-9,
        },
        pin=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offload:
    """Way to offload a call: the library, the computation, and if arrays stay on the device."""

    library: Library
    compute: Callable[..., Any]
    resident: bool

    def given(self, arrays: Arrays) -> Arrays:
        """Arguments of a call: arrays of NumPy, or those of the device."""
        if not self.resident:
            return arrays
        placed = tuple(map(self.library.place, arrays))
        for each in placed:
            self.library.wait(each)
        return placed

    def call(self, given: Arrays) -> Any:
        """One call; it returns when the result is where it belongs."""
        if self.resident:
            result = self.compute(*given)
            self.library.wait(result)
            return result
        return self.library.fetch(self.compute(*map(self.library.place, given)))


def _compare(name: str, kernel: GpuKernel, offload: _Offload, arrays: Arrays) -> None:
    """Both results, once."""
    expected = kernel.compute(host_functions, *arrays)
    found = offload.call(offload.given(arrays))
    result = offload.library.fetch(found) if offload.resident else found
    if result.shape != expected.shape or not np.allclose(
        result, expected, rtol=0, atol=kernel.tolerance * float(np.abs(expected).max())
    ):
        raise ExperimentError(
            f"{name}: {offload.library.name} on {offload.library.device} computes another result "
            "than NumPy; try another library"
        )


def _host_seconds(
    kernel: GpuKernel, inputs: Callable[[int], Arrays], size: int, calls: int
) -> float:
    arrays = inputs(size)
    start = perf_counter_ns()
    for _ in range(calls):
        kernel.compute(host_functions, *arrays)
    return (perf_counter_ns() - start) * 1e-9


def _accelerated_seconds(
    offload: _Offload, inputs: Callable[[int], Arrays], known: set[int], size: int, calls: int
) -> float:
    offload.library.enter()
    given = offload.given(inputs(size))
    if size not in known:
        offload.call(given)
        known.add(size)
    start = perf_counter_ns()
    for _ in range(calls):
        offload.call(given)
    return (perf_counter_ns() - start) * 1e-9
