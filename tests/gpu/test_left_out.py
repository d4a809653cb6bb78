"""Where the hottest loop stays on the host, which the kernels' time must not hide."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from logca.gpu.advice import Advice
from logca.gpu.advising import advise
from logca.gpu.prediction import predict
from logca.gpu.result import Prediction
from logca.gpu_data import prediction_data
from logca.gpu_words import headline

pytest.importorskip("numba")

SUM = """\
#define N 4096
static float x[N], y[N];
static void prepare(void) { for (int i = 0; i < N; i++) x[i] = y[i] = i; }
static float dot(void)
{
    float s = 0;
    for (int r = 0; r < 19; r++)
        for (int i = 0; i < N; i++)
            s += x[i] * y[i];
    return s;
}
int main(void) { prepare(); return dot() < 0; }
"""
IN_MAIN = """\
static double x[4096];
int main(void)
{
    for (int i = 0; i < 4096; i++)
        x[i] = i % 77;
    double most = 0;
    for (int r = 0; r < 9; r++)
        for (int i = 0; i < 4096; i++)
            if (x[i] > most)
                most = x[i];
    return most < 0;
}
"""
RECURSIVE = """\
static double a[512];
static double f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }
int main(void)
{
    for (int i = 0; i < 512; i++)
        a[i] = i;
    for (int i = 0; i < 512; i++)
        for (int k = 0; k < 9; k++)
            a[i] += f(k % 3);
    return a[9] < 0;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "program.c"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_sum_that_takes_most_of_the_time(source: Callable[[str], Path]) -> None:
    found = predict(source(SUM))
    assert isinstance(found, Prediction)
    assert [kernel.function for kernel in found.kernels] == ["prepare"]
    left = found.left_out
    assert left is not None
    # of 20 passes over N elements the sum makes 19, each with at least as much to do
    assert left.share >= 19 / 20 - 0.02
    assert left.share + left.offloaded <= 1
    assert found.notes[0] == left.note
    assert "line 7 in dot" in left.note
    assert "it carries s (reduction)" in left.note
    assert "`--function dot` predicts it" in left.note
    for line in (str(found).splitlines()[0], headline(found)):
        assert line.endswith("the hottest loop stays on the host")
    assert prediction_data(found)["left_out"]["share"] == left.share
    own = predict(source(SUM), "dot")
    assert own.left_out is None
    assert [kernel.function for kernel in own.kernels] == ["dot"]
    assert "predicted against its dependences" in own.notes[0]


@pytest.mark.parametrize(
    ("text", "line", "why", "fix"),
    [
        (
            IN_MAIN,
            7,
            "it carries most",
            "`#pragma logca offload` before the loop that is to be threads predicts it",
        ),
        (RECURSIVE, 7, "program.c:9 calls f, which is recursive", "write it with loops"),
    ],
)
def test_where_it_is_and_what_to_do(
    source: Callable[[str], Path], text: str, line: int, why: str, fix: str
) -> None:
    found = predict(source(text))
    assert found.left_out is not None
    assert f"at line {line} in main" in found.notes[0]
    assert why in found.notes[0]
    assert fix in found.notes[0]
    assert not any(note.startswith("stays on the host") for note in found.notes)


def test_nothing_is_said_where_the_kernel_is_most(source: Callable[[str], Path]) -> None:
    text = SUM.replace("r < 19", "r < 1").replace("x[i] = y[i] = i", "x[i] = y[i] * y[i] / 3 + i")
    found: Any = predict(source(text))
    assert [kernel.function for kernel in found.kernels] == ["prepare"]
    assert found.left_out is None
    assert "the hottest loop" not in headline(found)


def test_advice_says_it_too(source: Callable[[str], Path]) -> None:
    said = advise(source(SUM))
    assert isinstance(said, Advice)
    assert "the hottest loop, at line 7 in dot" in str(said)
