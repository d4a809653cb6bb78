"""Loops distributed and moved outwards, against programs that are written so."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from logca import gpu
from logca.gpu.advice.loop_remedies import DISTRIBUTED, distributed
from logca.gpu.advice.results import RemedyCandidate
from logca.gpu.prediction.predict import Request, predicted, traced_program
from logca.gpu.stages.launches_in_sequence import kernel_time

pytest.importorskip("numba")

advise = partial(gpu.advise, device="jetson-tk1")
predict = partial(gpu.predict, device="jetson-tk1")

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


def found(path: Path, model: str = "paper") -> list[tuple[float, RemedyCandidate]]:
    """The ways to distribute the only kernel of a program with their times, the best first."""
    request = Request.checked(path, "kernel", device="jetson-tk1", model=model)
    _, (sample,), _ = predicted(traced_program(request), request.model)
    times = [
        (kernel_time(each.launches(sample), sample.model).time_s, each)
        for each in distributed(sample)
    ]
    return sorted(times, key=lambda pair: pair[0])


def test_a_product_in_the_order_i_k_j(written: Callable[[str], Path]) -> None:
    (kernel,) = advise(written(IKJ), "kernel").kernels
    by_hand = predict(written(IJK), "kernel")
    assert kernel.remedies[0].name == DISTRIBUTED
    assert kernel.remedies[0].time_s == pytest.approx(by_hand.time_s, rel=0.1)
    assert kernel.remedies[0].gain > 4
    assert kernel.remedies[0].what == (
        "distribute the loop at line 6 over 2 kernels; the loops at lines 6 and 7 as threads "
        "(64 x 64); the loops at lines 6 and 10 as threads (64 x 64), with that of line 9 inside"
    )


@pytest.mark.parametrize("read_before", [False, True])
def test_the_same_by_the_model_logca(written: Callable[[str], Path], read_before: bool) -> None:
    """What stands beside the innermost loop is done by each thread."""
    text = IKJ
    if read_before:
        text = text.replace("k < M; k++)\n", "k < M; k++) {\n float a = 2 * A[i][k];")
        text = text.replace("C[i][j] += 2 * A[i][k] * B[k][j];", "C[i][j] += a * B[k][j]; }")
    (time, _), *_ = found(written(text), "logca")
    by_hand = predict(written(IJK), "kernel", model="logca")
    assert time == pytest.approx(by_hand.time_s, rel=0.2)


def test_what_a_thread_hands_on_is_told(written: Callable[[str], Path]) -> None:
    """The loops of the second kernel stand so that neighbours reach neighbours."""
    (time, remedy), *_ = found(written(COLUMNS))
    assert "the loops at lines 10 and 6 as threads (64 x 96)" in remedy.what
    assert remedy.conditions[0].startswith("norm of each thread must be kept in an array")
    by_hand = predict(
        written(
            "static float norms[N]; for (int j = 0; j < N; j++) { float norm = 0;"
            "for (int k = 0; k < M; k++) norm += B[k][j]; norms[j] = norm; }"
            "for (int k = 0; k < M; k++) for (int j = 0; j < N; j++) B[k][j] /= norms[j];"
        ),
        "kernel",
    )
    assert time == pytest.approx(by_hand.time_s, rel=0.25)


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
    assert found(written(body)) == []


@pytest.mark.parametrize(
    ("between", "told"),
    [
        # of the row each thread of the kernels has one element
        ("for (int k = 0; k < N; k++) C[i][k] = row[k];", ["row of each thread must be kept"]),
        # one after the other, from element to element
        ("for (int j = 1; j < N; j++) { C[i][j] = C[i][j - 1] * row[j]; }", None),
        # no thread knows before whether its iteration comes
        ("for (int k = 0; k < N; k++) { if (A[i][k] > 5) break; C[i][k] = 1; }", []),
    ],
)
def test_scratch_memory_between_kernels(
    written: Callable[[str], Path], between: str, told: list[str] | None
) -> None:
    first = "float row[N]; for (int k = 0; k < N; k++) row[k] = A[i][k] * B[k][i];"
    ways = found(written(f"for (int i = 0; i < N; i++) {{ {first} {between} }}"))
    assert bool(ways) == (told is not None)
    if told:
        assert ways[0][1].conditions[0].startswith(told[0])
    for _, remedy in ways if told == [] else ():
        assert remedy.what.count("as threads") == 1
