"""A program of two halves is what it is as a whole, does the same, and its trace says the same."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.compile.halves import first_half, joined
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import Run, run

TEXT = """
#include <stdio.h>
#include <setjmp.h>
static _Thread_local int depth = 3;
static const char *const names[] = {"one", "two"};
static jmp_buf back;
static double values[16];
__attribute__((weak)) int weak = 5;
int shared = 7;
extern int missing __attribute__((weak));
static int mmap(int n) { values[n & 15] += n; return depth++; }
__attribute__((constructor)) static void begin(void) { shared++; }
__attribute__((destructor)) static void finish(void) { printf("%d %s\\n", depth, names[1]); }
static int jump(int n) {
    static void *const to[] = {&&up, &&down};
    goto *to[n & 1];
up: return mmap(n);
down: return -mmap(n);
}
static struct pair { double a, b, c; } twice(struct pair p) { p.b += weak; return p; }
static int memcpy_(int n) { if (n > 4) longjmp(back, n); return shared + n; }
static int (*volatile table[])(int) = {mmap, jump, memcpy_};
double outside(double x) { return twice((struct pair){x, 2, 3}).b; }
int main(void) {
    int all = 0;
    if (!setjmp(back))
        for (int i = 0; i < 20; i++) all += table[i % 3](i);
    printf("%d %g %s %d\\n", all, outside(1), names[0], &missing != 0);
    return depth;
}
"""


def traced(compiled: Compiled) -> tuple[Run, list[int]]:
    sites: list[int] = []

    def take(chunk: Chunk) -> None:
        sites.extend(chunk.access.tolist())

    return run(compiled, on_chunk=take), sites


def test_two_halves_do_what_the_whole_does(
    compiled: Callable[..., Compiled], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compiled(TEXT)
    half = first_half(program.ir)
    assert "jump" in half
    assert {each.name for each in program.program.functions} > half
    whole, accesses = traced(program)
    assert whole.ending == "exit"
    assert whole.stdout.endswith(b"two\n")
    monkeypatch.setattr("logca.trace.compile.machine_code.LARGE_TEXT", 0)
    parts, same = traced(program)
    assert (parts.status, parts.stdout, parts.ending) == (whole.status, whole.stdout, "exit")
    assert same == accesses
    assert np.array_equal(parts.block_counts, whole.block_counts)


# a text that looks like metadata, an inlined function that another half calls as well, and one that
# asks to be inlined into itself
MORE = """
const char text[] = "a #4 !5, !dbg !7";
__attribute__((always_inline)) static inline double square(double x) { return x * x; }
__attribute__((always_inline)) static inline int down(int n) { return n ? down(n - 1) : text[2]; }
__attribute__((noinline, const)) static double third(double x) { return square(x) * x; }
struct seen { int a; short b[3]; struct seen *next; };
static int reached(const struct seen *p) { return p->next ? p->next->b[1] : p->a; }
int other(int n) {
    struct { int a[3]; float b; } local = {{n, n, n}, 2};
    struct seen last = {n, {1, 2, 3}, 0}, *p = &(struct seen){1, {0}, &last};
    return reached(p) + down(n) + (int)(square(local.b) + third(local.a[n & 1]));
}
"""


@pytest.mark.parametrize("more", ["", MORE])
def test_two_halves_are_optimised_to_what_the_whole_is(
    more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "program.c"
    called = TEXT.replace("return depth;\n}\n", "return depth + other(4);\n}\n")
    source.write_text(called.replace("int main(", f"{more}\nint main(") if more else TEXT)
    whole = compile_program(source)
    monkeypatch.setattr("logca.trace.ir.beside.LARGE_TEXT", 0)
    seen: list[int] = []

    def noted(one: str, two: str, first: frozenset[str]) -> str:
        seen.append(len(first))
        return joined(one, two, first)

    monkeypatch.setattr("logca.trace.compile.optimisation.joined", noted)
    parts = compile_program(source)
    assert seen
    named = {each.name: each for each in whole.program.functions}
    assert named.keys() == {each.name for each in parts.program.functions}
    if not more:
        assert parts.program == whole.program
    (one, accesses), (two, same) = traced(whole), traced(parts)
    assert (two.status, two.stdout, two.ending) == (one.status, one.stdout, "exit")
    assert len(same) == len(accesses)
    assert sorted(two.block_counts.tolist()) == sorted(one.block_counts.tolist())


def test_without_an_answer_the_second_half_is_optimised_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "program.c"
    source.write_text(TEXT)
    whole = compile_program(source)
    monkeypatch.setattr("logca.trace.ir.beside.LARGE_TEXT", 0)
    asked: list[str] = []

    def ends_at_once(module: str) -> list[str]:
        asked.append(module)
        return ["false"]

    monkeypatch.setattr("logca.common.processes.command", ends_at_once)
    assert compile_program(source).program == whole.program
    assert asked == ["logca.trace.compile.optimisation", "logca.trace.ir.reading"]


def test_what_cannot_be_divided_stays_whole(
    compiled: Callable[..., Compiled], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compiled(
        "int x[4]; static int f(void) { return x[1]++; }\n"
        'int g(void) __attribute__((alias("f"))); int main(void) { return f() + g(); }'
    )
    assert not first_half(program.ir)
    monkeypatch.setattr("logca.trace.compile.machine_code.LARGE_TEXT", 0)
    done, accesses = traced(program)
    assert done.status == 1
    assert len(accesses) == 4


LAYOUT = """
#include <stdlib.h>
static char one[3]; static double two[5]; static int three[7] = {1, 2}; static char four[65] = {1};
struct { char tiny; double large; } five[3];
static int filled(int *p, int n) {
    int all = 0;
    for (int i = 0; i < n; i++) p[i] = i;
    for (int i = 0; i < n; i++) all += p[i];
    return all;
}
int main(void) {
    double sum = 0, *heap = malloc(400);
    for (int i = 0; i < 3; i++) two[i] = one[i] + three[i] + four[20 * i] + five[i].large;
    for (int i = 0; i < 50; i++) heap[i] = two[i % 5];
    { int first[100]; sum += filled(first, 100); }
    { int second[100]; sum += filled(second, 100); }
    return sum > 1e6;
}
"""


def test_code_of_large_programs_moves_sections_and_locals_only(
    compiled: Callable[..., Compiled], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compiled(LAYOUT)

    def seen() -> tuple[list[list[int]], np.ndarray[Any, np.dtype[np.int64]]]:
        accesses: list[list[int]] = []
        addresses: list[int] = []

        def take(chunk: Chunk) -> None:
            rows = np.column_stack([chunk.access, chunk.size, chunk.iterations])
            accesses.extend(rows.tolist())
            addresses.extend(chunk.address.tolist())

        run(program, on_chunk=take)
        return accesses, np.array(addresses, np.int64)

    whole, before = seen()
    monkeypatch.setattr("logca.trace.compile.machine_code.LARGE_TEXT", 0)
    parts, after = seen()
    assert parts == whole
    arrays = np.array([program.program.accesses[row[0]].array for row in whole])
    moved = after - before
    for section in (("one", "two", "five"), ("three", "four"), ("heap",)):
        inside = np.isin(arrays, section)
        assert set(arrays[inside]) == set(section)
        assert len(set(moved[inside].tolist())) == 1
    assert moved[arrays == "heap"][0] % 4096 == 0
    # two local arrays, which share a place at most where code is optimised
    local = [addresses[arrays == "p"].reshape(4, 100) for addresses in (before, after)]
    assert all((np.diff(places) == 4).all() for places in local)
    assert len(set(local[0].flat)) <= len(set(local[1].flat)) == 200
