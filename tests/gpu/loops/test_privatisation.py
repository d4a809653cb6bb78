"""Scratch memory declared outside of a loop, against the same program with it declared inside."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import Prediction

pytest.importorskip("numba")

Predict = Callable[..., Prediction]

HEAD = """\
#include <stdlib.h>
#include <string.h>
#define N 64
typedef struct { float re, im; } cx;
static float a[N][N], b[N][N], x[3 * N], y[3 * N], large[9000];
static int flag[N];
"""
MAIN = """
int main(void)
{
    for (int i = 0; i < N; i++) {
        flag[i] = i % 3 == 0;
        for (int j = 0; j < N; j++)
            a[i][j] = (i * j + 1) % 17;
    }
    kernel();
    return b[1][2] + y[3] > 1e9f;
}
"""


@pytest.fixture
def predicted(tmp_path: Path) -> Predict:
    """The prediction of the function `kernel` with a body, what comes before, what behind it."""

    def of(body: str, *, before: str = "", after: str = "") -> Prediction:
        source = tmp_path / "program.c"
        main = MAIN.replace("kernel();", f"kernel(); {after}")
        source.write_text(f"{HEAD}{before}\nstatic void kernel(void)\n{{\n{body}\n}}{main}")
        return predict(source, "kernel")

    return of


def shapes(found: Prediction) -> list[tuple[int, int]]:
    """Launches and threads of each kernel."""
    return [(each.launches, each.layout.threads) for each in found.kernels]


ROW = """\
    {outside}
    for (int i = 0; i < N; i++) {
        {inside}
        for (int j = 0; j < N; j++)
            row[j] = a[i][j] * a[j][i];
        for (int j = 1; j < N; j++)
            b[i][j] = row[j] + row[j - 1];
    }"""
BUTTERFLY = """\
static void butterfly(cx *p, cx *q, float f, cx *s, cx *t)
{
    s->re = p->re;
    s->im = p->im;
    t->re = q->re * f;
    t->im = q->im * f;
    p->re = s->re + t->re;
    p->im = s->im + t->im;
    q->re = s->re - t->re;
    q->im = s->im - t->im;
}
static cx z[2 * N], OUTSIDE;"""
STAGES = """\
    for (int half = N; half; half /= 2)
        for (int n = 0; n < N; n++) {
            INSIDE
            int k = n % half, at = 2 * (n - k) + k;
            butterfly(&z[at], &z[at + half], a[1][n], &s, &t);
        }"""


@pytest.mark.parametrize("held", ["float row[N];", "static float row[N];",
                                  "float *row = malloc(N * sizeof *row);"])  # fmt: skip
def test_a_row_declared_outside(predicted: Predict, held: str) -> None:
    twin = predicted(ROW.replace("{outside}", "").replace("{inside}", "float row[N];"))
    found = predicted(ROW.replace("{inside}", "").replace("{outside}", held))
    assert shapes(found) == shapes(twin) == [(1, 64)]
    assert found.time_s == pytest.approx(twin.time_s, rel=0.5)
    (kernel,) = found.kernels
    assert kernel.reason.endswith("seen in 64 iterations; each thread has its own row")
    assert not kernel.dependences
    assert "row" not in {access.array for access in kernel.accesses}


def test_scratch_of_a_function_called_in_the_loop(predicted: Predict) -> None:
    twin = predicted(
        STAGES.replace("INSIDE", "cx s, t;"), before=BUTTERFLY.replace(", OUTSIDE", "")
    )
    found = predicted(STAGES.replace("INSIDE", ""), before=BUTTERFLY.replace("OUTSIDE", "s, t"))
    assert shapes(found) == shapes(twin) == [(7, 64)]
    assert found.time_s == pytest.approx(twin.time_s, rel=0.5)


def test_what_is_read_afterwards_is_that_of_the_last_iteration(predicted: Predict) -> None:
    row = ROW.replace("{inside}", "").replace("{outside}", "")
    found = predicted(row, before="static float row[N];", after="y[3] = row[5];")
    assert shapes(found) == [(1, 64)]
    assert "each thread has its own row, of which what the last one leaves" in (
        found.kernels[0].reason
    )
    # of which not every iteration writes all: what is left is no longer that of the last one
    part = row.replace("for (int j = 0; j", "for (int j = i % 2; j").replace("= 1; j", "= 2; j")
    (first, second) = predicted(part, before="static float row[N];", after="y[3] = row[0];").kernels
    assert (first.launches, second.launches) == (64, 64)
    assert shapes(predicted(part, before="static float row[N];")) == [(1, 64)]


READ = ["fwrite(row, 4, N, stderr);", "qsort(row, N, 4, order);", "memcpy(y, row, N);"]


@pytest.mark.parametrize("after", READ)
def test_what_a_library_reads_afterwards_is_that_of_the_last_iteration(
    predicted: Predict, after: str
) -> None:
    """No trace has what a function of a library reads; it may be all that it is given."""
    row = ROW.replace("{inside}", "").replace("{outside}", "")
    before = "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\nstatic float row[N];"
    before += "static int order(const void *p, const void *q) { return *(int *)p - *(int *)q; }"
    found = predicted(row, before=before, after=after)
    assert shapes(found) == [(1, 64)]
    assert "of which what the last one leaves may be read" in found.kernels[0].reason
    part = row.replace("for (int j = 0; j", "for (int j = i % 2; j").replace("= 1; j", "= 2; j")
    assert {each.launches for each in predicted(part, before=before, after=after).kernels} == {64}
    # what is only freed, or filled anew, is not
    for call in ("free(NULL == row ? row : NULL);", "fread(row, 4, N, stdin);"):
        assert shapes(predicted(part, before=before, after=call)) == [(1, 64)]


@pytest.mark.parametrize(
    ("body", "serial"),
    [
        # written in some iterations only, read in all
        ("if (flag[i]) x[0] = a[i][0]; b[i][0] = x[0] + 1;", "carries x, flow"),
        # read before it is written
        ("b[i][0] = x[i] + 1; x[i + 1] = a[i][0];", "carries x, flow"),
        # its old content is read: an update in place, not scratch
        ("x[i] = x[i + 1] * 2;", "carries x, anti"),
        # larger than a thread's memory
        ("for (int j = 0; j < 9000; j++) large[j] = i * j;"
         "for (int j = 0; j < N; j++) b[i][j] = large[j * 9];", "carries large"),
    ],
)  # fmt: skip
def test_what_is_no_scratch(predicted: Predict, body: str, serial: str) -> None:
    found = predicted(f"for (int i = 0; i < N; i++) {{ {body} }}")
    (loop, *_) = found.kernels
    assert loop.layout.threads != 64 or found.against_dependences
    assert "own" not in loop.reason
    told = " ".join([*found.against_dependences, *(part.note for part in found.left_out)])
    assert serial in told or loop.launches == 64


def test_repeated_work_is_no_set_of_threads(predicted: Predict) -> None:
    """All that the repeating loop leaves is what its last iteration wrote."""
    found = predicted(
        "for (int rep = 0; rep < 40; rep++)\n"
        "for (int i = 0; i < N; i++) { y[i] = 0; for (int j = 0; j < N; j++) y[i] += a[i][j]; }"
    )
    assert shapes(found) == [(40, 64)]


BODIES = """\
    {outside}
    for (int i = 0; i < N; i++) {
        {inside}
        for (int k = 0; k < 3; k++)
            F[k] = 0;
        for (int j = 0; j < N; j++) {
            float square = 1e-3f;
            for (int k = 0; k < 3; k++) {
                d[k] = x[3 * j + k] - x[3 * i + k];
                square += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++)
                F[k] += d[k] / square;
        }
        for (int k = 0; k < 3; k++)
            y[3 * i + k] += F[k];
    }"""


def test_forces_on_bodies(predicted: Predict) -> None:
    found, twin = (
        predicted(
            BODIES.replace(place, "float d[3], F[3];")
            .replace("{inside}", "")
            .replace("{outside}", "")
        )
        for place in ("{outside}", "{inside}")
    )
    assert shapes(found) == shapes(twin) == [(1, 64)]
    assert found.time_s == pytest.approx(twin.time_s, rel=0.01)


OPENMP = """\
    float s, row[N];
