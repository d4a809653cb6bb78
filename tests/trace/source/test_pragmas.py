"""Pragmas that mark loops."""

from collections.abc import Callable

import pytest

from logca.common.errors import RegionError, TraceError
from logca.trace.compile.driver import Compiled
from logca.trace.ir.program import Directive
from logca.trace.source.pragmas import (
    WORDS,
    PragmaLine,
    directives_in,
    offloaded,
    pragma_lines_in,
    pragmas_in,
    work_in,
)

Compile = Callable[..., Compiled]

TILED = """\
#pragma logca work(N=1024, M = 64)
float A[64][64], B[64];
void f(void) {
#pragma logca offload
  for (int b = 0; b < 8; b++) {
    float s[8], own[8];
#pragma logca shared(s) /* one a block */
#pragma logca private( own , other )
    for (int k = 0; k < 8; k++) {
#pragma logca threads
      for (int t = 0; t < 8; t++)
        s[t] = A[8 * b + t][k];
#pragma logca barrier
#pragma logca threads collapse(2)
      for (int t = 0; t < 8; t++)
        for (int u = 0; u < 8; u++)
          own[t] = s[7 - t];
#pragma logca barrier
    }
    for (int t = 0; t < 8; t++)
      B[b] += own[t];
  }
}
"""


def said(text: str, file: str = "x.c") -> list[PragmaLine]:
    return pragma_lines_in(f'# 1 "{file}"\n{text}', {})


def test_directives_know_their_loops(compiled: Compile) -> None:
    program = compiled(TILED).program
    lines = {loop.line: loop.id for loop in program.loops}
    assert [(each.name, each.arguments, each.line) for each in program.directives] == [
        ("work", ("N=1024", "M=64"), 1),
        ("shared", ("s",), 7),
        ("private", ("own", "other"), 8),
        ("threads", ("1",), 10),
        ("barrier", (), 13),
        ("threads", ("2",), 14),
        ("barrier", (), 18),
    ]
    around = [each.loops for each in program.directives]
    assert around[0] == ()
    assert around[1:3] == [(lines[5],)] * 2
    assert [around[3], around[5]] == [(lines[11],), (lines[15],)]
    assert [around[4], around[6]] == [(lines[9],)] * 2
    assert {loop.line: loop.threads for loop in program.loops if loop.threads} == {11: 1, 15: 2}


