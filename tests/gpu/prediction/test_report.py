"""What is said of kernels: triangles, accesses that a model leaves out, calls that lead there."""

from functools import partial
from pathlib import Path

import pytest

from logca import gpu
from logca.common.json_output import to_plain
from logca.common.readable_numbers import duration
from logca.show.gpu.data import prediction_data
from logca.show.gpu.tables import kernel_title
from logca.show.gpu.words import headline

for library in ("numba", "llvmlite", "ziglang"):
    pytest.importorskip(library)

predict = partial(gpu.predict, device="jetson-tk1")
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
        f"average; {rows} x {n} threads represent rows of different lengths"
        for line in (4, 7)
    }
    reasons = {kernel.line: kernel.reason for kernel in found.kernels}
    for line in (4, 7):
        half = f"seen in {n * (n + 1) // 2:,} iterations, at most {n} x {n} at a time"
        assert reasons[line].endswith(half)
    assert reasons[14].endswith(f"seen in 32 x {n} iterations")


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


PRODUCT = """\
#define N 32
static float a[N][N], b[N][N], c[N][N];
int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
    return c[1][1] > 1e9f;
}
"""


def test_accesses_that_the_paper_leaves_out_are_told(tmp_path: Path) -> None:
    """A thread loads x[i] and x[j] 64 times and stores f[i], none of it in the loop over k."""
    source = tmp_path / "bodies.c"
    source.write_text(BODIES)
    paper, ours = predict(source), predict(source, model="logca")
    (kernel,) = (each for each in paper.kernels if each.line == 7)
    (note,) = (note for note in kernel.notes if "innermost loops only" in note)
    assert "which have 0 of the 129 accesses" in note
    assert (kernel.counted, kernel.understated) == (0.0, True)
    made = {each.line: each.layout.threads for each in paper.kernels if not each.counted}
    assert made == {7: 64}
    least = f"at least {duration(paper.time_s)} (innermost loops only, 0 % of the accesses"
    assert f"take {least} to memory) on Jetson TK1" in headline(paper)
    data = to_plain(prediction_data(paper))
    assert (data["counted"], data["understated"]) == (paper.counted, True)
    assert data["kernels"][-1]["counted"] == kernel.counted
    assert str(paper).startswith(headline(paper))
    (kernel,) = (each for each in ours.kernels if each.line == 7)
    assert not any("innermost" in note for note in kernel.notes)
    assert (ours.counted, ours.understated, "at least" in headline(ours)) == (1.0, False, False)


def test_a_product_has_nearly_all_accesses_in_its_innermost_loop(tmp_path: Path) -> None:
    """Of 2 N + 1 accesses of a thread the store alone is outside: no word on it."""
    source = tmp_path / "product.c"
    source.write_text(PRODUCT)
    found = predict(source)
    (kernel,) = found.kernels
    assert kernel.counted == pytest.approx(64 / 65)
    assert not found.understated
    assert "at least" not in headline(found)


CALLS = """\
static float a[N], b[N];
static void scale(float *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] * 2 + 1; }
int main(void)
{
    scale(a, N); scale(b, N / 2);
    %s
    return a[1] < 0;
}
"""


@pytest.mark.parametrize(
    ("more", "places"),
    [
        ("", {("5:5",), ("5:18",)}),
        ("scale(b, N);", {("5:5",), ("5:18",), ("6:5",)}),
    ],
)
def test_calls_on_one_line_are_told_apart(
    tmp_path: Path, more: str, places: set[tuple[str, ...]]
) -> None:
    """Columns, as a person counts them from 1; without them where lines are enough."""
    source = tmp_path / "calls.c"
    source.write_text(CALLS % more)
    found = predict(source, defines={"N": 256}, work={})
    wanted = {tuple(f"{source}:{place}" for place in each) for each in places}
    assert {kernel.calls for kernel in found.kernels} == wanted
    assert len({kernel_title(kernel, found) for kernel in found.kernels}) == len(places)
    source.write_text((CALLS % "").replace("; scale(b", ";\n    scale(b"))
    found = predict(source, defines={"N": 256}, work={})
    assert {kernel.calls for kernel in found.kernels} == {(f"{source}:5",), (f"{source}:6",)}


UNSEEN = """
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static float a[4096], seen[8];
static void handler(int number) { seen[number & 7] += 1; }
int main(void) {
    signal(SIGALRM, handler);
    if (!fork()) _exit(0);
    wait(0);
    ualarm(1000, 0);
    pause();
    for (int i = 0; i < 4096; i++) a[i] = 2 * a[i] + 1;
    return 3;
}
"""


def test_what_no_trace_sees_and_how_the_program_ended_is_said(tmp_path: Path) -> None:
    source = tmp_path / "it's $x.c"
    source.write_text(UNSEEN, encoding="utf-8")
    found = predict(source)
    notes = " ".join(found.notes)
    assert "not seen: what the copies do that the program makes of itself at" in notes
    assert f"{source}:9 (fork)" in notes
    assert "what handlers of signals access (once)" in notes
    assert "the program ended with exit status 3" in notes
