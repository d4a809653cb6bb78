"""What was not seen is reported for as much as was recorded."""

from pathlib import Path

import pytest

from logca.common.limits import Limits
from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import KernelPrediction

pytest.importorskip("numba")

LATE = """
static float a[N];
int main(void) {
  for (int i = 1; i < N; i++) a[i] = a[i] * 2 + (i > N - 9 ? a[i - 1] : 1);
  return 0;
}
"""

ANTI = """
static float a[N + 1];
int main(void) {
#pragma logca offload
  for (int i = 0; i < N; i++) a[i] = a[i] + a[i + 1];
  return 0;
}
"""


def kernel(folder: Path, text: str, n: int) -> KernelPrediction:
    source = folder / "program.c"
    source.write_text(text, encoding="utf-8")
    (found,) = predict(source, defines={"N": n}, limits=Limits(time_s=20)).kernels
    return found


def test_a_dependence_that_comes_late_is_not_denied(tmp_path: Path) -> None:
    reason = kernel(tmp_path, LATE, 1 << 20).reason
    assert reason.startswith("outermost loop; its iterations do not depend on each other: seen in ")
    assert 1 << 20 <= int(reason.split()[-2].replace(",", "")) < 2 << 20
    assert reason.endswith(" accesses")
    plain = kernel(tmp_path, LATE.replace("a[i - 1]", "2"), 1 << 10).reason
    assert plain.endswith("its iterations do not depend on each other: seen in 1,023 iterations")


def test_dependences_are_counted_as_far_as_was_looked(tmp_path: Path) -> None:
    (anti,) = kernel(tmp_path, ANTI, 1 << 10).dependences
    assert (anti.kind, anti.count, anti.partly) == ("anti", 1023, False)
    assert anti.iterations == ((0,), (1,))
    (anti,) = kernel(tmp_path, ANTI, 1 << 20).dependences
    assert anti.partly
    assert anti.count < (1 << 20) - 1
