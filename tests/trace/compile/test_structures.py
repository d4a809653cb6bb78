"""Structures passed and returned by value, against what reading the source tells."""

from collections.abc import Callable

import pytest

from logca.trace.compile.driver import Compiled

Compile = Callable[..., Compiled]

# every way of the calling convention to pack members into registers
SOURCE = """
#include <complex.h>
typedef struct { int lo, hi; } pair;                 /* one number of 64 bits */
typedef struct { int a; float b; } mixed;            /* one number of 64 bits, of two kinds */
typedef struct { unsigned char r, g, b; } pixel;     /* one number of 24 bits */
typedef struct { double x; int n; } tagged;          /* two registers, with padding */
typedef struct { int a, b, c; } triple;              /* a number of 64 bits and one of 32 */
typedef struct { float x, y, z; } vector;            /* a vector of two floats, and a float */
typedef struct { float r, g, b; int tag; } colour;   /* a vector of two floats, and a number */
typedef struct { double x, y, z; } large;            /* in memory */
typedef struct { pair p; float w; } nested;
pair add(pair a, pair b) { pair r; r.lo = a.lo + b.lo; r.hi = a.hi + b.hi; return r; }
mixed scale(mixed m, int k) { m.a *= k; m.b *= k; return m; }
pixel invert(pixel p) { pixel r; r.r = 255 - p.r; r.g = 255 - p.g; r.b = 255 - p.b; return r; }
tagged next(tagged t) { t.x += 1; t.n++; return t; }
triple turn(triple t) { triple r = {t.b, t.c, t.a}; return r; }
vector twice(vector v) { vector r; r.x = 2 * v.x; r.y = 2 * v.y; r.z = 2 * v.z; return r; }
large half(large v) { large r; r.x = v.x / 2; r.y = v.y / 2; r.z = v.z / 2; return r; }
colour blend(colour a, colour b) { colour c = a; c.r += b.r; c.b *= b.g; return c; }
nested wrap(pair p, float w) { nested r; r.p = p; r.w = w; return r; }
pair P[9], Q[9]; mixed M[9]; pixel X[9]; tagged T[9]; triple A[9]; vector V[9];
colour K[9]; large L[9]; nested C[9]; float complex Z[9]; double complex W[9];
int main(void) {
  for (int i = 0; i < 9; i++) Q[i] = add(P[i], P[i]);
  for (int i = 0; i < 9; i++) M[i] = scale(M[i], i);
  for (int i = 0; i < 9; i++) X[i] = invert(X[i]);
  for (int i = 0; i < 9; i++) T[i] = next(T[i]);
  for (int i = 0; i < 9; i++) A[i] = turn(A[i]);
  for (int i = 0; i < 9; i++) V[i] = twice(V[i]);
  for (int i = 0; i < 9; i++) K[i] = blend(K[i], K[8 - i]);
  for (int i = 0; i < 9; i++) L[i] = half(L[i]);
  for (int i = 0; i < 9; i++) C[i] = wrap(P[i], i);
  for (int i = 0; i < 9; i++) Z[i] = Z[i] + 2 * Z[i];
  for (int i = 0; i < 9; i++) W[i] = conj(W[i]) + 2 * W[i];
  pair s; mixed m;
  for (int i = 0; i < 9; i++) {
    s.lo = i; s.hi = 2 * i; m.a = i; m.b = i;
    s = add(s, s); m = scale(m, 2);
    P[i] = s; M[i] = m;
  }
  pair sum = {0, 0};
  for (int i = 0; i < 9; i++) sum = add(sum, P[i]);
  return sum.lo + sum.hi;
}
"""
LINES = SOURCE.splitlines()
LOOPS = [number for number, line in enumerate(LINES, start=1) if line.startswith("  for")]


@pytest.mark.parametrize("inline", [True, False])
def test_structures_by_value_carry_only_what_a_member_carries(
    compiled: Compile, inline: bool
) -> None:
    carried = {loop.line: loop.carried for loop in compiled(SOURCE, inline=inline).program.loops}
    assert list(carried) == LOOPS
    *others, summing = LOOPS
    assert not any(carried[line] for line in others)
    assert [text.split()[0] for text in carried[summing]] == ["sum"]


def test_members_are_accesses_of_their_own(compiled: Compile) -> None:
    program = compiled(SOURCE, inline=True).program
    found = {
        each.array: [
            (access.store, access.size)
            for access in program.accesses_of[loop]
            if access.array == each.array
        ]
        for loop in (5, 0, 2, 6)
        for each in program.accesses_of[loop]
    }
    assert found["V"] == [(False, 4)] * 3 + [(True, 4)] * 3
    assert found["P"] == [(False, 4)] * 4  # read twice
    assert found["K"] == [(False, 4)] * 8 + [(True, 4)] * 4
    assert found["X"] == [(False, 1)] * 3 + [(True, 1)] * 3


def test_what_was_never_set_is_not_written(compiled: Compile) -> None:
    text = """
    #include <stdlib.h>
    struct both { int a; float b; };
    void fill(void *);
    int main(void) {
      for (int i = 0; i < 3; i++) { struct both s; int n; fill(&s); fill(&n); if (s.a) exit(n); }
    }
    void fill(void *p) { *(int *)p = 0; }
    """
    program = compiled(text, level="as-written").program
    inside = [access for access in program.accesses if access.function == "main"]
    assert [(access.array, access.store) for access in inside] == [("s", False), ("n", False)]
