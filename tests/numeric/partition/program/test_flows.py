"""C programs as problems: pieces, flows and values, by hand and by what must be conserved."""

import json
from pathlib import Path

import pytest

from logca.numeric.partition.problem.blocks import OUTSIDE, Problem, ProblemError
from logca.numeric.partition.problem.files import check_flow, problem_from, saved
from logca.numeric.partition.program.flows import problem_of

for library in ("numba", "llvmlite", "ziglang"):
    pytest.importorskip(library)

from logca.trace import compile_program, run  # noqa: E402

SUM = """
#include <stdio.h>
int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i & 1 ? i : 2 * s;
    return s;
}
int main(void) {
    printf("%d\\n", f(10));
    return f(3) > 100;
}
"""
ODD = {
    "recursion": "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
    "int main(void) { return fib(10) != 55; }",
    "several ends": "int g(int n) { switch (n % 5) { case 0: return 7; case 1: return n; "
    "case 2: return 2 * n; } return n * n; }\n"
    "int main(void) { int s = 0; for (int i = 0; i < 20; i++) { s += g(i); s ^= g(s & 7); } "
    "return s == 1; }",
    "callbacks": "#include <stdlib.h>\n"
    "static int by(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n"
    "int main(void) { int a[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5}; qsort(a, 9, 4, by); "
    "return a[0] != 1; }",
    "pointers": "static int one(int x) { return x + 1; }\nstatic int two(int x) { return x + 2; }\n"
    "int main(void) { int (*f[2])(int) = {one, two}; int s = 0; "
    "for (int i = 0; i < 6; i++) s = f[i & 1](s); return s != 9; }",
    "dead code": "int unused(int x) { return x; }\nint main(void) { return 0; }",
    "mutual recursion": "int odd(int); int even(int n) { return n ? odd(n - 1) : 1; }\n"
    "int odd(int n) { return n ? even(n - 1) : 0; }\nint main(void) { return even(7); }",
}


def problem(folder: Path, text: str) -> Problem:
    source = folder / "program.c"
    source.write_text(text, encoding="utf-8")
    compiled = compile_program(source)
    ran = run(compiled)
    assert ran.ending == "exit"
    found, _ = problem_of(
        compiled.program, ran.block_counts.tolist(), ran.edge_counts.tolist(), "program"
    )
    return found


