"""Threads that do other things than the first ones, against the same program in which all do so."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from logca import gpu
from logca.common.limits import Limits
from logca.gpu.prediction.result import Prediction
from logca.gpu.sampling.divergent_regions import grid_regions
from logca.gpu.sampling.plan import GridWindow

predict = partial(gpu.predict, device="jetson-tk1")

pytest.importorskip("numba")

LATE = """
#ifndef N
#define N 65536
#endif
#ifndef HALF
#define HALF (N / 2)
#endif
static float a[N * 16], b[N];
int main(void) {
#pragma logca offload
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int k = 0; k < 16; k++) s += i < HALF ? a[k * N + i] : a[i * 16 + k];
    b[i] = s;
  }
  return b[7] > 0;
}
"""

WIDE = """
#define N 256
#ifndef HALF
#define HALF (N / 2)
#endif
static float a[N][N], b[N][N];
int main(void) {
#pragma logca offload collapse(2)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < 4; k++) b[i][j] += j < HALF ? a[i][j] : a[j][i];
  return 0;
}
"""

RARE = """
#define N 65536
static float a[N], b[N];
int main(void) {
#pragma logca offload
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 4; k++) {
      b[i] += 1;
      if (i == N - 3) a[k] = 1;
    }
  return 0;
}
"""

Predict = Callable[..., Prediction]


@pytest.fixture(scope="module")
def predicted(tmp_path_factory: pytest.TempPathFactory) -> Predict:
    folder = tmp_path_factory.mktemp("windows")

    def of(text: str, **how: Any) -> Prediction:
        source = Path(folder, "late.c")
        source.write_text(text, encoding="utf-8")
        return predict(source, limits=Limits(time_s=20), **how)

    return of


@pytest.mark.parametrize("text", [LATE, WIDE])
def test_half_of_the_threads_take_half_of_the_time(predicted: Predict, text: str) -> None:
    half = predicted(text)
    whole = [predicted(text, defines={"HALF": each}) for each in ("N", "0")]
    assert half.time_s == pytest.approx(sum(each.time_s for each in whole) / 2, rel=0.02)
    assert [[each.pattern for each in one.accesses][:1] for one in whole] == [
        ["coalesced"],
        ["uncoalesced"],
    ]
    reads = [each for each in half.accesses if not each.store and each.array == "a"]
    assert [(each.pattern, each.share) for each in reads] == [
        ("coalesced", 1.0),
        ("uncoalesced", 1.0),
    ]
    assert any("threads differ" in note for note in half.longest.notes)
    assert not any("threads differ" in note for one in whole for note in one.longest.notes)


def test_half_of_the_threads_at_the_work_size(predicted: Predict) -> None:
    """Every uncoalesced access has a line of its own, so that luck with the cache is no matter."""
    apart = LATE.replace("a[N * 16]", "a[N * 256]").replace("a[i * 16 + k]", "a[(i * 16 + k) * 16]")
    half, first, second = (
        predicted(apart, model="logca", defines={"N": 256, "HALF": each}, work={"N": 32768}).time_s
        for each in ("(N/2)", "N", "0")
    )
    assert second > 4 * first
    assert half == pytest.approx((first + second) / 2, rel=0.02)


def test_an_access_that_no_window_shows_is_told(predicted: Predict) -> None:
    (kernel,) = predicted(RARE).kernels
    assert [each.array for each in kernel.accesses] == ["b", "b"]
    assert any("store to a in line 9" in note for note in kernel.notes)


def test_what_windows_execute_by_hand() -> None:
    windows = [GridWindow(place=(0, 0, 0), share=0.25), GridWindow(place=(0, 0, 0.5), share=0.75)]
    one, other = grid_regions(windows, [{0: 4.0}, {0: 4.0, 1: 8.0}], {0: 4.0, 1: 6.0})
    assert one.factors == {0: 1.0, 1: 0.0}
    assert other.factors == pytest.approx({0: 1.0, 1: 4 / 3})
    assert (one.work, other.work) == pytest.approx((0.4, 1.2))