#pragma omp parallel for private(s, row)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            row[j] = a[i][j];
        s = 0;
        for (int j = 0; j < N; j++)
            s += row[j] * a[j][i];
        y[i] = s;
    }"""


def test_scratch_of_a_row_does_not_keep_its_elements_from_being_threads(
    predicted: Predict,
) -> None:
    """The marked loop declares it, and the loop inside, which joins, uses it again and again."""
    (kernel,) = predicted(
        """\
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        float part[8];
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < 8; k++)
                part[k] = a[i][j] * k;
            for (int k = 0; k < 8; k++)
                b[i][j] += part[k] * part[7 - k];
        }
    }"""
    ).kernels
    assert kernel.layout.threads == 64 * 64
    assert kernel.reason.endswith("each thread has its own part")
    assert not kernel.dependences
    assert "part" not in {access.array for access in kernel.accesses}


def test_the_clause_private_is_believed_and_checked(predicted: Predict) -> None:
    (kernel,) = (found := predicted(OPENMP)).kernels
    assert not kernel.dependences
    assert "row" not in {access.array for access in kernel.accesses}
    assert not any("is believed" in note for note in found.notes)
    wrong = predicted(OPENMP.replace("row[j] = a[i][j];", "if (i % 2) row[j] = a[i][j];"))
    (told,) = [note for note in wrong.notes if "is believed" in note]
    assert told.startswith("private(row) at line ")
    assert "reads what another iteration wrote" in told
