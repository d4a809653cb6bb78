"""What the two levels keep of the source, and what inlining does."""

import platform
import re
import traceback
from collections.abc import Callable
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from llvmlite.binding.ffi import ObjectRef

from logca.common.errors import CompileError, TraceError
from logca.trace.compile.driver import Compiled, compile_command, compile_program
from logca.trace.compile.optimisation import recursive
from logca.trace.source.compiler import run_compiler, toolchain

Compile = Callable[..., Compiled]

BRANCHES = """
double A[9][9], B[9];
struct pair { double x, y; double list[3]; };
double f(int n, int i, int j) {
  double s = 0, t[3], *p;
  struct pair q;
  if (n > 2) s = A[i][j]; else s = A[j][i];
  if (n && i && j) s += B[i];
  if (n == 1) B[0] = s; else if (n == 2) B[0] = 1; else if (n == 3) B[0] = 2;
  s = n > i ? s : B[j];
  if (n) B[i] = 0;
  if (!n) B[i] = 1;
  t[0] = s; t[1] = t[0] + 1; t[2] = t[1];
  q.x = t[2]; q.list[1] = q.x; q.y = q.list[1];
  B[1] = B[1];
  B[2] = 1; B[2] = 2;
  while (n < 9 && B[n] < s) n++;
  for (;;) { if (n-- == 3) continue; if (n < 0) break; s += B[0]; }
  return s + q.y;
}
"""
# per line, and in all: the accesses to arrays as they are written above
ACCESSES = 1 + 1 + 1 + 3 + 1 + 2 + (1 + 2 + 2) + (1 + 1 + 1) + 2 + 2 + 1 + 1


def unoptimised(text: str, folder: Path) -> str:
    """What clang alone makes of the source."""
    source, output = folder / "x.c", folder / "x.bc"
    source.write_text(text, encoding="utf-8")
    tool = toolchain()
    command = compile_command(tool, source, output, defines={}, includes=(), flags=())
    assert run_compiler(command, tool).returncode == 0
    return str(llvm.parse_bitcode(output.read_bytes(), context=llvm.create_context()))


def test_as_written_keeps_every_access_and_every_branch(compiled: Compile, tmp_path: Path) -> None:
    found = compiled(BRANCHES)
    # `q.x` and `q.y` belong to a structure with an array, which stays in memory: four more
    assert len(found.program.accesses) == ACCESSES + 4
    conditional = re.compile(r"^  br i1 %", re.MULTILINE)
    before = len(conditional.findall(unoptimised(BRANCHES, tmp_path)))
    assert len(conditional.findall(found.ir)) == before
    assert " select " not in found.ir


def test_as_written_promotes_scalars(compiled: Compile) -> None:
    opcodes = {
        i.opcode
        for b in compiled("int f(int a) { int b = a + 1, c = b * a; return c; }").program.blocks
        for i in b.instructions
    }
    assert opcodes == {"add", "mul", "ret"}


def test_o1_neither_unrolls_nor_vectorises_nor_calls_the_library(compiled: Compile) -> None:
    found = compiled(
        "double a[64], b[64]; void f(void) { for (int i = 0; i < 64; i++) a[i] = 0;"
        " for (int i = 0; i < 64; i++) a[i] = b[i]; for (int i = 0; i < 4; i++) a[i] += b[i]; }",
        level="O1",
    )
    assert len(found.program.loops) == 3
    assert [(a.store, a.size) for a in found.program.accesses] == [
        *[(True, 8), (False, 8), (True, 8)],
        *[(False, 8), (False, 8), (True, 8)],
    ]


def test_o1_optimises(compiled: Compile) -> None:
    text = (
        "double a[9]; double f(void) { double t[2]; t[0] = a[1]; t[1] = a[1]; return t[0] + t[1]; }"
    )
    assert [a.array for a in compiled(text, level="O1").program.accesses] == ["a"]
    assert len(compiled(text).program.accesses) == 6


