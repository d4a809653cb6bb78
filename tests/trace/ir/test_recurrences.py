"""Loops of C programs: lines, nesting, and the variables that iterations hand on."""

from collections.abc import Callable

import pytest

from logca.trace.compile.driver import Compiled
from logca.trace.ir.program import Loop

Compile = Callable[..., Compiled]

PROGRAM = """
struct node { struct node *next; double v; };
int step = 2;
double a[64], b[64];
double sum(int n) { double s = 0; int i; for (i = 0; i < n; i++) s += a[i]; return s; }
double sub(int n) { double s = 0; for (int i = 0; i < n; i++) s -= a[i]; return s; }
double wrong(int n) { double s = 0; for (int i = 0; i < n; i++) s = a[i] - s; return s; }
double product(double *p, double *end) { double s = 1; while (p != end) s *= *p++; return s; }
int bits(int *v, int n) { int c = 0; do c ^= v[--n]; while (n > 0); return c; }
double most(int n) {
  double m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
double least(int n) {
  double m = a[0]; for (int i = 1; i < n; i++) m = a[i] < m ? a[i] : m; return m; }
double flag(int n) { double m = 0; for (int i = 0; i < n; i++) if (m == 3) m = a[i]; return m; }
double prefix(int n) {
  double s = 0; for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; } return s; }
float rounded(int n) { float s = 0; for (int i = 0; i < n; i++) s += 0.5 * a[i]; return s; }
int cut(int n) { int s = 0; for (int i = 0; i < n; i++) s += 0.5 * a[i]; return s; }
float most_rounded(int n) {
  float m = 0; for (int i = 0; i < n; i++) if (2.0 * a[i] > m) m = 2.0 * a[i]; return m; }
int all(int n) { int y = 1; for (int i = 0; i < n; i++) y = y && a[i] > 0; return y; }
_Bool any(int n) { _Bool y = 0; for (int i = 0; i < n; i++) y = y || a[i] > 0; return y; }
int so_far(int n) {
  int y = 1; for (int i = 0; i < n; i++) { y = y && a[i] > 0; b[i] = y; } return y; }
int until(int n) { int y = 1; for (int i = 0; i < n && y; i++) y = a[i] > 0 ? i : 0; return y; }
double stops(int n) { double s = 0; for (int i = 0; i < n && s < 9; i++) s += a[i]; return s; }
double last(int n) { double x = 0; for (int i = 0; i < n; i++) { x = a[i]; b[i] = 1; } return x; }
double list(struct node *p) { double s = 0; while (p) { s += p->v; p = p->next; } return s; }
int resets(int *v, int n) {
  int r = 0; for (int i = 0; i < n; i++) switch (v[i]) { case 1: r += 1; case 2: r += 2; break;
    case 5: r = 7; default: r--; } return r; }
int collatz(int n) { int c = 0; while (n != 1) { n = n & 1 ? 3*n + 1 : n/2; c++; } return c; }
void doubling(int n) { for (int s = 1; s < n; s *= 2) a[s] = s; }
void by_global(int n) { for (int i = 0; i < n; i += step) a[i] = 0; }
void by_changed(int n) { for (int i = 0; i < n; i += step) step++; }
void by_argument(int n, int by) { for (long i = n; i > 0; i -= by) a[i] = 0; }
void by_two(int n) { for (int i = 0, j = n; i < j; i++, j -= 2) a[i] = b[j]; }
void narrow(void) { for (unsigned char i = 0; i < 60; i++) a[i] = 0; }
double reals(void) { double s = 0; for (double x = 0; x < 1; x += 0.125) s += x; return s; }
void moves(int n) { int at = 0; for (int i = 0; i < n; i++) if (a[i] > 0) b[at++] = a[i]; }
void swaps(double *p, double *q, int n) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < 9; i++) q[i] = p[i];
    double *r = p; p = q; q = r; } }
double nest(int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += a[i] * b[j];
  return s; }
void shared(int n) {
  int i, j; double x;
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) { x = a[i]; b[j] = x; } }
int jumps(int n) { int s = 0, i = 0;
top:
  if (i >= n) goto out;
  s += i;
  i++;
  goto top;
out:
  return s; }
void both(int n, int *v) {
  int i = 0; do { int j = 0; do { v[j]++; } while (++j < n); } while (++i < n); }
"""

