"""Iterations that write the same places: threads if they write the same values there."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import Prediction

pytest.importorskip("numba")

Predict = Callable[[str], Prediction]

PROGRAM = """\
#define N 2048
static float a[N], b[N];
static int at[N], wide[N];
static short small[N];
static unsigned char flag[N];
static double real[N];
int main(void)
{
    int *p = wide;
    for (int i = 0; i < N; i++) {
        a[i] = i % 9;
        at[i] = (7 * i) %% 64;
    }
    %s
    return b[3] + *p > 1e9;
}
"""
EACH = "for (int i = 0; i < N; i++)"
MARK = "#pragma omp parallel for\n"


@pytest.fixture
def predicted(tmp_path: Path) -> Predict:
    """The prediction of a program with these loops."""

    def of(body: str) -> Prediction:
        source = tmp_path / "program.c"
        source.write_text(PROGRAM.replace("i % 9", "i %% 9") % body)
        return predict(source, model="logca")

    return of


@pytest.mark.parametrize(
    ("mark", "stores", "arrays"),
    [
        ("", "if (a[i] > 3) flag[at[i]] = 1;", "flag"),
        (MARK, "wide[at[i]] = i / 9999 + 7;", "wide"),
        ("", "real[i % 64] = i % 64 * 0.5;", "real"),
        (MARK, "small[i % 16] = i % 8; flag[i % 16] = i % 16;", "small, flag"),
        ("", "*p = -1;", "wide"),
    ],
)
def test_what_writes_the_same_is_threads(
    predicted: Predict, mark: str, stores: str, arrays: str
) -> None:
    found = predicted(f"\n{mark}{EACH} {{ b[i] += a[i]; {stores} }}")
    (kernel,) = found.kernels
    assert kernel.layout.threads == 2048
    assert not found.against_dependences
    assert not kernel.dependences
    said = f"several iterations write the same places of {arrays}, always the same values"
    assert kernel.reason.endswith(said)


@pytest.mark.parametrize(
    ("mark", "stores"),
    [
        (MARK, "wide[at[i]] = i;"),
        ("", "real[i % 64] = a[i];"),
        # written twice: threads may end with the first one
        ("", "flag[at[i]] = 0; flag[at[i]] = 1;"),
        # of two arrays one has different values
        (MARK, "flag[at[i]] = 1; small[at[i]] = i;"),
        # read by others, too
        ("", "b[i] += wide[(i + 1) % 64]; wide[i % 64] = 3;"),
    ],
)
def test_what_writes_others_is_against_dependences(
    predicted: Predict, mark: str, stores: str
) -> None:
    found = predicted(f"\n{mark}{EACH} {{ b[i] += a[i]; {stores} }}")
    assert found.against_dependences
    assert "same values" not in found.kernels[0].reason


def test_each_entry_of_a_loop_may_write_its_own(predicted: Predict) -> None:
    """A step after the other writes another value; within a step all write the same."""
    found = predicted(
        f"for (int t = 0; t < 8; t++) {EACH} {{ b[i] += a[i] * t; wide[at[i]] = t; }}"
    )
    (kernel,) = found.kernels
    assert (kernel.launches, kernel.layout.threads) == (8, 2048)
    assert not found.against_dependences


def test_a_loop_that_repeats_another_launches_it_again(predicted: Predict) -> None:
    found = predicted(f"for (int run = 0; run < 9; run++) {EACH} b[i] = a[i] * 3;")
    (kernel,) = found.kernels
    assert (kernel.launches, kernel.layout.threads) == (9, 2048)
