"""Kernels for GPUs, tried out on the CPU that JAX computes on, and calls in the right order."""

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from logca.examples.experiments import gpu, gpu_libraries
from logca.examples.experiments.gpu import (
    FFT,
    GEMM,
    SEARCH,
    SORT,
    GpuKernel,
    open_fft,
    open_gemm,
    open_search,
    open_sort,
)
from logca.examples.experiments.gpu_libraries import Library, library
from logca.numeric.measure.experiment import ExperimentError

EXPECTED: list[tuple[GpuKernel, Callable[..., Any]]] = [
    (GEMM, lambda left, right: np.einsum("ij,jk->ik", left.astype(float), right.astype(float))),
    (FFT, lambda signal: np.fft.fft(signal.astype(complex))),
    (SORT, lambda numbers: np.array(sorted(numbers.tolist()))),
    (
        SEARCH,
        lambda numbers, keys: np.array([int((numbers < key).sum()) for key in keys.tolist()]),
    ),
]
OPENED = {
    GEMM.title: open_gemm,
    FFT.title: open_fft,
    SORT.title: open_sort,
    SEARCH.title: open_search,
}


@pytest.fixture(scope="module")
def jax_on_cpu() -> Library:
    return library("jax", "cpu")


@pytest.mark.parametrize(("kernel", "expected"), EXPECTED, ids=["gemm", "fft", "sort", "search"])
@pytest.mark.parametrize("resident", [False, True], ids=["copied", "resident"])
def test_both_paths_compute_what_the_kernel_means(
    jax_on_cpu: Library, kernel: GpuKernel, expected: Callable[..., Any], resident: bool
) -> None:
    arrays = kernel.inputs(10_000)
    reference = expected(*arrays)
    offload = gpu._Offload(
        library=jax_on_cpu,
        compute=jax_on_cpu.prepared(lambda *given: kernel.compute(jax_on_cpu.functions, *given)),
        resident=resident,
    )
    found = jax_on_cpu.fetch(offload.call(offload.given(arrays)))
    scale = float(np.abs(reference).max())
    assert np.allclose(found, reference, rtol=0, atol=1e-5 * scale)
    here = kernel.compute(gpu.host_functions, *arrays)
    assert np.allclose(here, reference, rtol=0, atol=1e-5 * scale)


@pytest.mark.parametrize("size", [2048, 10_000, 1 << 20])
@pytest.mark.parametrize(("kernel", "expected"), EXPECTED, ids=["gemm", "fft", "sort", "search"])
def test_inputs_are_as_large_as_asked(
    kernel: GpuKernel, expected: Callable[..., Any], size: int
) -> None:
    arrays = kernel.inputs(size)
    counted = arrays[:1] if kernel is SEARCH else arrays
    made = sum(each.nbytes for each in counted)
    assert 0.85 * size <= made <= size


@pytest.mark.parametrize("kernel", [GEMM, SEARCH], ids=["gemm", "search"])
def test_experiments_are_timed_and_tell_the_first_call_apart(kernel: GpuKernel) -> None:
    experiment = OPENED[kernel.title](device="cpu", library="jax", resident="true")
    try:
        assert experiment.host(4096, 2) > 0
        assert experiment.accelerated(4096, 2) > 0
        assert set(experiment.once) == {"finding the device", "first call"}
        assert experiment.name.endswith("library=jax resident=true device=cpu")
        assert kernel.granularity in experiment.notes
    finally:
        experiment.close()


def recorded(said: list[str]) -> Library:
    """A device that says what is asked of it; what it holds are pairs."""

    def saying(word: str, result: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def said_of(array: Any) -> Any:
            said.append(word)
            return result(array)

        return said_of

    return Library(
        name="a library",
        device="a device",
        functions=None,
        place=saying("place", lambda array: ("there", array)),
        fetch=saying("fetch", lambda array: array[1]),
        wait=saying("wait", lambda array: None),
        enter=lambda: said.append("enter"),
        prepared=lambda function: function,
    )


@pytest.mark.parametrize(
    ("resident", "first", "call"),
    [
        (False, [], ["place", "compute", "fetch"]),
        (True, ["place", "wait"], ["compute", "wait"]),
    ],
)
def test_transfers_count_unless_data_stay(
    resident: bool, first: list[str], call: list[str]
) -> None:
    said: list[str] = []

    def compute(array: Any) -> Any:
        assert array[0] == "there"
        said.append("compute")
        return array

    offload = gpu._Offload(library=recorded(said), compute=compute, resident=resident)
    known: set[int] = set()
    gpu._accelerated_seconds(offload, lambda size: (np.zeros(size),), known, 64, 2)
    assert said == ["enter", *first, *call, *call, *call]
    said.clear()
    gpu._accelerated_seconds(offload, lambda size: (np.zeros(size),), known, 64, 2)
    assert said == ["enter", *first, *call, *call]


def test_another_result_is_told() -> None:
    offload = gpu._Offload(
        library=recorded([]), compute=lambda array: ("there", array[1] * 1.5), resident=False
    )
    with pytest.raises(ExperimentError, match="a library on a device computes another result"):
        gpu._compare("sort", SORT, offload, SORT.inputs(4096))


def test_without_a_gpu_each_library_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_libraries, "find_spec", lambda name: None)
    with pytest.raises(ExperimentError) as caught:
        open_gemm()
    for word in ("pip install cupy", "pip install torch", "jax[cuda12]", "device=cpu"):
        assert word in str(caught.value)


def test_jax_says_what_it_sees(jax_on_cpu: Library) -> None:
    if jax_on_cpu.functions and find_spec("jax_cuda12_plugin"):
        pytest.skip("there may be a GPU")
    with pytest.raises(ExperimentError, match="sees no gpu, only cpu"):
        open_sort(library="jax")
    with pytest.raises(ExperimentError, match="sees 1 of kind cpu"):
        open_sort(library="jax", device="cpu:1")


def test_a_broken_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> Library:
        raise RuntimeError("driver too old\nand more")

    monkeypatch.setitem(gpu_libraries._OPENERS, "jax", broken)
    with pytest.raises(ExperimentError, match="jax fails: RuntimeError: driver too old"):
        open_fft(library="jax")


@pytest.mark.parametrize(
    ("option", "value"), [("library", "numpy"), ("device", "tpu"), ("device", "gpu:x")]
)
def test_an_option_that_is_none_is_told(option: str, value: str) -> None:
    with pytest.raises(ExperimentError, match=f"{option} = '{value}'"):
        open_gemm(**{option: value})


def test_no_array_library_is_loaded_before_it_is_asked_for() -> None:
    code = (
        "import sys, logca.examples.experiments.gpu as gpu;"
        "assert not {'jax', 'torch', 'cupy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
