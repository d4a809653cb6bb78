"""Between loops around and those inside: what a person would make threads."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import Prediction

pytest.importorskip("numba")

PROGRAM = """\
#define N 48
static float a[K][N][N], b[K][N], c[K][N][N];
static void kernel(void)
{
    for (int k = 0; k < K; k++) {
        float sum = 0;
        for (int i = 0; i < N; i++)
            sum += b[k][i];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int l = 0; l < N; l++)
                    c[k][i][j] += sum * a[k][i][l] * a[k][l][j];
    }
}
int main(void)
{
    for (int k = 0; k < K; k++)
        for (int i = 0; i < N; i++)
            b[k][i] = i % 7;
    kernel();
    return c[1][2][3] > 1e9f;
}
"""


@pytest.fixture
def predicted(tmp_path: Path) -> Callable[[int], Prediction]:
    """The prediction of products of so many matrices."""

    def of(number: int) -> Prediction:
        source = tmp_path / "program.c"
        source.write_text(PROGRAM)
        return predict(source, "kernel", defines={"K": number})

    return of


def test_a_few_matrices_are_launches(predicted: Callable[[int], Prediction]) -> None:
    """Four threads would do 96 x 48 x 48 x 48 products each; 2,304 do 48 each, four times."""
    (kernel,) = predicted(4).kernels
    assert (kernel.launches, kernel.layout.threads, kernel.line) == (4, 48 * 48, 9)


def test_as_many_as_fill_a_device_are_threads(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM.replace("#define N 48", "#define N 8"))
    (kernel,) = predict(source, "kernel", defines={"K": 3000}).kernels
    assert (kernel.launches, kernel.layout.threads, kernel.line) == (1, 3000, 5)


FFT = """\
#include <math.h>
#define N 128
static float re[N], im[N];
int main(void)
{
    for (int i = 0; i < N; i++)
        re[i] = i % 5;
    for (int length = 2; length <= N; length *= 2)
        for (int i = 0; i < N; i += length)
            for (int j = 0; j < length / 2; j++) {
                float c = cosf(6.2831853f * j / length), s = -sinf(6.2831853f * j / length);
                float x = c * re[i + j + length / 2] - s * im[i + j + length / 2];
                float y = c * im[i + j + length / 2] + s * re[i + j + length / 2];
                re[i + j + length / 2] = re[i + j] - x;
                im[i + j + length / 2] = im[i + j] - y;
                re[i + j] += x;
                im[i + j] += y;
            }
    return re[1] > 1e9f;
}
"""


def test_all_butterflies_of_a_stage_are_threads(tmp_path: Path) -> None:
    """The last stage has one block of 64, the first one 64 of one; each has 64 butterflies."""
    source = tmp_path / "fft.c"
    source.write_text(FFT)
    (kernel,) = predict(source).kernels
    assert (kernel.launches, kernel.layout.threads, kernel.collapse) == (7, 64, 2)


def test_a_loop_of_one_iteration_is_no_end_of_the_grid(tmp_path: Path) -> None:
    """The channels iterate once: rows and columns are threads, in blocks of 32 x 32 of them."""
    source = tmp_path / "program.c"
    source.write_text("""\
static float o[60 * 50], in[60 * 50];
int main(int c, char **names) {
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < c; j++)
            for (int k = 0; k < 50; k++)
                o[i * 50 + k] += in[(i * c + j) * 50 + k];
    return o[5] > 1;
}
""")
    (kernel,) = predict(source).kernels
    assert kernel.layout.extents == (60, 1, 50)
    assert kernel.layout.block == (32, 1, 32)
    assert kernel.reason.endswith("seen in 50 x 60 iterations")


BRIEF = """\
#include <stdlib.h>
static int a[4000], b[4000];
static int halves(int *v, int n) {
    if (n < 8) { for (int i = 1; i < n; i++) v[i] = v[0] + i; return 0; }
    return halves(v, n / 2) + halves(v + n / 2, n - n / 2);
}
int main(void) {
    halves(a, 4000);
    for (int i = 0; i < 500; i++) {
        int *t = malloc(400);
        for (int k = 0; k < 100; k++) t[k] = a[i] + k;
        for (int k = 0; k < 100; k++) b[k] += t[99 - k];
        free(t);
    }
    return b[4];
}
"""


def test_no_kernel_is_launched_for_a_few_iterations_again_and_again(tmp_path: Path) -> None:
    """4,000 are halved into 96 parts of 7 and 416 of 8, which are halved again."""
    source = tmp_path / "program.c"
    source.write_text(BRIEF)
    found = predict(source)
    assert {kernel.line for kernel in found.kernels} == {11, 12}
    (recursive,) = [part for part in found.left_out if part.line == 4]
    assert recursive.reason.startswith("which is entered 928 times for less than a warp")
    assert any("loop at line 9, as" in note and "calls malloc" in note for note in found.notes)


LU = """\
static double a[48][48], s[9000];
int main(void) {
    double sum = 0;
    for (int i = 0; i < 48; i++)
        for (int j = 0; j < 48; j++) a[i][j] = i == j ? 99 : i ^ j;
    for (int k = 0; k < 47; k++) {
        for (int i = k + 1; i < 48; i++) a[i][k] /= a[k][k];
        for (int i = k + 1; i < 48; i++)
            for (int j = k + 1; j < 48; j++) a[i][j] -= a[i][k] * a[k][j];
    }
    for (int i = 1; i < 9000; i++) s[i] = s[i - 1] * 0.5 + a[i % 48][3];
    for (int i = 0; i < 9000; i++) sum += s[i];
    return sum > 1e9;
}
"""


def test_what_is_launched_beside_others_stays_with_them(tmp_path: Path) -> None:
    """The column has 24 rows on average, but its matrix is on the GPU; sums inspect results."""
    source = tmp_path / "program.c"
    source.write_text(LU)
    assert [kernel.line for kernel in predict(source).kernels] == [7, 8]
    serial = tmp_path / "serial.c"
    serial.write_text(LU.replace("for (int k = 0; k < 47; k++) {", "if (a[0][0] < 0) { int k = 3;"))
    found = predict(serial)
    assert [kernel.line for kernel in found.kernels] == [11]
    assert found.against_dependences
