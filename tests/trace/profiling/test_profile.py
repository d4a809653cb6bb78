"""Profiles of real programs against counts made by hand."""

from pathlib import Path
from typing import Any

import pytest

from logca import trace
from logca.common.tables import text
from logca.trace.profiling.stage_tables import COUNTED, MEASURED, STATIC, staged

N = 12

TRIANGLE = f"""
#include <stdio.h>
#define N {N}
double A[N][N], x[N], y[N];
static double dot(const double *a, const double *b, int n) {{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}}
int main(void) {{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] = i + j;
    for (int i = 0; i < N; i++)
        y[i] = dot(A[i], x, i + 1);
    int left = N;
    while (left > 0)
        left -= 5;
    do left++; while (left < 3);
    return printf("%g\\n", y[N - 1]) < 0;
}}
"""
PAIRS = N * (N + 1) // 2

PRODUCT = """
#include <stdlib.h>
#include <string.h>
static double A[N][N], B[N][N], C[N][N];
struct __attribute__((packed)) odd { char tag; double value; };
int main(void) {
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            C[i][j] = 0;
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
    int *order = malloc(N * sizeof *order);
    for (int i = 0; i < N; i++)
        order[i] = i * 5 % N;
    struct odd *odds = malloc(40 * N * sizeof *odds);
    for (int i = 0; i < 40 * N; i++)
        odds[i].value = i;
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += C[order[i]][0] + odds[order[i] * 7].value;
    memcpy(B, C, sizeof B);
    return sum < 0;
}
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def triangle(folder: Path) -> trace.Profile:
    return trace.profile(written(folder, "triangle.c", TRIANGLE))


@pytest.fixture(scope="module")
def product_file(folder: Path) -> Path:
    return folder / "product.parquet"


@pytest.fixture(scope="module")
def product(folder: Path, product_file: Path) -> trace.Profile:
    source = written(folder, "product.c", PRODUCT)
    return trace.profile([source], defines={"N": N}, output=product_file)


def loop_at(profile: trace.Profile, text: str) -> Any:
    return next(found for found in profile.loops if text in found.text)


def executed(profile: trace.Profile, opcode: str) -> int:
    return sum(each.executed for each in profile.instructions if each.opcode == opcode)


def line(profile: trace.Profile, text: str) -> Any:
    return next(found for found in profile.lines if text in found.text)


@pytest.mark.parametrize(
    ("text", "entries", "iterations"),
    [
        ("int j = 0; j <= i", N, PAIRS),
        ("int k = 0; k < n", N, PAIRS),
        ("int i = 0", 1, N),
        ("while (left > 0)", 1, -(-N // 5)),
        ("do left++", 1, 3 - (N - 5 * -(-N // 5))),
    ],
)
def test_iterations_by_hand(
    triangle: trace.Profile, text: str, entries: int, iterations: int
) -> None:
    found = loop_at(triangle, text)
    assert (found.entries, found.iterations) == (entries, iterations)
    assert found.trip == iterations / entries


def test_instructions_by_hand(triangle: trace.Profile) -> None:
    assert executed(triangle, "fmul") == executed(triangle, "fadd") == PAIRS
    assert executed(triangle, "store") == triangle.stores == PAIRS + N
    assert executed(triangle, "load") == triangle.loads == 2 * PAIRS + 1
    assert triangle.executed == sum(
        count * sum(each.opcode != "phi" for each in block.instructions)
        for count, block in zip(triangle.run.block_counts, triangle.program.blocks, strict=True)
    )


def test_accesses_by_hand(triangle: trace.Profile) -> None:
    dot = line(triangle, "sum += a[k] * b[k]")
    assert (dot.loads, dot.stores, dot.bytes) == (2 * PAIRS, 0, 16 * PAIRS)
    assert dot.footprint.bytes == 8 * (PAIRS + N)
    assert line(triangle, "A[i][j] = i + j").footprint.bytes == 8 * PAIRS
    assert triangle.footprint.bytes == 8 * (PAIRS + 2 * N)
    assert triangle.bytes == 8 * (triangle.loads + triangle.stores)
    assert loop_at(triangle, "int j").accesses == PAIRS


def test_strides_by_hand(triangle: trace.Profile) -> None:
    stored = line(triangle, "A[i][j] = i + j").accesses[0].strides
    assert [(each.cause, each.common) for each in stored] == [
        ("loop", ((8, PAIRS - N),)),
        ("loop", ((8 * N, N - 1),)),
    ]
    a, b = line(triangle, "sum += a[k] * b[k]").accesses
    assert [(each.cause, each.common) for each in a.strides] == [
        ("loop", ((8, PAIRS - N),)),
        ("around", ((8 * N, N - 1),)),
    ]
    assert b.strides[1].common == ((0, N - 1),)


def test_strides_of_the_matrix_product(product: trace.Profile) -> None:
    a, b = (
        next(
            found
            for found in line(product, "C[i][j] += A[i][k] * B[k][j]").accesses
            if product.program.accesses[found.access].array == name
        )
        for name in "AB"
    )
    assert [each.stride for each in a.strides] == [8, 0, 8 * N]
    assert [each.stride for each in b.strides] == [8 * N, 8, 0]
    assert [each.count for each in a.strides] == [N * N * (N - 1), N * (N - 1), N - 1]
    assert all(each.share == 1 for each in (*a.strides, *b.strides))


def test_copies_count_whole(product: trace.Profile) -> None:
    copy = line(product, "memcpy(B, C, sizeof B)")
    assert (copy.loads, copy.stores, copy.bytes) == (1, 1, 2 * 8 * N * N)
    assert copy.footprint.bytes == 2 * 8 * N * N


def test_the_program_s_output_is_its_own(triangle: trace.Profile) -> None:
    assert triangle.run.stdout == b"0\n"
    assert (triangle.run.status, triangle.run.ending) == (0, "exit")


def test_a_function_is_what_it_does_itself(folder: Path, triangle: trace.Profile) -> None:
    found = trace.profile(folder / "triangle.c", function="main")
    assert found.loads + found.stores == PAIRS + N + 1
    assert {found.program.loops[each.loop].function for each in found.loops} == {"main"}
    assert executed(found, "fmul") == 0
    assert executed(found, "call") == N + 1
    assert len(found.values) < len(triangle.values)


def test_a_marked_loop(folder: Path, product: trace.Profile) -> None:
    found = trace.profile(folder / "product.c", defines={"N": N}, region="pragma")
    assert found.loads + found.stores == N * N * (1 + 4 * N)
    assert [each.iterations for each in found.loops] == [N, N * N, N**3]
    whole = line(product, "C[i][j] += A[i][k]").accesses
    assert [each.strides for each in line(found, "C[i][j] += A[i][k]").accesses] == [
        each.strides for each in whole
    ]


def test_a_region_that_is_entered_again(folder: Path) -> None:
    text = """
    double x[9];
    int main(void) {
        for (int t = 0; t < 3; t++) {
    #pragma omp target teams distribute parallel for
            for (int i = 0; i < 9; i++)
                x[i] = t;
        }
        return 0;
    }
    """
    found = trace.profile(written(folder, "again.c", text), region="pragma")
    assert [(each.entries, each.iterations) for each in found.loops] == [(3, 27)]
    (store,) = found.lines[0].accesses
    assert [(each.cause, each.common) for each in store.strides] == [
        ("loop", ((8, 24),)),
        ("around", ((0, 2),)),
    ]


def test_the_hottest_nest_with_its_callees(folder: Path) -> None:
    found = trace.profile(folder / "triangle.c", region="auto")
    assert [each.text for each in found.loops] == [
        "for (int i = 0; i < N; i++)",
        "for (int k = 0; k < n; k++)",
    ]
    assert found.loads + found.stores == 2 * PAIRS + N
    a, _ = line(found, "sum += a[k] * b[k]").accesses
    assert [each.stride for each in a.strides] == [8, 8 * N]
    assert [each.cause for each in a.strides] == ["loop", "loop"]


def test_counts_alone(folder: Path, product: trace.Profile) -> None:
    found = trace.profile(folder / "product.c", defines={"N": N}, accesses=False)
    assert found.instructions == product.instructions
    assert [each.iterations for each in found.loops] == [each.iterations for each in product.loops]
    assert found.lines == ()
    assert found.loops[0].accesses is None


def test_a_profile_prints(product: trace.Profile) -> None:
    text = str(product)
    assert "C[i][j] += A[i][k] * B[k][j];" in text
    assert "k: +8 B" in text
    assert "k: +96 B" in text
    assert not any(each != each.rstrip() for each in text.splitlines())


FAILING = """
#include <stdlib.h>
int *nothing;
int data[100];
int main(int argc, char **argv) {
    for (int i = 0; i < 100; i++)
        data[i] = i;
    if (argc < 2)
        *nothing = 1;
    if (argv[1][0] == 'e')
        exit(7);
    for (volatile int n = 0;;)
        n++;
}
"""


@pytest.fixture(scope="module")
def failing(folder: Path) -> Path:
    return written(folder, "failing.c", FAILING)


def test_a_crash_says_where(failing: Path) -> None:
    found = trace.profile(failing)
    assert found.run.ending == "crash"
    assert "SIGSEGV" in found.run.message
    assert "failing.c:9" in found.run.message
    assert line(found, "data[i] = i").stores == 100
    assert loop_at(found, "i < 100").iterations == 100


def test_an_endless_loop_meets_the_time_limit(failing: Path) -> None:
    found = trace.profile(failing, args=["x"], limits=trace.Limits(time_s=0.5, records=1000))
    assert found.run.ending == "time"
    assert found.run.truncated
    assert found.loads + found.stores == 1000
    assert line(found, "data[i] = i").stores == 100


def test_a_program_may_exit_as_it_likes(failing: Path) -> None:
    found = trace.profile(failing, args=["exit"])
    assert (found.run.ending, found.run.status) == ("exit", 7)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"region": "some"}, "region must be one of all, pragma, auto, not 'some'"),
        ({"level": "O3"}, "level must be one of as-written, O1"),
        ({"function": "nobody"}, "there is no function 'nobody'; there are dot, main"),
        ({"region": "pragma"}, "pragma"),
        ({"region": "auto", "function": "nobody"}, "there is no function 'nobody'"),
        ({"accesses": False, "output": "t.parquet"}, "leave out output"),
    ],
)
def test_what_cannot_be_asked_for(
    folder: Path, triangle: trace.Profile, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(trace.TraceError, match=says):
        trace.profile(folder / "triangle.c", **options)


def test_no_loop_in_the_region(folder: Path) -> None:
    source = written(folder, "straight.c", "int main(void) { return 0; }\n")
    with pytest.raises(trace.RegionError, match="no loop of the program was executed"):
        trace.profile(source, region="auto")
    failing = written(folder, "failing.c", "int main(void) { __builtin_trap(); }\n")
    with pytest.raises(trace.RegionError, match=r"executed.*; the program was ended at"):
        trace.profile(failing, region="auto")
    found = trace.profile(source)
    assert found.lines == found.loops == ()
    assert "none" in str(found)
    for stage in (*STATIC, *COUNTED, *MEASURED):
        assert text(staged(found, stage))


def test_a_copy_of_no_bytes_reuses_nothing(tmp_path: Path) -> None:
    source = tmp_path / "none.c"
    source.write_text(
        """
        #include <string.h>
        static char a[64], b[64];
        int main(int argc, char **argv) { memcpy(a, b, argc - 1); return 0; }
        """
    )
    found = trace.profile([source])
    (line,) = (each for each in found.lines if each.accesses)
    assert [(each.count, each.reuse.touches, each.reuse.powers) for each in line.accesses] == [
        (1, 0, ()),
        (1, 0, ()),
    ]
