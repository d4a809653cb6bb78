"""Threads that do more than others: a launch waits for the longest of them."""

from pathlib import Path

import pytest

pytest.importorskip("numba")

from logca.gpu import predict
from logca.gpu.prediction.result import KernelPrediction

LONG, SHORT, AHEAD = 20_000, 100, 128
CHAIN = LONG * 4 / 2.52e9  # of one thread on the RTX 4090: a fused product and sum takes 4 cycles
PROGRAM = """static float v[N], w[N]; static int len[N];
int main(void) {
  for (int i = 0; i < N; i++) { v[i] = 1.0f + i; len[i] = i < 128 ? 20000 : 100; }
#pragma logca offload
  for (int i = 0; i < N; i++) { float s = v[i]; BODY w[i] = s; }
  return w[1] < 0; }
"""
STEP = "s = s * 1.0001f + 0.5f;"


def kernel(folder: Path, body: str, threads: int) -> KernelPrediction:
    source = folder / "uneven.c"
    source.write_text(PROGRAM.replace("BODY", body))
    return predict(source, defines={"N": threads}).kernels[0]


@pytest.mark.parametrize(
    "body",
    [
        f"int n = i < 128 ? 20000 : 100; for (int j = 0; j < n; j++) {STEP}",
        f"for (int j = 0; j < (i < 128 ? 20000 : 100); j++) {STEP}",
        f"if (i < 128) for (int j = 0; j < 20000; j++) {STEP}",
    ],
)
def test_more_threads_end_no_sooner_than_the_longest(tmp_path: Path, body: str) -> None:
    few, many = (kernel(tmp_path, body, threads) for threads in (AHEAD, 16384))
    assert few.bounds is not None
    assert many.bounds is not None
    # the four warps of 128 threads are those that are long
    assert few.bounds.bounds["latency"] == pytest.approx(CHAIN, rel=0.02)
    assert many.bounds.bounds["latency"] == pytest.approx(CHAIN, rel=0.02)
    assert many.bounds.bounds["issue"] >= 0.99 * few.bounds.bounds["issue"]
    assert many.time_s >= 0.999 * few.time_s
    assert not any("mean of all" in note for note in many.notes)


def test_lengths_from_memory_are_told_to_be_means(tmp_path: Path) -> None:
    body = f"int n = len[i]; for (int j = 0; j < n; j++) {STEP}"
    found = kernel(tmp_path, body, 4096)
    assert found.time_s < CHAIN
    assert found.interval_s is not None
    assert found.interval_s[0] < CHAIN < found.interval_s[1]
    assert any("the loop at line 5 are a mean of all threads" in note for note in found.notes)


def test_threads_that_do_the_same_are_told_nothing(tmp_path: Path) -> None:
    body = f"int n = i < 0 ? 20000 : 100; for (int j = 0; j < n; j++) {STEP}"
    found = kernel(tmp_path, body, 4096)
    assert found.bounds is not None
    assert SHORT * 4 / 2.52e9 <= found.bounds.bounds["latency"] < 2e-6
    assert found.time_s < CHAIN / 5
    assert not any("mean of all" in note for note in found.notes)
