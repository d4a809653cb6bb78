"""The size that a program is predicted for: what it says itself, or what is asked for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.gpu.prediction import predict
from logca.trace.errors import RegionError, TraceError

pytest.importorskip("numba")

PROGRAM = """\
#ifndef N
#define N 64
#endif
#pragma logca work(N=256)
static float A[N][N];
int main(void) {
#pragma logca offload collapse(2)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) A[i][j] += 1;
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path_factory.mktemp("work") / "program.c"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_source_says_the_size(program: Callable[[str], Path]) -> None:
    path = program(PROGRAM)
    found = predict(path)
    assert (found.trace_size, found.work_size) == ({"N": 64}, {"N": 256})
    assert found.longest.layout.threads == 256 * 256
    given = predict(path, defines={"N": 96}, work={"N": 128})
    assert (given.trace_size, given.work_size) == ({"N": 96}, {"N": 128})
    assert given.longest.layout.threads == 128 * 128
    traced = predict(path, defines={"N": 32})
    assert (traced.trace_size, traced.longest.layout.threads) == ({"N": 32}, 256 * 256)
    assert traced.longest.batches == found.longest.batches


def test_the_program_as_it_is(program: Callable[[str], Path]) -> None:
    found = predict(program(PROGRAM), work={})
    assert (found.trace_size, found.work_size) == ({}, {})
    assert found.longest.layout.threads == 64 * 64


def test_a_size_that_cannot_be(program: Callable[[str], Path]) -> None:
    with pytest.raises(TraceError, match="macro M of the work size is defined nowhere"):
        predict(program(PROGRAM), work={"M": 8})
    with pytest.raises(TraceError, match="N stays 64 where it should be 256"):
        predict(program(PROGRAM.replace("#ifndef N\n", "").replace("#endif\n", "")))
    with pytest.raises(RegionError, match=r"program\.c:4: after `logca work` must stand macros"):
        predict(program(PROGRAM.replace("=256", "")))
