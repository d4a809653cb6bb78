"""Launches that differ, are empty, make no access, or are more than can be sampled."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import logca.gpu.sampling.sample as sampling
from logca import gpu
from logca.common.limits import Limits
from logca.gpu.nests.nest import Columns
from logca.gpu.sampling.sample import Fingerprints

predict = partial(gpu.predict, device="jetson-tk1")

pytest.importorskip("numba")

PROGRAMS = Path(__file__).parents[1] / "programs"
LIMITS = Limits(time_s=20)


def test_a_launch_whose_inner_loop_does_not_run() -> None:
    """In symm's first launch `k < i` never holds, so that the paper's model sees no access."""
    (kernel,) = predict(PROGRAMS / "symm.c", limits=LIMITS).kernels
    assert (kernel.launches, kernel.layout.extents) == (40, (48,))


PERIODIC = """\
#define N 256
static int x[N], y[N], buffer[16];
int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i * 7 % 16;
    for (int i = 0; i < N; i++) {
        y[i] = buffer[x[i]];
        for (int k = 0; k < x[i]; k++)
            buffer[k] = i + k;
    }
    return y[5];
}
"""


def test_others_are_sampled_if_all_that_were_planned_are_empty(tmp_path: Path) -> None:
    """Every 16th launch is empty, and so is every 32nd."""
    source = tmp_path / "periodic.c"
    source.write_text(PERIODIC)
    (kernel,) = (each for each in predict(source, limits=LIMITS).kernels if each.line == 9)
    assert [(each.array, each.store) for each in kernel.accesses] == [("buffer", True)]
    assert kernel.launches == 240
    assert kernel.bandwidth > 0


def test_threads_that_access_nothing_are_threads() -> None:
    """Half of the threads of a stage do nothing, always the last one among them."""
    (kernel,) = predict(PROGRAMS / "bitonic_sort.c", limits=LIMITS).kernels
    assert (kernel.launches, kernel.layout.extents) == (55, (1024,))


def test_launches_that_differ_at_the_work_size() -> None:
    (kernel,) = predict(
        PROGRAMS / "trmm.c",
        model="logca",
        defines={"N": 32, "M": 32},
        work={"N": 64, "M": 64},
        limits=LIMITS,
    ).kernels
    assert (kernel.launches, kernel.layout.extents) == (64, (64,))
    assert "launches differ: 9 of 64 were sampled, evenly spaced, and stand for 64" in kernel.notes
    (there,) = predict(
        PROGRAMS / "trmm.c", model="logca", defines={"N": 64, "M": 64}, limits=LIMITS
    ).kernels
    assert kernel.time_s == pytest.approx(there.time_s, rel=0.01)


def test_launches_that_were_seen_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks are large: of five launches the first were seen, and the last of them not whole."""
    whole = predict(PROGRAMS / "heat-3d.c", limits=LIMITS)
    monkeypatch.setattr(sampling, "MOST", 1)
    cut = predict(PROGRAMS / "heat-3d.c", limits=LIMITS)
    for first, second in zip(whole.kernels, cut.kernels, strict=True):
        assert second.time_s == pytest.approx(first.time_s, rel=0.02)
        assert any("reached its limit in launch" in note for note in second.notes)


STRIDES = """
#define N 16384
#ifndef FIRST
#define FIRST 1
#endif
#ifndef LAST
#define LAST 16
#endif
static float a[N], b[N];
int main(void) {
  for (int s = FIRST; s <= LAST; s *= 2)
#pragma logca offload
    for (int i = 0; i < N; i++) b[i] += 2 * a[i * s % N];
  return 0;
}
"""

PING_PONG = """
#define N 16384
static float a[2][N];
int main(void) {
  for (int t = 0; t < 40; t++)
#pragma logca offload
    for (int i = 1; i < N - 1; i++)
      a[(t + 1) % 2][i] = a[t % 2][i - 1] + a[t % 2][i] + a[t % 2][i + 1];
  return 0;
}
"""

SHRINKING = """
#define N 40
static float a[N][N];
int main(void) {
  for (int k = 0; k < N; k++)
#pragma logca offload
    for (int i = k + 1; i < N; i++) a[i][k] += a[k][i];
  return 0;
}
"""


def test_launches_with_other_addresses_are_other_launches(tmp_path: Path) -> None:
    """As many threads and accesses, but the stride doubles: the time is the sum of the five."""
    source = tmp_path / "strides.c"
    source.write_text(STRIDES, encoding="utf-8")
    found = predict(source, limits=LIMITS)
    single = [
        predict(source, defines={"FIRST": each, "LAST": each}, limits=LIMITS).time_s
        for each in (1, 2, 4, 8, 16)
    ]
    assert single[-1] > 2 * single[0]
    assert found.time_s == pytest.approx(sum(single), rel=1e-3)
    assert "launches differ: all 5 were sampled" in found.longest.notes


def test_launches_on_other_arrays_are_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "_COMPARED", 1)
    source = tmp_path / "ping_pong.c"
    source.write_text(PING_PONG, encoding="utf-8")
    (kernel,) = predict(source, limits=LIMITS).kernels
    assert kernel.launches == 40
    assert not any("launches differ" in note for note in kernel.notes)


def test_a_launch_without_threads_is_none(tmp_path: Path) -> None:
    source = tmp_path / "shrinking.c"
    source.write_text(SHRINKING, encoding="utf-8")
    (kernel,) = predict(source, limits=LIMITS).kernels
    assert kernel.launches == 39
    assert "launches differ: 9 of 39 were sampled, evenly spaced, and stand for 39" in kernel.notes


def test_fingerprints_are_those_of_differences() -> None:
    """Launch 1 is launch 0 in other places, launch 2 has another stride, 3 another order."""
    found = Fingerprints(2, [0, 1, 2, 3])
    steps = np.arange(64, dtype=np.uint64)
    rows = np.arange(64, dtype=np.int32)[:, None]
    orders = [(4096, 4, 1), (9992, 4, 1), (4096, 8, 1), (4096, 4, -1)]
    for launch, (base, stride, way) in enumerate(orders):
        for site in range(2):
            for half in (slice(0, 32), slice(32, 64)):
                address = (base << site) + stride * steps[::way]
                found.add(
                    Columns(
                        access=np.full(32, site, np.uint32),
                        address=address[half],
                        size=np.full(32, 4, np.uint32),
                        launch=np.full(32, launch, np.int32),
                        iterations=rows[half],
                    )
                )
    assert found.of(0) == found.of(1)
    assert len({found.of(0), found.of(2), found.of(3)}) == 3
    assert found.of(4) is None
