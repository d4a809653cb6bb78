"""Strides of real programs by the loops of their own, however many loops of callers there are."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from logca import trace
from logca.trace.findings import Strides

LOOPS = 14
CALLERS = 4
NESTED = f"""
static int a[1 << {LOOPS + 1}];
static void f(int *p) {{
    {"".join(f"for (int i{n} = 0; i{n} < 2; i{n}++) " for n in range(LOOPS))}
        p[{" + ".join(f"(i{n} << {LOOPS - 1 - n})" for n in range(LOOPS))}] = 1;
}}
int main(void) {{
    {"".join(f"for (int c{n} = 0; c{n} < 2; c{n}++) " for n in range(CALLERS))}
        f(a + 3 * c3 + 100 * c2);
    return 0;
}}
"""

QUEENS = 18
PLACES = """
static int used[N], order[N];
static long found;
static void place(int row) {
    if (row == N) { found++; return; }
    for (int c = 0; c < N; c++) {
        if (used[c]) continue;
        used[c] = 1;
        order[row] = c;
        place(row + 1);
        used[c] = 0;
        if (found > 200) return;
    }
}
int main(void) { place(0); return 0; }
"""

TWICE = """
static double x[8], y[8];
static void part(double *a, int one) {
    for (int i = 0; i < 8; i++)
        if (i == one) a[i] = 1;
}
static void every(double *a, int one) {
    for (int k = 0; k < 2; k++) part(a, one);
}
int main(void) {
    part(y, 0); part(x, 1); part(y, 2); part(x, 3);
    for (int t = 4; t < 6; t++) { every(x, t); every(y, t); }
    return 0;
}
"""


def strides(folder: Path, text: str, line: str, **more: Any) -> tuple[Strides, ...]:
    """Strides of the last access of a line."""
    source = folder / "program.c"
    source.write_text(text)
    found = trace.profile(source, **more)
    return next(each for each in found.lines if line in each.text).accesses[-1].strides


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_more_loops_than_a_trace_has_columns(tmp_path: Path, level: str) -> None:
    found = strides(tmp_path, NESTED, "= 1;", level=level)
    *own, outside = found
    # innermost first: half of all executions but the first of each entry go on with that loop
    calls = 2**CALLERS
    assert [each.common for each in own] == [
        ((4 << n, calls << (LOOPS - 1 - n)),) for n in range(LOOPS)
    ]
    # c3 goes on 8 times, c2 4 times, c1 twice and c0 once
    assert outside.cause == "around"
    assert dict(outside.common) == {12: 8, 400: 4, 0: 3}


def test_recursion_deeper_than_a_trace_has_columns(tmp_path: Path) -> None:
    wanted: dict[str, Counter[int]] = {"test": Counter(), "use": Counter(), "free": Counter()}
    used, found = [0] * QUEENS, 0

    def place(row: int) -> None:
        nonlocal found
        if row == QUEENS:
            found += 1
            return
        last: dict[str, int] = {}

        def access(what: str, c: int) -> None:
            if what in last:
                wanted[what][4 * (c - last[what])] += 1
            last[what] = c

        for c in range(QUEENS):
            access("test", c)
            if used[c]:
                continue
            used[c] = 1
            access("use", c)
            place(row + 1)
            used[c] = 0
            access("free", c)
            if found > 200:
                return

    place(0)
    for line, what in (("used[c])", "test"), ("used[c] = 1", "use"), ("used[c] = 0", "free")):
        got = strides(tmp_path, PLACES, line, defines={"N": QUEENS})
        assert [each.cause for each in got] == ["loop", "around", "again"]
        assert dict(got[0].common) == wanted[what]


def test_what_two_entries_of_a_loop_do_is_no_stride_of_the_loop(tmp_path: Path) -> None:
    outside, call = strides(tmp_path, TWICE, "a[i] = 1")
    # the access is executed once in each entry of `i`: 4 of main's calls, then 8 by way of `every`
    assert (outside.cause, call.cause) == ("around", "again")
    assert outside.count + call.count == 11
    # k goes on within each of 4 calls of `every`; t goes on once, from x[4] to x[5]
    assert dict(outside.common) == {0: 4, 8: 1}
