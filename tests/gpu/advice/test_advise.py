"""Advice: bottlenecks, and remedies against predictions of the programs that they describe."""

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca import gpu
from logca.gpu.advice.arrays import Array, straightened
from logca.gpu.advice.layout_remedies import padded_steps, transposed_steps

advise = partial(gpu.advise, device="jetson-tk1")
predict = partial(gpu.predict, device="jetson-tk1")
POLYBENCH = Path(__file__).parents[3] / "examples" / "polybench"

ROWS = """
#ifndef N
#define N 256
#endif
#ifndef PAD
#define PAD 0
#endif
float a[N][N + PAD], y[N];
int main(void)
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = 0; j < N; j++)
            sum += a[i][j];
        y[i] = sum;
    }
    return 0;
}
"""
POWERS = """
float x[4096], y[4096];
int main(void)
{
#pragma logca offload
    for (int i = 0; i < 4096; i++) {
        float v = x[i];
        for (int k = 0; k < 64; k++) {
            v = v * v + 1.5f; v = v * v - 0.5f; v = v * v + 0.25f; v = v * v - 1.0f;
            v = v * v + 1.5f; v = v * v - 0.5f; v = v * v + 0.25f; v = v * v - 1.0f;
            v += y[k];
        }
        x[i] = v;
    }
    return 0;
}
"""
COPY = """
float a[96][160], b[96][160];
int main(void)
{
#pragma logca offload collapse(2)
    for (int OUTER = 0; OUTER < OUTEREND; OUTER++)
        for (int INNER = 0; INNER < INNEREND; INNER++)
            b[i][j] = a[i][j];
    return 0;
}
"""
POINTS = """
struct point { float x, y, z, w; } p[2048];
float r[2048];
int main(void)
{
#pragma logca offload
    for (int i = 0; i < 2048; i++)
        r[i] = p[i].x * p[i].x + p[i].y * p[i].y;
    return 0;
}
"""
COLUMNS = """
struct points { float x[2048], y[2048], z[2048], w[2048]; } p;
float r[2048];
int main(void)
{
#pragma logca offload
    for (int i = 0; i < 2048; i++)
        r[i] = p.x[i] * p.x[i] + p.y[i] * p.y[i];
    return 0;
}
"""

TRIANGLE = """
#ifdef TRANSPOSED
#define AT(i, j) s[j][i]
#else
#define AT(i, j) s[i][j]
#endif
float s[128][128], x[128];
int main(void)
{
#pragma logca offload
    for (int i = 0; i < 128; i++)
        for (int j = i; j < 128; j++)
            AT(i, j) += x[j];
    return 0;
}
"""

FIRST_ROW = """
float a[256][4096], b[4096][256];
int main(void)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 4096; j++)
            if (i == 0)
                a[i][j] = 1;
            else
                a[i][j] = b[j][i];
    return 0;
}
"""

Write = Callable[[str, str], str]


@pytest.fixture(scope="module")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    folder = tmp_path_factory.mktemp("advice")

    def written(name: str, text: str) -> str:
        path = folder / f"{name}.c"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


@cache
def advised(name: str, n: int, work: int) -> gpu.Advice:
    return advise(POLYBENCH / f"{name}.c", defines={"N": n}, work={"N": work})


@cache
def predicted(name: str, n: int, work: int) -> gpu.Prediction:
    return predict(POLYBENCH / f"{name}.c", defines={"N": n}, work={"N": work})


def remedy(kernel: gpu.KernelAdvice, name: str, array: str = "") -> gpu.Remedy:
    (found,) = (
        each
        for each in (*kernel.remedies, *kernel.others)
        if each.name == name and (not array or each.array == array)
    )
    return found


