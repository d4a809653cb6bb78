"""Sizes that are fixed in the source, against the same program run small and predicted there."""

from pathlib import Path

import pytest

import logca.gpu.affine.small_runs as small_runs
import logca.gpu.sampling.plan as planning
import logca.gpu.sampling.sample as sampling
import logca.gpu.tiles.trace as tiling
from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import Prediction

pytest.importorskip("numba")
pytest.importorskip("llvmlite")

POLYBENCH = Path(__file__).parents[3] / "examples" / "polybench"
KERNELS = Path(__file__).parents[3] / "benchmarks" / "gpu" / "kernels"
FIRST = "iterations of its loops were traced"
LIMIT = "the trace reached its limit"
SPARSE = """
#define N 2000
static float y[N], x[N], a[64 * N];
static int column[64 * N], row[N + 1];
static void multiply(void) {
#pragma logca offload
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) sum += a[k] * x[column[k]];
        y[i] = sum;
    }
}
int main(int argc, char **argv) {
    for (int i = 0; i < N; i++) row[i + 1] = row[i] + i * i % 64;
    for (int k = 0; k < 64 * N; k++) column[k] = k * k % N;
    multiply();
    return y[argc] > 1;
}
"""
STRAIGHT = """
#define N 2000
static float a[N], b[N], c[N];
static void add(void) {
#pragma logca offload
    for (int i = 0; i < N; i++) c[i] = a[i] + b[i];
}
int main(int argc, char **argv) { a[argc] = 1; add(); return c[argc] > 1; }
"""
GATHER = """
#ifndef N
#define N 1024
#endif
static float a[N], c[N];
static int x[N];
static void gather(void) {
#pragma logca offload
    for (int i = 0; i < N; i++) c[i] = a[x[i]];
}
int main(int argc, char **argv) {
    unsigned seed = 1;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (seed >> 4) % N;
    }
    gather();
    return c[argc] > 1;
}
"""


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """As little is kept of a small launch, and seen of it, as else of a large one."""
    monkeypatch.setattr(planning, "_KEPT", 1 << 12)
    monkeypatch.setattr(tiling, "_KEPT", 1 << 12)
    monkeypatch.setattr(sampling, "_SETTLED", 1 << 14)


def written(folder: Path, text: str) -> Path:
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    return path


def notes(found: Prediction) -> str:
    return "\n".join(note for kernel in found.kernels for note in kernel.notes)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(
    ("path", "size", "device"),
    [
        (POLYBENCH / "mm.c", 96, "rtx-4090"),
        (POLYBENCH / "corr.c", 96, "h100-sxm"),
        (POLYBENCH / "syr2k.c", 80, "rtx-4090"),
        (POLYBENCH / "trmm.c", 96, "h100-sxm"),
        (POLYBENCH / "mvt.c", 256, "rtx-4090"),
        (POLYBENCH / "doitgen.c", 40, "h100-sxm"),
        (POLYBENCH / "gemm_tiled.c", 96, "rtx-4090"),
        (KERNELS / "gemm.c", 96, "h100-sxm"),
        (KERNELS / "convolution-2d.c", 200, "rtx-4090"),
    ],
    ids=lambda each: each.stem if isinstance(each, Path) else str(each),
)
def test_the_time_is_that_of_the_size_predicted_from_a_smaller_one(
    path: Path, size: int, device: str
) -> None:
    fixed = predict(path, device=device, model="bounds", defines={"N": size}, work={})
    work = predict(path, device=device, model="bounds", defines={"N": 32}, work={"N": size})
    assert [each.time_s for each in fixed.kernels] == pytest.approx(
        [each.time_s for each in work.kernels], rel=1e-3
    )
    assert FIRST not in notes(fixed)
    assert LIMIT not in notes(fixed)


@pytest.mark.usefixtures("narrow")
def test_loops_by_data_are_followed_for_their_first_iterations_which_a_note_says(
    tmp_path: Path,
) -> None:
    found = predict(written(tmp_path, SPARSE), device="rtx-4090", model="bounds")
    assert FIRST in notes(found)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("device", ["rtx-4090", "jetson-tk1"])
def test_threads_without_loops_leave_no_iterations_out(tmp_path: Path, device: str) -> None:
    found = predict(written(tmp_path, STRAIGHT), device=device)
    assert FIRST not in notes(found)


def test_where_gathers_go_at_the_work_size_is_in_the_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is nearly that of the same program traced at that size, which is in there."""
    path, size = written(tmp_path, GATHER), 1 << 21

    def predicted() -> Prediction:
        return predict(path, device="rtx-2060", model="bounds", work={"N": size})

    there = predicted()
    monkeypatch.setattr(small_runs, "_RUN", 1 << 12)
    small = predicted()
    assert small.interval_s is not None
    assert there.interval_s is not None
    assert small.time_s == pytest.approx(there.time_s, rel=0.1)
    assert there.time_s < small.interval_s[1]
    assert 1.2 * there.interval_s[1] / there.time_s < small.interval_s[1] / small.time_s
    assert "where threads reach a in line 9 depends on data" in notes(small)
    assert "depends on data" not in notes(there)
