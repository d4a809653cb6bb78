"""Warps whose threads diverge, against kernels of the same warp instructions."""

import pytest

from logca.gpu.prediction import predict
from logca.gpu.result import KernelPrediction

for library in ("numba", "llvmlite", "ziglang"):
    pytest.importorskip(library)

SOURCE = """
enum { THREADS = 4096, ROWS = 64 };
static float a[ROWS][THREADS], c[THREADS];
int main(void) {
#pragma logca offload
    for (int i = 0; i < THREADS; i++) {
        float sum = 0;
        %s
            sum += a[k][i];
        c[i] = sum;
    }
    return 0;
}
"""
LOOPS = {
    "all": "for (int k = 0; k < 64; k++)",
    "halves": "if (i & 1) for (int k = 0; k < 64; k++)",
    "whole warps": "if (i & 32) for (int k = 0; k < 64; k++)",
    "one lane": "for (int k = 0; k < (i % 32 == 5 ? 64 : 0); k++)",
    "triangle": "for (int k = 0; k <= 2 * (i % 32) + 1; k++)",
}


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], KernelPrediction]:
    folder, found = tmp_path_factory.mktemp("divergence"), {}
    for name, loop in LOOPS.items():
        source = folder / f"{name.replace(' ', '_')}.c"
        source.write_text(SOURCE % loop, encoding="utf-8")
        for model in ("paper", "logca"):
            found[name, model] = predict(source, model=model).kernels[0]
    return found


def loads(kernel: KernelPrediction) -> float:
    """Memory instructions of a warp, less the store at the end [1]."""
    (mean,) = (row for row in kernel.stages["latency"] if row["pattern"] == "mean")
    number = mean["instructions"]
    assert isinstance(number, float)
    return number - 1


@pytest.mark.parametrize(
    ("name", "of_warp", "of_thread"),
    [
        ("all", 64, 64),
        ("halves", 64, 32),
        ("whole warps", 32, 32),
        ("one lane", 64, 2),
        ("triangle", 64, 33),
    ],
)
def test_a_warp_executes_what_any_of_its_threads_does(
    kernels: dict[tuple[str, str], KernelPrediction], name: str, of_warp: int, of_thread: int
) -> None:
    kernel = kernels[name, "logca"]
    assert loads(kernel) == pytest.approx(of_warp)
    (load,) = (each for each in kernel.accesses if not each.store)
    assert load.executions == pytest.approx(of_thread)


def test_lanes_that_wait_take_as_long_as_lanes_that_work(
    kernels: dict[tuple[str, str], KernelPrediction],
) -> None:
    everything = kernels["all", "logca"].time_s
    assert kernels["halves", "logca"].time_s == pytest.approx(everything, rel=0.05)
    assert kernels["whole warps", "logca"].time_s < 0.7 * everything
    assert kernels["halves", "paper"].time_s < 0.7 * kernels["all", "paper"].time_s


BUSY = """
enum { THREADS = 4096 };
static float a[THREADS], c[THREADS], rows[THREADS][64];
int main(void) {
#pragma logca offload
    for (int i = 0; i < THREADS; i++) {
        float sum = a[i];
        for (int k = 0; k < 1000; k++)
            sum = sum * 1.5f + 2;
        %s
        c[i] = sum;
    }
    return 0;
}
"""
RARE = "if (i % 32 == 0) for (int k = 0; k < 64; k++) sum += rows[i][k];"


def test_what_all_threads_compute_does_not_grow_with_what_few_load(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    source = tmp_path_factory.mktemp("busy") / "busy.c"
    found = []
    for rare in ("", RARE):
        source.write_text(BUSY % rare, encoding="utf-8")
        kernel = predict(source, model="logca").kernels[0]
        rows = [row for row in kernel.stages["instructions"] if row["kind"] == "compute"]
        found.append(sum(float(str(row["per warp"])) for row in rows))
    assert found[0] >= 3000
    loop = 64 * 5  # the sum, product and sum of the address, the step and the jump
    assert found[0] < found[1] < found[0] + loop + 10