def test_syrk_transposed_is_the_program_that_reads_a_transposed_copy() -> None:
    advice = advised("syrk", 64, 1024)
    (kernel,) = advice.kernels
    found = remedy(kernel, "transposed layout")
    assert found.time_s == pytest.approx(predicted("syrk_transposed", 64, 1024).time_s, rel=0.02)
    assert found.gain == pytest.approx(2605.45 / 237.53, rel=0.05)  # wang2017, Table 6
    assert found.gain == pytest.approx(advice.prediction.time_s / found.time_s)
    assert kernel.bound.kind == "L2 departures"
    assert kernel.access is not None
    assert (kernel.access.array, kernel.access.pattern) == ("A", "uncoalesced")
    assert kernel.access.stride == 4 * 64
    assert kernel.bound.share > 0.9


def test_gemm_in_tiles_is_the_program_in_tiles() -> None:
    (kernel,) = advised("gemm", 64, 1024).kernels
    found = remedy(kernel, "shared-memory tiles")
    assert kernel.remedies[0] == found
    assert found.time_s == pytest.approx(predicted("gemm_tiled", 64, 1024).time_s, rel=1e-6)
    assert found.gain == pytest.approx(242.53 / 105.75, rel=0.05)  # wang2017, Tables 4 and 6
    assert "8,192 B a block" in found.what  # Table 5
    names = {each.name for each in (*kernel.remedies, *kernel.others)}
    assert not names & {"transposed layout", "interchanged loops"}


def test_bank_conflicts_of_tiles_go_with_longer_rows(write: Write) -> None:
    text = (POLYBENCH / "syrk_tiled.c").read_text(encoding="utf-8")
    common = (POLYBENCH / "common.h").as_posix()
    text = text.replace('"common.h"', f'"{common}"')
    assert "Bs[TILE][TILE];" in text
    longer = text.replace("Bs[TILE][TILE];", "Bs[TILE][TILE + 1];")
    sizes = {"defines": {"N": 64}, "work": {"N": 64}}
    (kernel,) = advise(write("tiles", text), **sizes).kernels
    found = remedy(kernel, "longer rows", "Bs")
    assert found.gain > 3
    assert found.time_s == pytest.approx(predict(write("longer", longer), **sizes).time_s)


def test_atax_points_at_the_rows_that_neighbouring_threads_read() -> None:
    rows, columns = advised("atax", 256, 1024).kernels
    assert rows.access is not None
    assert (rows.access.line, rows.access.array, rows.access.stride) == (17, "A", 4 * 256)
    assert rows.bound.kind == "DRAM departures"
    found = remedy(rows, "transposed layout")
    # Its second launch reads the same matrix by columns, and as many elements of a vector.
    assert found.time_s == pytest.approx(columns.kernel.time_s)
    assert any("line 25" in words for words in found.conditions)
    assert "transposed layout" not in {each.name for each in columns.remedies}
    assert advised("atax", 256, 1024).remedies[0] == found


def test_rows_that_fall_on_the_same_sets_are_padded(write: Write) -> None:
    source = write("rows", ROWS)
    (kernel,) = advise(source).kernels
    found = remedy(kernel, "longer rows", "a")
    assert found.gain > 2
    assert found.time_s == pytest.approx(predict(source, defines={"PAD": 1}).time_s, rel=0.01)


def test_a_kernel_that_computes_gets_no_remedy_for_its_memory(write: Write) -> None:
    (kernel,) = advise(write("powers", POWERS)).kernels
    assert kernel.bound.kind == "computation"
    assert kernel.access is None
    assert not {each.name for each in (*kernel.remedies, *kernel.others)} - {"other blocks"}


def test_loops_in_the_wrong_order_are_interchanged(write: Write) -> None:
    ends = {"i": "96", "j": "160"}

    def nest(outer: str, inner: str) -> str:
        text = COPY.replace("OUTEREND", ends[outer]).replace("INNEREND", ends[inner])
        return write(outer + inner, text.replace("OUTER", outer).replace("INNER", inner))

    (kernel,) = advise(nest("j", "i")).kernels
    found = remedy(kernel, "interchanged loops")
    assert found.gain > 2
    assert found.time_s == pytest.approx(predict(nest("i", "j")).time_s)
    both = remedy(kernel, "transposed layout", "a, b")
    assert both.gain > remedy(kernel, "transposed layout", "a").gain > 1


