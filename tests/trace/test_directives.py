"""What the sources say with `#pragma logca` besides offload."""

from collections.abc import Callable

import pytest

from logca.trace.compilation import Compiled
from logca.trace.directives import WORDS, directives_in, work_in, work_sizes
from logca.trace.errors import RegionError, TraceError
from logca.trace.pragma_lines import PragmaLine, pragma_lines_in
from logca.trace.program import Directive

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
    assert work_sizes(program) == {"N": 1024, "M": 64}


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
    ],
)
def test_what_is_wrong_is_said_with_its_line(says: str, error: str) -> None:
    lines = said(f"int a;\n#pragma logca {says}\nint b;\n")
    with pytest.raises(RegionError, match=rf"x\.c:2: .*{error}"):
        directives_in(lines)


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
