"""Plans: windows all over a grid; arguments of kernels, however the C program holds them."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from grid_places import place
from hypothesis import given, settings
from hypothesis import strategies as st

from logca import gpu
from logca.gpu.loops.offloadable_loops import computes
from logca.gpu.prediction.result import KernelPrediction, Prediction
from logca.gpu.sampling.plan import (
    arguments,
    begin_of,
    box_of,
    control_accesses,
    spread_windows,
)
from logca.gpu.stages.blocks_and_occupancy import layout
from logca.trace.ir.program import Program

predict = partial(gpu.predict, device="jetson-tk1")

pytest.importorskip("numba")

PRODUCT = """\
#include <stdio.h>
#include <stdlib.h>
{declared}
static void kernel({parameters})
{{
    {read}
    {directive}
    for (int i = 0; i < {n}; i++) {{
        float *row = {A} + i * {n};
        for (int j = 0; j < {n}; j++) {{
            float sum = 0;
            for (int k = 0; k < {n}; k++)
                sum += row[k] * {B}[k * {n} + j];
            {C}[i * {n} + j] = {alpha} * sum;
        }}
    }}
}}
int main(void)
{{
    float *a = malloc(65536), *b = malloc(65536), *c = malloc(65536);
    for (int i = 0; i < 16384; i++) a[i] = b[i] = c[i] = i;
    {set}
    kernel({arguments});
    return c[7] > 1e30f;
}}
"""
NAMES = ("n", "alpha", "A", "B", "C")
LISTED = "float *A, float *B, float *C, int n, float alpha"
VARIABLES = "float *A, *B, *C; int n; float alpha;"
SET = "A = a; B = b; C = c; n = SIZE; alpha = 2;"
MARKED = '_Pragma("logca offload collapse(1)")'


def product(*, holder: str = "", parameters: str = "void", passed: str = "", **more: str) -> str:
    """A matrix product whose sizes, factor and pointers have these names in the kernel."""
    names = {name: f"{holder}{name}" for name in NAMES}
    texts = {"declared": "", "set": "", "read": "", "directive": "", **more}
    text = PRODUCT.format(parameters=parameters, arguments=passed, **texts, **names)
    return f"#ifndef SIZE\n#define SIZE 64\n#endif\n{text}"


PARAMETERS = {"parameters": LISTED, "passed": "a, b, c, SIZE, 2"}
AT_FILE_LEVEL = {"declared": VARIABLES, "set": SET}
IN_A_STRUCTURE = {
    "holder": "given.",
    "declared": f"static struct {{ float spare[4]; {VARIABLES} }} given;",
    "set": " ".join(f"given.{each.strip()};" for each in SET.split(";")[:-1]),
}
READ_FROM_A_TEXT = {
    "parameters": "float *A, float *B, float *C, float alpha",
    "passed": "a, b, c, 2",
    "read": 'int n; sscanf("64", "%d", &n);',
}


@pytest.fixture(scope="module")
def predicted(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Prediction]:
    """The prediction of a program given as text."""
    folder = tmp_path_factory.mktemp("nests")

    def of(text: str, **options: Any) -> Prediction:
        source = folder / "program.c"
        source.write_text(text, encoding="utf-8")
        return predict(source, "kernel", **options)

    return of


@pytest.fixture(scope="module")
def with_parameters(predicted: Callable[..., Prediction]) -> Callable[[str], Prediction]:
    """The prediction by a model of a kernel whose variables are its parameters."""
    return cache(lambda model: predicted(product(**PARAMETERS), model=model))


def told(kernel: KernelPrediction) -> tuple[object, ...]:
    """What is predicted, but for names of arrays."""
    return (
        kernel.time_s,
        kernel.layout,
        kernel.timing,
        [
            (each.line, each.store, each.pattern, each.transactions, each.dram, each.executions)
            for each in kernel.accesses
        ],
    )


@pytest.mark.parametrize("model", ["paper", "logca"])
@pytest.mark.parametrize("way", [AT_FILE_LEVEL, IN_A_STRUCTURE, READ_FROM_A_TEXT])
def test_variables_that_a_kernel_only_reads_are_its_arguments(
    predicted: Callable[..., Prediction],
    with_parameters: Callable[[str], Prediction],
    way: dict[str, str],
    model: str,
) -> None:
    (kernel,) = predicted(product(**way), model=model).kernels
    assert kernel.layout.threads == 64 * 64
    assert told(kernel) == told(*with_parameters(model).kernels)


@pytest.mark.parametrize("model", ["paper", "logca"])
def test_they_are_at_the_work_size_and_under_a_directive(
    predicted: Callable[..., Prediction], model: str
) -> None:
    found = [
        predicted(product(**way, directive=MARKED), model=model, work={"SIZE": 120})
        for way in (AT_FILE_LEVEL, PARAMETERS)
    ]
    assert told(*found[0].kernels) == told(*found[1].kernels)
    assert found[0].kernels[0].layout.threads == 120


TILED = """\
#include <stdlib.h>
{declared}
static void kernel({parameters})
{{
#pragma logca offload
    for (int block = 0; block < n; block += 32) {{
        float part[32];
#pragma logca shared(part)
#pragma logca threads
        for (int i = 0; i < 32; i++)
            part[i] = A[block + i];
#pragma logca barrier
#pragma logca threads
        for (int i = 0; i < 32; i++)
            for (int k = 0; k < 32; k++)
                C[block + i] += alpha * part[k] * part[i];
    }}
}}
int main(void)
{{
    float *a = malloc(8192), *b = a, *c = malloc(8192);
    {set}
    kernel({arguments});
    return 0;
}}
"""


def test_kernels_in_tiles_have_arguments_too(predicted: Callable[..., Prediction]) -> None:
    texts = [
        TILED.format(declared=VARIABLES, set=SET, parameters="void", arguments=""),
        TILED.format(declared="", set="", parameters=LISTED, arguments="a, b, c, SIZE, 2"),
    ]
    found = [predicted(text, defines={"SIZE": 2048}) for text in texts]
    assert told(*found[0].kernels) == told(*found[1].kernels)


KEPT = """\
float *A, *rows[8], total, x[64];
int n = 64, done;
struct {{ int size; float data[64]; }} s;
int main(void)
{{
    A = x;
    for (int i = 0; i < 8; i++) rows[i] = x;
    for (int i = 0; i < n; i++) {{
        {body}
    }}
    return 0;
}}
"""


@pytest.mark.parametrize(
    ("body", "given", "kept"),
    [
        ("x[i] = A[i];", {"n", "A"}, {"A", "x"}),
        ("total += A[i];", {"n", "A"}, {"A", "total"}),
        ("x[i] = rows[i & 7][i];", {"n"}, {"rows", "rows[]", "x"}),
        ("x[i] = s.size + s.data[i];", {"n", "s"}, {"s", "x"}),
        ("x[i] = s.data[0] + s.data[3];", {"n"}, {"s", "x"}),
        ("x[i] = n; done = i; if (done > 70) n = 0;", set(), {"n", "x", "done"}),
        ("x[i] = x[1] + *x;", {"n"}, {"x"}),
    ],
)
def test_elements_of_arrays_and_what_is_written_are_no_arguments(
    compile_text: Callable[[str], Program], body: str, given: set[str], kept: set[str]
) -> None:
    program = compile_text(KEPT.format(body=body))
    nest = max(loop.id for loop in program.loops)
    found = arguments(program, nest)
    names: dict[bool, set[str]] = {True: set(), False: set()}
    for access in program.accesses_of[nest]:
        names[access.id in found].add(access.array)
    assert names == {True: given, False: kept}


MEMBERS = """\
struct part {{ float spare[2]; float alpha, beta, sum; }} s, other;
float _Complex z;
_Thread_local float own;
float x[64];
int main(void)
{{
    for (int i = 0; i < 64; i++) {{
        x[i] += {read};
        {written};
    }}
    return 0;
}}
"""


@pytest.mark.parametrize(
    ("read", "written", "given"),
    [
        ("s.alpha", "s.sum = i", True),
        ("s.sum", "s.beta = i", True),
        ("s.alpha", "s.alpha = i", False),
        ("s.alpha", "s = other", False),
        ("s.alpha", "__builtin_memset(&s, 0, sizeof s)", False),
        ("s.alpha", "__builtin_memset(&s.beta, 0, 8)", True),
        ("s.sum", "__builtin_memset(&s.beta, 0, 8)", False),
        ("s.sum", "__builtin_memset(&s.alpha, 0, x[3])", False),
        ("__real__ z", "__imag__ z = i", True),
        ("__real__ z", "z = i", False),
        ("own", "s.sum = i", True),
        ("own", "own = i", False),
    ],
)
def test_members_are_arguments_each_for_itself(
    compile_text: Callable[[str], Program], read: str, written: str, given: bool
) -> None:
    program = compile_text(MEMBERS.format(read=read, written=written))
    found = {program.accesses[each].array for each in arguments(program, 0)}
    name = read.split()[-1].split(".")[0]
    assert (name in found) is given
    assert found <= {name, "other"}


@pytest.mark.parametrize(("to", "races"), [("&alpha", True), ("&unused", False)])
def test_writing_an_argument_by_a_pointer_is_a_race(
    predicted: Callable[..., Prediction], to: str, races: bool
) -> None:
    found = predicted(
        f"float A[512], B[512], alpha = 2, unused, *q = {to};\nstatic void kernel(void) {{\n"
        "#pragma logca offload\n"
        "for (int i = 0; i < 512; i++) { if (i == 5) *q = 7; A[i] = B[i] * alpha; } }\n"
        "int main(void) { kernel(); return 0; }\n"
    )
    (kernel,) = found.kernels
    order = {
        (each.kind, each.source.array, each.sink.array, each.count) for each in kernel.dependences
    }
    assert order == ({("flow", "q", "alpha", 506), ("anti", "alpha", "q", 1)} if races else set())
    assert "alpha" not in {each.array for each in kernel.accesses}


def test_reading_an_argument_is_no_computation(compile_text: Callable[[str], Program]) -> None:
    program = compile_text(KEPT.format(body="x[i] = 2 * x[i] + n;"))
    first, second = sorted(loop.id for loop in program.loops)
    counts = [1] * len(program.blocks)
    assert not computes(program, counts, first)
    assert computes(program, counts, second)
    filled = compile_text(KEPT.format(body="x[i] = n;"))
    assert not computes(filled, counts, second)


def test_tests_of_collapsed_loops_are_known(compile_text: Callable[[str], Any]) -> None:
    program = compile_text(
        "int n = 4; int m = 5; float a[4][5];\n"
        "int main(void) {\n"
        "    for (int i = 0; i < n; i++)\n"
        "        for (int j = 0; j < m; j++)\n"
        "            a[i][j] += 1;\n"
        "    return 0;\n"
        "}\n"
    )
    nest = next(loop.id for loop in program.loops if loop.parent is None)
    names = {program.accesses[each].array for each in control_accesses(program, nest, 2)}
    assert names == {"n", "m"}
    assert {program.accesses[each].array for each in control_accesses(program, nest, 1)} == {"n"}


EXTENTS = st.sampled_from([300, 60, 24]).flatmap(
    lambda most: st.lists(st.integers(1, most), min_size=1, max_size=2 if most == 300 else 3)
)


@given(EXTENTS, st.integers(1, 40), st.sampled_from([(32,), (8, 4), (64, 2)]))
@settings(max_examples=60)
def test_windows_are_whole_blocks_all_over_the_grid(
    extents: list[int], blocks: int, block: tuple[int, ...]
) -> None:
    grid = layout(tuple(extents), block[: len(extents)])
    windows = spread_windows(grid, blocks)
    assert sum(window.share for window in windows) == pytest.approx(1)
    own = tuple(reversed(grid.block))[3 - len(extents) :]
    boxes = tuple(reversed(box_of(grid, blocks)))[3 - len(extents) :]
    for window in windows:
        begin = begin_of(window, grid, blocks)
        for at, threads, box, extent in zip(begin, own, boxes, extents, strict=True):
            assert at % threads == 0
            assert 0 <= at < extent
            assert at == 0 or at + (box - 1) * threads < extent
    threads = np.indices(extents).reshape(len(extents), -1).T
    number, _ = place(grid, threads)
    first = threads[number < blocks]
    assert np.all(first < np.array(boxes) * np.array(own))


def test_places_are_even_along_each_direction() -> None:
    windows = spread_windows(layout((4096, 4096)), 4)[1:]
    for direction in (1, 2):
        eighths = sorted(int(8 * window.place[direction]) for window in windows)
        assert eighths == list(range(8))
