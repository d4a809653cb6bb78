"""What a prediction says of programs that it cannot predict, or not as they are."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from logca import gpu
from logca.common.errors import CompileError, RegionError, TraceError
from logca.common.extras import MissingCompilerError
from logca.common.limits import Limits
from logca.gpu.prediction.result import Prediction

pytest.importorskip("numba")
predict = partial(gpu.predict, device="jetson-tk1")
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
    with pytest.raises(TraceError, match="N stays 64 whatever is given"):
        predict(program(PROGRAM.replace("#ifndef N\n", "").replace("#endif\n", "")))
    with pytest.raises(RegionError, match=r"program\.c:4: after `logca work` must stand macros"):
        predict(program(PROGRAM.replace("=256", "")))


pytest.importorskip("numba")

Predict = Callable[..., Prediction]


@pytest.fixture
def predicted(tmp_path: Path) -> Predict:
    """The prediction of a program given as text."""

    def of(text: str, **more: Any) -> Prediction:
        source = tmp_path / "program.c"
        source.write_text(text, encoding="utf-8")
        return predict(source, limits=more.pop("limits", Limits(time_s=20)), **more)

    return of


MAIN = "static float a[500];\nint main(int argc, char **argv)\n{\n%s\nreturn argv == 0;\n}\n"
LIST = "struct node { struct node *next; float value; } *p = 0, q = {0, argc};\np = &q;\n"


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (
            "for (int i = 0; i < 9; i++) a[i] = 1 + b;",
            CompileError,
            r"program\.c:4:\d+: error: .*b",
        ),
        (
            "float *p = 0;\nfor (int i = 0; i < 9; i++)\np[i] = i;",
            TraceError,
            r"program\.c:6 by .*SEGV",
        ),
        ("a[argc] = 1;", RegionError, "no loop of the program can be offloaded: none was executed"),
        ("for (int i = 0; i < argc - 1; i++) a[i] = i;", RegionError, "none was executed"),
        (
            "#pragma logca offload\nfor (int i = 0; i < argc - 1; i++) a[i] = i;",
            RegionError,
            r"no loop with a directive was executed in this run: .*program\.c:5",
        ),
        (
            "#pragma logca offload collapse(2)\nfor (int i = 0; i < 9; i++)\n"
            "for (int j = 0; j < argc - 1; j++) a[i] = j;",
            RegionError,
            r"no loop with a directive was executed in this run: .*program\.c:5",
        ),
        (
            "#pragma logca offload\nfor (int i = 0; i < 9; i++)\n"
            "for (int j = 0; j < 0; j++) a[i] = j;",
            RegionError,
            r"nothing runs in the loops .*, so they take no time: .*program\.c:5; trace with sizes",
        ),
        (
            LIST + "while (p) { p->value *= 2; p = p->next; }",
            RegionError,
            r"loop at line 6 has no local variable that counts .*p \(recurrence\).* as threads",
        ),
        (
            LIST + "#pragma logca offload\nwhile (p) { p->value *= 2; p = p->next; }",
            RegionError,
            r"program\.c:7: the loop has no local variable .* as threads: keep the pointers in an ",
        ),
        (
            "for (int i = 0; i < 500; i++) { a[i] += i; if (a[i] > 99) break; }",
            RegionError,
            r"loop at line 4 is left early, at line 4, .*: let all of its iterations run, with a",
        ),
        (
            "#pragma logca offload collapse(2)\nfor (int i = 0; i < 500; i++) a[i] += i;",
            RegionError,
            r"program\.c:5: collapse\(2\) of a nest in which only 1 loop",
        ),
        (
            "for (int i = 0; i < 9; i++) if (a[i] > 9) main(0, argv);\nif (argc < 2) return 3;",
            RegionError,
            r"program\.c:4 calls main, which is recursive: write it with loops, .*; the program "
            "ended with exit status 3",
        ),
    ],
)
def test_what_cannot_be_predicted(
    predicted: Predict, body: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as raised:
        predicted(MAIN % body)
    assert "\n" not in str(raised.value) or error is CompileError


def test_a_program_without_an_end_names_its_hot_loop(predicted: Predict) -> None:
    text = MAIN % "for (int i = 0;; i = (i + 1) % 500)\na[i] += 1;"
    with pytest.raises(
        TraceError, match=r"within 1 s; .* went into .*:4 in main; .*-D of its size"
    ):
        predicted(text, limits=Limits(time_s=1))


def test_a_missing_package_is_named(predicted: Predict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    with pytest.raises(MissingCompilerError, match=r"pip install 'logca\[trace\]'"):
        predicted(MAIN % "for (int i = 0; i < 500; i++) a[i] += i;")


def test_a_status_that_is_not_0_is_a_note(predicted: Predict) -> None:
    found = predicted(
        "float a[900]; int main(void) {\nfor (int i = 0; i < 900; i++) a[i] += i;\nreturn 7; }\n"
    )
    assert [kernel.line for kernel in found.kernels] == [2]
    assert found.notes == ("the program ended with exit status 7",)


def test_calls_under_a_directive_are_a_note(predicted: Predict) -> None:
    text = (
        "#include <stdio.h>\nfloat a[64];\nint main(void)\n{\n#pragma logca offload\n"
        'for (int i = 0; i < 64; i++)\nprintf("%f", a[i]);\nreturn 0;\n}\n'
    )
    found = predicted(text)
    assert found.notes[0].endswith("program.c:7 calls printf")


def test_a_sum_under_a_directive_is_told(predicted: Predict) -> None:
    body = (
        "float sum = 0;\n#pragma logca offload\nfor (int i = 0; i < 500; i++)\nsum += a[i];\n"
        "a[0] = sum;"
    )
    found = predicted(MAIN % body)
    (kernel,) = found.kernels
    assert [(each.operation, each.name) for each in kernel.reduction] == [("sum", "sum")]
    assert 0 < kernel.timing.cycles_combining < kernel.timing.cycles
    assert not found.against_dependences


def test_dependences_between_threads_are_told(predicted: Predict) -> None:
    """Each element needs the one before it, and is overwritten two iterations later."""
    body = (
        "#pragma logca offload\nfor (int i = 2; i < 400; i++) {\n"
        "a[i] = a[i - 1] + 1;\na[i - 2] = 0;\n}"
    )
    (kernel,) = predicted(MAIN % body).kernels
    found = {
        (each.kind, each.source.line, each.sink.line): each.iterations
        for each in kernel.dependences
    }
    assert found == {
        ("flow", 6, 6): ((0,), (1,)),
        ("output", 6, 7): ((0,), (2,)),
        ("anti", 6, 7): ((0,), (1,)),
    }


@pytest.mark.parametrize("function", ["products", "forces", "lists", "mandelbrot"])
def test_structures_by_value_take_as_long_as_their_members(function: str) -> None:
    source = Path(__file__).with_name("structures.c")
    found = predict(source, function=function)
    plain = predict(source, function=function, defines={"PLAIN": 1})
    assert not any("despite its dependences" in note for note in found.notes)
    assert found.time_s == pytest.approx(plain.time_s, rel=0.01)
    assert all(access.line and access.array for access in found.accesses)
