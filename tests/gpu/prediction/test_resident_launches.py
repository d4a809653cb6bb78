"""Predictions by model bounds of programs whose bytes, sectors and instructions are known."""

from dataclasses import replace
from pathlib import Path

import pytest

from logca.gpu.devices.parameters import GpuDevice, device
from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import KernelPrediction

pytest.importorskip("numba")
pytest.importorskip("llvmlite")

GPU = device("rtx-3080")
STREAM = """
#ifndef N
#define N 4096
#endif
#ifndef TIMES
#define TIMES 1
#endif
float A[N], B[N], C[N];
void kernel(float a) {
    for (int t = 0; t < TIMES; t++)
#pragma logca offload
        for (int i = 0; i < N; i++) C[i] = a * A[i] + B[i];
}
int main(int argc, char **argv) { A[argc] = B[argc] = argc; kernel(argc); return C[argc] > 9; }
"""
SHRINKING = """
#ifndef N
#define N 128
#endif
#ifndef STEPS
#define STEPS 4
#endif
static float A[N][N];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) A[i][j] = i + 2 * j;
  for (int k = 0; k < STEPS; k++)
#pragma logca offload
    for (int j = k + 1; j < N; j++)
      for (int i = 0; i < N; i++) A[i][j] += A[i][k] * A[k][j];
  return A[1][2] == 3;
}
"""
TILES = """
#ifndef N
#define N 64
#endif
#define T 16
float A[N][N], B[N][N];
void kernel(void) {
#pragma logca offload collapse(2)
  for (int by = 0; by < N; by += T)
    for (int bx = 0; bx < N; bx += T) {
      float tile[T][T + 1];
#pragma logca shared(tile)
#pragma logca threads collapse(2)
      for (int ty = 0; ty < T; ty++)
        for (int tx = 0; tx < T; tx++) tile[ty][tx] = A[by + ty][bx + tx];
#pragma logca barrier
#pragma logca threads collapse(2)
      for (int ty = 0; ty < T; ty++)
        for (int tx = 0; tx < T; tx++) B[bx + ty][by + tx] = tile[tx][ty];
    }
}
int main(int argc, char **argv) { A[0][argc] = argc; kernel(); return B[0][argc] > 9; }
"""


def predicted(
    folder: Path, text: str, work: dict[str, int], gpu: GpuDevice = GPU
) -> KernelPrediction:
    path = folder / "kernel.c"
    path.write_text(text)
    (kernel,) = predict(path, device=gpu, model="bounds", work=work).kernels
    return kernel


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> KernelPrediction:
    return predicted(tmp_path_factory.mktemp("stream"), STREAM, {"N": 1 << 24})


def test_a_stream_takes_as_long_as_its_bytes_need(stream: KernelPrediction) -> None:
    assert stream.bounds is not None
    counts = stream.bounds.counts
    assert (counts.read_bytes, counts.written_bytes) == (2 * 4 * 2**24, 4 * 2**24)
    warps = 256 / 32
    assert (counts.loads, counts.stores) == (2 * warps, warps)
    assert (counts.missed_sectors, counts.stored_sectors) == (8 * warps, 4 * warps)
    assert counts.partial_lines == 0.0
    assert counts.load_groups == counts.missed_groups == warps
    bytes_s = 3 * 4 * 2**24 / GPU.bandwidth
    assert stream.bound == "bandwidth of main memory"
    assert stream.bounds.bounds["main_memory"] == pytest.approx(bytes_s)
    assert bytes_s + GPU.launch_overhead < stream.time_s < 1.1 * bytes_s


def test_a_time_lies_in_its_interval_and_above_each_bound(stream: KernelPrediction) -> None:
    assert stream.bounds is not None
    assert stream.interval_s is not None
    assert stream.interval_s[0] < stream.time_s < stream.interval_s[1]
    assert stream.time_s >= max(stream.bounds.bounds.values()) + stream.bounds.overhead_s
    assert stream.timing is None
    assert (stream.mwp, stream.cwp) == (None, None)


def test_launches_again_find_in_l2_what_fits_there(tmp_path: Path) -> None:
    """384 KiB stay in L2: the first of 100 launches loads them."""
    kernel = predicted(tmp_path, STREAM, {"N": 1 << 15, "TIMES": 100})
    assert kernel.launches == 100
    assert kernel.bandwidth * kernel.time_s == pytest.approx(3 * 4 * 2**15)
    small = predicted(tmp_path, STREAM, {"N": 1 << 15, "TIMES": 100}, replace(GPU, l2_size=1 << 18))
    assert small.bandwidth * small.time_s == pytest.approx(100 * 3 * 4 * 2**15)


def test_a_launch_is_never_faster_than_its_floor(tmp_path: Path) -> None:
    kernel = predicted(tmp_path, STREAM, {"N": 32})
    assert kernel.time_s > GPU.launch_overhead
    assert kernel.bound == "launch overhead"
    assert any(note.startswith("below the launch floor") for note in kernel.notes)


