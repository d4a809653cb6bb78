"""Programs are run with arrays that begin where a GPU's would."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from logca.gpu.program.running import aligned
from logca.trace.compile.driver import compile_program
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import run

ARRAYS = """
#include <stdio.h>
#include <stdlib.h>
static char odd[3];
static float global[33], other[5] = {1, 2};
int main(int count, char **names) {
    float *heap = malloc(100 * sizeof *heap), *more = malloc(7);
    odd[0] = global[0] = heap[0] = count;
    *(char *)more = 1;
    other[0] += odd[0] + global[0] + heap[0];
    printf("%g, align 16\\n", other[0]);
    free(more);
    free(heap);
}
"""


@pytest.mark.parametrize("to", [256, 4096])
def test_arrays_begin_at_multiples(tmp_path: Path, to: int) -> None:
    source = tmp_path / "program.c"
    source.write_text(ARRAYS, encoding="utf-8")
    program = compile_program(source)
    pieces: list[Chunk] = []
    plain = run(program)
    found = run(replace(program, ir=aligned(program.ir, to)), on_chunk=pieces.append)
    assert (found.ending, found.stdout) == ("exit", plain.stdout)
    address = np.concatenate([piece.address for piece in pieces])
    assert np.all(address % to == 0)
    assert len(set(address.tolist())) == 5


def test_what_is_aligned_more_stays_so() -> None:
    text = "@A = internal global [9 x float] zeroinitializer, align 512"
    assert aligned(text, 256) == text


def test_texts_and_numbers_stay() -> None:
    text = '@.str = private constant [6 x i8] c"%g, a\\00", align 1\n@n = global i32 3, align 4\n'
    assert aligned(text, 256) == text
