"""Kernels in which a loop inside would have threads too, if it were in a kernel of its own."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from logca import gpu
from logca.gpu.prediction.result import KernelPrediction

predict = partial(gpu.predict, device="jetson-tk1")

pytest.importorskip("numba")

Kernels = Callable[..., dict[str, KernelPrediction]]

PROGRAM = """\
#define N 64
#define M 96
static float A[N][M], B[M][N], C[N][N], x[N], y[N], z[M];
static struct {{ float a, b; }} s[N][M];
static float W[M][2048];
{functions}
int main(void)
{{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = B[j][i] = s[i][j].a = (i * j + 1) % 7;
    {calls}
    return C[1][2] + y[3] + s[4][5].b + z[3] > 1e9f;
}}
"""
FUNCTIONS = {
    "gemm": """\
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            C[i][j] *= 0.5f;
        for (int k = 0; k < M; k++)
            for (int j = 0; j < N; j++)
                C[i][j] += 2 * A[i][k] * B[k][j];
    }""",
    "columns": """\
    for (int j = 0; j < N; j++) {
        float norm = 0;
        for (int k = 0; k < M; k++)
            norm += B[k][j];
        for (int k = 0; k < M; k++)
            B[k][j] /= norm;
    }""",
    "atax": """\
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int j = 0; j < M; j++)
            y[i] += A[i][j] * z[j];
    }""",
    "mvt": """\
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            x[i] += C[i][j] * y[j];
        for (int j = 0; j < N; j++)
            x[i] += C[j][i] * y[j];
    }""",
    "narrow": """\
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++)
            for (int j = 0; j < 16; j++)
                C[i][j] += A[i][k] * B[k][j];""",
    "own": """\
    for (int i = 0; i < N; i++) {
        float own[M];
        for (int j = 0; j < M; j++)
            own[j] = A[i][j] * 2;
        for (int j = 1; j < M; j++)
            y[i] += own[j] * own[j - 1];
    }""",
    "open_end": """\
    for (int i = 0; i < N; i++) {
        float error = 1;
        while (error > 0.01f) {
            for (int j = 0; j < M; j++)
                s[i][j].b = s[i][j].a * error;
            error *= 0.5f;
        }
    }""",
    "rest": """\
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            for (int k = 0; k < 8; k++)
                y[i] += A[i][j] * A[i][k];
        for (int j = 0; j < M; j++)
            s[i][j].b = y[i];
    }""",
}


@pytest.fixture
def kernels(tmp_path: Path) -> Kernels:
    """The kernels of a program whose functions have these bodies."""

    def of(bodies: dict[str, str], model: str = "paper") -> dict[str, KernelPrediction]:
        source = tmp_path / "program.c"
        functions = "\n".join(
            f"static void {name}(void)\n{{\n{body}\n}}" for name, body in bodies.items()
        )
        calls = " ".join(f"{name}();" for name in bodies)
        source.write_text(PROGRAM.format(functions=functions, calls=calls), encoding="utf-8")
        found = predict(source, model=model).kernels
        return {kernel.function: kernel for kernel in found if kernel.function != "main"}

    return of


def deeper(kernel: KernelPrediction) -> list[str]:
    return [note for note in kernel.notes if "carries no dependence either" in note]


def test_the_inner_loop_of_a_product_in_the_order_i_k_j(kernels: Kernels) -> None:
    kernel = kernels({"gemm": FUNCTIONS["gemm"]})["gemm"]
    assert kernel.layout.threads == 64
    (note,) = deeper(kernel)
    # the loops of the sum, of 64 x 96 x 64 iterations, begin three and four lines after the outer
    assert f"the loop at line {kernel.line + 4} carries" in note
    assert f"with the serial loop at line {kernel.line + 3} around it" in note
    assert "64 x 64 threads; now there are 64, fewer than the 2,048" in note
    assert note.endswith("and they reach memory uncoalesced there")
    by_hand = """\
    for (int k = 0; k < M; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                C[i][j] += 2 * A[i][k] * B[k][j];"""
    taken_out = kernels({"gemm": by_hand})["gemm"]
    assert (taken_out.launches, taken_out.layout.threads) == (96, 64 * 64)
    assert deeper(taken_out) == []


def test_only_where_it_is_so(kernels: Kernels) -> None:
    found = kernels(FUNCTIONS)
    assert found.keys() == FUNCTIONS.keys()
    told = {name for name, kernel in found.items() if deeper(kernel)}
    assert told == {"gemm", "columns"}
    (note,) = deeper(found["columns"])
    assert f"the loop at line {found['columns'].line + 4} carries" in note
    assert "around it" not in note
    assert "96 x 64 threads; now there are 64, fewer than" in note
    assert "uncoalesced" not in note


def test_threads_that_fill_the_device_and_are_coalesced_are_enough(kernels: Kernels) -> None:
    wide = FUNCTIONS["columns"].replace("B[k][j]", "W[k][j]").replace("j < N", "j < 2048")
    (kernel,) = kernels({"columns": wide}).values()
    assert kernel.layout.threads == 2048
    assert deeper(kernel) == []
