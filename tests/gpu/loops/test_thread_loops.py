"""Directives: where they stand before no loop, and what is said of the loops that they name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.common.errors import LogcaError, RegionError
from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import Prediction

pytest.importorskip("numba")

Predict = Callable[[str], Prediction]

LOOP = "for (int i = 0; i < 256; i++) a[i] += 2;"
OFFLOAD = "#pragma logca offload"
MACROS = """\
static float a[256], b[256]; static void f(float x) { a[1] = x; }
#define POSITIVE(x) if ((x) >= 0)
#define UP_TO(n) for (int i = 0; i < n; i++)"""


@pytest.fixture
def predicted(tmp_path: Path) -> Predict:
    """The prediction of a program given as text."""

    def of(text: str) -> Prediction:
        source = tmp_path / "program.c"
        source.write_text(text, encoding="utf-8")
        return predict(source)

    return of


def program(*lines: str, before: str = "static float a[256], b[256];", after: str = "") -> str:
    return "\n".join([before, "int main(void) {", *lines, "return a[1] < 0; }", after, ""])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (program(OFFLOAD, "a[0] = 1;", LOOP), 3),
        (program("#pragma omp target teams distribute parallel for", "{", LOOP, "}"), 3),
        (program(LOOP, after=OFFLOAD), 5),
        (program(OFFLOAD, LOOP, OFFLOAD, "a[0] = 1;"), 5),
        (program(OFFLOAD, "float c = a[1];", LOOP, "a[2] = c;"), 3),
        (program(OFFLOAD, "if (a[0] < 1)", LOOP, OFFLOAD, LOOP), 3),
        (program(OFFLOAD, "POSITIVE(a[0]) {", LOOP, "}", OFFLOAD, LOOP, before=MACROS), 5),
        (program(OFFLOAD, "f(a[0]", ");", OFFLOAD, LOOP, before=MACROS), 5),
    ],
)
def test_a_directive_before_no_loop(predicted: Predict, text: str, line: int) -> None:
    with pytest.raises(RegionError, match=rf"program\.c:{line}: the pragma stands before no loop"):
        predicted(text)


UNUSED = f"static void unused(void) {{\n{OFFLOAD}\n{LOOP.replace('a[', 'b[')}\n}}"


def test_loops_in_functions_that_nothing_calls_are_passed_over(predicted: Predict) -> None:
    found = predicted(program(OFFLOAD, LOOP, before=f"static float a[256], b[256];\n{UNUSED}"))
    assert [(kernel.line, kernel.reason) for kernel in found.kernels] == [
        (8, "directive in the source")
    ]
    assert not any("passed over" in note for note in found.notes)


def test_without_any_other_loops_are_chosen_as_without_directives(predicted: Predict) -> None:
    arrays = "static float a[256], b[256];"
    found = predicted(program(LOOP, before=f"{arrays}\n{UNUSED}"))
    plain = predicted(program(LOOP, before=arrays))
    assert [each.reason for each in found.kernels] == [each.reason for each in plain.kernels]
    (note,) = set(found.notes) - set(plain.notes)
    assert note.startswith("ignored, in functions that are never called")
    assert note.endswith("program.c:3")


def test_a_loop_with_a_directive_that_is_not_executed_is_an_error(predicted: Predict) -> None:
    text = program(f"if (b[0]) {{\n{OFFLOAD}\n{LOOP}\n}}", LOOP)
    with pytest.raises(
        RegionError, match=r"no loop with a directive was executed .*: .*program\.c:5$"
    ):
        predicted(text)


@pytest.mark.parametrize("loop", ["UP_TO(256) a[i] += 2;", "UP_TO(\n256\n) {\na[i] += 2; }"])
def test_macros_that_become_loops(predicted: Predict, loop: str) -> None:
    unused = f"static void unused(void) {{\n{OFFLOAD}\n{loop}\n}}"
    before = f"{MACROS}\n{unused}"
    found = predicted(program(OFFLOAD, loop, before=before))
    line = 3 + before.count("\n") + 1
    assert [(kernel.line, kernel.reason) for kernel in found.kernels] == [
        (line, "directive in the source")
    ]


