"""Structures passed by value to functions that stay calls, against what the source reads."""

import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from logca.trace.compile.arguments_by_value import with_arguments_read
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.execute.run import run
from logca.trace.ir.assembly import parse
from logca.trace.profiling.profile import profile

Compile = Callable[..., Compiled]

pytestmark = pytest.mark.skipif(
    platform.machine().lower() not in {"x86_64", "amd64"},
    reason="other calling conventions pass the address of a copy that the caller makes",
)

ELEMENTS = """
struct in { double a, b, c; int n; float w; };
double out[64]; struct in ps[64];
__attribute__((noinline)) double use(struct in s, int k) { return (s.a + s.b) * s.w + k; }
int main(void) { for (int i = 0; i < 64; i++) out[i] = use(ps[i], i); return 0; }
"""


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_the_caller_reads_each_member_of_what_it_passes(tmp_path: Path, level: str) -> None:
    source = tmp_path / "program.c"
    source.write_text(ELEMENTS, encoding="utf-8")
    found = profile(source, level=level)
    accesses = found.program.accesses
    caller = [
        (accesses[each.access].array, accesses[each.access].store, each.count, each.footprint.bytes)
        for line in found.lines
        for each in line.accesses
        if line.line == 5
    ]
    members = [("ps", False, 64, 64 * size) for size in (8, 8, 8, 4, 4)]
    assert caller == [*members, ("out", True, 64, 64 * 8)]
    # of its own copy, at one place, the function reads two doubles and a float
    assert found.footprint.bytes == 64 * 32 + 64 * 8 + 20


FORMS = """
#include <stdarg.h>
#define OUT __attribute__((noinline))
struct in { double a; int n; double b; char d; };          /* with gaps behind n and d */
struct list { double at[4]; long n; };
union either { double x[3]; int k; };
struct outer { int k; struct in in; } outer;
struct in one = {1, 2, 3, 4}, all[9]; struct list lists[9]; union either either;
typedef double (*function)(struct in, struct in);
OUT double both(struct in s, struct in t) { return s.a * 2 + t.b; }
function volatile pointer = both;
OUT struct in next(struct in s) { s.n++; s.a += 1; return s; }
OUT double sum(struct list of) { return of.at[1] + of.n; }
OUT double first(union either e) { return e.x[0]; }
OUT double down(struct in s) { if (s.n <= 0) return s.a; s.n--; return down(s) + s.b; }
OUT double rest(int n, ...) {
  va_list l; va_start(l, n); double x = 0;
  while (n--) x += va_arg(l, struct in).a;
  va_end(l); return x; }
OUT double globals(void) { return both(one, outer.in); }
OUT double elements(int i) { return both(all[i], all[3]); }
OUT double by_pointer(struct in *p) { return pointer(*p, one); }
OUT double nested(void) { return both(next(one), one); }
OUT double many(void) { return rest(2, one, outer.in); }
OUT double arrays(int i) { return sum(lists[i]) + sum(lists[8 - i]); }
OUT double unions(void) { return first(either); }
OUT double mine(void) { struct in s; s.a = 5; s.n = 6; s.b = 7; s.d = 8; return down(s); }
int main(void) {
  outer.in.b = 4; lists[1].at[1] = 2; lists[7].n = 3; all[3].b = 9;
  return globals() + elements(2) + by_pointer(&all[3]) + nested() + many() + arrays(1) + unions()
         + mine();
}
"""
RESULT = (2 + 4) + 9 + 3 + (4 + 3) + 1 + (2 + 3) + 0 + (5 + 6 * 7)
"""Sums of the values above, worked out by hand."""
IN = (8, 4, 8, 1)


def in_caller(compiled: Compiled, function: str) -> list[tuple[str, bool, int]]:
    return [
        (each.array, each.store, each.size)
        for each in compiled.program.accesses
        if each.function == function
    ]


def read(*arrays: str) -> list[tuple[str, bool, int]]:
    return [(array, False, size) for array in arrays for size in IN]


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_every_form_of_argument_is_read(compiled: Compile, level: str) -> None:
    program = compiled(FORMS, level=level)
    assert in_caller(program, "globals") == read("one", "outer")
    assert in_caller(program, "elements") == read("all", "all")
    assert in_caller(program, "by_pointer") == [("pointer", False, 8), *read("p", "one")]
    # the argument of the inner call, what it gives, and the second of the outer one
    given = in_caller(program, "nested")
    assert given[:4] == read("one")
    assert given[8:] == read("one")
    assert [each[1:] for each in given[4:8]] == [(False, size) for size in IN]
    assert in_caller(program, "many") == read("one", "outer")
    assert [each for each in in_caller(program, "mine") if not each[1]] == read("s")
    assert in_caller(program, "down").count(("s", False, 1)) == 1


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_arrays_and_unions_are_copied_as_a_whole(compiled: Compile, level: str) -> None:
    program = compiled(FORMS, level=level)
    copied = [("lists", False, 40), ("of", True, 40)]
    assert in_caller(program, "arrays") == copied * 2
    assert in_caller(program, "unions") == [("either", False, 24), ("e", True, 24)]
    copies = [each for each in program.program.accesses if each.array == "of" and each.store]
    assert all(each.private for each in copies)


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_the_program_computes_what_it_did(compiled: Compile, level: str) -> None:
    assert run(compiled(FORMS, level=level)).status == RESULT


def test_halves_of_a_large_program_are_read_too(
    compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = compiled(FORMS).program
    monkeypatch.setattr("logca.trace.ir.beside.LARGE_TEXT", 0)
    monkeypatch.setattr("logca.trace.compile.machine_code.LARGE_TEXT", 0)
    source = tmp_path / "program.c"
    source.write_text(FORMS, encoding="utf-8")
    large = compile_program(source)
    assert [(each.array, each.store, each.size) for each in large.program.accesses] == [
        (each.array, each.store, each.size) for each in whole.accesses
    ]
    assert run(large).status == RESULT


def test_names_in_quotes_and_names_that_are_taken() -> None:
    text = """%"struct größe" = type { [3 x double], i8 }

define void @"f g"(ptr byval(%"struct größe") align 8 %of) {
entry:
  ret void
}

define void @h(ptr %"p q") {
"first block":
  %of.addr.0 = alloca i8, align 1
  tail call void @"f g"(ptr noundef byval(%"struct größe") align 8 captures(none) %"p q"), !dbg !7
  ret void
}
"""
    new = with_arguments_read(text)
    _, body = parse(new).bodies
    statements = body.blocks[0].statements
    assert [each.name for each in statements if each.opcode == "alloca"] == [
        "%of.addr.1",
        "%of.addr.0",
    ]
    copy = next(each for each in statements if each.callee.startswith("llvm.memcpy"))
    assert copy.operands == ["%of.addr.1", '%"p q"', "32", "false"]
    assert copy.location == 7
    assert new.count("\ndeclare void @llvm.") == 3


def test_a_module_without_such_calls_is_the_same() -> None:
    text = "define void @f(ptr byval({ [3 x i64] }) align 8 %x) {\nentry:\n  ret void\n}\n"
    assert with_arguments_read(text) == text