@pytest.fixture(scope="module")
def summing(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    return problem(tmp_path_factory.mktemp("sum"), SUM)


def test_blocks_are_split_at_calls(summing: Problem) -> None:
    own = [each for each in summing.blocks if each.function == "main"]
    assert [(each.name, each.pinned) for each in own] == [
        ("main:entry", ""),
        ("main:entry.1", "calls printf"),
        ("main:entry.2", ""),
        ("main:entry.3", ""),
    ]
    assert [each.area for each in own] == [1, 1, 1, 3]
    assert (own[3].operations, own[3].integer_casts) == (2, 1)
    assert summing.blocks[-1].name == OUTSIDE


def test_calls_and_returns_are_flows(summing: Problem) -> None:
    place = {each.name: n for n, each in enumerate(summing.blocks)}
    flows = {(each.source, each.target): each.executions for each in summing.flows}
    (end,) = {a for a, b in flows if b == place["main:entry.3"]}
    expected = {
        (place[OUTSIDE], place["main:entry"]): 1,
        (place["main:entry"], place["f:entry"]): 1,
        (place["main:entry.2"], place["f:entry"]): 1,
        (end, place["main:entry.1"]): 1,
        (end, place["main:entry.3"]): 1,
        (place["main:entry.3"], place[OUTSIDE]): 1,
    }
    assert expected.items() <= flows.items()
    inside = 2 + 13 + 2 + 13 + 7 + 13  # of f: in, body, out, then the two ways to the next test
    assert sum(flows.values()) == inside + 7


def test_values_are_fetched_as_often_as_they_are_read(summing: Problem) -> None:
    """Two calls with 10 and 3 iterations: 13 in the body, 7 of them even, 15 tests."""
    names = [each.name for each in summing.blocks]
    found = {
        each.name: (each.sent, {names[block]: times for block, times in each.consumers})
        for each in summing.values
    }
    assert found["f:n"] == (2, {"f:for.cond": 15})
    assert found["f:s.0"] == (15, {"f:cond.false": 7, "f:cond.end": 13, "f:for.end": 2})
    assert found["f:mul"] == (7, {"f:cond.end": 7})
    assert found["f:inc"] == (13, {"f:for.cond": 13})
    assert found["f returns"] == (2, {"main:entry.1": 1, "main:entry.3": 1})


@pytest.mark.parametrize("name", ODD)
def test_flow_is_conserved(tmp_path: Path, name: str) -> None:
    found = problem(tmp_path, ODD[name])
    outside = len(found.blocks) - 1
    check_flow(found, entries=[outside], exits=[outside])
    assert all(each.executions > 0 for each in found.flows)


def test_a_flow_that_is_not_conserved_is_named(summing: Problem) -> None:
    outside = len(summing.blocks) - 1
    fewer = Problem(
        name="fewer", blocks=summing.blocks, flows=summing.flows[1:], values=summing.values
    )
    with pytest.raises(ProblemError, match="not conserved at block 'f:entry': it is executed 2"):
        check_flow(fewer, entries=[outside], exits=[outside])


LEAVING = {
    "exit": "#include <stdlib.h>\nstatic int a[99];\nstatic void g(int i) { if (i == 70) exit(0); "
    "a[i] = i; }\nint main(void) { for (int i = 0; i < 99; i++) g(i); return 0; }",
    "longjmp": "#include <setjmp.h>\nstatic jmp_buf b; static int a[9], n;\n"
    "static void f(int i) { a[i % 9]++; if (i % 7 == 0) longjmp(b, 1); }\n"
    "int main(void) { volatile int i = 0; if (setjmp(b)) n++; while (i < 100) { i++; f(i); } "
    "return n != 14; }",
    "frames": "#include <setjmp.h>\nstatic jmp_buf jb; static int g;\n"
    "static void thrower(int n) { g += n; if (n > 1) longjmp(jb, 1); }\n"
    "static void mid(int n) { thrower(n); g++; }\n"
    "int main(void) { for (volatile int i = 0; i < 100; i++) { if (!setjmp(jb)) { mid(i & 3); "
    "g += 5; } else g -= 1; } return 0; }",
    "nested exit": "#include <stdlib.h>\nstatic int a[9];\n"
    "static void h(int i) { a[i % 9]++; if (i == 50) exit(0); }\n"
    "static void g(int i) { h(i); a[0] += 2; }\n"
    "int main(void) { for (int i = 0; i < 99; i++) { g(i); h(0); } return 0; }",
    "one block": "static int a[64];\n"
    "int main(void) { int i = 0; do a[i] = i * i; while (++i < 64); return 0; }",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("exit", {"main:for.body": 71, "main:for.body.1": 70, "g:entry": 71}),
        ("longjmp", {"main:entry.1": 15, "f:entry": 100}),
        ("frames", {"thrower:entry": 100, "mid:entry": 100, "mid:entry.1": 50}),
        ("nested exit", {"g:entry": 51, "g:entry.1": 50, "h:entry": 101}),
        ("one block", {}),
    ],
)
def test_programs_that_leave_otherwise_can_be_saved(
    tmp_path: Path, name: str, expected: dict[str, int]
) -> None:
    """What ends or continues elsewhere is an entry or an exit of the file."""
    found = problem(tmp_path, LEAVING[name])
    again = problem_from(json.loads(json.dumps(saved(found))), "again.json")
    assert again.flows == found.flows
    assert [each.executions for each in again.blocks] == [e.executions for e in found.blocks]
    times = {each.name: each.executions for each in found.blocks}
    assert expected.items() <= times.items()


def test_counts_that_cannot_be_known_are_refused(tmp_path: Path) -> None:
    """All calls of a recursion are left at once: which of them had come back is not counted."""
    text = """#include <setjmp.h>
static jmp_buf jb; static int g;
static void deep(int n) { if (n > 0) deep(n - 1); else longjmp(jb, 1); g++; }
int main(void) { for (volatile int i = 0; i < 10; i++) if (!setjmp(jb)) deep(4); return g; }
"""
    with pytest.raises(ProblemError, match=r"left by longjmp or exit: .*'deep:"):
        problem(tmp_path, text)


def test_a_register_is_fetched_once_however_many_phis_take_it(tmp_path: Path) -> None:
    """Three phis over one edge, and one phi with an edge for each case of a switch."""
    text = """int main(void) { unsigned s = 1, a = 0, b = 0, c = 0; int r = 0;
for (int i = 0; i < 1000; i++) { for (int j = 0; j < 5; j++) s = s * 1103515245u + 12345u;
unsigned x = a, y = b, z = c; if (s & 64) { x = s; y = s; z = s; } a = x + 1; b = y ^ 3; c = z * 5;
unsigned w = s; switch (i & 7) { case 0: case 1: case 2: case 4: break; case 3: w = i * 7; break;
default: w = i ^ 5; } r += w; } return (a + b + c + r) == 7; }
"""
    found = problem(tmp_path, text)
    for value in found.values:
        for block, times in value.consumers:
            assert times <= found.blocks[block].executions, value.name
    ends = [n for n, each in enumerate(found.blocks) if each.name == "main:sw.epilog"]
    fetched = [times for each in found.values for block, times in each.consumers if block in ends]
    assert 500 in fetched