def test_a_function_inlined_twice_has_its_directives_twice(compiled: Compile) -> None:
    program = compiled(TILED + "int main(void) { f(); f(); return 0; }\n", inline=True).program
    for each in program.directives[1:]:
        assert len(each.loops) == 2
        assert len({program.loops[loop].line for loop in each.loops}) == 1
    assert sorted(loop.threads for loop in program.loops if loop.threads) == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("says", "error"),
    [
        ("offloading", "must stand one of offload, threads, shared, private, barrier, work"),
        ("", "`#pragma logca`: after `logca` must stand one of"),
        ("(s)", "must stand one of"),
        ("threads(2)", "nothing, or collapse"),
        ("threads collapse(0)", "positive whole number"),
        ("threads collapse(n)", "positive whole number"),
        ("threads collapse(²)", "positive whole number"),
        ("threads collapse(٣)", "positive whole number"),
        (f"threads collapse({'9' * 5000})", "positive whole number"),
        ("shared", "names of arrays"),
        ("shared()", "names of arrays"),
        ("shared(a b)", "names of arrays"),
        ("private(a,)", "names of arrays"),
        ("private(a[2])", "names of arrays"),
        ("shared(a) shared(b)", "names of arrays"),
        ("barrier()", "must stand nothing more, not '\\(\\)'"),
        ("work", "macros with positive whole numbers"),
        ("work(N)", "macros with positive whole numbers"),
        ("work(N=0)", "macros with positive whole numbers"),
        ("work(N=M)", "macros with positive whole numbers"),
        ("work(N=2*3)", "macros with positive whole numbers"),
        ("work(N=99999999999999999999)", "macros with positive whole numbers"),
        (f"work(N={'9' * 5000})", "macros with positive whole numbers"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(says: str, error: str) -> None:
    lines = said(f"int a;\n#pragma logca {says}\nint b;\n")
    with pytest.raises(RegionError, match=rf"x\.c:2: .*{error}"):
        directives_in(lines)


@pytest.mark.parametrize("number", ["0", "n", "²", "٣", "-1", "9" * 5000])
@pytest.mark.parametrize(
    "pragma",
    [
        "logca offload collapse({})",
        "omp target teams loop collapse({})",
        "acc parallel loop collapse(force:{})",
    ],
)
def test_a_number_of_loops_that_is_none_is_refused(pragma: str, number: str) -> None:
    lines = said(f"int a;\n#pragma {pragma.format(number)}\nint b;\n")
    with pytest.raises(RegionError, match=r"x\.c:2: collapse\(.*positive whole number") as told:
        pragmas_in(lines)
    assert len(str(told.value)) < 150


def test_others_pragmas_and_comments_are_none_of_ours(compiled: Compile) -> None:
    text = (
        "#pragma logcat shared\n#pragma omp threads\n// #pragma logca nonsense\n"
        "/*\n#pragma logca nonsense */\n#if 0\n#pragma logca nonsense\n#endif\n"
        "#pragma logca offload collapse(2)\nint a;\n"
    )
    assert compiled(text).program.directives == ()
    assert WORDS[0] == "offload"


def test_a_directive_on_several_lines(compiled: Compile) -> None:
    program = compiled("#pragma logca \\\n work(N=8, \\\n M=9)\nint a;\n").program
    (found,) = program.directives
    assert found == Directive(
        name="work",
        arguments=("N=8", "M=9"),
        file=program.files[0],
        line=1,
        target=4,
        column=1,
    )


def test_work_sizes_of_several_files_must_agree() -> None:
    one = said("#pragma logca work(N=8)\n#pragma logca work(M=4, N=8)\n", "a.c")
    assert work_in(one) == {"N": 8, "M": 4}
    with pytest.raises(RegionError, match=r"b\.c:1: work\(N=9\), but elsewhere .* N=8"):
        work_in([*one, *said("#pragma logca work(N=9)\n", "b.c")])
    assert issubclass(RegionError, TraceError)


def nest(pragma: str, between: str = "", head: str = "double A[8][8];") -> str:
    return (
        f"{head}\nvoid f(void) {{\n{pragma}\n{between}"
        "  for (int i = 0; i < 8; i++)\n"
        "    for (int j = 0; j < 8; j++)\n"
        "      A[i][j] = 0;\n}\n"
    )


FORMS = {
    "#pragma logca offload": 1,
    "#pragma logca offload collapse(2)": 2,
    "  #  pragma   logca\toffload   collapse ( 2 )": 2,
    "#pragma logca \\\n  offload \\\n  collapse(2)": 2,
    "#pragma logca offload // collapse(2)": 1,
    "#pragma logca offload /* all\nof it */ collapse(2)": 2,
    "#pragma omp target teams distribute parallel for collapse(2)": 2,
    "#pragma omp target teams distribute parallel for": 1,
    "#pragma omp target teams distribute parallel for simd map(to: A) collapse(2) if(1)": 2,
    "#pragma omp target teams loop collapse(2)": 2,
    "#pragma omp target parallel for": 1,
    "#pragma omp target teams distribute collapse(2)": 2,
    "#pragma omp target map(A)\n#pragma omp teams distribute parallel for collapse(2)": 2,
    '_Pragma("logca offload collapse(2)")': 2,
    '#define OFFLOAD _Pragma("logca offload")\nOFFLOAD': 1,
    "#if 1\n#pragma logca offload\n#else\n#pragma logca offload collapse(2)\n#endif": 1,
    "#pragma omp target teams distribute\\\n parallel for map(tofrom: A) \\\ncollapse(2)": 2,
    "#pragma omp parallel for": 1,
    "#pragma omp parallel for simd num_threads(f(4)) schedule(static, 8) collapse(2)": 2,
    "#pragma omp for nowait": 1,
    "#pragma omp parallel private(x)\n#pragma omp for collapse(2)": 2,
    "#pragma omp simd": 1,
    '_Pragma("omp parallel for collapse(2)")': 2,
    "#pragma acc kernels": 1,
    "#pragma acc parallel loop gang vector collapse(2)": 2,
    "#pragma acc kernels\n#pragma acc loop independent collapse(2)": 2,
}
NOT = [
    "#pragma omp parallel",
    "#pragma omp target",
    "#pragma omp declare simd",
    "#pragma omp cancel for",
    "#pragma acc loop seq",
    "#pragma acc data copy(A)",
    "#pragma omp target data map(A)",
    "#pragma omp target update to(A)",
    "#pragma unroll",
    "// #pragma logca offload",
    "/* #pragma logca offload\n */",
    "/*\n#pragma logca offload\n*/",
    "#define REQUEST #pragma logca offload",
    "#if 0\n#pragma logca offload\n#endif",
    "#ifdef GPU\n#pragma omp target parallel for\n#endif",
    'const char *s = "\\\n#pragma logca offload \\\n";',
]


@pytest.mark.parametrize("pragma", FORMS)
def test_the_loop_after_the_pragma_is_marked(compiled: Compile, pragma: str) -> None:
    program = compiled(nest(pragma)).program
    assert [loop.offload for loop in program.loops] == [FORMS[pragma], 0]
    assert offloaded(program) == program.loops[:1]


@pytest.mark.parametrize("pragma", NOT)
def test_what_is_no_request(compiled: Compile, pragma: str) -> None:
    program = compiled(nest(pragma)).program
    assert program.pragmas == ()
    with pytest.raises(RegionError, match="write `#pragma logca offload`"):
        offloaded(program)


@pytest.mark.parametrize(
    "between",
    [
        "\n\n",
        "  // a comment with a for (;;)\n",
        "/* for\n */ ",
        "#pragma unroll\n",
        "#if 1\n#endif\n",
    ],
)
def test_comments_and_blank_lines_between(compiled: Compile, between: str) -> None:
    program = compiled(nest("#pragma logca offload", between)).program
    assert [loop.offload for loop in program.loops] == [1, 0]


def test_a_loop_from_a_macro(compiled: Compile) -> None:
    head = "double A[8][8];\n#define EACH(i) for (int i = 0; i < 8; i++)"
    pragma = "#pragma logca offload collapse(2)"
    text = f"{head}\nvoid f(void) {{\n{pragma}\n  EACH(i) EACH(j) A[i][j] = 0;\n}}\n"
    assert [loop.offload for loop in compiled(text).program.loops] == [2, 0]


ROWS = "for (int i = 0; i < 8; i++) { A[i][i] = 1; for (int j = 0; j < 8; j++) A[i][j] += 2; }"
MARK = '_Pragma("logca offload")'


@pytest.mark.parametrize(
    ("expansion", "pragma", "calls", "marks"),
    [
        (ROWS, "#pragma logca offload collapse(2)", 1, [2, 0]),
        (f"{ROWS} {ROWS}", "#pragma logca offload", 1, [1, 0, 0, 0]),
        (f"{ROWS} {ROWS}", "#pragma logca offload", 2, [1, 0, 0, 0] * 2),
        (f"do {{ {ROWS} }} while (0)", "#pragma logca offload", 1, [1, 0]),
        (f"{MARK} {ROWS} {MARK} {ROWS}", "", 1, [1, 0, 1, 0]),
        (f"{MARK} {ROWS} {MARK} {ROWS}", "", 2, [1, 0, 1, 0] * 2),
    ],
)
def test_of_the_loops_of_a_macro_the_first_is_marked(
    compiled: Compile, expansion: str, pragma: str, calls: int, marks: list[int]
) -> None:
    text = (
        f"double A[8][8];\n#define LOOPS {expansion}\nstatic void f(void) {{\n{pragma}\n"
        f"LOOPS;\n}}\nint main(void) {{ {'f(); ' * calls}return 0; }}\n"
    )
    program = compiled(text, inline=True).program
    assert [loop.offload for loop in program.loops] == marks
    assert [each.loops for each in program.pragmas] == [
        tuple(range(first, len(marks), len(marks) // calls))
        for first in [each for each, mark in enumerate(marks[: len(marks) // calls]) if mark]
    ]


def test_a_file_included_twice_marks_its_loop_each_time(compiled: Compile) -> None:
    files = {
        "body.inc": "#pragma logca offload\nfor (int i = 0; i < 8; i++) A[i] += 1;\n",
        "main.c": (
            'double A[8];\nstatic void f(void) {\n#include "body.inc"\n}\nint main(void) {\n'
            '#include "body.inc"\nf();\n#include "body.inc"\nreturn 0; }\n'
        ),
    }
    program = compiled(files, inline=True).program
    assert [loop.offload for loop in program.loops] == [1, 1, 1]
    assert offloaded(program) == program.loops


def test_two_loops_on_a_line_are_told_apart(compiled: Compile) -> None:
    text = (
        "double A[8];\nvoid f(void) {\n#pragma logca offload\n"
        "for (int i = 0; i < 8; i++) A[i] = 0; for (int i = 1; i < 8; i++) A[i] = A[i - 1];\n}\n"
    )
    assert [loop.offload for loop in compiled(text).program.loops] == [1, 0]


@pytest.mark.parametrize("statement", ["A[0][0] = 1;", "if (A[0][0] > 1)", "", "{"])
def test_a_pragma_before_something_else(compiled: Compile, statement: str) -> None:
    text = nest("#pragma logca offload", f"{statement}\n")
    text += "}" if statement == "{" else ""
    if not statement:
        text = text.replace("#pragma logca offload\n", "") + "#pragma logca offload\n"
    program = compiled(text).program
    assert [pragma.loops for pragma in program.pragmas] == [()]
    line = 1 + text.splitlines().index("#pragma logca offload")
    with pytest.raises(RegionError, match=rf"program\.c:{line}: the pragma stands before no loop"):
        offloaded(program)


def test_more_loops_than_there_are(compiled: Compile) -> None:
    with pytest.raises(RegionError, match=r"collapse\(3\) needs 3 loops .* line 5 .* has none"):
        offloaded(compiled(nest("#pragma logca offload collapse(3)")).program)


def test_two_loops_side_by_side_do_not_collapse(compiled: Compile) -> None:
    text = (
        "double A[8];\nvoid f(void) {\n#pragma logca offload collapse(2)\n"
        "for (int i = 0; i < 8; i++) {\nfor (int j = 0; j < 8; j++) A[j] = 0;\n"
        "for (int j = 0; j < 8; j++) A[j] += 1; } }\n"
    )
    with pytest.raises(RegionError, match=r"needs 2 loops .* has 2 in it"):
        offloaded(compiled(text).program)


@pytest.mark.parametrize("clause", ["collapse(0)", "collapse(N)", "collapse()", "collapse(-1)"])
def test_a_wrong_clause(clause: str) -> None:
    text = nest(f"#pragma logca offload {clause}")
    with pytest.raises(RegionError, match=r"x\.c:3: collapse\(.*positive whole number"):
        pragmas_in(pragma_lines_in(f'# 1 "x.c"\n{text}', {}))


@pytest.mark.parametrize("more", ["colapse(2)", "collapse(2) collapse(2)", "2", "collapse 2"])
def test_more_than_a_clause(more: str) -> None:
    text = nest(f"#pragma logca offload {more}")
    with pytest.raises(RegionError, match=r"x\.c:3: after `logca offload` only collapse\(n\)"):
        pragmas_in(pragma_lines_in(f'# 1 "x.c"\n{text}', {}))


def test_a_loop_inlined_twice_is_marked_twice(compiled: Compile) -> None:
    text = nest("#pragma logca offload") + "int main(void) { f(); f(); return 0; }\n"
    program = compiled(text, inline=True).program
    assert [loop.offload for loop in program.loops] == [1, 0, 1, 0]
    assert program.pragmas[0].loops == (0, 2)


def test_pragmas_in_several_files_and_headers(compiled: Compile) -> None:
    files = {
        "kernel.h": nest("#pragma logca offload collapse(2)", head="static double A[8][8];"),
        "main.c": '#include "kernel.h"\nvoid g(void);\nint main(void) { f(); g(); return 0; }\n',
        "other.c": nest("#pragma logca offload").replace("f(void)", "g(void)"),
    }
    program = compiled(files).program
    assert [loop.offload for loop in program.loops] == [2, 0, 1, 0]


@pytest.mark.parametrize(
    ("statement", "loop"),
    [
        ("for (;;) {", True),
        ("  while (f(x))", True),
        ("do", True),
        ("do{", True),
        ("form(x);", False),
        ("do_it(x) {", False),
        ("if (x) for (;;);", False),
        ("{ for (;;);", False),
        ("", False),
    ],
)
def test_the_statement_after_a_pragma_is_a_loop_or_not(statement: str, loop: bool) -> None:
    text = f'# 1 "x.c"\n#pragma logca offload\n#pragma omp simd\n\n{statement}\n'
    assert [each.before_loop for each in pragma_lines_in(text, {})] == [loop, loop]
    assert [each.before_loop for each in pragmas_in(pragma_lines_in(text, {}))] == [loop]


def test_a_marked_loop_that_nothing_reaches_is_passed_over(compiled: Compile) -> None:
    unused = nest("#pragma logca offload").replace("void f", "static void g")
    text = nest("#pragma logca offload") + unused.split("\n", 1)[1]
    main = "int main(void) { f(); return 0; }\n"
    assert [loop.line for loop in offloaded(compiled(text + main, inline=True).program)] == [4]
    alone = compiled(unused + "int main(void) { return 0; }\n", inline=True).program
    with pytest.raises(RegionError, match=r"no marked loop is in code that runs: .*program\.c:4"):
        offloaded(alone)


def test_the_optimiser_may_drop_a_marked_loop(compiled: Compile) -> None:
    text = nest("#pragma logca offload") + (
        "int g(void) {\n#pragma logca offload\n  for (int i = 0; i < 1; i++) A[i][i] = 1;\n"
        "  return 0;\n}\n"
    )
    assert [loop.line for loop in offloaded(compiled(text, level="O1").program)] == [4]
    assert [loop.line for loop in offloaded(compiled(text).program)] == [4, 10]


def test_clauses_of_a_directive_and_of_those_around_it(compiled: Compile) -> None:
    program = compiled(
        """
        double a[9];
        void f(double t, int k, double x, int n) {
        #pragma omp parallel private(k) \\
            firstprivate(x)
          if (n) {
            const char *s = "}"; /* } */ k = s[0] == '}';
        #pragma omp for reduction(max : t) lastprivate(n) schedule(static, f(1))
            for (int i = 0; i < 9; i++) a[i] = t;
        #pragma omp critical (name)
            { k++;
            }
          }
        #pragma omp parallel for
          for (int i = 0; i < 9; i++) a[i] = t;
        }
        """
    ).program
    first, second = program.pragmas
    assert (first.directive, first.private, first.reduction) == ("omp for", ("k", "x", "n"), ("t",))
    assert (second.directive, second.private, second.reduction) == ("omp parallel for", (), ())
    assert (program.loops[0].private, program.loops[0].reduction) == (("k", "x", "n"), ("t",))
    assert [(each.directive, each.first, each.last) for each in program.synchronisations] == [
        ("omp parallel", 6, 13),
        ("omp critical", 11, 12),
    ]
