"""Nests whose rows differ in length are said to be not rectangular, and no others."""

from pathlib import Path

import pytest

from logca.gpu.prediction.predict import predict

for library in ("numba", "llvmlite", "ziglang"):
    pytest.importorskip(library)

SOURCE = """
static float a[65536];
int main(void) {
#pragma logca offload
    for (int i = 0; i < 65536; i++)
        a[i] = %s;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("value", "model", "said"),
    [("2 * a[i]", "paper", True), ("2 * a[i]", "logca", False), ("1", "paper", False)],
)
def test_a_mean_at_the_jump_of_the_printed_model_is_said(
    tmp_path: Path, value: str, model: str, said: bool
) -> None:
    """Of a load and a store of the same two lines, two miss of four."""
    source = tmp_path / "scale.c"
    source.write_text(SOURCE % value, encoding="utf-8")
    notes = predict(source, model=model).kernels[0].notes
    assert any("coalesced accesses have 1.000 DRAM transactions" in each for each in notes) == said


pytest.importorskip("numba")

NESTS = """\
static float a[N][N], b[N][N], c[32 * N];
int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] = a[i][j] * 2 + b[i][j];
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            a[i][j] = a[i][j] * 2 + b[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (j <= i)
                a[i][j] = a[i][j] * 2 + b[i][j];
    for (int i = 0; i < 32 * N; i += 32)
        for (int j = i; j < i + 32; j++)
            c[j] = c[j] * 2 + 1;
    for (int k = 0; k < 9; k++)
        for (int i = k; i < N; i++)
            for (int j = k; j < N; j++)
                a[i][j] += b[i][j] * k;
    return a[1][1] < 0;
}
"""


@pytest.mark.parametrize(("n", "mean", "rows"), [(63, "32", 32), (128, "64.5", 64)])
def test_triangles_are_told(tmp_path: Path, n: int, mean: str, rows: int) -> None:
    """The mean row of a triangle has (N + 1) / 2 elements, a whole number where N is odd."""
    source = tmp_path / "nests.c"
    source.write_text(NESTS, encoding="utf-8")
    found = predict(source, defines={"N": n}, work={})
    told = {
        kernel.line: note
        for kernel in found.kernels
        for note in kernel.notes
        if "not rectangular" in note
    }
    assert [kernel.line for kernel in found.kernels] == [4, 7, 10, 14, 18]
    assert {kernel.collapse for kernel in found.kernels} == {2}
    assert told == {
        line: f"the loops are not rectangular: the one at line {line + 1} has {mean} iterations on "
        f"average; {n} x {rows} threads represent rows of different lengths"
        for line in (4, 7)
    }


BODIES = """\
#define N 64
static float x[N], f[N];
int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i % 7;
    for (int i = 0; i < N; i++) {
        float sum[3] = {0};
        for (int j = 0; j < N; j++) {
            float d = x[j] - x[i];
            for (int k = 0; k < 3; k++)
                sum[k] += d * (k + 1);
        }
        f[i] = sum[0] + sum[1] * sum[2];
    }
    return f[1] > 1e9f;
}
"""


def test_accesses_that_the_paper_leaves_out_are_told(tmp_path: Path) -> None:
    """A thread loads x[i] and x[j] 64 times and stores f[i], none of it in the loop over k."""
    source = tmp_path / "bodies.c"
    source.write_text(BODIES)
    (kernel,) = (each for each in predict(source).kernels if each.line == 7)
    (note,) = (note for note in kernel.notes if "innermost loops only" in note)
    assert "which have 0 of the 129 accesses" in note
    (kernel,) = (each for each in predict(source, model="logca").kernels if each.line == 7)
    assert not any("innermost" in note for note in kernel.notes)
