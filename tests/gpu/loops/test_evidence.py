"""Loops that ran once in the run: their subscripts decide, or those inside come first."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import Prediction
from logca.trace.compile.driver import compile_program
from logca.trace.ir.subscripts import subscripts

pytest.importorskip("numba")

Predict = Callable[..., Prediction]

PROGRAM = """\
#include <stdlib.h>
#define N 64
static float a[2 * N][N], b[2 * N][N], c[4][N][N], *d;
static int at[4] = {0, 1, 2, 3};
int T = 1;
static void kernel(void)
{
    BODY
}
int main(void)
{
    d = calloc(4 * N * N, sizeof *d);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (i * j + 1) % 17;
    kernel();
    return b[1][2] + c[0][1][2] + d[5] > 1e9f;
}
"""


@pytest.fixture
def predicted(tmp_path: Path) -> Predict:
    """The prediction of a function with this body."""

    def of(body: str) -> Prediction:
        source = tmp_path / "program.c"
        source.write_text(PROGRAM.replace("BODY", body))
        return predict(source, "kernel")

    return of


INTERIOR = "for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)"
STENCIL = f"{INTERIOR} b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];"
PLANE = "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)"


@pytest.mark.parametrize("until", ["1", "T"])
def test_one_step_of_a_stencil(predicted: Predict, until: str) -> None:
    """The same kernels, launch by launch, as with two steps."""
    text = f"for (int t = 0; t < {until}; t++) {{ {STENCIL} {INTERIOR} a[i][j] = b[i][j]; }}"
    once, twice = predicted(text), predicted(text.replace(f"< {until}", "< 2"))
    assert [each.layout.grid for each in once.kernels] == [
        each.layout.grid for each in twice.kernels
    ]
    assert [each.launches for each in once.kernels] == [1, 1]
    assert [each.launches for each in twice.kernels] == [2, 2]
    assert 2 * once.time_s == pytest.approx(twice.time_s, rel=0.1)
    assert all("seen in 62 x 62 iterations" in each.reason for each in once.kernels)


@pytest.mark.parametrize(
    ("text", "threads", "told"),
    [
        # another plane in each iteration: they are independent, by their subscripts
        (f"{PLANE} c[t][i][j] += a[i][j];", 64 * 64, "by their subscripts, seen in 64 x 64"),
        (f"{PLANE} d[(t * N + i) * N + j] += a[i][j];", 64 * 64, "by their subscripts, seen"),
        # planes that overlap by a row: nothing tells, and the loops inside come first
        (f"{PLANE} a[t * (N - 1) + i][j] += 1;", 64 * 64, "other: seen in 64 x 64"),
        (f"{PLANE} c[at[t]][i][j] += a[i][j];", 64 * 64, "other: seen in 64 x 64"),
        # one value in each iteration, from that of the iteration before
        ("for (int i = 0; i < N; i++) a[t + 1][i] = a[t][i] * 2;", 64, "other: seen in 64 iter"),
        # columns, whose spans overlap: nothing tells
        ("for (int i = 0; i < N; i++) a[i][t] = a[i][t] * 2;", 64, "other: seen in 64 iter"),
        # nothing inside iterated either
        (
            "for (int i = 0; i < T; i++) c[at[t]][at[i]][0] += 1;",
            1,
            "as far as one iteration shows",
        ),
    ],
)
def test_subscripts_decide_where_a_loop_ran_once(
    predicted: Predict, text: str, threads: int, told: str
) -> None:
    (kernel,) = predicted(f"for (int t = 0; t < T; t++) {{ {text} }}").kernels
    assert (kernel.launches, kernel.layout.threads) == (1, threads)
    assert told in kernel.reason


def test_steps_of_subscripts(tmp_path: Path) -> None:
    """Against the addresses by hand: rows of 64 floats, a triangle, a structure, a pointer."""
    source = tmp_path / "program.c"
    source.write_text(
        PROGRAM.replace(
            "BODY",
            "struct { char c; double v[3]; } s[9]; for (int i = 0; i < 9; i++)"
            "for (int j = i; j < N - 1; j += 2) {"
            " b[j][2 * i + 1] = a[i][63 - j]; s[i].v[j % 3] = j; s[8 - i].v[2] = d[i << 2]; }",
        )
    )
    compiled = compile_program([source], inline=True)
    program = compiled.program
    inside = [each.id for each in program.accesses if each.line == 8]
    found = {
        (program.accesses[each].array, program.accesses[each].store): subscript
        for each, subscript in subscripts(compiled.ir, program, inside).items()
        if program.accesses[each].type != "ptr"
    }
    assert found["b", True].steps == (256 + 8, 512)
    assert found["b", True].offset == 4
    assert found["a", False].steps == (256 - 4, -8)
    assert found["a", False].offset == 4 * 63
    assert found["d", False].steps == (16, 0)
    assert found["d", False].base == (("*@d", 1),)
    assert found["s", True].steps == (-32, 0)
