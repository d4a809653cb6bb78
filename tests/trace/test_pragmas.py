"""Pragmas that mark loops."""

from collections.abc import Callable

import pytest

from logca.trace.compilation import Compiled
from logca.trace.errors import RegionError
from logca.trace.pragma_lines import pragma_lines_in
from logca.trace.pragmas import offloaded, pragmas_in

Compile = Callable[..., Compiled]


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
}
NOT = [
    "#pragma omp parallel for",
    "#pragma omp simd",
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
