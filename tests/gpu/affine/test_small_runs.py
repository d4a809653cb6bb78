"""Predictions at the work size, against those of the program really run at that size."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

import logca.gpu.affine.small_runs as enlarging
from logca import gpu
from logca.common.limits import Limits
from logca.gpu.prediction.result import Prediction

predict = partial(gpu.predict, device="jetson-tk1")

pytest.importorskip("numba")

PROGRAMS = Path(__file__).parents[1] / "programs"
LU_RIGHT = """\
#ifndef N
#define N 48
#endif
static float A[N][N];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) A[i][j] = i == j ? N : 1.0f / (1 + i + j);
  for (int k = 0; k < N; k++) {
    for (int i = k + 1; i < N; i++) A[i][k] /= A[k][k];
    for (int i = k + 1; i < N; i++)
      for (int j = k + 1; j < N; j++) A[i][j] -= A[i][k] * A[k][j];
  }
  return A[3][4] > 2;
}
"""
BAND = """\
#ifndef N
#define N 32
#endif
static float a[N][N], x[N], y[N];
static void multiply(int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < (n < 80 ? n : 80); j++) sum += a[i][j] * x[j];
    y[i] += sum;
  }
}
int main(void) { multiply(N); return 0; }
"""


def predicted(
    source: Path, defines: Mapping[str, int], work: Mapping[str, int] | None = None
) -> Prediction:
    return predict(
        source, model="logca", defines=defines, work=work or {}, limits=Limits(time_s=20)
    )


def written(folder: Path, text: str) -> Path:
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    return path


def times(found: Prediction) -> list[float]:
    return [kernel.time_s for kernel in found.kernels]


@pytest.mark.parametrize(
    ("name", "trace", "work"),
    [
        ("lu", {"N": 48}, {"N": 120}),
        ("trmm", {"M": 40, "N": 40}, {"M": 90, "N": 70}),
        ("floyd-warshall", {"N": 24}, {"N": 60}),
    ],
)
def test_launches_that_differ_are_traced_at_the_work_size(
    name: str, trace: dict[str, int], work: dict[str, int]
) -> None:
    """Where that is affordable it is the prediction at that size, whatever accesses depend on."""
    found = predicted(PROGRAMS / f"{name}.c", trace, work)
    real = predicted(PROGRAMS / f"{name}.c", work)
    assert (found.trace_size, found.work_size) == (trace, work)
    assert times(found) == times(real)
    assert [kernel.notes for kernel in found.kernels] == [kernel.notes for kernel in real.kernels]


def test_all_launches_of_an_affine_nest_are_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without a trace at the work size; launches that stand for others are not the same ones."""
    path = written(tmp_path, LU_RIGHT)
    real = predicted(path, {"N": 160})
    monkeypatch.setattr(enlarging, "_RUN", 1 << 20)
    found = predicted(path, {"N": 48}, {"N": 160})
    assert times(found) == pytest.approx(times(real), rel=0.04)
    assert not [note for kernel in found.kernels for note in kernel.notes if "traced" in note]
    # From the first launches alone: those after them are the traced ones, and said to be.
    monkeypatch.setattr(enlarging, "_FITTED", 1000)
    first = predicted(path, {"N": 48}, {"N": 160})
    assert times(first) != pytest.approx(times(real), rel=0.04)
    assert "accesses of launches after 7 are those of the traced size" in first.kernels[0].notes


def test_an_affine_nest_that_a_larger_run_refutes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = written(tmp_path, BAND)
    (real,) = predicted(path, {"N": 512}).kernels
    (found,) = predicted(path, {"N": 32}, {"N": 512}).kernels
    assert found.time_s == real.time_s
    monkeypatch.setattr(enlarging, "_RUN", 1 << 16)
    (traced,) = predicted(path, {"N": 32}, {"N": 512}).kernels
    assert {each.executions for each in traced.accesses} == {80, 1}
    (note,) = (note for note in traced.notes if note.startswith("accesses are those of the traced"))
    assert ": at N = " in note
