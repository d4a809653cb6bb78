"""A program of two halves does what it does as a whole, and its trace says the same."""

from collections.abc import Callable

import numpy as np
import pytest

from logca.trace.compile.driver import Compiled
from logca.trace.compile.halves import first_half
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
