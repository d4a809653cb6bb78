"""Loops that are chosen beside others, of which some only read or write, and at the work size."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logca.common.limits import Limits
from logca.gpu.loops.detection import Loops, detected
from logca.gpu.program.running import Executable, counted
from logca.gpu.program.workload import Workload, workload
from logca.trace.compile.driver import compile_program

pytest.importorskip("numba")

Sizes = Mapping[str, int]
Chosen = Callable[..., tuple[list[tuple[str, int]], Loops]]

NUSSINOV = Path(__file__).parents[1] / "programs" / "nussinov.c"
FLUSHED = """\
#include <stdlib.h>
#define N 24
static double a[N][N], b[N][N];
static void prepare(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * j % N;
}
static void flush(void)
{
    double sum = 0, *large = calloc(1 << 18, sizeof(double));
    for (int i = 0; i < 1 << 18; i++)
        sum += large[i];
    if (sum > 10)
        abort();
    free(large);
}
static void kernel(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] += 2 * a[i][j] + a[j][i];
}
int main(void)
{
    prepare();
    FLUSH;
    kernel();
    return b[1][2] > 1e9;
}
"""


@pytest.fixture(scope="module")
def chosen() -> Chosen:
    """Functions and numbers of collapsed loops of the nests that are chosen, and all of it."""

    def of(
        source: Path, trace: Sizes | None = None, work: Sizes | None = None
    ) -> tuple[list[tuple[str, int]], Loops]:
        def program(sizes: Sizes) -> Executable:
            compiled = compile_program([source], inline=True, defines=dict(sizes))
            return Executable(compiled=compiled, arguments=(), limits=Limits(time_s=20))

        first = counted(program(trace or {}))
        load: Workload = workload(first, program, trace or {}, work or {})
        choice = detected(load)
        loops = load.static.loops
        return [(loops[each.loop].source_function, each.collapse) for each in choice.nests], choice

    return of


def test_a_flush_of_the_caches_hides_no_kernel(chosen: Chosen, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(FLUSHED.replace("FLUSH;", ""))
    alone, plain = chosen(source)
    assert alone == [("kernel", 2)]
    most = plain.shares.predicted
    source.write_text(FLUSHED.replace("FLUSH", "flush()"))
    found, choice = chosen(source)
    assert found == alone
    # one element of the flush against 24 x 24 of a kernel that does some ten times as much to each
    (flush,) = choice.shares.left_out
    assert flush.share > 1 - 20 * 24 * 24 / (1 << 18)
    assert flush.function == "flush"
    assert choice.shares.predicted < 1 - flush.share < most


def test_loops_that_prepare_data_are_told_where_none_that_computes_is_parallel(
    chosen: Chosen, tmp_path: Path
) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "float a[4096], s;\nvoid prepare(void) { for (int i = 0; i < 4096; i++) a[i] = i; }\n"
        "int main(void) { prepare();\nfor (int i = 0; i < 4096; i++) s += a[i];\n"
        "return s < 0; }\n"
    )
    found, choice = chosen(source)
    assert found == [("main", 1)]
    assert choice.nests[0].reason.startswith("sum s: a tree in each block")
    (part,) = choice.shares.left_out
    assert (part.line, part.reason) == (2, "which only writes: it prepares data")


@pytest.fixture(scope="module")
def at_work_size(chosen: Chosen) -> list[tuple[str, int]]:
    return chosen(NUSSINOV, {"N": 120}, {"N": 120})[0]


@pytest.mark.parametrize("least", [6, 12, 40])
def test_loops_are_collapsed_as_at_the_work_size(
    chosen: Chosen, at_work_size: list[tuple[str, int]], least: int
) -> None:
    assert at_work_size == [("kernel_nussinov", 2)]
    assert chosen(NUSSINOV, {"N": least}, {"N": 120})[0] == at_work_size


def test_the_iterations_at_the_work_size_decide(chosen: Chosen, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "static float a[N][N];\nint main(void) {\n"
        "for (int i = 0; i < N; i++) for (int j = 8; j < N; j++) a[i][j] += i;\n"
        "return a[1][2] > 9; }\n"
    )
    assert chosen(source, {"N": 9}, {"N": 64})[0] == [("main", 2)]
    assert chosen(source, {"N": 64}, {"N": 64})[0] == [("main", 2)]
    assert chosen(source, {"N": 64}, {"N": 10})[0] == [("main", 1)]