def test_a_way_out_of_a_loop_is_told(predicted: Predict) -> None:
    found = predicted(
        program(
            *("a[99] = 1;", OFFLOAD, "for (int i = 0; i < 256; i++) {", "if (a[i] == 1)"),
            *("break;", "a[i] = 2;", "}"),
        )
    )
    assert found.kernels[0].layout.threads == 100
    (note,) = found.notes
    assert note.startswith("the loop at line 5 is left early, at line 6")
    assert note.endswith("only the executed iterations are predicted")


def test_a_reduction_of_openmp_is_told(predicted: Predict) -> None:
    found = predicted(
        program("float s = 0;", "#pragma omp target teams distribute parallel for reduction(+:s)",
                "for (int i = 0; i < 256; i++) s += a[i];", "b[0] = s;")
    )  # fmt: skip
    assert [each.name for each in found.kernels[0].reduction] == ["s"]


@pytest.mark.parametrize(
    ("before", "body", "what", "fix"),
    [
        (
            "static float f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }",
            "a[i] += f(3);",
            "calls f, which is recursive",
            "write it with loops",
        ),
        (
            "int odd(int n);\nint even(int n) { return n ? odd(n - 1) : 1; }\n"
            "int odd(int n) { return n ? even(n - 1) : 0; }",
            "a[i] += odd(3);",
            "calls (odd|even), which is recursive",
            "write it with loops",
        ),
        (
            "static int k;",
            'k = a[i]; __asm__ volatile("" : "+r"(k)); a[i] = k;',
            "has inline assembly",
            "write it in C",
        ),
        (
            '#define BARRIER __asm__ volatile ("")\n',
            "a[i] = 1; BARRIER;",
            "has inline assembly",
            "write it in C",
        ),
        (
            "static float g(float x) { return x; }\nfloat (*volatile f)(float) = g;",
            "a[i] = f(a[i]); /* as asm would */",
            "calls through a pointer",
            "call the function by its name",
        ),
    ],
)
def test_calls_that_no_thread_can_make(
    predicted: Predict, before: str, body: str, what: str, fix: str
) -> None:
    loop = f"for (int i = 0; i < 256; i++) {{ {body} }}"
    arrays = "static float a[256];\n"
    with pytest.raises(RegionError, match=rf"offloaded: \S+:\d+ {what}: {fix}") as raised:
        predicted(program(loop, before=arrays + before))
    assert "#pragma" not in str(raised.value)
    marked = predicted(program(OFFLOAD, loop, before=arrays + before))
    assert marked.notes[0].startswith("called functions are not predicted: ")


@pytest.mark.parametrize(
    ("loop", "message"),
    [
        (
            "for (int i = 1; i < 256; i *= 2) a[i] += 1;",
            r"carries i \(recurrence\).*: let an integer count its iterations, as in `for ",
        ),
        (
            "for (struct n *p = list; p; p = p->next) p->v += 1;",
            r"carries p \(recurrence\).*: keep the pointers in an array and go through that",
        ),
    ],
)
def test_what_cannot_be_counted_has_a_fix(predicted: Predict, loop: str, message: str) -> None:
    before = (
        "static float a[256];\nstruct n { struct n *next; float v; } m = {0, 1}, l = {&m, 1}, "
        "*list = &l;"
    )
    with pytest.raises(RegionError, match=message):
        predicted(program(loop, before=before))


def test_complex_products_name_the_flag_that_makes_them_plain(tmp_path: Path) -> None:
    source = tmp_path / "product.c"
    product = "for (int i = 0; i < 64; i++) c[i] = c[i] * b[i];"
    source.write_text(
        program(product, before="static float _Complex b[64], c[64];").replace("a[1] < 0", "0"),
        encoding="utf-8",
    )
    with pytest.raises(LogcaError, match=r"__mulsc3.*--flag=-fcx-limited-range"):
        predict(source)
    assert predict(source, flags=["-fcx-limited-range"]).kernels


def test_kernels_of_a_function_are_told_apart_by_their_calls(tmp_path: Path) -> None:
    source = tmp_path / "sites.c"
    source.write_text(
        "static float a[512], b[512];\n"
        "static void twice(float *x) { for (int i = 0; i < 512; i++) x[i] = x[i] * 2; }\n"
        "int main(void) {\n    twice(a);\n    twice(b);\n    return a[0] + b[0] > 1;\n}\n",
        encoding="utf-8",
    )
    found = predict(source)
    assert [kernel.calls for kernel in found.kernels] == [(f"{source}:4",), (f"{source}:5",)]