def test_tiles_are_made_at_the_work_size(tmp_path: Path) -> None:
    kernel = predicted(tmp_path, TILES, {"N": 4096})
    assert kernel.bounds is not None
    counts = kernel.bounds.counts
    warps = 16 * 16 / 32
    assert counts.read_bytes == counts.written_bytes == 4 * 4096**2
    # a warp has two rows of 64 B of each array
    assert (counts.missed_sectors, counts.stored_sectors) == (4 * warps, 4 * warps)
    assert (counts.loads, counts.stores, counts.barriers) == (warps, warps, warps)
    assert counts.blocks == (4096 / 16) ** 2


def test_a_few_threads_of_a_block_do_no_more_than_they_do(tmp_path: Path) -> None:
    """Of a block of 256 three threads are there, each with a load of A and of B, and a store."""
    kernel = predicted(tmp_path, STREAM, {"N": 3})
    assert kernel.bounds is not None
    assert kernel.bounds.counts.loads == 2
    assert kernel.bounds.counts.stores == 1
    assert kernel.time_s < 2 * GPU.launch_overhead


LONG = """
#ifndef N
#define N 128
#endif
float A[N], C[N], T[1024];
void kernel(void) {
#pragma logca offload
    for (int i = 0; i < N; i++) {
        float s = 0;
        for (int k = 0; k < 1024; k++) s = T[k] * A[i] + s * s;
        C[i] = s;
    }
}
int main(int argc, char **argv) { A[argc] = T[argc] = argc; kernel(); return C[argc] > 9; }
"""


@pytest.mark.parametrize("traced", [False, True])
def test_a_thread_more_than_a_block_asks_for_no_less_of_each_unit(
    tmp_path: Path, traced: bool
) -> None:
    """Of two blocks one is full; the other, with one thread, does not say how long they take."""
    found = []
    for size in (512, 513):
        text = LONG.replace("define N 128", f"define N {size}") if traced else LONG
        kernel = predicted(tmp_path, text, {} if traced else {"N": size})
        assert kernel.bounds is not None
        found.append(kernel.bounds)
        # A and T, in whole sectors
        assert kernel.bounds.counts.read_bytes == pytest.approx(4 * (size + 1024), rel=0.02)
    full, more = (each.counts for each in found)
    assert (more.blocks, more.loads, more.fp32) == (full.blocks + 1, full.loads, full.fp32)
    for unit in ("l1", "issue", "pipes", "stores"):
        assert found[1].bounds[unit] == pytest.approx(found[0].bounds[unit])


def test_a_stream_of_more_threads_than_32_bit_count_takes_as_much_longer(
    tmp_path: Path, stream: KernelPrediction
) -> None:
    """Of 64 bit is its counter, as the source must have it."""
    text = STREAM.replace("int i = 0", "long i = 0")
    long = predicted(tmp_path, text, {"N": 5 << 30})
    assert stream.bounds is not None
    assert long.bounds is not None
    for name in ("l1", "l2"):
        assert long.bounds.bounds[name] == pytest.approx(320 * stream.bounds.bounds[name], rel=0.02)
    assert long.time_s == pytest.approx(320 * stream.time_s, rel=0.05)


GATHER = """
#ifndef N
#define N 4096
#endif
float a[N], b[N]; int x[N];
int main(void) {
    unsigned s = 12345;
    for (int i = 0; i < N; i++) {
        s = s * 1664525u + 1013904223u;
        x[i] = (int)((unsigned long long)s * N >> 32);
    }
#pragma logca offload
    for (int i = 0; i < N; i++) b[i] = a[x[i]];
    return b[N - 1] < 0;
}
"""


def test_a_gather_traced_small_takes_as_long_as_one_traced_large(tmp_path: Path) -> None:
    gpu = device("rtx-3060")
    small = [predicted(tmp_path, GATHER, {"N": n}, gpu) for n in (1 << 20, 1 << 22, 10**8)]
    large = predicted(tmp_path, GATHER.replace("N 4096", f"N {1 << 20}"), {}, gpu)
    assert small[0].time_s == pytest.approx(large.time_s, rel=0.1)
    assert sorted(each.time_s for each in small) == [each.time_s for each in small]
    for found, n in zip(small, (1 << 20, 1 << 22, 10**8), strict=True):
        assert found.bounds is not None
        assert found.bounds.counts.read_bytes <= n * (32 + 4)
        assert found.bounds.counts.read_bytes >= n * 4


@pytest.mark.parametrize("size", [256, 512, 1024])
def test_launches_that_become_smaller_take_as_long_as_traced_at_the_work_size(
    size: int, tmp_path: Path
) -> None:
    source = tmp_path / "shrinking.c"
    source.write_text(SHRINKING)
    both = {"N": size, "STEPS": size}
    small = predict(source, device=GPU, work=both)
    exact = predict(source, device=GPU, defines=both, work={})
    # the last one has no thread
    assert {each.kernels[0].launches for each in (small, exact)} <= {size - 1, size}
    assert small.time_s == pytest.approx(exact.time_s, rel=0.05)