def test_an_array_of_structures_becomes_a_structure_of_arrays(write: Write) -> None:
    (kernel,) = advise(write("points", POINTS)).kernels
    found = remedy(kernel, "transposed layout", "p")
    assert found.time_s == pytest.approx(predict(write("columns", COLUMNS)).time_s, rel=0.02)


def test_a_triangle_is_not_transposed_along_its_diagonal(write: Write) -> None:
    source = write("triangle", TRIANGLE)
    now, then = predict(source), predict(source, defines={"TRANSPOSED": None})
    assert then.time_s > 0.95 * now.time_s
    (kernel,) = advise(source).kernels
    names = [each.name for each in kernel.remedies if each.array == "s"]
    assert "transposed layout" not in names


def test_other_blocks_are_those_of_a_prediction_with_them() -> None:
    (kernel,) = advised("2dconv", 96, 1024).kernels
    found = remedy(kernel, "other blocks")
    block = tuple(map(int, re.findall(r"\d+", found.what)))
    again = predict(POLYBENCH / "2dconv.c", defines={"N": 96}, work={"N": 1024}, block=block)
    assert found.time_s == pytest.approx(again.time_s)


def test_blocks_whose_first_threads_do_something_else_are_not_compared(write: Write) -> None:
    (kernel,) = advise(write("first", FIRST_ROW)).kernels
    found = remedy(kernel, "other blocks")
    assert found.gain < 1.5
    assert " x 1 threads" not in found.what


def test_advice_prints_what_binds_and_what_helps() -> None:
    text = str(advised("syrk", 64, 1024))
    assert "line 19, load of A: uncoalesced, neighbouring threads 256 B (64 elements) apart" in text
    assert "times as fast" in text
    assert "store A transposed" in text


@st.composite
def _shapes(draw: st.DrawFn) -> tuple[int, ...]:
    return tuple(draw(st.lists(st.integers(2, 6), min_size=2, max_size=4)))


def _array(shape: tuple[int, ...], element: int) -> Array:
    steps = [element]
    for extent in reversed(shape[1:]):
        steps.insert(0, steps[0] * extent)
    return Array(
        name="A",
        accesses=(0,),
        functions=(None,),
        stored=False,
        base=0,
        end=shape[0] * steps[0],
        steps=tuple(steps),
    )


@settings(max_examples=50)
@given(shape=_shapes(), element=st.sampled_from([4, 8]), data=st.data())
def test_transposed_steps_are_those_of_numpy(
    shape: tuple[int, ...], element: int, data: st.DataObject
) -> None:
    direction = data.draw(st.integers(0, len(shape) - 1))
    array = _array(shape, element)
    assert array.extents == shape
    moved = np.moveaxis(np.zeros(shape, f"V{element}"), direction, -1)
    strides = dict(
        zip(
            [each for each in range(len(shape)) if each != direction] + [direction],
            np.ascontiguousarray(moved).strides,
            strict=True,
        )
    )
    found = transposed_steps(array, direction)
    assert found == tuple(strides[each] for each in range(len(shape)))


@given(shape=_shapes(), element=st.sampled_from([4, 8]), room=st.integers(0, 3))
def test_padded_steps_are_those_of_an_array_with_longer_rows(
    shape: tuple[int, ...], element: int, room: int
) -> None:
    longer = np.zeros((*shape[:-1], shape[-1] + room), f"V{element}")
    assert padded_steps(_array(shape, element).steps, room * element) == longer.strides


@given(
    row=st.integers(2, 100), later=st.integers(1, 3), outer=st.integers(0, 9), at=st.integers(0, 9)
)
def test_straightened_addresses_are_those_by_loop_variables(
    row: int, later: int, outer: int, at: int
) -> None:
    by_iterations = (8, 0, 4 * row + 4 * later, 4)
    by_variables = straightened(by_iterations, ((0, 1, later),))
    first = by_iterations[2] * outer + by_iterations[3] * at
    assert first == by_variables[2] * outer + by_variables[3] * (at + later * outer)