RECURSION = """
#include <stdlib.h>
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int odd(int n);
static int even(int n) { return n ? odd(n - 1) : 1; }
static int odd(int n) { return n ? even(n - 1) : 0; }
static int twice(int n) { return 2 * n; }
__attribute__((noinline)) int leaf(int n) { return twice(n) + 1; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int unused(int n) { return n; }
int main(int argc, char **argv) {
  int v[3] = {3, argc, 1};
  int (*chosen)(int) = argc > 1 ? leaf : twice;
  qsort(v, 3, sizeof *v, compare);
  return factorial(argc) + even(argc) + leaf(argc) + chosen(argc);
}
"""


def test_inlining_leaves_recursion_and_pointers(compiled: Compile) -> None:
    found = compiled(RECURSION, inline=True).program
    # twice and leaf stay because their addresses are taken; what is unused goes
    assert {f.name for f in found.functions} == {
        *("main", "factorial", "even", "odd", "compare", "twice", "leaf"),
    }
    calls = {
        (block.function, i.callee)
        for block in found.blocks
        for i in block.instructions
        if i.opcode == "call" and not i.callee.startswith("llvm.")
    }
    assert calls == {
        *(("main", "qsort"), ("main", "factorial"), ("main", ""), ("main", "even")),
        *(("factorial", "factorial"), ("even", "odd"), ("odd", "even")),
    }


def test_inlined_statements_know_the_function_they_were_written_in(compiled: Compile) -> None:
    program = compiled(
        "double a[8]; static void zero(void) { for (int i = 0; i < 8; i++) a[i] = 0; }"
        "static void outer(void) { for (int k = 0; k < 3; k++) zero(); }"
        "int main(void) { outer(); zero(); return 0; }",
        inline=True,
    ).program
    assert [(x.source_function, x.parent) for x in program.loops] == [
        *[("outer", None), ("zero", 0), ("zero", None)],
    ]
    assert {x.function for x in program.loops} == {"main"}
    assert [access.source_function for access in program.accesses] == ["zero", "zero"]


def test_inlining_a_library_keeps_its_functions(compiled: Compile) -> None:
    found = compiled("int g(int n) { return n; } int f(int n) { return g(n); }", inline=True)
    assert [function.name for function in found.program.functions] == ["g", "f"]
    assert "call" not in {i.opcode for b in found.program.blocks for i in b.instructions}


def test_static_functions_of_the_same_name(compiled: Compile) -> None:
    files = {
        "one.c": "static int h(int n) { return n; } int one(int n) { return h(n); }",
        "two.c": "static int h(int n) { return n + 1; } int two(int n) { return h(n); }",
        "main.c": "int one(int), two(int); int main(int c, char **v) { return one(c) + two(c); }",
    }
    program = compiled(files).program
    assert sorted(f.source_name for f in program.functions) == ["h", "h", "main", "one", "two"]
    assert len({f.name for f in program.functions}) == 5
    assert [f.file.rpartition("/")[2] for f in program.functions] == [
        *["one.c", "one.c", "two.c", "two.c", "main.c"],
    ]
    (main,) = compiled(files, inline=True).program.functions
    assert main.name == "main"


def test_the_same_name_twice_is_an_error(compiled: Compile) -> None:
    with pytest.raises(CompileError, match=r"do not link.*'f'"):
        compiled({"a.c": "int f(void) { return 1; }", "b.c": "int f(void) { return 2; }"})


def test_an_error_leaves_nothing_to_the_garbage_collector(compiled: Compile) -> None:
    with pytest.raises(CompileError) as caught:
        compiled({"a.c": "int f(void) { return 1; }", "b.c": "int f(void) { return 2; }"})
    frames = traceback.walk_tb(caught.value.__traceback__)
    values = [value for frame, _ in frames for value in frame.f_locals.values()]
    held = [value for value in values if isinstance(value, ObjectRef)]
    assert held
    assert all(value.closed for value in held)


