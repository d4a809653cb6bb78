"""Loops that OpenMP and OpenACC mark: which become threads, and what is said of the others."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import Prediction

pytest.importorskip("numba")

Predict = Callable[..., Prediction]

HEAD = """\
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static float a[64][64], b[64][64], t[4], s;
int main(int argc, char **argv) {
"""
FIRST = HEAD.count("\n") + 1
MARK = "#pragma omp parallel for"
ROWS = "for (int i = 0; i < 64; i++)"
COLUMNS = "for (int j = 0; j < 64; j++)"
ADD = f"{ROWS}\n{COLUMNS}\nb[i][j] += a[i][j];"


@pytest.fixture
def predicted(tmp_path: Path) -> Predict:
    """The prediction of the body of a main function."""

    def of(*lines: str, flags: Sequence[str] = ()) -> Prediction:
        source = tmp_path / "program.c"
        source.write_text("\n".join([HEAD + lines[0], *lines[1:], "return b[1][1] < 0; }\n"]))
        return predict(source, flags=flags)

    return of


def shapes(found: Prediction) -> list[tuple[int, tuple[int, ...]]]:
    return [(kernel.line - FIRST, kernel.layout.extents) for kernel in found.kernels]


@pytest.mark.parametrize(
    "pragma",
    [
        MARK,
        f"{MARK} private(s) schedule(dynamic, 4) num_threads(8) \\\n default(shared)",
        "#pragma omp parallel\n#pragma omp for nowait",
        '_Pragma("omp parallel for simd if(argc > 1)")',
    ],
)
def test_loops_inside_join_those_for_the_hosts_threads(predicted: Predict, pragma: str) -> None:
    found = predicted(f"{pragma}\n{ADD}")
    ((_, extents),) = shapes(found)
    assert extents == (64, 64)
    assert "with it the loop at line" in found.kernels[0].reason
    assert "directive in the source" in found.kernels[0].reason


def test_the_compiler_chooses_in_kernels_what_carries_nothing(predicted: Predict) -> None:
    steps = "for (int t = 0; t < 3; t++) {"
    found = predicted("#pragma acc kernels", "{", steps, ADD, "b[0][0] += 1; } }")
    assert [each.layout.extents for each in found.kernels] == [(64, 64)]
    assert found.kernels[0].launches == 3
    assert "in `acc kernels`; its iterations do not depend" in found.kernels[0].reason
    alone = predicted(
        "#pragma acc kernels", "for (int i = 1; i < 64; i++) s += a[0][i] * s;", MARK, ADD
    )
    assert not said(alone, "`acc kernels`")


@pytest.mark.parametrize("name", ["s", "sum"])
def test_loops_that_gather_the_same_join(predicted: Predict, name: str) -> None:
    pragma = f"{MARK} reduction(+:{name})"
    found = predicted(
        "float sum = 0;", pragma, f"{ROWS} {COLUMNS} {name} += a[i][j] * 2.0;", "s += sum;"
    )
    assert [extents for _, extents in shapes(found)] == [(64, 64)]
    assert "which gathers nothing else" in found.kernels[0].reason
    assert not found.against_dependences


def test_updates_without_a_clause_are_predicted_as_atomic_operations(predicted: Predict) -> None:
    found = predicted(MARK, f"{ROWS} t[(int)a[i][0] & 3] += 1;")
    assert "sum t: an atomic operation" in found.kernels[0].reason
    assert said(found, "gathers t without `reduction` or `atomic`: threads of a GPU race for it")
    assert not found.against_dependences


def test_each_thread_has_its_own_of_what_is_threadprivate(predicted: Predict) -> None:
    found = predicted(
        "static int seen;\n#pragma omp threadprivate(seen)",
        MARK,
        f"{ROWS} {{ seen = seen / 2 + i; b[i][0] += seen; }}",
    )
    assert not found.against_dependences
    assert said(found, "threadprivate(seen) at line 9 is believed, but line 9 reads what another")


def test_what_stays_on_the_host_has_the_reason_of_its_directive(predicted: Predict) -> None:
    found = predicted(MARK, f"{ROWS} {COLUMNS} {CRITICAL}", MARK, ADD)
    reasons = [part.reason for part in found.left_out]
    assert reasons == ["as it has `omp critical` at line 8, where threads wait for each other"]
    serial = predicted("#pragma acc serial loop", f"{ROWS} {COLUMNS} t[1] += a[i][j];", MARK, ADD)
    assert said(serial, "`acc serial loop` at line 6 stays on the host: one thread runs it")
    reasons = [part.reason for part in serial.left_out]
    assert reasons == ["which `acc serial loop` leaves to one thread"]


DEVICE = ["omp target teams distribute parallel for", "acc parallel loop"]


@pytest.mark.parametrize("pragma", DEVICE)
def test_of_what_is_for_a_gpu_only_what_is_named_becomes_threads(
    predicted: Predict, pragma: str
) -> None:
    found = predicted(f"#pragma {pragma}\n{ADD}")
    assert [extents for _, extents in shapes(found)] == [(64,)]
    collapsed = predicted(f"#pragma {pragma} collapse(2)\n{ADD}")
    assert [extents for _, extents in shapes(collapsed)] == [(64, 64)]


def test_directives_of_nested_loops_make_one_grid(predicted: Predict) -> None:
    found = predicted(
        "#pragma omp target teams distribute", ROWS, MARK, f"{COLUMNS}\nb[i][j] += a[i][j];"
    )
    assert [extents for _, extents in shapes(found)] == [(64, 64)]


def test_a_loop_inside_that_carries_something_does_not_join(predicted: Predict) -> None:
    found = predicted(MARK, f"{ROWS}\nfor (int j = 1; j < 64; j++)\nb[i][j] += b[i][j - 1];")
    assert [extents for _, extents in shapes(found)] == [(64,)]


def said(found: Prediction, text: str) -> bool:
    notes = [*found.notes, *(note for kernel in found.kernels for note in kernel.notes)]
    return any(text in note for note in notes)


CRITICAL = "{\n#pragma omp critical\ns += a[0][i]; }"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((MARK, ROWS, 'printf("%d", i);'), "calls printf; take the call out"),
        ((MARK, ROWS, CRITICAL), "has `omp critical` at line 9, where threads wait"),
        ((MARK, "for (int i = 0; i < argc - 1; i++) b[i][0] = 1;"), "was not executed in this run"),
        ((MARK, "for (int i = 1; i < 64; i *= 2) b[i][0] += 1;"), "has no local variable"),
        (
            (MARK, ROWS, "{ float t = 0;", "#pragma omp simd reduction(+:t)",
             f"{COLUMNS} t += a[i][j];", "b[i][0] = t; }"),
            "loop at line 10, marked `omp simd`, inside loops that are: each thread runs",
        ),
        (("#pragma omp parallel", f"{ROWS} b[i][0] += 1;"), "without `for` has every thread run"),
        (
            ("#pragma omp target parallel for", f"{ROWS} b[i][0] += 1;", MARK,
             f"{ROWS} b[i][1] += 1;"),
            "is for threads of the host",
        ),
        (("#pragma omp parallel sections", "{", "#pragma omp section", "b[0][0] += 1;", "}"),
         "`omp parallel sections` at line 6 stays on the host: sections are no loop"),
    ],
)  # fmt: skip
def test_what_is_not_followed_is_named_with_the_reason(
    predicted: Predict, lines: tuple[str, ...], why: str
) -> None:
    found = predicted(*lines, MARK, ADD)
    assert found.kernels
    assert said(found, why), found.notes


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((MARK, ROWS, CRITICAL), "`omp parallel for` before the loop at line 7 is not followed: it "
         "has `omp critical` at line 9"),
        (("#pragma omp parallel sections", "{", "#pragma omp section", ADD, "}"),
         "`omp parallel sections` at line 6 is not followed: sections are no loop"),
    ],
)  # fmt: skip
def test_where_no_directive_is_followed_nothing_stays_on_the_host_for_it(
    predicted: Predict, lines: tuple[str, ...], why: str
) -> None:
    """The same loops may be kernels by their dependences: nothing says that they are not."""
    found = predicted(*lines)
    assert found.kernels
    assert said(found, why), found.notes
    assert not said(found, "on the host")
    assert not any("directive" in part.reason for part in found.left_out)


def test_a_call_that_was_not_made_keeps_no_loop_on_the_host(predicted: Predict) -> None:
    found = predicted(MARK, ROWS, "{ if (a[0][0] > 9) exit(1); b[i][0] += 1; }")
    assert shapes(found) == [(1, (64,))]
    assert not said(found, "called functions")


def test_what_clauses_declare_is_no_contradiction(predicted: Predict) -> None:
    found = predicted(f"{MARK} reduction(+ : s)", f"{ROWS} s += a[i][0];")
    assert [each.name for each in found.kernels[0].reduction] == ["s"]
    assert not found.against_dependences


X = "float x = 1;"


@pytest.mark.parametrize(
    ("clause", "body", "why"),
    [
        ("private(x)", "{ x = a[i][0]; b[i][0] = x; }", "what follows the loop reads what it"),
        ("private(x)", "{ b[i][0] = x; x = a[i][0]; }", "goes on from what the one before left"),
        ("firstprivate(x)", "{ b[i][0] += x; x = x / 2; }", "goes on from what the one before"),
        ("lastprivate(x)", "{ b[i][0] += 1; if (a[i][0] > 3) x = i; }", "not every iteration wri"),
        ("reduction(+ : x)", "x *= a[i][0];", "gather it by another operation, product"),
        ("reduction(max : x)", "{ x += a[i][0]; b[i][1] = x; }", "do more with it than gather"),
        ("private(t)", "b[i][0] = t[1] + i;", "reads it before the iteration writes it"),
        ("firstprivate(t)", "{ b[i][0] += t[0]; t[0] = i; }", "reads what another iteration wrote"),
        ("lastprivate(t)", "{ t[i % 4] = i; b[i][0] += t[i % 4]; }", "not every iteration writes"),
        ("reduction(min : s)", "s += a[i][0];", "gathers it by another operation, sum"),
        ("reduction(+ : s)", "{ s += a[i][0]; b[i][0] = s; }", "reads it for something else"),
    ],
)
def test_clauses_that_the_run_contradicts_are_named(
    predicted: Predict, clause: str, body: str, why: str
) -> None:
    found = predicted(X, f"{MARK} {clause}", f"{ROWS} {body}", "b[3][3] = x + t[1];")
    assert found.kernels[0].reason.endswith("(`omp parallel for`)")
    (note,) = [note for note in found.notes if "is believed" in note]
    assert note.startswith(f"{clause} at line 8 is believed, but ")
    assert why in note


@pytest.mark.parametrize(
    ("clause", "body"),
    [
        ("private(x)", "{ float x = a[i][0]; b[i][0] = x; }"),
        ("firstprivate(x)", "b[i][0] += x;"),
        ("lastprivate(x)", "{ x = a[i][0]; b[i][0] = x; }"),
        ("lastprivate(x)", "for (int j = 0; j < 9; j++) { x = a[i][j]; b[i][j] += x; }"),
        ("reduction(+ : x) reduction(max : s)", "{ x -= a[i][0]; if (a[i][0] > s) s = a[i][0]; }"),
        ("firstprivate(t)", "{ t[0] = t[1] + i; b[i][0] = t[0]; }"),
        ("lastprivate(t)", "{ for (int j = 0; j < 4; j++) t[j] = i; b[i][0] += t[i % 4]; }"),
    ],
)
def test_clauses_that_hold_are_no_news(predicted: Predict, clause: str, body: str) -> None:
    found = predicted(X, f"{MARK} {clause}", f"{ROWS} {body}", "b[3][3] = x + t[1];")
    assert not said(found, "is believed")
    assert not found.against_dependences


def test_what_only_some_iterations_leave_behind_is_told(predicted: Predict) -> None:
    body = "{ b[i][0] = a[i][0] * 2; if (a[i][0] >= 0) x = i; }"
    assert said(predicted(X, f"{ROWS} {body}", "b[3][3] = x;"), "after the loop x is what the last")
    assert not said(predicted(X, f"{ROWS} {{ x = i; b[i][0] = x + a[i][0]; }}", "b[3][3] = x;"),
                    "after the loop")  # fmt: skip


def test_what_a_parallel_region_declares_is_each_threads_own(predicted: Predict) -> None:
    loop = f"{ROWS} t += a[i][0];"
    own = predicted(
        "#pragma omp parallel", "{ float t = 0;", "#pragma omp for", loop, "b[0][0] = t; }"
    )
    assert [each.name for each in own.kernels[0].reduction] == ["t"]
    assert not said(own, "race")
    race = predicted("float t = 0;", MARK, loop, "b[0][0] = t;")
    assert said(race, "the loop at line 8 gathers t without a clause reduction")


def test_directives_that_cannot_be_followed_leave_the_choice_to_the_dependences(
    predicted: Predict,
) -> None:
    found = predicted(MARK, ROWS, 'printf("%d", i);', ADD)
    assert shapes(found) == [(3, (64, 64))]
    assert "do not depend on each other" in found.kernels[0].reason
    assert said(found, "calls printf")


def test_flags_of_openmp_are_taken_away(predicted: Predict) -> None:
    found = predicted(
        "if (_OPENMP < 201511 || omp_get_num_threads() != 1) return 1;",
        "double t = omp_get_wtime(); omp_lock_t lock; omp_init_lock(&lock);",
        MARK,
        ADD,
        "if (omp_get_wtime() < t) return 2;",
        flags=["-std=c99", "-fopenmp", "-lgomp"],
    )
    assert said(found, "compiled without -fopenmp, -lgomp")
    assert not said(found, "exit status")
