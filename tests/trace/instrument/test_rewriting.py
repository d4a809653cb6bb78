"""What is put into a program's text, and what is taken out."""

from collections.abc import Callable

import pytest

from logca.trace.compile import machine_code
from logca.trace.compile.driver import Compiled
from logca.trace.execute.run import run
from logca.trace.instrument.plan import RecordingPlan, plan
from logca.trace.instrument.records import RecordKind, RecordSlot
from logca.trace.instrument.rewriting import instrumented, renamed, state_bytes, without_purity

Compile = Callable[..., Compiled]
GEMM = """
double A[8][8], B[8][8], C[8][8];
static __attribute__((const)) int half(int n) { return n / 2; }
int main(void) {
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < half(16); k++) C[i][j] += A[i][k] * B[k][j];
    return 0;
}
"""


def slots_of(decided: RecordingPlan) -> list[RecordSlot]:
    stretches = (stretch for found in decided.stretches.values() for stretch in found)
    return [slot for stretch in stretches for slot in stretch.slots]


def test_marks_of_iterations_cost_no_record_where_an_access_can_carry_them(
    compiled: Compile,
) -> None:
    text = "double A[8], B[8]; int main(void) { for (int i = 0; i < 8; i++) A[i] += B[i]; }"
    for level in ("as-written", "O1"):
        made = compiled(text, level=level)
        decided = plan(made.program, made.ir, nests=None)
        slots = [
            slot for parts in decided.stretches.values() for part in parts for slot in part.slots
        ]
        assert len(slots) == len(made.program.accesses) == 3
        assert [slot.loop for slot in slots] == [0, None, None]


def test_a_loop_without_accesses_is_not_marked(compiled: Compile) -> None:
    made = compiled("int main(int n, char **v) { int s = 1; while (n--) s *= n; return s; }")
    decided = plan(made.program, made.ir, nests=None)
    assert decided.stretches == {}
    assert decided.selectors == {}


def test_calls_that_record_nothing_need_no_base(compiled: Compile) -> None:
    made = compiled(GEMM)
    decided = plan(made.program, made.ir, nests=None)
    slots = slots_of(decided)
    assert not any(slot.what is RecordKind.BASE for slot in slots)
    assert decided.based == frozenset()
    assert decided.sites.columns == 3


def test_counts_alone_record_nothing(compiled: Compile) -> None:
    made = compiled(GEMM)
    for nothing in (None, plan(made.program, made.ir, nests=())):
        text = instrumented(made.program, made.ir, plan=nothing, counts=True)
        assert "call preserve_allcc" not in text
        assert text.count("add i64 %.logca.") == len(made.program.functions) + sum(
            any(edge.target == block.id for edge in made.program.edges)
            for block in made.program.blocks
        )
        neither = instrumented(made.program, made.ir, plan=nothing, counts=False)
        assert "%.logca." not in neither


def test_the_state_has_a_counter_for_each_edge_and_function(compiled: Compile) -> None:
    program = compiled(GEMM).program
    counters = len(program.edges) + len(program.functions)
    assert state_bytes(program) % 4096 == 0
    assert 8 * counters < state_bytes(program) < 8 * counters + 2 * 4096


def test_promises_that_instrumentation_breaks_are_taken_back() -> None:
    text = (
        "define i32 @mine() #0 {\n}\n"
        "  %x = call double @sin(double %y) #1\n"
        "  %y = call i32 @mine() #2\n"
        "attributes #0 = { nounwind memory(none) }\n"
        "attributes #1 = { nounwind memory(none) }\n"
        "attributes #2 = { memory(argmem: read) nounwind }\n"
    )
    changed = without_purity(text, {"mine"})
    assert "#0 = { nounwind }" in changed
    assert "#1 = { nounwind memory(none) }" in changed
    assert "#2 = { nounwind }" in changed


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_functions_that_promise_to_write_nothing_are_still_traced(
    compiled: Compile, level: str
) -> None:
    made = compiled(
        "int t[4] = {1, 2, 3, 4};"
        "__attribute__((pure, noinline)) int get(int i) { return t[i & 3]; }"
        "int main(int n, char **v) { return get(n) + get(n + 1) + get(n); }",
        level=level,
    )
    result = run(made)
    calls = {"as-written": 3, "O1": 2}[level]
    assert (result.status, result.recorded) == (2 + 3 + 2, calls)


def test_names_are_changed_outside_of_strings_only() -> None:
    text = (
        '@s = constant [9 x i8] c"@malloc()", align 1\n  %p = call ptr @malloc(i64 3)\n'
        "declare ptr @malloc(i64)\n"
    )
    assert renamed(text, set()) == text.replace("ptr @malloc", "ptr @__logca_trace_malloc")
    assert renamed(text, {"malloc"}) == text


def test_names_end_where_no_name_goes_on() -> None:
    ends = ("]", "}", ">", ")", ",", " ", "", ", !dbg !7", " to i64)")
    others = ("s", "1", "_", "-x", ".x", "$x")
    lines = [f"ptr @malloc{each}" for each in (*ends, *others)] + ['ptr @"malloc"', '@"a@malloc"']
    text = "\n".join([*lines, "declare ptr @malloc(i64)", "!1 = !{ptr @mine, ptr @malloc}", ""])
    changed = renamed(text, set()).splitlines()
    ours = [line.replace("@malloc", "@__logca_trace_malloc") for line in text.splitlines()]
    assert changed[: len(ends)] == ours[: len(ends)]
    assert changed[len(ends) : len(lines)] == lines[len(ends) :]
    assert changed[len(lines) :] == ours[len(lines) :]


TABLES = """
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
double *p;
static jmp_buf back;
static void *mine(size_t n) { static double room[9]; return room; }
static void *(*const get[])(size_t) = {malloc};
static struct { int n; void (*jump)(jmp_buf, int); } go = {1, longjmp};
static void (*(*const set[])(int, void (*)(int)))(int) = {signal};
static void on(int number) { go.jump(back, 1); }
int main(int n, char **v) {
    p = (n > 1 ? mine : malloc)(72);
    p = get[n - 1](72);
    set[0](SIGUSR1, on);
    if (!setjmp(back)) raise(SIGUSR1);
    for (int i = 0; i < 9; i++) p[i] = i;
    return p[3];
}
"""


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_library_functions_at_the_end_of_tables_and_lines(
    compiled: Compile, level: str, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(machine_code, "LARGE_TEXT", 0)
    made = compiled(TABLES, level=level)
    assert "ptr @malloc]" in made.ir or level == "O1"
    assert "ptr @malloc, !dbg" in made.ir
    result = run(made)
    assert (result.ending, result.status) == ("exit", 3)