def test_what_a_function_asks_of_the_machine_is_kept(compiled: Compile) -> None:
    program = compiled(
        '__attribute__((target("avx2"))) int f(int n) { return n + 1; }'
        " int g(int n) { return n + 2; } int main(void) { return f(1) + g(2); }",
        inline=True,
    )
    assert {each.name for each in program.program.functions} == {"f", "main"}
    assert len(re.findall(r'"target-features"="[^"]*\+avx2', program.ir)) == 1


VECTORS = """
#include <immintrin.h>
float x[64], y[64];
static inline __attribute__((always_inline)) void add(float *to, const float *from) {
  _mm_storeu_ps(to, _mm_add_ps(_mm_loadu_ps(to), _mm_loadu_ps(from)));
}
int main(void) {
  for (int i = 0; i < 64; i += 4)
    add(y + i, x + i);
  __m128 last = _mm_loadu_ps(x);
  _mm_storeu_ps(y, last);
  return 0;
}
"""


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="intrinsics of x86")
@pytest.mark.parametrize("inline", [False, True])
def test_intrinsics_are_what_the_line_that_calls_them_does(
    compiled: Compile, inline: bool, tmp_path: Path
) -> None:
    found = compiled(VECTORS, inline=inline).program
    in_loop = "main" if inline else "add"
    assert {(a.function, a.source_function, a.line, a.store, a.size) for a in found.accesses} == {
        *((in_loop, "add", 5, store, 16) for store in (False, True)),
        *(("main", "main", line, line == 11, 16) for line in (10, 11)),
    }
    assert len(found.accesses) == 3 + 2
    assert {Path(a.file).suffix for a in found.accesses} == {".c"}
    # what the user wrote stays a function, that of the headers are gone
    assert {f.name for f in found.functions} == ({"main"} if inline else {"add", "main"})


def test_a_header_s_function_that_is_inlined_is_at_its_call(compiled: Compile) -> None:
    text = """
    #include <ctype.h>
    char t[9];
    int main(void) {
        for (int i = 0; i < 9; i++)
            t[i] = tolower(t[i]);
        return 0;
    }
    """
    found = compiled(text, inline=True).program
    assert len(found.accesses) >= 2
    assert {(a.source_function, a.line, Path(a.file).suffix) for a in found.accesses} == {
        ("main", 6, ".c")
    }


def test_inline_functions_of_c99_are_defined(compiled: Compile) -> None:
    text = "inline int f(int n) { return n; } int main(void) { return f(3); }"
    functions = {f.name: f for f in compiled(text).program.functions}
    assert set(functions) == {"f", "main"}
    assert "available_externally" not in compiled(text).ir


def test_everything_has_a_name_and_is_valid(compiled: Compile) -> None:
    for level in ("as-written", "O1"):
        for inline in (False, True):
            text = compiled(RECURSION, level=level, inline=inline).ir
            llvm.parse_assembly(text, context=llvm.create_context()).verify()
            assert not re.search(r"^\s+%\d+ = ", text, re.MULTILINE)
            assert "#dbg_" not in text
            assert "logca.keep" not in text
            assert "target-features" not in text


def test_compiling_twice_gives_the_same(compiled: Compile, tmp_path: Path) -> None:
    source = tmp_path / "x.c"
    source.write_text(BRANCHES, encoding="utf-8")
    one, two = (compile_program(source) for _ in range(2))
    assert one.ir == two.ir
    assert one.program == two.program


def test_an_unknown_level_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="as-written, O1, not 'O2'"):
        compile_program(tmp_path / "x.c", level="O2")


def test_recursion_through_others_is_seen() -> None:
    text = (
        "define void @a() {\n  call void @b()\n}\n"
        "define void @b() {\n  %x = call i32 (ptr, ...) @c(ptr @a)\n}\n"
        "define i32 @c() {\n  tail call void @b()\n}\ndefine void @d() {\n  call void @d()\n}\n"
    )
    assert recursive(text) == {"b", "c", "d"}
