"""What addresses cost and which array they lead to, for the ways in which C writes one access."""

from collections.abc import Callable

import pytest

from logca.trace.compile.driver import Compiled
from logca.trace.ir.program import Access, BasicBlock

Compile = Callable[..., Compiled]

# in each the innermost loop reads one element of row i and column k of N x N elements
ROW_AND_COLUMN = {
    "static": ("static T A[N][N];", "", "A[i][k]"),
    "flat static": ("static T A[N*N];", "", "A[i*N + k]"),
    "pointer": ("T *A;", "A = malloc(N*N*sizeof(T));", "A[i*N + k]"),
    "local pointer": ("", "T *A = malloc(N*N*sizeof(T));", "A[i*N + k]"),
    "pointer to rows": ("", "T (*A)[N] = malloc(sizeof(T[N][N]));", "A[i][k]"),
    "global pointer to rows": ("T (*A)[N];", "A = malloc(sizeof(T[N][N]));", "A[i][k]"),
    "array of variable length": ("", "T A[n][n];", "A[i][k]"),
    "pointer arithmetic": ("static T A[N*N];", "", "*(A + i*N + k)"),
    "macro": ("static T A[N*N];\n#define AT(i, k) A[(i)*N + (k)]", "", "AT(i, k)"),
    "local": ("", "T A[N][N]; touch(A);", "A[i][k]"),
}


