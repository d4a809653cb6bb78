"""Instructions of threads by Table 2 of wang2017, counted by hand for programs as compiled."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logca.gpu.stages.instructions import Instructions, instructions, of_thread
from logca.trace.ir.program import Program

N = 16


def executions(program: Program, trips: Mapping[int, int]) -> dict[int, int]:
    """How often blocks run whose loops all have so many iterations; while-form loops only."""
    found = {}
    for block in program.blocks:
        times, loop = 1, block.loop
        first = block.loop
        while loop is not None:
            tested = loop == first and block.id == program.loops[loop].header
            times *= trips[loop] + tested
            loop = program.loops[loop].parent
        found[block.id] = times
    return found


def counted(program: Program, collapse: int, **more: Any) -> Instructions:
    """Of loops in each other, all of them with so many iterations."""
    loops = [loop.id for loop in program.loops][:collapse]
    trips = {loop.id: N for loop in program.loops}
    return instructions(program, loops, executions(program, trips), **more)


def body(compile_text: Callable[[str], Program], inner: str, declared: str = "") -> Program:
    return compile_text(
        f"#define N {N}\nfloat a[N][N], b[N][N], c[N][N], x[N], y[N]; float s = 2; int n = N;\n"
        f"float sqrtf(float);\nint main(void) {{\n{declared}\n{inner}\nreturn 0; }}\n"
    )


def test_matrix_product(compile_text: Callable[[str], Program]) -> None:
    program = body(
        compile_text,
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { float sum = 0;\n"
        "for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j]; c[i][j] = sum; }",
    )
    found = counted(program, 2)
    assert found.threads == N * N
    by_array = {program.accesses[site].array: times for site, times in found.memory.items()}
    assert by_array == {"a": N, "b": N, "c": 1}
    assert found.computation == {"mul": 2 * N + 1, "add": 3 * N + 1, "fma": N, "br": N}
    assert found.total == 9 * N + 3


def test_rows_written_by_hand_cost_the_same(compile_text: Callable[[str], Program]) -> None:
    program = body(
        compile_text,
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { float sum = 0;\n"
        "for (int k = 0; k < N; k++) sum += p[i * N + k] * q[k * N + j]; c[i][j] = sum; }",
        "float *p = &a[0][0], *q = &b[0][0];",
    )
    assert counted(program, 2).total == 9 * N + 3


def test_one_loop_less_collapsed_is_executed(compile_text: Callable[[str], Program]) -> None:
    program = body(
        compile_text,
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[i][j] = 1;",
    )
    assert counted(program, 2).computation == {"mul": 1, "add": 1}
    assert counted(program, 1).computation == {"mul": N, "add": 2 * N, "br": N}


def test_what_stands_between_collapsed_loops(compile_text: Callable[[str], Program]) -> None:
    program = body(
        compile_text,
        "for (int i = 0; i < N; i++) { float t = x[i] / s;\n"
        "for (int j = 0; j < N; j++) c[i][j] = t; }",
    )
    found = counted(program, 2)
    by_array = {program.accesses[site].array: times for site, times in found.memory.items()}
    assert by_array == {"x": 1, "s": 1, "c": 1}
    assert found.computation == {"div": 1, "mul": 1, "add": 1}


def test_tests_of_collapsed_loops_are_not_executed(
    compile_text: Callable[[str], Program],
) -> None:
    program = body(
        compile_text,
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = 1;",
    )
    arrays = [{program.accesses[site].array for site in counted(program, 2).memory}]
    arrays.append({program.accesses[site].array for site in counted(program, 1).memory})
    assert arrays == [{"c"}, {"c", "n"}]


def test_products_are_fused_once_each(compile_text: Callable[[str], Program]) -> None:
    program = body(
        compile_text,
        "for (int i = 0; i < N; i++) { float p = x[i] * s; x[i] = p + y[i]; y[i] = p; }",
    )
    assert counted(program, 1).computation == {"mul": 1, "add": 1}
    program = body(
        compile_text,
        "for (int i = 0; i < N; i++) { float p = x[i], q = y[i]; x[i] = p * p - q * q; }",
    )
    assert counted(program, 1).computation == {"fma": 1, "mul": 1}


def test_what_table_2_does_not_name(compile_text: Callable[[str], Program]) -> None:
    program = body(
        compile_text,
        "for (int i = 0; i < N; i++) { double d = x[i]; y[i] = sqrtf(x[i]) > 1 ? -x[i] : d * d; }",
    )
    found = counted(program, 1).computation
    assert found["sqrt"] == 1
    assert found["setp"] == 1
    assert found["neg"] == 1
    assert found["cvt"] >= 2
    assert found["br"] == 1


@pytest.mark.parametrize("type_", ["float", "double"])
def test_functions_of_mathematics_have_one_name(
    compile_text: Callable[[str], Program], type_: str
) -> None:
    end = "f" if type_ == "float" else ""
    calls = {"sqrt": "sqrt{}(u)", "fma": "fma{}(u, u, u)", "rem": "fmod{}(u, 3)", "erf": "erf{}(u)"}
    for name, call in calls.items():
        program = compile_text(
            f"#include <math.h>\n{type_} z[{N}];\nint main(void) {{\n"
            f"for (int i = 0; i < {N}; i++) {{ {type_} u = z[i]; z[i] = {call.format(end)}; }}\n"
            "return 0; }\n"
        )
        assert counted(program, 1).computation == {name: 1}


def test_private_and_shared_arrays(compile_text: Callable[[str], Program]) -> None:
    program = body(
        compile_text,
        "for (int i = 0; i < N; i++) { float t[N]; for (int k = 0; k < N; k++) t[k] = x[k];\n"
        "y[i] = t[i]; }",
    )
    own = [access.id for access in program.accesses if access.array == "t"]
    private = counted(program, 1, private=own)
    assert private.computation["mov"] == N + 1
    assert sum(private.memory.values()) == N + 1
    runs = executions(program, {loop.id: N for loop in program.loops})
    times = {block: runs[block] / N for block in program.loops[0].blocks}
    shared = of_thread(program, [0], times, threads=N, shared=own)
    assert "mov" not in shared.computation
    assert sum(shared.shared.values()) == N + 1
    assert shared.total == private.total  # Table 3: all instructions, whatever they access


def test_a_loop_that_did_not_iterate(compile_text: Callable[[str], Program]) -> None:
    single = body(compile_text, "for (int i = 0; i < N; i++) x[i] = 1;")
    with pytest.raises(ValueError, match="did not iterate"):
        instructions(single, [0], dict.fromkeys(range(len(single.blocks)), 0))
