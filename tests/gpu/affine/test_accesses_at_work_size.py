"""C programs at small sizes, extended to a larger one, against the same programs traced there."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from logca.gpu.affine.accesses_at_work_size import at_work_size
from logca.gpu.affine.affine_nest import AffineError, extents_of
from logca.gpu.affine.fit import fit
from logca.gpu.affine.small_runs import check_compared, compared_in, rows_in
from logca.gpu.affine.synthesis import synthesise
from logca.gpu.nests.nest import Columns, NestTrace, nest_trace
from logca.gpu.program.work_size_extrapolation import size_grid
from logca.trace.compile.driver import compile_program
from logca.trace.execute.run import run

PROGRAM = r"""
#include <stdlib.h>

static float symmetric[N][N];

static void covariance(int n, float *data, float (*out)[N])
{
    #pragma logca offload
    for (int j1 = 0; j1 < n; j1++)
        for (int j2 = j1; j2 < n; j2++) {
            out[j1][j2] = 0.0f;
            for (int i = 0; i < n; i++)
                out[j1][j2] += data[i * n + j1] * data[i * n + j2];
            if (j2 > j1)
                out[j2][j1] = out[j1][j2];
        }
}

static void stencil(int rows, int n, const double *a, double *b)
{
    #pragma logca offload collapse(2)
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1];
}

static void gather(int n, const int *index, double *x)
{
    #pragma logca offload
    for (int i = 0; i < n; i++)
        x[index[i]] += 1.0;
}

int main(void)
{
    float *data = calloc(N * N, sizeof *data);
    double *a = calloc(M * N, sizeof *a), *b = calloc(M * N, sizeof *b);
    int *index = calloc(N, sizeof *index);
    for (int i = 0; i < N; i++)
        index[i] = i * i % N;
    covariance(N, data, symmetric);
    for (int step = 0; step < 2; step++)
        stencil(M, N, a, b);
    gather(N, index, b);
    return 0;
}
"""


def traced(source: Path, defines: Mapping[str, int]) -> list[NestTrace]:
    """The nests under a pragma, in program order."""
    compiled = compile_program(source, defines=defines, level="as-written", inline=True)
    program = compiled.program
    nests = [loop for loop in program.loops if loop.offload]
    chunks = []
    ended = run(compiled, nests=tuple(loop.id for loop in nests), on_chunk=chunks.append)
    assert ended.ending == "exit"
    found = []
    for loop in nests:
        rows = [chunk.nest == loop.id for chunk in chunks]
        columns = {
            name: np.concatenate(
                [getattr(chunk, name)[mine] for chunk, mine in zip(chunks, rows, strict=True)]
            )
            for name in ("access", "address", "size", "launch", "iterations")
        }
        found.append(
            nest_trace(
                Columns(**columns),
                accesses=program.accesses,
                loops=program.loops,
                nest=loop.id,
                collapse=loop.offload,
            )
        )
    return found


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], list[NestTrace]]:
    source = tmp_path_factory.mktemp("affine") / "program.c"
    source.write_text(PROGRAM, encoding="utf-8")
    grid = size_grid({"N": 12, "M": 10}, {"N": 40, "M": 30}, degree=2)
    sizes = [*grid.sizes, {"N": 40, "M": 30}]
    return {(size["N"], size["M"]): traced(source, size) for size in sizes}


@pytest.mark.parametrize("nest", [0, 1])
def test_a_program_is_extended_to_a_size_at_which_it_was_not_traced(
    traces: dict[tuple[int, int], list[NestTrace]], nest: int
) -> None:
    """Everything as in the trace there, but for where the arrays begin."""
    grid = size_grid({"N": 12, "M": 10}, {"N": 40, "M": 30}, degree=2)
    fits = [fit(traces[size["N"], size["M"]][nest]) for size in grid.sizes]
    work = at_work_size(fits, grid)
    real = traces[40, 30][nest]
    assert len(real.launches) == work.launches[1] == nest + 1
    for launch, extents in zip(real.launches, real.extents, strict=True):
        assert extents_of(work, launch) == extents
        threads = np.array(list(product(*map(range, extents))))
        made = synthesise(work, threads, launch=launch)
        mine = real.launch == launch
        for column in ("access", "size", "iterations"):
            np.testing.assert_array_equal(getattr(made, column), getattr(real, column)[mine])
        names = np.array([access.array for access in real.accesses])[made.access]
        moved = made.address.astype(np.int64) - real.address[mine].astype(np.int64)
        assert [len(np.unique(moved[names == name])) for name in np.unique(names)] == [1, 1]


@pytest.mark.parametrize("nest", [0, 1])
def test_an_extended_nest_is_compared_with_the_program_there(
    traces: dict[tuple[int, int], list[NestTrace]], nest: int
) -> None:
    grid = size_grid({"N": 12, "M": 10}, {"N": 40, "M": 30}, degree=2)
    work = at_work_size([fit(traces[size["N"], size["M"]][nest]) for size in grid.sizes], grid)
    real = traces[40, 30][nest]
    compared = compared_in(work, 0.2)
    assert set(compared) == {0, nest}
    outer = compared[nest].tolist()
    assert outer[0] == 0
    assert outer[-1] == real.extents[nest][0] - 1
    rows = rows_in(compared, real)
    assert 0.1 < rows.mean() < 0.4
    part = replace(real.where(rows), address=real.address[rows] + np.uint64(1 << 20))

    def check(part: NestTrace) -> None:
        check_compared(work, compared, part)

    check(part)
    wrong = part.address.copy()
    wrong[-1] += np.uint64(4)
    with pytest.raises(AffineError, match="are others than smaller sizes lead to"):
        check(replace(part, address=wrong))
    with pytest.raises(AffineError, match="accesses in threads in which smaller sizes lead to"):
        check(part.where(np.arange(len(part.launch) - 1)))
    with pytest.raises(AffineError, match="makes other accesses than"):
        check(replace(part, iterations=part.iterations + 1))
    with pytest.raises(AffineError, match="makes 0 accesses in threads"):
        check_compared(work, compared, None)


def test_an_indirect_access_is_refused_by_its_line(
    traces: dict[tuple[int, int], list[NestTrace]],
) -> None:
    line = 1 + PROGRAM.split("\n").index("        x[index[i]] += 1.0;")
    with pytest.raises(AffineError, match=rf"program\.c:{line}: the address in b is no affine"):
        fit(traces[12, 10][2])
