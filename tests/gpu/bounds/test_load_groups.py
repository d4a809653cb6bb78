"""Groups of loads from source, and accesses that a compiler leaves out or moves out of loops."""

import numpy as np
import pytest

from logca.gpu.bounds.load_groups import left_in_kernel, load_groups
from logca.trace.compile.driver import compile_program

pytest.importorskip("llvmlite")

GATHER = """
float A[64], B[64], C[64]; int idx[64], next[64];
int main(void) {
    for (int i = 0; i < 64; i++) {
        float s = 0;
        for (int k = 0; k < 8; k++) s += A[idx[k]] + B[k] * A[next[idx[k]]];
        C[i] = s;
    }
    return C[3] > 1;
}
"""


def test_a_load_waits_for_the_loads_that_its_address_needs(tmp_path) -> None:
    path = tmp_path / "gather.c"
    path.write_text(GATHER)
    program = compile_program(path).program
    found = load_groups(program, program.loops[0].id, unrolled=4, ordered=[program.loops[1].id])
    levels: dict[str, set[int]] = {}
    for site, level in found.level.items():
        levels.setdefault(program.accesses[site].array, set()).add(level)
    assert levels == {"idx": {0}, "B": {0}, "next": {1}, "A": {1, 2}}
    assert found.together == {program.loops[0].id: 4, program.loops[1].id: 1}


def test_what_stands_outside_of_a_loop_is_made_once_an_entry(handmade) -> None:
    pytest.importorskip("numba")
    trace = handmade.rectangular(
        (4,), [("A", False, lambda i, k: k), ("C", False, lambda i, k: i)], inner=8
    )
    loop = trace.accesses[1].loop
    left = left_in_kernel(trace, [], {1: loop})
    assert left is not None
    assert np.bincount(left.access).tolist() == [32, 4]
    assert left.iterations[left.access == 1, 0].tolist() == [0, 1, 2, 3]
    never = left_in_kernel(trace, [0], {})
    assert never is not None
    assert set(never.access.tolist()) == {1}
    assert left_in_kernel(trace, [0, 1], {}) is None