def inner_block(compiled: Compiled) -> BasicBlock:
    deepest = max(compiled.program.loops, key=lambda loop: loop.depth)
    found = [
        block
        for block in compiled.program.blocks
        if block.loop == deepest.id
        and any(i.opcode == "load" and i.type != "ptr" for i in block.instructions)
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("type_", ["double", "float", "char"])
@pytest.mark.parametrize("way", ROW_AND_COLUMN)
def test_a_row_costs_one_multiplication_and_one_addition(
    compiled: Compile, way: str, type_: str
) -> None:
    outside, inside, access = ROW_AND_COLUMN[way]
    program = compiled(
        f"#include <stdlib.h>\n#define N 32\n#define T {type_}\n{outside}\nvoid touch(void *);\n"
        f"int read(int n) {{ {inside} int s = 0;\n"
        f"for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) s ^= (int)({access});\n"
        "return s; }"
    )
    instructions = inner_block(program).instructions
    multiplies = sum(i.opcode == "mul" for i in instructions) + sum(
        i.multiplies for i in instructions
    )
    adds = sum(i.opcode == "add" for i in instructions) + sum(i.adds for i in instructions)
    increments = sum(i.opcode == "add" and i.uses == ("k.0",) for i in instructions)
    assert (multiplies, adds - increments) == (1, 1)
    (array,) = {
        a.array for a in program.program.accesses if a.loop and not a.store and a.type != "ptr"
    }
    assert array == "A"


@pytest.mark.parametrize("type_", ["double", "float"])
def test_the_optimiser_leaves_the_same_arithmetic(compiled: Compile, type_: str) -> None:
    # column k of B changes its row in the inner loop: nothing of it can move outwards but j
    program = compiled(
        f"#define T {type_}\nT A[32][32], B[32][32];\n"
        "T f(void) { T s = 0; for (int i = 0; i < 32; i++) for (int j = 0; j < 32; j++)"
        " for (int k = 0; k < 32; k++) s += A[i][k] * B[k][j]; return s; }",
        level="O1",
    )
    instructions = inner_block(program).instructions
    costs = sorted((i.multiplies, i.adds) for i in instructions if i.opcode == "getelementptr")
    assert costs == [(0, 1), (1, 1)]


@pytest.mark.parametrize(
    ("declaration", "access", "multiplies", "adds"),
    [
        ("double x[9]", "x[i]", 0, 0),
        ("double T[8][8][8]", "T[i][j][k]", 2, 2),
        ("double T[8][8][8][8]", "T[i][j][k][i]", 3, 3),
        ("double A[8][8]", "A[i][3]", 1, 0),
        ("double A[8][8]", "A[3][i]", 0, 0),
        ("struct { double a, b, c; } S[8]", "S[i].b", 0, 0),
        ("struct { double a[4], b; } S[8]", "S[i].a[j]", 0, 1),
        ("double *R[8]", "R[i][j]", 0, 0),
        ("double _Complex Z[8][8]", "__real__ Z[i][j]", 1, 1),
    ],
)
def test_what_the_compiler_adds(
    compiled: Compile, declaration: str, access: str, multiplies: int, adds: int
) -> None:
    program = compiled(
        f"{declaration};\ndouble f(int i, int j, int k) {{ return {access}; }}"
    ).program
    instructions = [i for block in program.blocks for i in block.instructions]
    assert sum(i.multiplies for i in instructions) == multiplies
    assert sum(i.adds for i in instructions) == adds


NAMES = """
#include <stdlib.h>
struct M { int n; double *data; double inner[4]; struct M *sub; };
struct M g; double **pp; double *rows[4], A[4][4], *heap;
double f(struct M *m, double *const *q, int n, double *restrict p) {
  double s = 0;
  static double kept[8];
  struct M l = *m;
  double *z = n > 3 ? m->data : g.data, *u = A[1], *w = malloc(8*n), *c = p;
  heap = malloc(8*n);
  for (int i = 0; i < n; i++) {
    s += m->data[i];
    s += m->sub->data[i];
    s += m->inner[i];
    s += g.data[i];
    s += pp[i][1];
    s += rows[i][i];
    s += q[i][i];
    s += l.data[i];
    s += l.inner[i];
    s += z[i];
    s += *u++;
    s += w[i];
    s += heap[i];
    s += kept[i];
    s += p[i];
    s += c[i];
  }
  return s;
}
"""


def test_names_of_arrays(compiled: Compile) -> None:
    lines = NAMES.splitlines()
    found = {
        lines[access.line - 1].strip().removeprefix("s += ").rstrip(";"): access.array
        for access in compiled(NAMES).program.accesses
        if access.real and access.loop is not None
    }
    assert found == {
        "m->data[i]": "m->data",
        "m->sub->data[i]": "m->sub->data",
        "m->inner[i]": "m",
        "g.data[i]": "g.data",
        "pp[i][1]": "pp[]",
        "rows[i][i]": "rows[]",
        "q[i][i]": "q[]",
        "l.data[i]": "l.data",
        "l.inner[i]": "l",
        "z[i]": "z",
        "*u++": "A",
        "w[i]": "w",
        "heap[i]": "heap",
        "kept[i]": "kept",
        "p[i]": "p",
        "c[i]": "p",
    }


def test_inlining_leads_to_the_array_of_the_caller(compiled: Compile) -> None:
    text = """
        double A[8], B[8];
        static void copy(double *to, const double *from) {
          for (int i = 0; i < 8; i++) to[i] = from[i];
        }
        int main(void) { copy(A, B); copy(B, A); return 0; }"""
    arrays = [access.array for access in compiled(text, inline=True).program.accesses]
    assert arrays == ["B", "A", "A", "B"]
    arrays = [access.array for access in compiled(text).program.accesses]
    assert arrays == ["from", "to"]


def test_the_caller_s_name_of_what_a_function_allocates(compiled: Compile) -> None:
    text = """
        #include <stdlib.h>
        static void *allocated(size_t size) { void *data = malloc(size); return data; }
        int main(void) {
          double *a = allocated(64), *b = allocated(64);
          for (int i = 0; i < 8; i++) a[i] = b[i];
          return 0; }"""
    arrays = [access.array for access in compiled(text, inline=True).program.accesses]
    assert arrays == ["b", "a"]


def of_array(compiled: Compiled, name: str) -> list[Access]:
    return [access for access in compiled.program.accesses if access.array == name]


@pytest.mark.parametrize("inline", [False, True])
def test_local_arrays_live_where_they_are_declared(compiled: Compile, inline: bool) -> None:
    program = compiled(
        """
        double out[8];
        static double work(int i) {
          double own[4];
          for (int k = 0; k < 4; k++) own[k] = i;
          return own[i & 3];
        }
        int main(void) {
          double whole[8];
          for (int i = 0; i < 8; i++) {
            double part[2];
            part[i & 1] = i; part[0] += 1;
            for (int j = 0; j < 8; j++) {
              double cell[2];
              cell[0] = j; cell[1] = part[j & 1];
              whole[i] = cell[i & 1];
            }
            out[i] = work(i) + whole[i];
          }
          return 0;
        }""",
        inline=inline,
    )
    loops = {loop.id: loop for loop in program.program.loops}
    main = [loop for loop in loops.values() if loop.source_function == "main"]
    for name, home in (("whole", None), ("part", main[0].id), ("cell", main[1].id)):
        assert {(a.private, a.private_to) for a in of_array(program, name)} == {(True, home)}
    assert {a.private_to for a in of_array(program, "own")} == {main[0].id if inline else None}
    assert not any(a.private for a in of_array(program, "out"))


def test_an_array_of_variable_length_lives_in_its_loop(compiled: Compile) -> None:
    program = compiled(
        "double f(int n) { double s = 0; for (int i = 1; i < n; i++) { double v[i]; v[i - 1] = i;"
        " s += v[0]; } return s; }"
    )
    assert {(a.private, a.private_to) for a in of_array(program, "v")} == {(True, 0)}


def test_a_structure_passed_by_value_is_the_function_s_own(compiled: Compile) -> None:
    program = compiled("struct S { double v[8]; }; double f(struct S s, int i) { return s.v[i]; }")
    (access,) = program.program.accesses
    assert (access.array, access.private) == ("s", True)


TEXT = """\
struct inner {{ double w; int z[4]; }};
struct outer {{ char c; int n; float *a; struct inner q; float d[10]; }};
struct outer p, many[3], *to = &p;
static int n = 8, x[8];
float *a, *rows[4];
union {{ int i; float f; }} u;
void set(struct outer *, int *);
double f(int i, float *given)
{{
    struct outer own;
    int m;
    set(&own, &m);
    return {expression};
}}
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("n", ["@n"]),
        ("m", ["%m"]),
        ("a[i]", ["@a", ""]),
        ("*a", ["@a", ""]),
        ("given[0]", [""]),
        ("p.c", ["@p"]),
        ("p.n", ["@p"]),
        ("p.a[0]", ["@p", ""]),
        ("p.q.w", ["@p"]),
        ("own.n + own.q.w", ["%own", "%own"]),
        ("own.q.z[1]", [""]),
        ("p.q.z[0] + p.q.z[3] + p.d[0] + p.d[i]", ["", "", "", ""]),
        ("(&p)[i].n + many[1].n + many[0].n", ["", "", ""]),
        ("to->n", ["@to", ""]),
        ("x[0] + *x + x[7] + x[i]", ["", "", "", ""]),
        ("rows[2][0]", ["", ""]),
        ("u.i + u.f", ["@u", "@u"]),
        ("(n = i) + (p.n = i) + (x[0] = i)", ["@n", "@p", ""]),
    ],
)
def test_scalars_and_members_outside_of_arrays(
    compiled: Compile, expression: str, expected: list[str]
) -> None:
    program = compiled(TEXT.format(expression=expression)).program
    lines = {each.line for each in program.accesses}
    found = [each.variable for each in program.accesses if each.line == max(lines)]
    assert found == expected


STORES = """\
struct pair {{ float spare[2]; int n; struct {{ char c; double w; }} q; float last[2]; }} p, r;
float _Complex z;
_Thread_local int own;
int getelementptr;
void *memset(void *, int, unsigned long);
void f(int i, unsigned long many)
{{
    {statement};
}}
"""


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("p.n = i", [("@p", 8)]),
        ("p.q.w = i", [("@p", 24)]),
        ("p = r", [("", 0), ("@p", 0)]),
        ("p.q = r.q", [("@r", 16), ("@p", 16)]),
        ("memset(&p, 0, sizeof p)", [("@p", 0)]),
        ("memset(&p, 0, many)", [("@p", 0)]),
        ("memset(&p.q, 0, many)", [("@p", 16)]),
        ("memset(p.spare, 0, sizeof p.spare)", [("", 0)]),
        ("memset(p.last, 0, many)", [("", 0)]),
        ("__imag__ z = i", [("@z", 4)]),
        ("own = i", [("@own", 0)]),
        ("getelementptr = i", [("@getelementptr", 0)]),
    ],
)
def test_what_is_written_of_a_structure(
    compiled: Compile, statement: str, expected: list[tuple[str, int]]
) -> None:
    program = compiled(STORES.format(statement=statement)).program
    assert [(each.variable, each.offset) for each in program.accesses] == expected


def test_inline_assembly_is_known_by_what_the_compiler_makes_of_it(compiled: Compile) -> None:
    program = compiled(
        'int asm_like(int);\n#define BARRIER __asm__ volatile ("")\n'
        "int f(int x) {\nBARRIER;\nreturn asm_like(x);\n}\n"
    ).program
    calls = [
        (each.line, each.assembly, each.callee)
        for block in program.blocks
        for each in block.instructions
        if each.opcode == "call" and not each.callee.startswith("llvm.")
    ]
    assert calls == [(4, True, ""), (5, False, "asm_like")]
