"""Device files from micro-benchmarks: their source for compilers, their output for the reader.

No GPU is needed: NVIDIA's compiler checks the source where it is installed, and everywhere the
program runs on the host with the few calls of CUDA that emulated/cuda_runtime.h has.
"""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from logca.common.errors import FileError
from logca.gpu.devices.calibrate import benchmarks, device_file
from logca.gpu.devices.parameters import device, load_device, unit_rates

EMULATED = Path(__file__).with_name("emulated")

# as gpu-benches printed them for H100 PCIe, with round numbers where it has none
H100 = """title NVIDIA H100 PCIe
capability 9.0
multiprocessors 114
l2_size 52428800
frequency 1.755e+09
bandwidth 1.832e+12
l2_bandwidth 34.5
l2_slices 123
load_cycles 1.01
line_cycles 0.265
store_cycles 2.2
partial_store 4.7
latency_L1 34.2
latency_L2 265.5
latency_dram 385
latency_shared 29
launch_overhead 2.5e-06
launch_synchronised 7e-06
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("calibrate") / "calibrate.cu"
    path.write_text(benchmarks(), encoding="utf-8")
    return path


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="NVIDIA's compiler is not installed")
def test_the_compiler_of_cuda_takes_the_source(source: Path) -> None:
    command = ["nvcc", "-Werror", "all-warnings", "-c", source.name, "-o", "calibrate.o"]
    built = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")


def test_its_output_on_an_emulated_gpu_makes_a_device(source: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    words = [compiler] if compiler else [sys.executable, "-m", "ziglang", "cc"]
    program = source.with_name("calibrate")
    options = ["-x", "c++", "-O1", f"-I{EMULATED}", str(source), "-o", str(program)]
    subprocess.run([*words, *options], check=True, capture_output=True)
    ran = subprocess.run([program, "1"], check=True, capture_output=True, text=True)
    text, gpu = device_file(ran.stdout, "out.txt", name="host")
    assert (gpu.name, gpu.title, gpu.architecture) == ("host", "Host, as a GPU", "ada")
    assert (gpu.multiprocessors, gpu.l2_size) == (2, 65536)
    # a cycle is a nanosecond there, and two multiprocessors wait one after the other
    assert gpu.frequency == pytest.approx(0.5e9, rel=0.3)
    assert unit_rates(gpu).schedulers == 4
    assert f"bandwidth = {gpu.bandwidth:.6g}" in text


def test_the_device_file_says_what_was_measured(tmp_path: Path) -> None:
    text, gpu = device_file(H100, "h100.txt", name="mine")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert replace(load_device(path), sources=gpu.sources) == gpu
    measured, known = unit_rates(gpu), unit_rates(device("h100-pcie"))
    assert gpu.bandwidth == device("h100-pcie").bandwidth
    assert (measured.l2_bandwidth, measured.l2_slices) == (34.5, 123)
    assert (measured.fp64_lanes, measured.l1_size) == (known.fp64_lanes, known.l1_size)
    assert gpu.provenance("latency_dram") == "measured"
    assert gpu.provenance("l2_size") == "documented"
    assert gpu.provenance("barrier_cycles") == "estimated"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("9.0", "12.0", "compute capability 12.0 is of no architecture that is known .7.0 volta"),
        ("bandwidth 1.832e+12\n", "", "out.txt: missing bandwidth: keep all"),
        ("bandwidth 1.832e+12", "bandwidth 1\nbandwidth 2", "line 7 gives bandwidth again: keep"),
        ("bandwidth 1.832e+12", "bandwidth fast", "line 6: bandwidth must be a number, not 'fast'"),
        ("bandwidth 1.832e+12", "bandwidth nan", "line 6: bandwidth must be a number, not 'nan'"),
        ("bandwidth 1.832e+12", "no CUDA-capable device", "line 6 is none that the micro"),
        ("bandwidth 1.832e+12", "bandwidth 0", "out.txt: bandwidth = 0 is out of range"),
        ("l2_slices 123", "l2_slices 1.5", "out.txt: l2_slices must be a whole number"),
    ],
)
def test_what_is_wrong_with_an_output_is_named(old: str, new: str, message: str) -> None:
    assert old in H100
    with pytest.raises(FileError, match=message):
        device_file(H100.replace(old, new, 1), "out.txt", name="mine")