FACTS = [
    ("sum", ("i",), ("s (reduction)",)),
    ("sub", ("i",), ("s (reduction)",)),
    ("wrong", ("i",), ("s (recurrence)",)),
    ("product", ("p",), ("s (reduction)",)),
    ("bits", ("n",), ("c (reduction)",)),
    ("most", ("i",), ("m (reduction)",)),
    ("least", ("i",), ("m (reduction)",)),
    ("flag", ("i",), ("m (recurrence)",)),
    ("prefix", ("i",), ("s (recurrence)",)),
    ("rounded", ("i",), ("s (reduction)",)),
    ("cut", ("i",), ("s (recurrence)",)),
    ("most_rounded", ("i",), ("m (reduction)",)),
    ("all", ("i",), ("y (reduction)",)),
    ("any", ("i",), ("y (reduction)",)),
    ("so_far", ("i",), ("y (recurrence)",)),
    ("until", ("i",), ("y (recurrence)",)),
    ("stops", ("i",), ("s (recurrence)",)),
    ("last", ("i",), ()),
    ("list", (), ("p (recurrence)", "s (reduction)")),
    ("resets", ("i",), ("r (recurrence)",)),
    ("collatz", ("c",), ("n (recurrence)",)),
    ("doubling", (), ("s (recurrence)",)),
    ("by_global", ("i",), ()),
    ("by_changed", (), ("i (recurrence)",)),
    ("by_argument", ("i",), ()),
    ("by_two", ("i", "j"), ()),
    ("narrow", ("i",), ()),
    ("reals", ("x",), ("s (reduction)",)),
    ("moves", ("i",), ("at (recurrence)",)),
    ("swaps", ("t",), ("p (recurrence)", "q (recurrence)")),
    ("nest", ("i",), ("s (reduction)",)),
    ("shared", ("i",), ()),
    ("jumps", ("i",), ("s (reduction)",)),
    ("both", ("i",), ()),
]


def loops_in(program: Compiled, function: str) -> list[Loop]:
    return [loop for loop in program.program.loops if loop.source_function == function]


@pytest.mark.parametrize(("function", "inductions", "carried"), FACTS, ids=lambda fact: str(fact))
def test_what_iterations_hand_on(
    compiled: Compile, function: str, inductions: tuple[str, ...], carried: tuple[str, ...]
) -> None:
    outer = loops_in(compiled(PROGRAM), function)[0]
    assert set(outer.inductions) == set(inductions)
    assert set(outer.carried) == set(carried)


@pytest.mark.parametrize("function", ["sum", "wrong", "product", "bits", "last", "list", "nest"])
def test_the_optimiser_does_not_change_what_is_carried(compiled: Compile, function: str) -> None:
    kinds = [
        [set(loop.carried) for loop in loops_in(compiled(PROGRAM, level=level), function)]
        for level in ("as-written", "O1")
    ]
    assert kinds[0] == kinds[1]


def test_nests(compiled: Compile) -> None:
    program = compiled(PROGRAM)
    for function in ("nest", "shared", "swaps", "both"):
        outer, inner = loops_in(program, function)
        assert (outer.parent, outer.depth) == (None, 0)
        assert (inner.parent, inner.depth) == (outer.id, 1)
        assert inner.blocks < outer.blocks


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_lines(compiled: Compile, level: str) -> None:
    lines = PROGRAM.splitlines()
    first = lines.index("double nest(int n) {") + 3
    found = [
        (loop.line, loop.end_line) for loop in loops_in(compiled(PROGRAM, level=level), "nest")
    ]
    assert found == [(first, first + 2), (first + 1, first + 2)]


def test_a_loop_of_jumps_has_the_lines_of_its_statements(compiled: Compile) -> None:
    lines = PROGRAM.splitlines()
    first = lines.index("top:") + 2
    (loop,) = loops_in(compiled(PROGRAM), "jumps")
    assert (loop.line, loop.end_line) == (first, first + 3)


def test_an_irreducible_cycle_is_reported_and_no_loop(compiled: Compile) -> None:
    program = compiled("""
        int f(int n, int *v) {
          int s = 0;
          if (n & 1) goto middle;
        top: s += v[0];
        middle: s += v[1]; if (n-- > 0) goto top;
          return s; }""").program
    assert program.loops == ()
    (function,) = program.functions
    inside = {program.blocks[block].first_line for block in function.irreducible}
    assert inside == {5, 6}


def test_expressions_that_share_their_parts_are_judged_once(compiled: Compile) -> None:
    # asked anew for every use, step 48 would take 2**48 questions
    doubled = " ".join(f"int x{n} = x{n - 1} + x{n - 1};" for n in range(1, 49))
    text = f"void f(int n, int x0) {{ for (int i = 0; i < n;) {{ {doubled} i += x48; }} }}"
    (loop,) = compiled(text).program.loops
    assert (loop.inductions, loop.carried) == ((), ("i (recurrence)",))
    text = text.replace("x48; }", "x20; }")
    (loop,) = compiled(text).program.loops
    assert (loop.inductions, loop.carried) == (("i",), ())


def test_pointers_that_lead_to_each_other_have_names_all_the_same(compiled: Compile) -> None:
    steps = " ".join("p = n & 1 ? p->a : p->b; q = n & 2 ? q->b : p->a;" for _ in range(12))
    text = (
        "struct t { struct t *a, *b; double v; };\n"
        f"double f(struct t *p, struct t *q, int n) {{ while (n--) {{ {steps} }} return p->v; }}"
    )
    values = [access.array for access in compiled(text).program.accesses if access.real]
    assert values == ["p"]


def test_the_file_of_a_loop_is_named_as_the_user_does(compiled: Compile) -> None:
    program = compiled(PROGRAM).program
    assert {loop.file for loop in program.loops} == set(program.files)
    assert program.files[0].endswith("program.c")
