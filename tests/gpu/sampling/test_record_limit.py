"""Traces that end at a limit of the user, and the limit that would do."""

from functools import partial
from pathlib import Path

import pytest

from logca import gpu
from logca.common.errors import TraceError
from logca.common.limits import Limits

predict = partial(gpu.predict, device="jetson-tk1")

pytest.importorskip("numba")

# Of the first nest a thread makes 12 loads and a store, of the second one 3 loads and a store;
# the loop over t carries a dependence, and makes 64 * (13 + 4) accesses each time.
NESTS = """
#define N 64
static float a[N + 12], b[N + 3];
int main(void) {
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < N; i++) {
      float s = 0;
      for (int k = 0; k < 12; k++) s += a[i + k];
      b[i] = s;
    }
    for (int i = 0; i < N; i++) {
      float s = 0;
      for (int k = 0; k < 3; k++) s += b[i + k];
      a[i] = s;
    }
  }
  return 0;
}
"""


WARPS = """
static float a[64 + 12], b[64];
int main(void) {
#pragma logca offload
  for (int i = 0; i < 64; i++) {
    float s = 0;
    for (int k = 0; k < 12; k++) s += a[i + k];
    b[i] = s;
  }
  return 0;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "nests.c"
    path.write_text(NESTS, encoding="utf-8")
    return path


def limited(source: Path, records: int) -> Limits:
    return Limits(time_s=20, records=records)


def test_the_loop_around_must_come_to_its_second_iteration(source: Path) -> None:
    least = 64 * (13 + 4) + 1
    for records in (1, 100, least - 1):
        with pytest.raises(TraceError, match=rf"nests.c:5: the limit of {records:,} .* {least:,} "):
            predict(source, limits=limited(source, records))
    kernels = predict(source, limits=limited(source, least)).kernels
    assert [kernel.line for kernel in kernels] == [6, 11]


def test_a_warp_of_threads_must_be_whole(source: Path) -> None:
    source.write_text(WARPS, encoding="utf-8")
    least = 32 * 13 + 1
    with pytest.raises(TraceError, match=rf"first warp of threads .* {least:,} or more"):
        predict(source, limits=limited(source, least - 1))
    (kernel,) = predict(source, limits=limited(source, least)).kernels
    assert any("the trace reached its limit" in note for note in kernel.notes)
    (whole,) = predict(source, limits=limited(source, 64 * 13)).kernels
    assert not any("limit" in note for note in whole.notes)


def test_what_is_seen_of_a_nest_does_not_depend_on_another(source: Path) -> None:
    """Each nest has a run of its own if accesses are few, and a run may end at any of them."""
    whole = predict(source, limits=Limits(time_s=20))
    for records in (1089, 1100, 1300, 3000):
        found = predict(source, limits=limited(source, records))
        assert [kernel.line for kernel in found.kernels] == [6, 11]
    for first, second in zip(found.kernels, whole.kernels, strict=True):
        assert first.time_s == second.time_s
