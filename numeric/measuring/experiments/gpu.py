"""Matrix product, Fourier transform, sorting and binary search: NumPy on the CPU, and a GPU.

The accelerated path copies what is given to the device, computes, and copies the result back; with
``resident=true`` it only computes, from and to the memory of the device. Each call waits for its
end. What happens once, such as finding the device or compiling for a size, is not part of any call.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from time import perf_counter_ns
from typing import Any

import array_api_compat.numpy as host_functions
import numpy as np

from logca.numeric.measuring.experiment import Experiment, ExperimentError
from logca.numeric.measuring.experiments.gpu_kernels import (
    FFT,
    GEMM,
    SEARCH,
    SORT,
    Arrays,
    GpuKernel,
)
from logca.numeric.measuring.experiments.gpu_libraries import LIBRARIES, Library, library
from logca.numeric.measuring.experiments.options import called, choice, truth

__all__ = ["open_fft", "open_gemm", "open_kernel", "open_search", "open_sort"]

_SAMPLE = 1 << 18
_KERNELS = {"gemm": GEMM, "fft": FFT, "sort": SORT, "search": SEARCH}


def open_kernel(
    kernel: str, *, library: str = "auto", resident: bool | str = False, device: str = "gpu"
) -> Experiment:
    """A kernel in NumPy, and on a GPU; `open_gemm` and the like have its name already.

    Parameters
    ----------
    kernel : str
        "gemm", "fft", "sort" or "search" [text].
    library : str
        "cupy", "torch", "jax", or "auto" for the first that has such a device [text].
    resident : bool or str
        Whether data and result stay on the device.
    device : str
        "gpu", "gpu:1" for the second, or "cpu" to try out without one [text].

    Raises
    ------
    ExperimentError
        If there is no such device, or its result differs from NumPy's.
    """
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
    """How a call is offloaded."""

    library: Library
    compute: Callable[..., Any]
    resident: bool

    def given(self, arrays: Arrays) -> Arrays:
        """What a call takes: arrays of NumPy, or those of the device."""
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
