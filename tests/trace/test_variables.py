"""Which variable an access always reaches, against what the declarations say."""

from collections.abc import Callable

import pytest

from logca.trace.compilation import Compiled

Compile = Callable[..., Compiled]

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
