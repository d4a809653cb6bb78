"""Loops distributed and moved outwards, against programs that are written so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.gpu.advice.advise import advise
from logca.gpu.advice.loop_remedies import DISTRIBUTED
from logca.gpu.advice.results import KernelAdvice, Remedy
from logca.gpu.prediction.predict import predict

pytest.importorskip("numba")

PROGRAM = """\
#define N 64
#define M 96
static float A[N][M], B[M][N], C[N][N], D[N][N][M];
static void kernel(void)
{
BODY
}
int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = B[j][i] = (i * j + 1) % 7;
    kernel();
    return C[1][2] + D[1][2][3] > 1e9f;
}
"""
SCALED = "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) C[i][j] *= 0.5f;"
IKJ = """\
for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
        C[i][j] *= 0.5f;
    for (int k = 0; k < M; k++)
        for (int j = 0; j < N; j++)
            C[i][j] += 2 * A[i][k] * B[k][j];
}"""
IJK = f"""\
{SCALED}
for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
        for (int k = 0; k < M; k++)
            C[i][j] += 2 * A[i][k] * B[k][j];"""
COLUMNS = """\
for (int j = 0; j < N; j++) {
    float norm = 0;
    for (int k = 0; k < M; k++)
        norm += B[k][j];
    for (int k = 0; k < M; k++)
        B[k][j] /= norm;
}"""


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    """A program with this kernel."""

    def write(body: str) -> Path:
        path = tmp_path / "program.c"
        path.write_text(PROGRAM.replace("BODY", body))
        return path

    return write


def found(advice: KernelAdvice) -> Remedy | None:
    remedies = [*advice.remedies, *advice.others]
    return next((each for each in remedies if each.name == DISTRIBUTED), None)


@pytest.mark.parametrize("model", ["paper", "logca"])
def test_a_product_in_the_order_i_k_j(written: Callable[[str], Path], model: str) -> None:
    (kernel,) = advise(written(IKJ), "kernel", model=model).kernels
    by_hand = predict(written(IJK), "kernel", model=model)
    assert kernel.remedies[0].name == DISTRIBUTED
    assert kernel.remedies[0].time_s == pytest.approx(by_hand.time_s, rel=0.1)
    assert kernel.remedies[0].gain > 4
    assert kernel.remedies[0].what == (
        "distribute the loop at line 6 over 2 kernels; the loops at lines 6 and 7 as threads "
        "(64 x 64); the loops at lines 6 and 10 as threads (64 x 64), with that of line 9 inside"
    )


def test_what_a_thread_hands_on_is_told(written: Callable[[str], Path]) -> None:
    """The loops of the second kernel stand so that neighbours reach neighbours."""
    (kernel,) = advise(written(COLUMNS), "kernel").kernels
    remedy = found(kernel)
    assert remedy is not None
    assert "the loops at lines 10 and 6 as threads (96 x 64)" in remedy.what
    assert remedy.conditions[0].startswith("norm of each thread must be kept in an array")
    by_hand = predict(
        written(
            "static float norms[N]; for (int j = 0; j < N; j++) { float norm = 0;"
            "for (int k = 0; k < M; k++) norm += B[k][j]; norms[j] = norm; }"
            "for (int k = 0; k < M; k++) for (int j = 0; j < N; j++) B[k][j] /= norms[j];"
        ),
        "kernel",
    )
    assert remedy.time_s == pytest.approx(by_hand.time_s, rel=0.25)


@pytest.mark.parametrize(
    "inner",
    [
        # a value of the row from the element before it
        "for (int j = 1; j < N; j++) C[i][j] += C[i][j - 1] * A[i][k];",
        # from another element of the row, in the k before
        "for (int j = 0; j < N; j++) D[i][k + 1][j] = D[i][k][N - 1 - j] * A[i][k];",
        # beside the loop the row is written too
        "C[i][k] = 1; for (int j = 0; j < N; j++) C[i][j] += A[i][k] * B[k][j];",
        # one sum goes through all iterations of both
        "for (int j = 0; j < N; j++) s += B[k][j]; C[i][k] = s;",
    ],
)
def test_loops_that_cannot_be_moved(written: Callable[[str], Path], inner: str) -> None:
    loops = "for (int i = 0; i < N; i++) { float s = 0; for (int k = 0; k < N - 1; k++) {"
    body = f"{loops} {inner} }} }}"
    (kernel,) = advise(written(body), "kernel").kernels
    assert kernel.kernel.layout.threads == 64
    assert found(kernel) is None


def test_what_stands_beside_the_inner_loop_is_done_by_each_thread(
    written: Callable[[str], Path],
) -> None:
    text = IKJ.replace("for (int k = 0; k < M; k++)\n", "for (int k = 0; k < M; k++) {\n").replace(
        "        for (int j = 0; j < N; j++)\n            C[i][j] += 2 * A[i][k] * B[k][j];",
        "float a = 2 * A[i][k]; for (int j = 0; j < N; j++) C[i][j] += a * B[k][j]; }",
    )
    (kernel,) = advise(written(text), "kernel", model="logca").kernels
    remedy = found(kernel)
    by_hand = predict(written(IJK), "kernel", model="logca")
    assert remedy is not None
    assert remedy.time_s == pytest.approx(by_hand.time_s, rel=0.2)
