"""Remedies by model bounds, against predictions of the programs that they describe."""

from pathlib import Path
from typing import Any

import pytest

from logca import gpu
from logca.gpu.advice.all_remedies import candidates
from logca.gpu.advice.remedied import with_remedy
from logca.gpu.prediction.predict import Request, predicted, traced_program

pytest.importorskip("numba")
pytest.importorskip("llvmlite")

POLYBENCH = Path(__file__).parents[3] / "examples" / "polybench"
SIZES: dict[str, Any] = {"defines": {"N": 64}, "work": {"N": 256}}
DEVICE = "rtx-3080"
PRODUCT = """
#define N 256
float A[N][N], B[N][N], C[N][N];
int main(void)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i += 4)
        for (int j = 0; j < N; j++) {
            float s0 = C[i][j], s1 = C[i + 1][j], s2 = C[i + 2][j], s3 = C[i + 3][j];
            for (int k = 0; k < N; k++) {
                float b = B[k][j];
                s0 += A[i][k] * b;
                s1 += A[i + 1][k] * b;
                s2 += A[i + 2][k] * b;
                s3 += A[i + 3][k] * b;
            }
            C[i][j] = s0;
            C[i + 1][j] = s1;
            C[i + 2][j] = s2;
            C[i + 3][j] = s3;
        }
    return 0;
}
"""
SMALL = """
float a[64];
int main(void)
{
#pragma logca offload
    for (int i = 0; i < 64; i++)
        a[i] += 1;
    return 0;
}
"""


def test_remedies_are_the_programs_that_they_describe() -> None:
    (kernel,) = gpu.advise(POLYBENCH / "syrk.c", device=DEVICE, **SIZES).kernels
    remedies = {each.name: each for each in (*kernel.remedies, *kernel.others)}
    transposed = gpu.predict(POLYBENCH / "syrk_transposed.c", device=DEVICE, **SIZES)
    assert remedies["transposed layout"].time_s == pytest.approx(transposed.time_s, rel=1e-3)
    blocks = remedies["other blocks"]
    block = tuple(map(int, blocks.what.removeprefix("launch blocks of ").split()[::2][:2]))
    there = gpu.predict(POLYBENCH / "syrk.c", device=DEVICE, block=block, **SIZES)
    assert blocks.time_s == pytest.approx(there.time_s, rel=0.02)
    assert kernel.bound.kind == "L1 and shared memory"
    assert "times as fast, bound by" in kernel.bound.words
    assert kernel.access is not None
    assert (kernel.access.array, kernel.access.pattern) == ("A", "uncoalesced")
    gains = [each.gain for each in kernel.remedies]
    assert gains == sorted(gains, reverse=True)
    assert {each.mwp for each in kernel.remedies} == {None}


def test_tiles_and_several_elements_are_the_programs_that_have_them(tmp_path: Path) -> None:
    """The program in tiles unrolls its loop over a tile wholly, so that it counts less."""
    path = tmp_path / "product.c"
    path.write_text(PRODUCT)
    request = Request.checked(POLYBENCH / "gemm.c", device=DEVICE, **SIZES)
    _, (sample,), (now,) = predicted(traced_program(request), request.model)
    tried = {each.what: each for each in candidates(sample, now)}
    in_tiles = next(each for what, each in tried.items() if "in blocks of 32 x 32" in what)
    wider = next(each for what, each in tried.items() if "4 elements along y" in what)
    for candidate, program, sizes, rel in (
        (in_tiles, POLYBENCH / "gemm_tiled.c", SIZES, 0.15),
        (wider, path, {}, 0.1),
    ):
        there = gpu.predict(program, device=DEVICE, **sizes)
        assert with_remedy(candidate, sample).time_s == pytest.approx(there.time_s, rel=rel)


def test_a_kernel_below_the_launch_floor_has_no_remedies(tmp_path: Path) -> None:
    path = tmp_path / "small.c"
    path.write_text(SMALL)
    (kernel,) = gpu.advise(path, device=DEVICE).kernels
    assert kernel.bound.kind == "launch overhead"
    assert kernel.remedies == kernel.others == ()
